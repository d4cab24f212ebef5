#include "reports/verify/press_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier {
namespace {

constexpr double kMostOfTravel = 0.95;  // beyond, the pad's lower stop begins to act

}  // namespace

PressList::PressList(const SensorModel& model, const MujocoPad& pad)
    : column_(column_of(model, 0).value_or(FoundationColumn{})),
      fastest_m_per_s_(model.validity.speed_m_per_s.value_or(std::array{0.0, 0.05})[1]) {
  if (!pad.hardening) column_.hardening = {};
  most_m_ = pad.hardening ? pad.hardening->end_m : std::numeric_limits<double>::infinity();
  if (pad.travel_m) most_m_ = std::min(most_m_, kMostOfTravel * *pad.travel_m);
}

Result<PressList> PressList::create(const SensorModel& model, const MujocoPad& pad) {
  PressList list(model, pad);
  const auto stated = model.validity.force_N;
  const bool endless = !std::isfinite(list.most_m_);
  if (!stated && endless)
    return fail(
        ErrorCode::kUnidentifiable,
        "validity.force_N: the model states no range of forces, nor how far a tactel gives: "
        "there is nothing to press over; --assume stiffness.max_penetration=VALUE");
  list.range_N_ = stated.value_or(std::array{0.0, std::numeric_limits<double>::infinity()});
  if (!endless)
    for (auto& end_N : list.range_N_) end_N = std::min(end_N, list.force_N(list.most_m_));
  return list;
}

double PressList::depth_m(double force_N) const {
  double low_m = 0, high_m = force_N / column_.stiffness_N_per_m;
  if (column_.spring_N(high_m) == force_N) return high_m;
  while (high_m - low_m > 1e-9 * high_m) {
    const double middle_m = (low_m + high_m) / 2;
    (column_.spring_N(middle_m) < force_N ? low_m : high_m) = middle_m;
  }
  return high_m;
}

double PressList::speed_m_per_s(double depth_m, double time_step_s) const {
  constexpr double kSteps = 100;
  return std::min(fastest_m_per_s_, depth_m / (kSteps * time_step_s));
}

}  // namespace tactelier
