#include "fitting/plan/additions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tactelier {
namespace {

constexpr double kHelps = 0.97;  // of a half-width: less is no help
constexpr double kGauge_hz = 1000;

struct Candidate50 {
  std::string what;
  std::function<void(RigQuality&, PlannedWork&)> apply;
};

/// Presses at half the speed; slides keep theirs, which are what they are for.
void slow_presses(PlannedWork& work) {
  for (auto& plate : work.plates) plate.speed_m_per_s /= 2;
  for (auto& press : work.presses) {
    if (shows_rate(press.kind)) continue;
    for (auto& loading : press.loadings) {
      const auto from_m = loading.motion.from_m(), to_m = loading.motion.end_m();
      if (distance_m(from_m, to_m) <= 0) continue;
      loading.motion = Motion::line(from_m, to_m, loading.speed_m_per_s / 2,
                                    loading.motion.top_acceleration_m_per_s2());
      loading.speed_m_per_s /= 2;
    }
  }
}

std::vector<Candidate50> candidates(const RigQuality& quality) {
  std::vector<Candidate50> all;
  if (!quality.motion_measured())
    all.push_back({"a dial gauge of 1 µm beside the stage, read 1000 times a second",
                   [](RigQuality& rig, PlannedWork&) {
                     rig.position_rate_hz = kGauge_hz;
                     rig.microstep_error_m = 0.5e-6;
                     rig.backlash_m = 0;
                   }});
  if (quality.step_m > 1.5e-6)
    all.push_back(
        {"a screw of half the pitch, or twice the microsteps", [](RigQuality& rig, PlannedWork&) {
           rig.step_m /= 2;
           rig.microstep_error_m /= 2;
         }});
  if (quality.force_gain_u.value_or(0) > 0.003)
    all.push_back({"known weights at the tip, which certify the force to 0.3 %",
                   [](RigQuality& rig, PlannedWork&) { rig.force_gain_u = 0.003; }});
  all.push_back(
      {"presses at half the speed", [](RigQuality&, PlannedWork& work) { slow_presses(work); }});
  return all;
}

void compare(const std::vector<PlannedParameter>& without,
             const std::vector<PlannedParameter>& with, Addition& addition) {
  std::vector<double> ratios;
  double best = kHelps;
  for (const auto& now : without) {
    const auto then = std::find_if(with.begin(), with.end(),
                                   [&](const auto& one) { return one.path == now.path; });
    if (then == with.end() || !then->promised()) continue;
    if (!now.promised()) {
      addition.gained.push_back(now.path);
      continue;
    }
    const double ratio = then->relative() / now.relative();
    ratios.push_back(ratio);
    if (ratio >= best) continue;
    best = ratio;
    addition.most = now.path;
    addition.most_from = now.relative();
    addition.most_to = then->relative();
  }
  if (ratios.empty()) return;
  double logs = 0;
  for (const double ratio : ratios) logs += std::log(ratio) / static_cast<double>(ratios.size());
  addition.helps = std::exp(logs);
}

std::string percent_text(double relative) { return fmt::format("{:.2g} %", 100 * relative); }

}  // namespace

double Addition::worth() const {
  return static_cast<double>(gained.size()) - std::log(std::max(1e-6, helps));
}

std::vector<Addition> additions(const PlanBasis& basis,
                                const std::vector<PlannedParameter>& planned, const Job& job) {
  std::vector<Addition> all;
  for (const auto& candidate : candidates(basis.quality)) {
    if (job.stopped()) break;
    auto quality = basis.quality;
    auto work = basis.work;
    candidate.apply(quality, work);
    const auto with = planned_information({work, basis.sensor, quality, basis.expected}, job);
    Addition addition;
    addition.what = candidate.what;
    compare(planned, with, addition);
    if (!addition.gained.empty() || !addition.most.empty()) all.push_back(std::move(addition));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.worth() > b.worth(); });
  return all;
}

std::string addition_words(const Addition& addition) {
  std::string words = addition.what + ": ";
  if (!addition.gained.empty())
    words += fmt::format("tells {} too", fmt::join(addition.gained, ", "));
  if (!addition.most.empty())
    words += fmt::format("{}{} to ± {} instead of ± {}", addition.gained.empty() ? "" : "; ",
                         addition.most, percent_text(addition.most_to),
                         percent_text(addition.most_from));
  return words;
}

}  // namespace tactelier
