#include "libcalib/forward/curved_hydroelastic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/forward/press_checks.hpp"
#include "libcalib/forward/receptive_field.hpp"
#include "libcalib/forward/soft_contact_method.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr int kMostPerCell = 20;
constexpr double kFacing = std::numbers::sqrt2 / 2;  // cosine of 45 degrees

}  // namespace

/// An indenter over the samples, as deep as it is asked for.
struct CurvedHydroelasticMethod::Contact {
  const std::vector<SurfaceSample>& samples;
  const IndenterSurface& surface;
  IndenterFrame frame;
  double range_m, modulus_Pa_per_m, rate;  // rate: d v
  double touch_z_m = 0;                    // of the tip at depth 0

  /// Height of the tip at which the first sample is touched.
  double first_touch_z_m() const {
    double highest_m = -std::numeric_limits<double>::infinity();
    for (const auto& sample : samples) {
      const auto at = times(frame.local_from_S, minus(sample.ray.centre_m, frame.tip_m));
      highest_m = std::max(highest_m, at[2] - surface.height_m(at[0], at[1]));
    }
    return highest_m;
  }

  std::vector<double> pressures_Pa(double depth_m) const {
    auto pressed = frame;
    pressed.tip_m[2] = touch_z_m - depth_m;
    std::vector<double> pressures_Pa;
    pressures_Pa.reserve(samples.size());
    for (const auto& sample : samples) {
      const double in_m = depth_along_m(sample.ray, surface, pressed, range_m);
      const double speed = std::max(0.0, 1 + rate * sample.ray.normal[2]);
      pressures_Pa.push_back(in_m > 0 ? modulus_Pa_per_m * in_m * speed : 0);
    }
    return pressures_Pa;
  }

  double load_N(double depth_m) const {
    const auto pressures = pressures_Pa(depth_m);
    double load_N = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      load_N += pressures[i] * samples[i].area_m2 * samples[i].ray.normal[2];
    return load_N;
  }
};

CurvedHydroelasticMethod CurvedHydroelasticMethod::create(const SensorModel& model) {
  const auto& field = model.hydroelastic;
  CurvedHydroelasticMethod method;
  method.sensor_ = model.sensor;
  method.sensor_.thickness_m = layer_thickness_m(model);
  method.range_m_ = pad_range_m(method.sensor_);
  method.modulus_Pa_per_m_ = *field_modulus_Pa_per_m(model);
  method.dissipation_s_per_m_ = field.dissipation.value.value_or(0);
  method.samples_ = surface_samples(model.sensor, field_samples(field, model.sensor, kMostPerCell));
  method.find_fields(*field.receptive_radius.value);
  return method;
}

void CurvedHydroelasticMethod::find_fields(double radius_m) {
  for (const auto& tactel : tactel_rays(sensor_)) {
    std::vector<Part> parts;
    double all = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const auto& ray = samples_[i].ray;
      const auto apart = minus(ray.centre_m, tactel.centre_m);
      const double weight = 1 - dot(apart, apart) / (radius_m * radius_m);
      if (weight <= 0 || dot(ray.normal, tactel.normal) < kFacing) continue;
      parts.push_back({i, weight * samples_[i].area_m2});
      all += parts.back().weight;
    }
    for (auto& part : parts) part.weight /= all;
    fields_.push_back(std::move(parts));
  }
}

Result<PressImage> CurvedHydroelasticMethod::press(const StaticPress& press) const {
  if (auto sound = check_press(press); !sound) return fail(sound.error());
  const auto surface = IndenterSurface::create(press.indenter);
  if (!surface) return fail(surface.error());
  Contact contact{samples_, *surface,          IndenterFrame::of(press.pose),
                  range_m_, modulus_Pa_per_m_, dissipation_s_per_m_ * press.load.approach_m_per_s};
  contact.touch_z_m = contact.first_touch_z_m();
  if (!std::isfinite(contact.touch_z_m)) return nothing_under(press, "touches no tactel");
  const auto depth_m = balanced_depth_m(press, range_m_, "meets nothing within the pad",
                                        [&](double tried_m) { return contact.load_N(tried_m); });
  if (!depth_m) return fail(depth_m.error());
  PressImage image;
  image.load_N = contact.load_N(*depth_m);
  image.depth_m = *depth_m;
  if (!(image.load_N > 0)) return nothing_under(press, "touches no tactel");
  const auto pressures = contact.pressures_Pa(*depth_m);
  for (std::size_t t = 0; t < fields_.size(); ++t) {
    double mean_Pa = 0;
    for (const auto& part : fields_[t]) mean_Pa += part.weight * pressures[part.sample];
    const auto& array = sensor_.array_of(static_cast<int>(t));
    image.force_N.push_back(mean_Pa * array.pitch_x_m * array.pitch_y_m);
  }
  warn_of_depth(sensor_, press, *depth_m, image.warnings);
  return image;
}

}  // namespace tactelier
