// What the presses cannot tell, found before or without a fit.

#include <algorithm>
#include <cmath>

#include "fitting/psf/psf_report.hpp"

namespace tactelier {
namespace {

constexpr const char* kFrom = "psf";
constexpr double kOnCentre = 0.25;  // of the pitch
constexpr double kNeighbour = 1.2;  // pitches: two centres this close are neighbours

}  // namespace

void refuse_psf(SensorModel& model, const std::string& reason) {
  auto& psf = model.psf;
  for (auto* length :
       {&psf.sigma, &psf.sigma_x, &psf.sigma_y, &psf.registration.x, &psf.registration.y})
    *length = unidentifiable("m", reason, kFrom);
  for (auto* angle : {&psf.theta, &psf.registration.rz})
    *angle = unidentifiable("rad", reason, kFrom);
  psf.kernel_sampled = {};
  psf.kernel_sampled.s = unidentifiable("tactels", reason, kFrom);
  model.response.zero_return = unidentifiable("%", reason, kFrom);
  model.response.zero_return_time = unidentifiable("s", reason, kFrom);
  for (auto& response : model.response.tactels) {
    if (response.status == TactelStatus::kStuck) continue;  // has its own reason
    response.gain = unidentifiable("N/count", reason, kFrom);
    response.threshold = unidentifiable("N", reason, kFrom);
  }
}

bool isolated_centres(const PsfProblem& problem, const SensorDescription& sensor) {
  const double pitch_m = problem.layout.pitch_m();
  for (const auto& press : problem.presses) {
    if (!press.used) continue;
    double nearest_m = std::numeric_limits<double>::infinity();
    for (int t = 0; t < sensor.tactels(); ++t) {
      const auto centre = sensor.position_m(t);
      nearest_m = std::min(nearest_m, std::hypot(centre[0] - press.x_m, centre[1] - press.y_m));
    }
    if (nearest_m > kOnCentre * pitch_m) return false;
    for (const auto& other : problem.presses) {
      const double away_m = std::hypot(other.x_m - press.x_m, other.y_m - press.y_m);
      if (other.used && away_m > 2 * kOnCentre * pitch_m && away_m < kNeighbour * pitch_m)
        return false;
    }
  }
  return true;
}

std::string psf_objection(const PsfData& data) {
  if (data.problem.tactels.empty())
    return "PS-01 No tactel answered to any press, so the spread is not visible: press harder.";
  if (data.most_answering <= 1) {
    // The neighbours' share stayed below the trigger: side/centre < trigger/force.
    const double ratio = data.median_press_threshold_N > 0 && data.peak_force_N > 0
                             ? data.median_press_threshold_N / data.peak_force_N
                             : 0.1;
    const double s = std::sqrt(-1 / (2 * std::log(std::clamp(ratio, 1e-6, 0.9))));
    return fmt::format(
        "PS-01 No neighbour above trigger in any press: the spread is not visible; σ < {:.2g} "
        "tactels is all that can be said. Press harder, near the limit, or with a larger tip.",
        integrated_from_sampled(s));
  }
  return places_objection(data.images, data.problem.layout.pitch_m());
}

}  // namespace tactelier
