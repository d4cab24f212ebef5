#include "fitting/layer/layer_modulus.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/refusal.hpp"
#include "libcalib/models/hayes_table.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "layer";
// Standard uncertainties where the description states none.
constexpr double kPoissonStd = 0.02;
constexpr double kThicknessShare = 0.02;  // of a thickness that is stated
// Under a wider punch it decides whether the rubber sticks to it: up to four times as stiff.
constexpr double kWidest = 0.5;         // a/h
constexpr double kCompressible = 0.45;  // Poisson's ratio above which a plate's edges count
constexpr double kWideArray = 5;        // half of its smaller side, in thicknesses
constexpr double kStep = 1e-4;

struct Layer {
  double k_N_per_m = 0, radius_m = 0, thickness_m = 0, poisson_ratio = 0;
};

/// Of a layer that known() let pass.
double modulus_Pa(const Layer& layer) {
  return modulus_from_punch_Pa(layer.k_N_per_m, layer.radius_m, layer.thickness_m,
                               layer.poisson_ratio)
      .value();
}

/// Of a layer that can't give way sideways, over E.
double confined(double nu) { return (1 - nu) / ((1 + nu) * (1 - 2 * nu)); }

/// d ln f/d ln h by a step of the thickness.
template <class F>
double by_thickness(const F& f, Layer layer) {
  const double before = f(layer);
  layer.thickness_m *= 1 + kStep;
  return (f(layer) / before - 1) / kStep;
}

/// d ln f/d nu, from within what Poisson's ratio can be.
template <class F>
double by_poisson(const F& f, Layer layer) {
  const double step = layer.poisson_ratio > 0.25 ? -kStep : kStep;
  const double before = f(layer);
  layer.poisson_ratio += step;
  return (f(layer) / before - 1) / step;
}

struct Known {
  Layer layer;
  double u_poisson = 0, thickness_share = 0;
};

/// What the modulus takes, or why there is none.
Result<Known> known(const SensorModel& model) {
  const auto refuse = [](std::string reason) {
    return fail(ErrorCode::kUnidentifiable, "{}", reason);
  };
  const auto& stiffness = model.stiffness;
  if (!stiffness.k_punch.value)
    return refuse(stiffness.k_punch.reason.empty() ? "NOT-FITTED there is no k_punch"
                                                   : stiffness.k_punch.reason);
  const auto radius_m = described_punch_radius_m(stiffness.indenter);
  if (!radius_m)
    return refuse(
        fmt::format("LAYER-TIP k_punch is that of {}: the law of a bonded layer is that "
                    "of a flat round tip.",
                    stiffness.indenter.empty() ? "an unknown tip" : stiffness.indenter));
  if (!model.sensor.poisson_ratio)
    return refuse(
        "LAYER-POISSON Presses don't show Poisson's ratio: state poisson_ratio in the sensor's "
        "description.");
  const auto& measured = model.hydroelastic.thickness;
  Known result;
  result.layer = {*stiffness.k_punch.value, *radius_m, 0, *model.sensor.poisson_ratio};
  if (model.sensor.thickness_m) {
    result.layer.thickness_m = *model.sensor.thickness_m;
    result.thickness_share = kThicknessShare;
  } else if (measured.value) {
    result.layer.thickness_m = *measured.value;
    result.thickness_share = measured.u_total.value_or(0) / (2 * *measured.value);
  } else {
    return refuse(
        "NO-THICKNESS A punch tells the modulus of a layer whose thickness is known: touch the "
        "ground beside the pad (protocol thickness), or state thickness_mm.");
  }
  if (result.layer.radius_m > kWidest * result.layer.thickness_m)
    return refuse(
        fmt::format("LAYER-THIN A tip of {:.3g} mm on {:.3g} mm: the modulus hangs on "
                    "whether rubber sticks to it. Press a tip of at most {:.2g} mm.",
                    m_to_mm(2 * result.layer.radius_m), m_to_mm(result.layer.thickness_m),
                    m_to_mm(2 * kWidest * result.layer.thickness_m)));
  result.u_poisson = model.sensor.poisson_ratio_std.value_or(kPoissonStd);
  return result;
}

/// `f` of the layer, proportional to k_punch.
template <class F>
Parameter judged(const char* name, const char* unit, const Known& about, const Parameter& k,
                 const F& f) {
  const auto& layer = about.layer;
  const double value = f(layer);
  const double factor = value / *k.value;
  Candidate candidate;
  candidate.name = name;
  candidate.unit = unit;
  candidate.estimate = {value, factor * k.std.value_or(0), kManyDegrees};
  const double of_k = factor * k.u_total.value_or(0) / 2;
  const std::vector<Component> budget{
      {"k_punch", std::sqrt(std::max(0.0, of_k * of_k - std::pow(candidate.estimate.std, 2))),
       kManyDegrees},
      {"Poisson's ratio", std::abs(by_poisson(f, layer)) * about.u_poisson * value, kManyDegrees},
      {"layer's thickness", std::abs(by_thickness(f, layer)) * about.thickness_share * value,
       kManyDegrees},
      {"table of kappa", u_rectangular(hayes_tolerance(layer.poisson_ratio) * value), kManyDegrees},
      {"rubber that sticks to the tip",
       u_rectangular((no_slip_factor(layer.poisson_ratio) - 1) * value), kManyDegrees}};
  candidate.u_total = combine(budget).U_95;
  const auto judgement = judge({&candidate, 1}, {}, kStage);
  return reported(candidate, judgement.verdicts[0], kStage, budget);
}

bool wide(const SensorDescription& sensor, double thickness_m) {
  return std::all_of(sensor.arrays.begin(), sensor.arrays.end(), [&](const auto& array) {
    return std::min(array.columns * array.pitch_x_m, array.rows * array.pitch_y_m) >=
           2 * kWideArray * thickness_m;
  });
}

/// Where neither plate, weights nor a ball told it.
void fill_foundation(const Known& about, SensorModel& model) {
  auto& stiffness = model.stiffness;
  const auto& layer = about.layer;
  if (stiffness.foundation_modulus.value || layer.poisson_ratio > kCompressible ||
      !wide(model.sensor, layer.thickness_m))
    return;
  const auto foundation = [](const Layer& at) {
    return modulus_Pa(at) * confined(at.poisson_ratio) / at.thickness_m;
  };
  auto modulus = judged("K_f", "Pa/m", about, stiffness.k_punch, foundation);
  if (!modulus.value) return;  // why no plate told it says more
  const double cell_m2 = model.sensor.sensing_area_m2() / model.sensor.tactels();
  stiffness.foundation_modulus = std::move(modulus);
  stiffness.k = judged("k", "N/m", about, stiffness.k_punch,
                       [&](const Layer& at) { return cell_m2 * foundation(at); });
  stiffness.method = "layer";
}

}  // namespace

double no_slip_factor(double poisson_ratio) {
  const double x = 1 - 2 * poisson_ratio;
  const double log_over_x = x > 1e-6 ? std::log1p(2 * x) / x : 2;
  return (1 - poisson_ratio) * log_over_x;
}

Result<void> run_layer(FitContext& context) {
  auto& model = context.model;
  model.quality[kStage] = {};
  const auto about = known(model);
  if (!about) {
    model.stiffness.youngs_modulus = unidentifiable("Pa", about.error().message, kStage);
    return {};
  }
  auto& figures = model.quality[kStage].figures;
  figures["tip_radius_over_thickness"] = about->layer.radius_m / about->layer.thickness_m;
  figures["kappa"] =
      *hayes_factor(figures["tip_radius_over_thickness"], about->layer.poisson_ratio);
  model.stiffness.youngs_modulus =
      judged("Young's modulus", "Pa", *about, model.stiffness.k_punch, modulus_Pa);
  fill_foundation(*about, model);
  return {};
}

}  // namespace tactelier
