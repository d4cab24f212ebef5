#include "libcalib/forward/curved_hydroelastic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "libcalib/forward/press_checks.hpp"
#include "libcalib/forward/soft_contact_method.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSpacingPart = 0.25;  // of the receptive radius
constexpr int kMostPerCell = 20;
constexpr double kFacing = std::numbers::sqrt2 / 2;  // cosine of 45 degrees
constexpr double kExact_m = 1e-14;                   // of the balance
constexpr double kWhole = 1e-9;

int samples_along_cell(const Hydroelastic& field, const SensorDescription& sensor) {
  double pitch_m = 0;
  for (const auto& array : sensor.arrays)
    pitch_m = std::max({pitch_m, array.pitch_x_m, array.pitch_y_m});
  const double spacing_m =
      field.spacing.value.value_or(kSpacingPart * *field.receptive_radius.value);
  return std::clamp(static_cast<int>(std::ceil(pitch_m / spacing_m - kWhole)), 1, kMostPerCell);
}

Matrix3 axes_of(const PressPose& pose) {
  const double c = std::cos(pose.rz_rad), s = std::sin(pose.rz_rad);
  return {{{c, s, 0}, {-s, c, 0}, {std::tan(pose.tilt_y_rad), -std::tan(pose.tilt_x_rad), 1}}};
}

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
  method.sensor_.thickness_m = model.sensor.thickness_m.value_or(*field.thickness.value);
  method.range_m_ = ray_range_m(method.sensor_);
  method.modulus_Pa_per_m_ = *field.modulus.value / *field.thickness.value;
  method.dissipation_s_per_m_ = field.dissipation.value.value_or(0);
  method.samples_ = surface_samples(model.sensor, samples_along_cell(field, model.sensor));
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

// The load rises with depth: halving.
Result<double> CurvedHydroelasticMethod::balance(const StaticPress& press,
                                                 const Contact& contact) const {
  if (!std::isfinite(contact.touch_z_m)) return nothing_under(press, "touches no tactel");
  const double most_N = contact.load_N(range_m_);
  if (!(most_N > 0)) return nothing_under(press, "meets nothing within the pad");
  if (press.load.by == PressLoad::By::kDepth && press.load.depth_m <= range_m_)
    return press.load.depth_m;
  if (press.load.by == PressLoad::By::kDepth || most_N < press.load.force_N)
    return fail(ErrorCode::kInvalidInput,
                "FW-06 {} under {} goes beyond the range of the pad, {:.3g} mm, where it carries "
                "{:.4g} N.",
                press.indenter.describe(), load_words(press.load), m_to_mm(range_m_), most_N);
  double low_m = 0, high_m = range_m_;
  while (high_m - low_m > kExact_m) {
    const double middle_m = (low_m + high_m) / 2;
    (contact.load_N(middle_m) < press.load.force_N ? low_m : high_m) = middle_m;
  }
  return high_m;
}

Result<PressImage> CurvedHydroelasticMethod::press(const StaticPress& press) const {
  if (auto sound = check_press(press); !sound) return fail(sound.error());
  const auto surface = IndenterSurface::create(press.indenter);
  if (!surface) return fail(surface.error());
  Contact contact{
      samples_, *surface,          {{press.pose.x_m, press.pose.y_m, 0}, axes_of(press.pose)},
      range_m_, modulus_Pa_per_m_, dissipation_s_per_m_ * press.load.approach_m_per_s};
  contact.touch_z_m = contact.first_touch_z_m();
  const auto depth_m = balance(press, contact);
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
