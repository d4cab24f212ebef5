#include "libcalib/forward/soft_contact_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "libcalib/forward/press_checks.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
double cell_area_m2(const SensorDescription& sensor) {
  const auto& array = sensor.arrays.front();
  return array.sensing_area_m2() / array.tactels();
}

/// An indenter over the rays, as deep as it is asked for.
struct SoftContactMethod::Contact {
  const std::vector<TactelRay>& rays;
  const IndenterSurface& surface;
  const FoundationColumn& column;
  IndenterFrame frame;
  double range_m;
  double approach_m_per_s = 0;
  double surface_z_m = 0;  // of the tip at depth 0

  double force_N(std::size_t tactel, double depth_m) const {
    if (depth_m <= 0) return 0;
    const double rate_m_per_s = approach_m_per_s * rays[tactel].normal[2];
    return std::max(0.0, column.spring_N(depth_m) + column.damping_N_s_per_m * rate_m_per_s);
  }

  std::vector<double> depths_m(double depth_m) const {
    auto pressed = frame;
    pressed.tip_m[2] = surface_z_m - depth_m;
    std::vector<double> depths;
    depths.reserve(rays.size());
    for (const auto& ray : rays) depths.push_back(depth_along_m(ray, surface, pressed, range_m));
    return depths;
  }
  double load_N(double depth_m) const {
    const auto depths = depths_m(depth_m);
    double load_N = 0;
    for (std::size_t i = 0; i < rays.size(); ++i)
      load_N += force_N(i, depths[i]) * rays[i].normal[2];
    return load_N;
  }
  /// Height of the tip at which the first tactel is touched in its centre.
  double first_touch_z_m() const {
    double highest_m = -std::numeric_limits<double>::infinity();
    for (const auto& ray : rays) {
      const auto at = times(frame.local_from_S, minus(ray.centre_m, frame.tip_m));
      highest_m = std::max(highest_m, at[2] - surface.height_m(at[0], at[1]));
    }
    return std::isfinite(highest_m) ? highest_m : rays.front().centre_m[2];
  }
};

Result<SoftContactMethod> SoftContactMethod::create(const SensorModel& model) {
  SoftContactMethod method;
  method.sensor_ = model.sensor;
  method.rays_ = tactel_rays(model.sensor);
  method.flat_ = is_flat(method.rays_);
  method.range_m_ = pad_range_m(model.sensor);
  method.column_ = column_of(model, cell_area_m2(model.sensor));
  return method;
}

PressImage SoftContactMethod::image_at(const StaticPress& press, const Contact& contact,
                                       double depth_m) const {
  PressImage image;
  ContactWrench wrench;
  const auto depths_m = contact.depths_m(depth_m);
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    const auto& [centre_m, normal] = rays_[i];
    const double force_N = contact.force_N(i, depths_m[i]);
    const auto on_sensor_N = scaled(normal, -force_N);
    const auto at_m = minus(centre_m, scaled(normal, depths_m[i]));
    image.force_N.push_back(force_N);
    wrench.force_N = plus(wrench.force_N, on_sensor_N);
    wrench.torque_Nm = plus(wrench.torque_Nm, cross(at_m, on_sensor_N));
  }
  image.load_N = press.load.by == PressLoad::By::kForce ? press.load.force_N : -wrench.force_N[2];
  image.depth_m = depth_m;
  image.wrench = wrench;
  return image;
}

void SoftContactMethod::warn(const StaticPress& press, const IndenterSurface& surface,
                             double depth_m, Warnings& warnings) const {
  warn_of_depth(sensor_, press, depth_m, warnings);
  if (!flat_) return;
  warn_of_footprint(press, FoundationContact(sensor_, surface, press.pose, 1), depth_m, warnings);
}

Result<PressImage> SoftContactMethod::press(const StaticPress& press) const {
  if (auto sound = check_press(press); !sound) return fail(sound.error());
  const auto surface = IndenterSurface::create(press.indenter);
  if (!surface) return fail(surface.error());
  const bool shared_alike =
      flat_ && surface->flat() && press.pose.level() && press.load.by == PressLoad::By::kForce;
  if (!column_ && !shared_alike)
    return fail(ErrorCode::kUnidentifiable,
                "FW-05 How far {} goes under {} needs the foundation modulus, which the model has "
                "not.",
                press.indenter.describe(), load_words(press.load));
  FoundationColumn any;  // so stiff that the load stays within the range
  any.stiffness_N_per_m = press.load.force_N / (range_m_ / 2);
  Contact contact{rays_,
                  *surface,
                  column_ ? *column_ : any,
                  IndenterFrame::of(press.pose),
                  range_m_,
                  press.load.approach_m_per_s};
  contact.surface_z_m = flat_ ? rays_.front().centre_m[2] : contact.first_touch_z_m();
  const auto depth_m = balanced_depth_m(press, range_m_, "meets no tactel's centre within the pad",
                                        [&](double tried_m) { return contact.load_N(tried_m); });
  if (!depth_m) return fail(depth_m.error());
  if (!(contact.load_N(*depth_m) > 0)) return nothing_under(press, "reaches no tactel's centre");
  auto image = image_at(press, contact, *depth_m);
  warn(press, *surface, *depth_m, image.warnings);
  if (!column_) image.depth_m.reset();
  return image;
}

}  // namespace tactelier
