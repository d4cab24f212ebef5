#include "app/workflow/report/force_use.hpp"

#include <algorithm>
#include <cmath>

#include "app/workflow/apply_model.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

/// The reading, as recorded, that a tactel has at a force over its centre; NaN where none is this
/// force's.
double reading_at(const TactelCalibration& tactel, double force_N) {
  double counts = NAN;
  if (tactel.curve) {
    if (force_N >= tactel.curve->low_N() && force_N <= tactel.curve->high_N())
      counts = tactel.curve->counts(force_N);
  } else if (force_N >= tactel.threshold_N && tactel.gain_N_per_count > 0) {
    counts = tactel.offset_counts + (force_N - tactel.threshold_N) / tactel.gain_N_per_count;
  }
  return tactel.falling ? tactel.mirror_counts - counts : counts;
}

double largest_force_N(const SensorModel& model) {
  if (model.validity.force_N) return (*model.validity.force_N)[1];
  double largest = 0;
  for (const auto& press : model.presses)
    if (press.used) largest = std::max(largest, press.peak_force_N.value_or(0));
  return largest;
}

/// From a hundredth of the largest force, or from the range's begin where that is more.
std::vector<double> round_forces(const SensorModel& model) {
  const double high = largest_force_N(model);
  std::vector<double> forces;
  if (!(high > 0) || !std::isfinite(high)) return forces;
  const double low =
      std::max(high / 100, model.validity.force_N ? (*model.validity.force_N)[0] : 0.0);
  for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10, power) <= high;
       ++power)
    for (const double times : {1.0, 2.0, 5.0}) {
      const double force_N = times * std::pow(10, power);
      if (force_N >= low * (1 - 1e-9) && force_N <= high * (1 + 1e-9)) forces.push_back(force_N);
    }
  return forces;
}

}  // namespace

std::vector<ForceUse> force_use(const SensorModel& model) {
  std::vector<TactelLine> lines;
  std::vector<TactelCalibration> tactels;
  const auto count = static_cast<std::size_t>(model.sensor.tactels());
  for (std::size_t i = 0; i < count; ++i) {
    lines.emplace_back(model, i);
    tactels.push_back(tactel_calibration(model, i));
  }
  const auto calibrated = static_cast<int>(std::count_if(
      lines.begin(), lines.end(), [](const TactelLine& line) { return line.why().empty(); }));
  std::vector<ForceUse> use;
  if (calibrated == 0) return use;
  for (const double force_N : round_forces(model)) {
    ForceUse at{force_N, 0, calibrated, 0, 0, 0};
    std::vector<double> all_N;
    for (std::size_t i = 0; i < count; ++i) {
      const double reading = lines[i].why().empty() ? reading_at(tactels[i], force_N) : NAN;
      if (!std::isfinite(reading)) continue;
      const auto applied = lines[i].apply(reading);
      if (applied.flag != ReadingFlag::kOk || !applied.u95_N) continue;
      all_N.push_back(*applied.u95_N);
      if (*applied.u95_N <= at.worst_N) continue;
      at.worst_N = *applied.u95_N;
      at.worst_tactel = static_cast<int>(i);
    }
    at.measure = static_cast<int>(all_N.size());
    if (!all_N.empty()) at.median_N = median(all_N);
    use.push_back(at);
  }
  return use;
}

std::vector<ForceUse> array_force_use(const SensorModel& model) {
  const auto& force = model.array.force;
  const ArrayTotal total(model);
  std::vector<ForceUse> use;
  if (!total.known()) return use;
  // Readings that add up to the force: all on the tactel with the largest weight.
  const auto& weights = force.weight_N_per_count;
  const auto heaviest = static_cast<std::size_t>(
      std::max_element(weights.begin(), weights.end(),
                       [](double a, double b) { return std::abs(a) < std::abs(b); }) -
      weights.begin());
  if (weights[heaviest] == 0) return use;
  std::vector<double> readings(weights.size(), 0.0);
  for (const double force_N : round_forces(model)) {
    readings[heaviest] = (force_N - force.intercept_N) / weights[heaviest];
    const auto applied = total.apply(readings);
    if (applied.u95_N) use.push_back({force_N, 1, 1, *applied.u95_N, *applied.u95_N, 0});
  }
  return use;
}

}  // namespace tactelier
