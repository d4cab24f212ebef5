#include "devices/motion/registration.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr double kSpeed_m_per_s = 0.3e-3;
constexpr double kAir_s = 0.3;
constexpr double kDwell_s = 0.3;
constexpr double kDeepest_m = 1.5e-3;
constexpr double kMinRise_counts = 10;
constexpr double kMostScale = 1.25;  // a centroid of a few tactels errs by some percent
constexpr double kFlank = 0.05;      // of the highest rise: less is noise or ghosting

/// p_S = R M S p_G + t, so that rotation and handedness are found with the scale apart.
FoundRegistration fit_one(const std::vector<FeltPress>& presses, bool mirror) {
  const auto n = static_cast<Eigen::Index>(presses.size());
  Eigen::Matrix2Xd from(2, n), to(2, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& press = presses[static_cast<std::size_t>(i)];
    from.col(i) << (mirror ? -press.stage_x_m : press.stage_x_m), press.stage_y_m;
    to.col(i) << press.felt_x_m, press.felt_y_m;
  }
  const Eigen::Vector2d from_mean = from.rowwise().mean(), to_mean = to.rowwise().mean();
  const Eigen::Matrix2Xd a = from.colwise() - from_mean, b = to.colwise() - to_mean;
  // Rotation of least squares in the plane: the angle of the sum of b conj(a).
  const double along = (a.array() * b.array()).sum();
  const double across =
      (a.row(0).array() * b.row(1).array() - a.row(1).array() * b.row(0).array()).sum();
  FoundRegistration found;
  found.frame.mirror = mirror;
  found.frame.rz_rad = std::atan2(across, along);
  const double spread = a.squaredNorm();
  found.scale = std::hypot(along, across) / spread;
  const Eigen::Rotation2Dd turn(found.frame.rz_rad);
  // At the middle of the places the scale does no harm: commanded lengths are right.
  const Eigen::Vector2d shift = to_mean - turn * from_mean;
  found.frame.x_m = shift(0);
  found.frame.y_m = shift(1);
  const Eigen::Matrix2Xd residual = b - found.scale * (turn.toRotationMatrix() * a);
  const double degrees = std::max(1.0, static_cast<double>(2 * n - 4));
  const double variance = residual.squaredNorm() / degrees;
  found.residual_m = std::sqrt(residual.squaredNorm() / static_cast<double>(n));
  found.u_xy_m = std::sqrt(variance / static_cast<double>(n));
  found.u_rz_rad = std::sqrt(variance / spread) / found.scale;
  found.presses = presses;
  return found;
}

int nearest_tactel(const SensorDescription& sensor, double x_m, double y_m) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto p = sensor.position_m(i);
    const double d = std::hypot(p[0] - x_m, p[1] - y_m);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

/// Of an array of which no reading rose under the tip.
Error felt_nothing(const SensorDescription& sensor, const QuietMean& air,
                   const QuietMean& pressed) {
  const bool same = air.counts == pressed.counts && !air.counts.empty() &&
                    std::all_of(air.counts.begin(), air.counts.end(),
                                [&](double one) { return one == air.counts.front(); });
  if (same)
    return {ErrorCode::kUnidentifiable,
            fmt::format("the array feels nothing: every reading stands at {:g} without noise, "
                        "pressed or not: check its cable and ground, then switch it off and on "
                        "('tactelier devices test' shows its readings)",
                        air.counts.front())};
  return {ErrorCode::kUnidentifiable,
          fmt::format("the array feels nothing: no reading {} by {:.0f} counts under the tip; is "
                      "the tip over the pad (stage_to_sensor of the rig file), and is this the "
                      "array ('tactelier devices test' shows its readings)?",
                      sensor.falling ? "fell" : "rose", kMinRise_counts)};
}

/// Where readings rose: first channel in the mean's order is the normal one's place.
Result<FeltPress> felt(const SensorDescription& sensor, const QuietMean& air,
                       const QuietMean& pressed) {
  const auto channels = static_cast<std::size_t>(sensor.channels);
  const double sign = sensor.falling ? -1 : 1;
  std::vector<double> rise;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto at = (static_cast<std::size_t>(i) + 1) * channels - 1;
    rise.push_back(at < pressed.counts.size() ? sign * (pressed.counts[at] - air.counts[at]) : 0);
  }
  const auto top = std::max_element(rise.begin(), rise.end());
  if (*top < kMinRise_counts) return fail(felt_nothing(sensor, air, pressed));
  FeltPress press;
  press.tactel = static_cast<int>(top - rise.begin());
  double sum = 0;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const double weight = rise[static_cast<std::size_t>(i)] - kFlank * *top;
    if (weight <= 0) continue;
    const auto p = sensor.position_m(i);
    press.felt_x_m += weight * p[0];
    press.felt_y_m += weight * p[1];
    sum += weight;
  }
  press.felt_x_m /= sum;
  press.felt_y_m /= sum;
  return press;
}

/// Three by three tactel centres, a row or column away from the edge where there is one.
std::vector<int> grid_of_nine(const SensorDescription& sensor) {
  const auto& array = sensor.arrays.front();
  const auto three = [](int count) {
    const int first = count > 4 ? 1 : 0, last = count - 1 - first;
    return std::array{first, (first + last) / 2, last};
  };
  std::vector<int> tactels;
  for (const int row : three(array.rows))
    for (const int column : three(array.columns)) tactels.push_back(row * array.columns + column);
  std::sort(tactels.begin(), tactels.end());
  tactels.erase(std::unique(tactels.begin(), tactels.end()), tactels.end());
  return tactels;
}

}  // namespace

Result<FoundRegistration> fit_registration(const std::vector<FeltPress>& presses, double pitch_m) {
  if (presses.size() < 4)
    return fail(ErrorCode::kUnidentifiable, "a registration needs four presses, there are {}",
                presses.size());
  auto plain = fit_one(presses, false), mirrored = fit_one(presses, true);
  auto& best = mirrored.residual_m < plain.residual_m ? mirrored : plain;
  if (!(best.scale > 0.3) || best.residual_m > 0.5 * pitch_m)
    return fail(ErrorCode::kUnidentifiable,
                "the array feels the presses elsewhere than any turn or mirroring explains (rms "
                "{:.2f} mm, scale {:.2f}): are rows swapped, or is the description another "
                "sensor's?",
                m_to_mm(best.residual_m), best.scale);
  if (std::abs(std::log(best.scale)) > std::log(kMostScale))
    return fail(
        ErrorCode::kUnidentifiable,
        "presses that the stage says are 1 mm apart are felt {:.2f} mm apart: are its steps "
        "per mm right ($100, $101 of a GRBL, M92 of a Marlin, um_per_step of Zaber axes; multiply "
        "them by {:.3g}), and the "
        "pitch of the sensor description?",
        best.scale, 1 / best.scale);
  const auto wrong = std::count_if(presses.begin(), presses.end(), [](const FeltPress& press) {
    return press.tactel != press.expected_tactel;
  });
  if (wrong > static_cast<std::ptrdiff_t>(presses.size()) / 2)
    best.warnings.push_back({"ROWS",
                             fmt::format("{} of {} presses rose another tactel than the one "
                                         "pressed; the registration takes that into account",
                                         wrong, presses.size()),
                             "register"});
  return best;
}

Result<FoundRegistration> find_registration(LiveRig& live, RigMotion& motion, Descent& descent,
                                            const SensorDescription& sensor, const RigFile& rig,
                                            double force_N,
                                            const std::function<void(int, int)>& on_press) {
  std::vector<FeltPress> presses;
  const auto tactels = grid_of_nine(sensor);
  for (const int tactel : tactels) {
    if (on_press) on_press(static_cast<int>(presses.size()), static_cast<int>(tactels.size()));
    const auto p = sensor.position_m(tactel);
    if (auto up = motion.retreat(); !up) return fail(up.error());
    auto over_m = motion.at_m();
    over_m = {p[0], p[1], std::max(over_m[2], motion.safe_z_m())};
    if (auto there = motion.go(over_m, rig.stage.xy_speed_m_per_s); !there)
      return fail(there.error());
    if (auto down = motion.go({p[0], p[1], rig.stage.air_gap_m}, rig.stage.z_speed_m_per_s); !down)
      return fail(down.error());
    live.in_free_air(true);
    const auto air = live.quiet_mean(kAir_s);
    live.in_free_air(false);
    if (!air) return fail(air.error());
    ContactState contact{true, true, 0, 0, 0, live.clock().now_ns()};
    contact.surface_z_m = motion.frame().stage_from_plan_m({p[0], p[1], 0})[2];
    live.set_contact(contact);
    const DescentGoal goal{-std::min(kDeepest_m, live.limits().depth_m.value_or(kDeepest_m)), 0,
                           kSpeed_m_per_s, Touch::kPad, descent_ceiling_N(live, rig, Touch::kPad)};
    const auto loaded = descent.go(goal, [&] { return live.reading().force_N >= force_N; });
    if (!loaded) return fail(loaded.error());
    const auto pressed = live.quiet_mean(kDwell_s);
    live.set_contact({});
    if (auto up = motion.retreat(); !up) return fail(up.error());
    if (!pressed) return fail(pressed.error());
    auto press = felt(sensor, *air, *pressed);
    if (!press) return fail(press.error(), fmt::format("tactel {}", tactel));
    const auto at_m = live.reading().stage.position_m;
    press->stage_x_m = at_m[0];
    press->stage_y_m = at_m[1];
    press->expected_tactel = nearest_tactel(sensor, p[0], p[1]);
    presses.push_back(*press);
  }
  if (on_press) on_press(static_cast<int>(tactels.size()), static_cast<int>(tactels.size()));
  const auto& array = sensor.arrays.front();
  return fit_registration(presses, std::min(array.pitch_x_m, array.pitch_y_m));
}

double registration_shift_m(const StageToSensor& a, const StageToSensor& b,
                            const SensorDescription& sensor) {
  RigFile from, to;
  from.stage_to_sensor = a;
  to.stage_to_sensor = b;
  double most_m = 0;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto there = to.sensor_from_stage_m(from.stage_from_sensor_m(sensor.position_m(i)));
    const auto here = sensor.position_m(i);
    most_m = std::max(most_m, std::hypot(there[0] - here[0], there[1] - here[1]));
  }
  return most_m;
}

}  // namespace tactelier::rig
