#include "devices/motion/hand_push.hpp"

#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr double kLeast_N = 0.3;
constexpr double kAlong = 0.85;  // cosine: 32 degrees off
constexpr double kGain = 0.1;

double norm_N(const std::array<double, 3>& f) { return std::hypot(f[0], f[1], f[2]); }

std::string in_words(const std::array<double, 3>& f) {
  return fmt::format("Fx {:+.2f}, Fy {:+.2f}, Fz {:+.2f} N", f[0], f[1], f[2]);
}

std::string direction(Push push) {
  return push == Push::kUp ? "up" : push == Push::kX ? "+x" : "+y";
}

}  // namespace

std::string push_text(Push push) {
  if (push == Push::kUp)
    return "Push the tip upwards with a finger, about as hard as a letter scale shows 100 g, and "
           "hold it while you continue.";
  return fmt::format(
      "Push the tip sideways towards the stage's {}, about as hard, and hold it while you "
      "continue.",
      direction(push));
}

Vector3 push_N(Push push) {
  if (push == Push::kUp) return {0, 0, 1};
  return push == Push::kX ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
}

std::string hang_text(double mass_kg) {
  return fmt::format(
      "Hang {:.4g} g on the tip (check_mass_g of the rig file), wait until nothing swings, and "
      "continue.",
      mass_kg * 1e3);
}

Result<void> judge_weight(double mass_kg, const std::array<double, 3>& felt_N,
                          const ForceAxes& axes) {
  const double true_N = mass_kg * kStandardGravity_m_per_s2;
  const double pull_N = -axes.press_axis.sign * felt_N[axes.press_axis.index];
  const double share = pull_N / true_N;
  if (std::abs(share - 1) <= kGain) return {};
  const auto read = fmt::format(
      "{:.4g} g hung on the tip pull with {:.3f} N and read as {:.3f} N "
      "({:.2f} times; {})",
      mass_kg * 1e3, true_N, pull_N, share, in_words(felt_N));
  constexpr double kElsewhere = 0.3;
  if (std::abs(share) < kElsewhere && norm_N(felt_N) > 0.5 * true_N)
    return fail(ErrorCode::kDeviceFault,
                "{}: it shows in another axis; correct force_sensor.press_axis in the rig file",
                read);
  if (share < 0 && norm_N(felt_N) > 0.5 * true_N)
    return fail(ErrorCode::kDeviceFault,
                "{}: turn the sign of force_sensor.press_axis in the rig file", read);
  return fail(ErrorCode::kDeviceFault,
              "{}: is the mass the one that the rig file says, and are unit, full scale and "
              "calibration file this sensor's? Nothing goes down before they agree to {:.0f} %",
              read, 100 * kGain);
}

Result<void> judge_push(Push push, const std::array<double, 3>& felt_N, const ForceAxes& axes) {
  const double all_N = norm_N(felt_N);
  if (all_N < kLeast_N)
    return fail(
        ErrorCode::kDeviceFault,
        "the push {} was not felt ({}; {:.1f} N are needed): is the force sensor connected, "
        "and is it the one behind the tip?",
        direction(push), in_words(felt_N), kLeast_N);
  const double press_N = axes.press_axis.sign * felt_N[axes.press_axis.index];
  if (push == Push::kUp) {
    if (press_N >= kAlong * all_N) return {};
    if (press_N <= -kAlong * all_N)
      return fail(
          ErrorCode::kDeviceFault,
          "the push up reads as a pull ({}): turn the sign of force_sensor.press_axis in the "
          "rig file",
          in_words(felt_N));
    return fail(ErrorCode::kDeviceFault,
                "the push up shows mostly in another axis ({}): correct force_sensor.press_axis in "
                "the rig file",
                in_words(felt_N));
  }
  if (std::abs(press_N) > std::sqrt(1 - kAlong * kAlong) * all_N)
    return fail(
        ErrorCode::kDeviceFault,
        "the push towards {} shows in the pressing axis ({}): is an axis of the force sensor "
        "dead, or was the push slanting?",
        direction(push), in_words(felt_N));
  if (!axes.rz_rad || axes.press_axis.index != 2) return {};
  const double c = std::cos(*axes.rz_rad), s = std::sin(*axes.rz_rad);
  const double x_N = c * felt_N[0] - s * felt_N[1], y_N = s * felt_N[0] + c * felt_N[1];
  if (std::abs(push == Push::kX ? x_N : y_N) >= kAlong * all_N) return {};
  return fail(ErrorCode::kDeviceFault,
              "the push towards {} shows in another direction ({}): correct force_sensor.rz_deg in "
              "the rig file",
              direction(push), in_words(felt_N));
}

}  // namespace tactelier::rig
