#include "devices/motion/surface_search.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr double kPlateSpeed_m_per_s = 0.03e-3;  // on 1 N/um: 3 N in 0.1 s
constexpr double kStep_m = 20e-6;
constexpr double kFineStep_m = 2e-6;
constexpr double kLiftOff_m = 100e-6;
constexpr double kSettle_s = 0.1;
constexpr double kMean_s = 0.1;
constexpr double kTare_s = 0.5;
constexpr double kTouch_N = 0.05;
constexpr double kSigmas = 8;
constexpr double kBeyond = 4;  // times the touch force: enough for a line
constexpr std::size_t kMinPoints = 3;
constexpr double kWarn_rad = 0.5 * 3.14159265358979 / 180;
constexpr double kRefuse_rad = 2 * 3.14159265358979 / 180;
constexpr double kLeast_u_m = 1e-6;

struct Step {
  double z_m, force_N;
};

/// A line through the loaded steps; where it meets zero, and how well that is known.
TouchPoint first_touch(const std::vector<Step>& steps, double noise_N) {
  Eigen::MatrixXd a(static_cast<Eigen::Index>(steps.size()), 2);
  Eigen::VectorXd b(static_cast<Eigen::Index>(steps.size()));
  const double top_m = steps.front().z_m;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    a(row, 0) = 1;
    a(row, 1) = top_m - steps[i].z_m;
    b(row) = steps[i].force_N;
  }
  const Eigen::Matrix2d normal = a.transpose() * a;
  const Eigen::Vector2d line = normal.ldlt().solve(a.transpose() * b);
  const double slope = line(1);
  const double scatter_N =
      steps.size() > 2
          ? std::sqrt((b - a * line).squaredNorm() / static_cast<double>(steps.size() - 2))
          : noise_N;
  const Eigen::Matrix2d covariance = std::pow(std::max(noise_N, scatter_N), 2) * normal.inverse();
  // z = top + F0 / k
  const Eigen::Vector2d gradient{1 / slope, -line(0) / (slope * slope)};
  TouchPoint touch;
  touch.z_m = top_m + line(0) / slope;
  touch.u_m = std::max(kLeast_u_m, std::sqrt(gradient.dot(covariance * gradient)));
  return touch;
}

/// How far over the believed surface a touch may begin once three points have told the plane.
double height_over(const FoundSurface& plane, const std::array<double, 2>& place,
                   const RigFile& rig) {
  constexpr double kMargin_m = 0.2e-3;
  const auto& s = plane.surface;
  const double expected_m =
      s.z0_m + place[1] * std::tan(s.tilt_x_rad) - place[0] * std::tan(s.tilt_y_rad);
  const auto& believed = rig.surface;
  const double believed_m = believed.z0_m + place[1] * std::tan(believed.tilt_x_rad) -
                            place[0] * std::tan(believed.tilt_y_rad);
  return std::min(rig.stage.safe_height_m, expected_m - believed_m + kMargin_m);
}

std::vector<std::array<double, 2>> five_places(const SensorDescription& sensor) {
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto p = sensor.position_m(i);
    low_x = std::min(low_x, p[0]);
    high_x = std::max(high_x, p[0]);
    low_y = std::min(low_y, p[1]);
    high_y = std::max(high_y, p[1]);
  }
  return {{(low_x + high_x) / 2, (low_y + high_y) / 2},
          {low_x, low_y},
          {high_x, low_y},
          {high_x, high_y},
          {low_x, high_y}};
}

}  // namespace

double FoundSurface::tilt_rad() const {
  return std::atan(std::hypot(std::tan(surface.tilt_x_rad), std::tan(surface.tilt_y_rad)));
}

namespace {

/// What a touch at one place has found so far.
struct Descended {
  std::vector<Step> steps;  // loaded ones
  double air_z_m = 0;       // lowest place before them
  double stop_N = 0;        // of the smoothed force
  double mean_noise_N = 0;  // of a mean of it
};

/// From the air above until the force tells a line, or is too large for a further step.
Result<void> descend(LiveRig& live, RigMotion& motion, const QuietMean& air, double step_m,
                     const SearchRange& range, Descended& found) {
  auto at_m = motion.at_m();
  const auto touched = [&] { return live.reading().force_N > kBeyond * found.stop_N; };
  while (at_m[2] > -range.below_m) {
    at_m[2] -= step_m;
    const auto gone = motion.go_until(at_m, range.speed_m_per_s, touched, Path::kInContact);
    if (!gone) return fail(gone.error());
    // Else onwards from what was asked for: a coarse stage may not have moved at all.
    if (*gone) at_m = motion.at_m();
    if (found.steps.empty() && live.reading().force_N < found.stop_N / 4) {
      found.air_z_m = live.reading().stage.position_m[2];
      continue;
    }
    if (auto rested = motion.rest(kSettle_s); !rested) return fail(rested.error());
    const auto mean = live.quiet_mean(kMean_s);
    if (!mean) return fail(mean.error());
    const double force_N = live.pressing_N(*mean) - live.pressing_N(air);
    if (force_N > found.stop_N / 2)
      found.steps.push_back({live.reading().stage.position_m[2], force_N});
    const bool enough = found.steps.size() >= kMinPoints && force_N > kBeyond * found.stop_N;
    if (enough || force_N > 2 * kBeyond * found.stop_N) return {};
  }
  return {};
}

/// Up until nothing is touched, by more than a stage's play, so that the way down takes it up.
Result<void> lift_off(RigMotion& motion, double speed_m_per_s) {
  auto at_m = motion.at_m();
  at_m[2] += kLiftOff_m;
  return motion.go(at_m, speed_m_per_s, Path::kInContact);
}

/// Of a single step: anywhere between the air before and where it ended.
TouchPoint between(const Descended& found) {
  const double z_m = found.steps.front().z_m;
  TouchPoint touch;
  touch.z_m = (found.air_z_m + z_m) / 2;
  touch.u_m = std::max(kLeast_u_m, (found.air_z_m - z_m) / std::sqrt(12.0));
  return touch;
}

}  // namespace

Result<TouchPoint> touch_down(LiveRig& live, RigMotion& motion, double x_m, double y_m,
                              const SearchRange& range) {
  if (auto up = motion.retreat(); !up) return fail(up.error());
  auto over_m = motion.at_m();
  over_m = {x_m, y_m, std::max(over_m[2], motion.safe_z_m())};
  constexpr double kTravel_m_per_s = 10e-3;
  if (auto there = motion.go(over_m, kTravel_m_per_s); !there) return fail(there.error());
  if (auto down = motion.go({x_m, y_m, range.above_m}, kTravel_m_per_s); !down)
    return fail(down.error());
  live.in_free_air(true);
  if (auto rested = motion.rest(kSettle_s); !rested) return fail(rested.error());
  const auto air = live.quiet_mean(kTare_s);
  live.in_free_air(false);
  if (!air) return fail(air.error());
  if (auto believed = live.pump(devices::Timeout(1)); !believed) return fail(believed.error());
  const double noise_N = air->wrench_sd_SI[2];
  const double start_z_m = live.reading().stage.position_m[2];
  Descended found;
  found.air_z_m = start_z_m;
  // Of the smoothed force, which decides: about twenty samples.
  found.stop_N = std::max(kTouch_N, kSigmas * noise_N / std::sqrt(20.0));
  found.mean_noise_N = noise_N / std::sqrt(std::max(1, air->force_samples / 10));
  ContactState contact{true, true, 0, 0, 0, live.clock().now_ns()};
  contact.surface_z_m = motion.frame().stage_from_plan_m({x_m, y_m, 0})[2];
  live.set_contact(contact);
  if (auto down = descend(live, motion, *air, kStep_m, range, found); !down)
    return fail(down.error());
  if (found.steps.size() == 1) {
    if (auto up = lift_off(motion, range.speed_m_per_s); !up) return fail(up.error());
    found.steps.clear();
    if (auto down = descend(live, motion, *air, kFineStep_m, range, found); !down)
      return fail(down.error());
  }
  live.set_contact({});
  if (auto up = motion.retreat(); !up) return fail(up.error());
  if (found.steps.empty())
    return fail(ErrorCode::kUnidentifiable,
                "at x {:.2f}, y {:.2f} mm nothing is touched between {:.2f} mm over and {:.2f} mm "
                "under the believed surface: is the pad there? Correct surface.z0_mm of the rig "
                "file",
                m_to_mm(x_m), m_to_mm(y_m), m_to_mm(range.above_m), m_to_mm(range.below_m));
  auto touch =
      found.steps.size() > 1 ? first_touch(found.steps, found.mean_noise_N) : between(found);
  // A tip that stands on something from the beginning finds its surface where it began.
  if (touch.z_m > start_z_m - kStep_m)
    return fail(
        ErrorCode::kDeviceFault,
        "at x {:.2f}, y {:.2f} mm the surface seems to lie where the search began (z {:.3f} "
        "mm): the tip was touching already. The pad lies higher, or the tip is longer, than "
        "the rig file says: raise surface.z0_mm",
        m_to_mm(x_m), m_to_mm(y_m), m_to_mm(start_z_m));
  touch.x_m = x_m;
  touch.y_m = y_m;
  return touch;
}

Result<FoundSurface> plane_through(const std::vector<TouchPoint>& points) {
  if (points.size() < 3)
    return fail(ErrorCode::kUnidentifiable, "a plane needs three touches, there are {}",
                points.size());
  const auto rows = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd a(rows, 3);
  Eigen::VectorXd z(rows);
  double mean_u2 = 0;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto& point = points[static_cast<std::size_t>(i)];
    a.row(i) << 1, point.y_m, -point.x_m;
    z(i) = point.z_m;
    mean_u2 += point.u_m * point.u_m / static_cast<double>(rows);
  }
  const Eigen::Matrix3d normal = a.transpose() * a;
  // By columns of like size: metres beside ones would look singular to any threshold.
  const Eigen::Vector3d size = a.colwise().norm();
  const Eigen::Matrix3d even =
      size.cwiseInverse().asDiagonal() * normal * size.cwiseInverse().asDiagonal();
  const Eigen::Vector3d strengths =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(even).eigenvalues();
  if (!(size.minCoeff() > 0) || !(strengths(0) > 1e-6 * strengths(2)))
    return fail(ErrorCode::kUnidentifiable, "the touches lie in a line: no plane");
  const Eigen::Vector3d plane = normal.ldlt().solve(a.transpose() * z);
  double variance = mean_u2;
  if (rows > 3) {
    const double scatter2 = (z - a * plane).squaredNorm() / static_cast<double>(rows - 3);
    variance = std::max(variance, scatter2);
  }
  const Eigen::Matrix3d covariance = variance * normal.inverse();
  FoundSurface found;
  found.points = points;
  found.surface = {plane(0), std::atan(plane(1)), std::atan(plane(2))};
  found.u_z0_m = std::sqrt(covariance(0, 0));
  found.u_tilt_x_rad = std::sqrt(covariance(1, 1));
  found.u_tilt_y_rad = std::sqrt(covariance(2, 2));
  const double tilt_rad = found.tilt_rad();
  if (tilt_rad > kRefuse_rad)
    return fail(ErrorCode::kUnidentifiable,
                "the surface is tilted by {:.2f} deg; more than 2 deg would press the tip's edge: "
                "level the pad",
                tilt_rad / deg_to_rad(1));
  if (tilt_rad > kWarn_rad)
    found.warnings.push_back({"TILT",
                              fmt::format("the surface is tilted by {:.2f} deg; below 0.5 deg the "
                                          "tip presses evenly",
                                          tilt_rad / deg_to_rad(1)),
                              "surface"});
  return found;
}

Result<FoundSurface> find_surface(LiveRig& live, RigMotion& motion, const SensorDescription& sensor,
                                  const RigFile& rig,
                                  const std::function<void(int, int)>& on_point) {
  const auto places = five_places(sensor);
  std::vector<TouchPoint> points;
  SearchRange range{rig.stage.safe_height_m, 2 * rig.stage.safe_height_m};
  for (const auto& place : places) {
    if (const auto plane = plane_through(points)) range.above_m = height_over(*plane, place, rig);
    if (on_point) on_point(static_cast<int>(points.size()), static_cast<int>(places.size()));
    auto point = touch_down(live, motion, place[0], place[1], range);
    if (!point) return fail(point.error());
    points.push_back(*point);
  }
  if (on_point) on_point(static_cast<int>(places.size()), static_cast<int>(places.size()));
  return plane_through(points);
}

Result<FoundSurface> find_height(LiveRig& live, RigMotion& motion, const SensorDescription& sensor,
                                 const RigFile& rig, PadUnderTip pad,
                                 const std::function<void(int, int)>& on_point) {
  const auto middle = five_places(sensor).front();
  if (on_point) on_point(0, 1);
  SearchRange range{rig.stage.safe_height_m, 2 * rig.stage.safe_height_m};
  if (pad == PadUnderTip::kStiff) range.speed_m_per_s = kPlateSpeed_m_per_s;
  const auto touch = touch_down(live, motion, middle[0], middle[1], range);
  if (!touch) return fail(touch.error());
  if (on_point) on_point(1, 1);
  FoundSurface found;
  found.points = {*touch};
  found.surface = rig.surface;
  found.surface.z0_m = touch->z_m - middle[1] * std::tan(rig.surface.tilt_x_rad) +
                       middle[0] * std::tan(rig.surface.tilt_y_rad);
  found.u_z0_m = touch->u_m;
  return found;
}

}  // namespace tactelier::rig
