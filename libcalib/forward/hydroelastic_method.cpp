#include "libcalib/forward/hydroelastic_method.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/forward/curved_hydroelastic.hpp"
#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/forward/press_checks.hpp"
#include "libcalib/forward/tactel_ray.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr int kMostPerCell = 60;

Result<void> check_model(const SensorModel& model) {
  const auto& field = model.hydroelastic;
  if (!field_modulus_Pa_per_m(model))
    return fail(ErrorCode::kUnidentifiable,
                "method hydroelastic needs the model's foundation modulus, or modulus and "
                "thickness: {}",
                field.modulus.value ? field.thickness.reason : field.modulus.reason);
  if (field.receptive_radius.value.value_or(0) <= 0)
    return fail(ErrorCode::kUnidentifiable,
                "method hydroelastic needs the model's receptive radius: {}",
                field.receptive_radius.reason);
  const bool pitched =
      std::all_of(model.sensor.arrays.begin(), model.sensor.arrays.end(),
                  [](const auto& array) { return array.pitch_x_m > 0 && array.pitch_y_m > 0; });
  if (!pitched)
    return fail(ErrorCode::kInvalidInput,
                "method hydroelastic needs a pitch of every array: how large a tactel's cell is");
  return {};
}

}  // namespace

Result<std::unique_ptr<ForwardMethod>> hydroelastic_method(const SensorModel& model) {
  if (auto sound = check_model(model); !sound) return fail(sound.error());
  if (!is_flat(tactel_rays(model.sensor)))
    return std::make_unique<CurvedHydroelasticMethod>(CurvedHydroelasticMethod::create(model));
  auto flat = HydroelasticMethod::create(model);
  if (!flat) return fail(flat.error());
  return std::make_unique<HydroelasticMethod>(std::move(*flat));
}

Result<HydroelasticMethod> HydroelasticMethod::create(const SensorModel& model) {
  if (auto sound = check_model(model); !sound) return fail(sound.error());
  const auto& field = model.hydroelastic;
  HydroelasticMethod method(model.sensor, *field.receptive_radius.value,
                            field_samples(field, model.sensor, kMostPerCell));
  method.sensor_.thickness_m = layer_thickness_m(model);
  method.modulus_Pa_per_m_ = *field_modulus_Pa_per_m(model);
  method.dissipation_s_per_m_ = field.dissipation.value.value_or(0);
  return method;
}

double HydroelasticMethod::modulus_Pa_per_m(const PressLoad& load) const {
  return modulus_Pa_per_m_ * std::max(0.0, 1 + dissipation_s_per_m_ * load.approach_m_per_s);
}

Result<double> HydroelasticMethod::balance(const StaticPress& press,
                                           const FoundationContact& contact) const {
  const double modulus = modulus_Pa_per_m(press.load);
  if (contact.empty()) return nothing_under(press, "touches no tactel");
  if (press.load.by == PressLoad::By::kForce && !(modulus > 0))
    return fail(ErrorCode::kInvalidInput,
                "FW-06 {} leaves at {:.4g} m/s, faster than the pad follows: nothing carries {}.",
                press.indenter.describe(), -press.load.approach_m_per_s, load_words(press.load));
  const double depth_m = press.load.by == PressLoad::By::kForce
                             ? contact.depth_at_m(press.load.force_N / modulus)
                             : press.load.depth_m;
  if (!(contact.volume_m3(depth_m) > 0)) return nothing_under(press, "touches no tactel");
  return check_range(sensor_, press, depth_m).map([&] { return depth_m; });
}

FoundationContact HydroelasticMethod::contact_of(const StaticPress& press,
                                                 const IndenterSurface& surface) const {
  const int samples = samples_per_cell(sensor_, surface);
  const double modulus = modulus_Pa_per_m(press.load);
  if (press.load.by == PressLoad::By::kForce && modulus > 0)
    return FoundationContact::with_volume(sensor_, surface, press.pose, samples,
                                          EdgeSamples::kMidpoint, press.load.force_N / modulus);
  return {sensor_, surface, press.pose, samples};
}

Result<PressImage> HydroelasticMethod::press(const StaticPress& press) const {
  if (auto sound = check_press(press); !sound) return fail(sound.error());
  const auto surface = IndenterSurface::create(press.indenter);
  if (!surface) return fail(surface.error());
  const auto contact = contact_of(press, *surface);
  const auto depth_m = balance(press, contact);
  if (!depth_m) return fail(depth_m.error());
  const double modulus = modulus_Pa_per_m(press.load);
  PressImage image;
  image.load_N = modulus * contact.volume_m3(*depth_m);
  image.depth_m = *depth_m;
  const FoundationContact seen(sensor_, *surface, press.pose, field_.samples_per_cell(),
                               EdgeSamples::kMidpoint, *depth_m);
  image.force_N = field_.means_Pa(seen, *depth_m, modulus);
  for (std::size_t i = 0; i < image.force_N.size(); ++i) {
    const auto& array = sensor_.array_of(static_cast<int>(i));
    image.force_N[i] *= array.pitch_x_m * array.pitch_y_m;
  }
  warn_of_footprint(press, contact, *depth_m, image.warnings);
  warn_of_depth(sensor_, press, *depth_m, image.warnings);
  return image;
}

}  // namespace tactelier
