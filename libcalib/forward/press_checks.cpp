#include "libcalib/forward/press_checks.hpp"

#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kUsualRange_m = 10e-3;
constexpr double kRangePerThickness = 2;
constexpr double kBesideMatters = 0.01;  // of the footprint
constexpr double kBalanced_m = 1e-16;    // to which a depth is found

}  // namespace

Result<void> check_press(const StaticPress& press) {
  const auto& load = press.load;
  const double amount = load.by == PressLoad::By::kForce ? load.force_N : load.depth_m;
  if (!press.pose.finite() || !std::isfinite(load.approach_m_per_s))
    return fail(ErrorCode::kInvalidInput,
                "FW-07 Pose or speed of the indenter holds what is no number.");
  if (!(amount > 0) || !std::isfinite(amount))
    return fail(ErrorCode::kInvalidInput, "FW-07 A load of {} {}: it must be a positive number.",
                amount, load.by == PressLoad::By::kForce ? "N" : "m");
  return {};
}

std::string load_words(const PressLoad& load) {
  if (load.by == PressLoad::By::kForce) return fmt::format("{:.4g} N", load.force_N);
  return fmt::format("{:.4g} mm of depth", m_to_mm(load.depth_m));
}

tl::unexpected<Error> nothing_under(const StaticPress& press, std::string_view why) {
  return fail(ErrorCode::kInvalidInput, "FW-01 {} at ({:.4g}, {:.4g}) mm {}: nothing carries {}.",
              press.indenter.describe(), m_to_mm(press.pose.x_m), m_to_mm(press.pose.y_m), why,
              load_words(press.load));
}

double pad_range_m(const SensorDescription& sensor) {
  return sensor.thickness_m ? kRangePerThickness * *sensor.thickness_m : kUsualRange_m;
}

Result<void> check_range(const SensorDescription& sensor, const StaticPress& press,
                         double depth_m) {
  const double range_m = pad_range_m(sensor);
  if (depth_m <= range_m) return {};
  return fail(ErrorCode::kInvalidInput,
              "FW-06 {} under {} would go {:.3g} mm deep, beyond the range of the pad, {:.3g} mm.",
              press.indenter.describe(), load_words(press.load), m_to_mm(depth_m),
              m_to_mm(range_m));
}

Result<double> balanced_depth_m(const StaticPress& press, double range_m, std::string_view why,
                                const std::function<double(double)>& load_N) {
  const double most_N = load_N(range_m);
  if (!(most_N > 0)) return nothing_under(press, why);
  if (press.load.by == PressLoad::By::kDepth && press.load.depth_m <= range_m)
    return press.load.depth_m;
  if (press.load.by == PressLoad::By::kDepth || most_N < press.load.force_N)
    return fail(ErrorCode::kInvalidInput,
                "FW-06 {} under {} goes beyond the range of the pad, {:.3g} mm, where it carries "
                "{:.4g} N.",
                press.indenter.describe(), load_words(press.load), m_to_mm(range_m), most_N);
  double low_m = 0, high_m = range_m;
  while (load_N(low_m) >= press.load.force_N) {
    high_m = low_m;
    low_m -= range_m;
  }
  while (high_m - low_m > kBalanced_m) {
    const double middle_m = (low_m + high_m) / 2;
    (load_N(middle_m) < press.load.force_N ? low_m : high_m) = middle_m;
  }
  return high_m;
}

void warn_of_footprint(const StaticPress& press, const FoundationContact& contact, double depth_m,
                       Warnings& warnings) {
  const double beside = contact.beside(depth_m);
  if (beside <= kBesideMatters) return;
  warnings.push_back({"FW-02",
                      fmt::format("{:.0f} % of the footprint is off the array; the load shared "
                                  "with the frame is unknown",
                                  100 * beside),
                      press.indenter.describe()});
}

void warn_of_depth(const SensorDescription& sensor, const StaticPress& press, double depth_m,
                   Warnings& warnings) {
  if (!sensor.thickness_m || depth_m <= *sensor.thickness_m) return;
  warnings.push_back(
      {"FW-03",
       fmt::format("{} needs {:.3g} mm on a layer of {:.3g} mm", load_words(press.load),
                   m_to_mm(depth_m), m_to_mm(*sensor.thickness_m)),
       press.indenter.describe()});
}

}  // namespace tactelier
