#include "fitting/adaptive/blocks.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/units.hpp"

namespace tactelier::adaptive {
namespace {

using nlohmann::json;

// As in P5 (data/protocols/p5.json): a factor of 32 in speed tells damping apart from relaxation.
constexpr std::array kSpeedShares{1.0 / 32, 0.1, 1.0 / 3.2, 1.0};
constexpr double kMostSpeed_m_per_s = 8e-3;
constexpr int kRepeats = 6;
constexpr double kDepth_m = 1e-3, kDeeper = 1.1;
constexpr double kDepthShare = 0.8;  // of the greatest depth that a press may reach
// Long enough for branches of up to half a minute; P6 holds 300 s for slower ones.
constexpr double kHold_s = 60, kRamp_s = 0.2;
constexpr std::array kHoldShares{0.5, 1.0};

double depth_of(const BlockSettings& settings) {
  return std::min(kDepth_m, kDepthShare * settings.most_depth_m / kDeeper);
}

double top_speed(const BlockSettings& settings) {
  return std::min(kMostSpeed_m_per_s, settings.most_speed_m_per_s);
}

}  // namespace

bool by_blocks(TargetKind kind) {
  return kind == TargetKind::kDamping || kind == TargetKind::kRelaxation;
}

json block_steps(TargetKind kind, const BlockSettings& settings, bool first) {
  const json sites = json::array({settings.tactel});
  const double depth_m = depth_of(settings);
  json steps = json::array();
  if (first)
    steps.push_back({{"do", "cycles"},
                     {"sites", sites},
                     {"depth_mm", tidy_mm(kDeeper * depth_m)},
                     {"speed_mm_s", 1},
                     {"count", 1}});
  if (kind == TargetKind::kDamping) {
    json speeds = json::array();
    for (const double share : kSpeedShares) speeds.push_back(tidy_mm(share * top_speed(settings)));
    steps.push_back({{"do", "speeds"},
                     {"sites", sites},
                     {"depth_mm", tidy_mm(depth_m)},
                     {"speeds_mm_s", speeds},
                     {"repeats", kRepeats}});
  }
  if (kind == TargetKind::kRelaxation)
    for (const double share : kHoldShares)
      steps.push_back({{"do", "hold"},
                       {"sites", sites},
                       {"depth_mm", tidy_mm(share * depth_m)},
                       {"ramp_s", kRamp_s},
                       {"time_s", kHold_s}});
  return steps;
}

double block_s(TargetKind kind, const BlockSettings& settings) {
  if (kind == TargetKind::kRelaxation) return kHoldShares.size() * (kHold_s + settings.rest_s + 10);
  double seconds = 0;
  for (const double share : kSpeedShares)
    seconds +=
        kRepeats * (settings.rest_s + 2 * depth_of(settings) / (share * top_speed(settings)));
  return seconds;
}

}  // namespace tactelier::adaptive
