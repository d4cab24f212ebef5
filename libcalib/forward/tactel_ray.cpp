#include "libcalib/forward/tactel_ray.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr int kRaySteps = 128;
constexpr int kHalvings = 50;
constexpr double kAlike = 1e-9;  // m, and sines of angles

/// A ray in an indenter's local axes: from + t along, t >= 0 into the pad.
struct LocalRay {
  Vector3 from_m, along;

  Vector3 at(double t_m) const { return plus(from_m, scaled(along, t_m)); }
};

/// Height of the ray above the underside; negative outside of the body.
double inside_m(const LocalRay& ray, const IndenterSurface& surface, double t_m) {
  const auto at = ray.at(t_m);
  return at[2] - surface.height_m(at[0], at[1]);
}

double by_steps_m(const LocalRay& ray, const IndenterSurface& surface, double range_m) {
  const double step_m = range_m / kRaySteps;
  for (int i = kRaySteps; i >= 0; --i) {
    double in_m = i * step_m;
    if (inside_m(ray, surface, in_m) < 0) continue;
    if (i == kRaySteps) return range_m;
    double out_m = in_m + step_m;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle_m = (in_m + out_m) / 2;
      (inside_m(ray, surface, middle_m) < 0 ? out_m : in_m) = middle_m;
    }
    return in_m;
  }
  return 0;
}

/// Where the ray passes a level underside, if that is a place of the body.
double through_face_m(const LocalRay& ray, const IndenterSurface& surface, double range_m) {
  const double t_m = ray.from_m[2] / -ray.along[2];
  if (t_m <= 0) return 0;
  const auto at = ray.at(t_m);
  if (std::isfinite(surface.height_m(at[0], at[1]))) return std::min(t_m, range_m);
  const bool beside = !std::isfinite(surface.height_m(ray.from_m[0], ray.from_m[1]));
  return beside ? 0 : by_steps_m(ray, surface, range_m);
}

}  // namespace

IndenterFrame IndenterFrame::of(const PressPose& pose) {
  const double c = std::cos(pose.rz_rad), s = std::sin(pose.rz_rad);
  return {{pose.x_m, pose.y_m, 0},
          {{{c, s, 0}, {-s, c, 0}, {std::tan(pose.tilt_y_rad), -std::tan(pose.tilt_x_rad), 1}}}};
}

std::vector<TactelRay> tactel_rays(const SensorDescription& sensor) {
  std::vector<TactelRay> rays;
  int tactel = 0;
  for (const auto& array : sensor.arrays) {
    const auto& rpy = array.pose.rpy_rad;
    const auto turn = times(turn_about({0, 0, rpy[2]}),
                            times(turn_about({0, rpy[1], 0}), turn_about({rpy[0], 0, 0})));
    for (int i = 0; i < array.tactels(); ++i, ++tactel) {
      const auto own = static_cast<std::size_t>(i);
      const auto normal = array.normals.empty() ? Vector3{0, 0, 1} : unit(array.normals[own]);
      rays.push_back({sensor.position_m(tactel), times(turn, normal)});
    }
  }
  return rays;
}

bool is_flat(const std::vector<TactelRay>& rays) {
  return std::all_of(rays.begin(), rays.end(), [&](const TactelRay& ray) {
    return std::hypot(ray.normal[0], ray.normal[1]) < kAlike &&
           std::abs(ray.centre_m[2] - rays.front().centre_m[2]) < kAlike;
  });
}

double depth_along_m(const TactelRay& ray, const IndenterSurface& surface,
                     const IndenterFrame& frame, double range_m) {
  const LocalRay local{times(frame.local_from_S, minus(ray.centre_m, frame.tip_m)),
                       times(frame.local_from_S, scaled(ray.normal, -1))};
  if (local.along[2] >= 0) return 0;  // seen from above
  if (std::hypot(local.along[0], local.along[1]) < kAlike)
    return std::clamp(inside_m(local, surface, 0) / -local.along[2], 0.0, range_m);
  if (const auto met_m = surface.depth_along_m(local.from_m, local.along, range_m)) return *met_m;
  return surface.flat() ? through_face_m(local, surface, range_m)
                        : by_steps_m(local, surface, range_m);
}

}  // namespace tactelier
