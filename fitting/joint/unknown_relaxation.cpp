#include "fitting/joint/unknown_relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/contact/contact.hpp"
#include "fitting/joint/loss_per_decade.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

// Vulcanised rubber loses up to a tenth of its force per decade of time, gum a few percent
// (docs/theory/damping-and-relaxation.md 8); from presses of a second to rest are three decades.
constexpr double kRubberPerDecade = 0.1;
constexpr double kDecades = 3;
constexpr double kUneven = 2;  // decades to come may lose so much more than those of the press
constexpr double kMost = 0.6;
constexpr double kSampled_s = 0.02;      // a stage that shows its way: a loop is the pad's
constexpr std::size_t kMinPresses = 3;   // that show their loss
constexpr std::size_t kMaxPresses = 40;  // more say nothing new
constexpr double kSurely = 2;            // standard errors
constexpr double kNothing = 1e-3;        // per decade: less, either way, is the law's own doing

struct Seen {
  std::vector<double> lasts_s, per_decade;
  std::size_t moving = 0;
};

Result<void> look_at(const FitContext& context, std::size_t s, std::size_t p, Seen& seen) {
  const auto* contact = find_contact(context, s, p);
  if (!contact || !contact->ok) return {};
  const auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || !data->has_travel() || data->static_readings) return {};
  ++seen.moving;
  seen.lasts_s.push_back(std::max(0.0, data->time_s[data->peak] - contact->time_s));
  if (!(data->stage_period_s > 0 && data->stage_period_s < kSampled_s)) return {};
  std::vector<double> force_N(data->force_N);
  for (double& force : force_N) force -= contact->force_bias_N;
  const auto depth = depth_m(context, *contact, *data);
  if (const auto found = loss_per_decade({data->time_s, depth, force_N}))
    seen.per_decade.push_back(found->value);
  return {};
}

}  // namespace

double relaxation_bound(const std::optional<Estimate>& per_decade) {
  const double rubber = kDecades * kRubberPerDecade;
  if (!per_decade || per_decade->value < -std::max(kSurely * per_decade->std, kNothing))
    return rubber;
  const double largest = std::max(0.0, per_decade->value) + kSurely * per_decade->std;
  if (largest > kRubberPerDecade) return std::clamp(kDecades * largest, rubber, kMost);
  return std::min(rubber, kUneven * kDecades * largest);
}

Result<std::optional<UnknownRelaxation>> bound_relaxation(const FitContext& context) {
  Seen seen;
  for (std::size_t s = 0; s < context.sessions.size(); ++s)
    for (std::size_t p = 0; p < context.sessions[s].presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      const Press& press = context.sessions[s].presses[p];
      if (seen.moving >= kMaxPresses || !press.usable() || press.kind != PressKind::kRamp ||
          !press.holds.empty())
        continue;
      if (auto looked = look_at(context, s, p, seen); !looked) return fail(looked.error());
    }
  if (seen.moving == 0) return std::nullopt;
  UnknownRelaxation found;
  found.press_s = median(seen.lasts_s);
  if (seen.per_decade.size() >= kMinPresses) found.per_decade = press_spread(seen.per_decade);
  found.bound = relaxation_bound(found.per_decade);
  return found;
}

}  // namespace tactelier
