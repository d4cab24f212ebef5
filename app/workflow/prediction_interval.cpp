#include "app/workflow/prediction_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tactelier {
namespace {

constexpr int kDraws = 2000;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kTurn_rad = 5e-3;
constexpr double kStiffer = 0.02;  // between two images
/// Half-width of what rounding leaves of the mean of many readings: noise of a step or so averages
/// it out (docs/theory/forward.md 8), without noise it is half a step.
double rounding_of_mean(double step, double noise) {
  const double steps = step > 0 ? std::numbers::pi * noise / step : 0;
  return step / 2 * std::exp(-2 * steps * steps);
}

/// How far a punch's rim tells that of a wider face: a third at most on layers that can be squeezed
/// (docs/theory/forward.md 2), as a rectangle's standard uncertainty.
constexpr double kRimLaw = 0.2;
constexpr double kTwoSided95 = 1.959963984540054;

double figure(const SensorModel& model, const char* name) {
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return 0;
  const auto found = quality->second.figures.find(name);
  return found == quality->second.figures.end() ? 0 : found->second;
}

double covariance_of(const SensorModel& model, const std::string& a, const std::string& b) {
  for (const auto& block : model.covariance)
    if (block.parameters.size() == 2 && block.parameters[0] == a && block.parameters[1] == b)
      return block.lower[1];
  return 0;
}

/// What the force sensor's gain adds to every gain alike: u_total holds it, std does not.
double u_force_of(const SensorModel& model) {
  for (const auto& tactel : model.response.tactels) {
    const auto& gain = tactel.gain;
    if (!gain.identified() || !gain.u_total || !gain.std) continue;
    const double total = *gain.u_total / kTwoSided95;
    return std::sqrt(std::max(0.0, total * total - *gain.std * *gain.std)) / *gain.value;
  }
  return 0;
}

/// The interval that holds 95 % of the draws.
std::array<double, 2> middle(std::vector<double>& draws) {
  const auto at = [&](double p) {
    const auto place = static_cast<std::ptrdiff_t>(p * static_cast<double>(draws.size() - 1));
    std::nth_element(draws.begin(), draws.begin() + place, draws.end());
    return draws[static_cast<std::size_t>(place)];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace

PredictionInterval::PredictionInterval(const SensorModel& model, const PsfMethod& method,
                                       const TactelReadout& readout)
    : method_(method), readout_(readout) {
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i) {
    const auto& tactel = model.response.tactels[i];
    Unsure unsure;
    unsure.threshold_N = tactel.threshold.std.value_or(0);
    unsure.rest_counts = tactel.offset.std.value_or(0);
    const double gain = tactel.gain.value.value_or(0), u_gain = tactel.gain.std.value_or(0);
    if (gain > 0) unsure.gain = u_gain / gain;
    const auto path = fmt::format("response.tactels[{}].", i);
    if (unsure.threshold_N > 0 && u_gain > 0)
      unsure.correlation = std::clamp(
          covariance_of(model, path + "threshold", path + "gain") / (unsure.threshold_N * u_gain),
          -1.0, 1.0);
    tactels_.push_back(unsure);
  }
  const double all = figure(model, "scatter_between_presses_percent") / 100;
  scatter_of_press_ = figure(model, "scatter_of_whole_presses_percent") / 100;
  scatter_of_reading_ = std::sqrt(std::max(0.0, all * all - scatter_of_press_ * scatter_of_press_));
  u_place_m_ =
      std::hypot(figure(model, "scatter_of_places_m"), model.psf.registration.x.std.value_or(0));
  u_ghosting_ = figure(model, "ghosting_percent_std") / 100;
  sigma_m_ = {model.psf.sigma_x.value.value_or(0), model.psf.sigma_y.value.value_or(0)};
  u_sigma_m_ = {model.psf.sigma_x.std.value_or(0), model.psf.sigma_y.std.value_or(0)};
  u_force_ = u_force_of(model);
  const auto relative = [](const Parameter& p) {
    return p.value.value_or(0) > 0 ? p.std.value_or(0) / *p.value : 0;
  };
  u_modulus_ = relative(model.stiffness.foundation_modulus);
  u_rim_ = std::hypot(kRimLaw, relative(model.stiffness.k_punch));
}

// Ghosting and spread trade for one another in the fit; drawn apart they say rather too much.
PredictionInterval::Draw PredictionInterval::draw(const MeasuredPress& measured,
                                                  RandomSource& random) const {
  Draw drawn;
  const double force = measured.same_force_sensor ? 0 : u_force_ * random.normal();
  drawn.scale = (1 + scatter_of_press_ * random.normal()) * (1 + force);
  const double u_place_m = std::hypot(u_place_m_, measured.placing.place_m);
  drawn.x_m = u_place_m * random.normal();
  drawn.y_m = u_place_m * random.normal();
  drawn.turn_rad = measured.placing.turn_rad * random.normal();
  const double spread = random.normal();  // both axes were fitted to the same presses
  drawn.xx_m2 = 2 * sigma_m_[0] * u_sigma_m_[0] * spread;
  drawn.yy_m2 = 2 * sigma_m_[1] * u_sigma_m_[1] * spread;
  drawn.ghosting = u_ghosting_ * random.normal();
  drawn.modulus = u_modulus_ * random.normal();
  drawn.rim = u_rim_ * random.normal();
  return drawn;
}

std::vector<double> PredictionInterval::slopes_between(const Result<PressImage>& less,
                                                       const Result<PressImage>& more,
                                                       double half_step) {
  std::vector<double> slopes;
  if (!less || !more) return slopes;
  for (std::size_t i = 0; i < more->force_N.size(); ++i)
    slopes.push_back((more->force_N[i] / more->load_N - less->force_N[i] / less->load_N) /
                     (2 * half_step));
  return slopes;
}

std::vector<double> PredictionInterval::shares_by_turn(const StaticPress& press) const {
  auto right = press, left = press;
  right.pose.rz_rad -= kTurn_rad;
  left.pose.rz_rad += kTurn_rad;
  return slopes_between(method_.image(right), method_.image(left), kTurn_rad);
}

std::vector<double> PredictionInterval::shares_by_modulus(const StaticPress& press) const {
  if (!method_.knows_modulus()) return {};
  return slopes_between(method_.stiffened(1 - kStiffer, 1).image(press),
                        method_.stiffened(1 + kStiffer, 1).image(press), kStiffer);
}

std::vector<double> PredictionInterval::shares_by_rim(const StaticPress& press) const {
  if (!method_.knows_modulus()) return {};
  return slopes_between(method_.stiffened(1, 1 - kStiffer).image(press),
                        method_.stiffened(1, 1 + kStiffer).image(press), kStiffer);
}

double PredictionInterval::reading(std::size_t tactel, double share_N, std::size_t readings,
                                   RandomSource& random) const {
  const auto& unsure = tactels_[tactel];
  const double a = random.normal(), b = random.normal();
  const double both = unsure.correlation;
  const double gain = 1 + unsure.gain * (both * a + std::sqrt(1 - both * both) * b);
  const double counts = readout_.above_rest(tactel, share_N - unsure.threshold_N * a) / gain *
                        (1 + scatter_of_reading_ * random.normal());
  const double noise = readout_.noise(tactel) / std::sqrt(static_cast<double>(readings));
  return counts + std::hypot(noise, unsure.rest_counts) * random.normal() +
         rounding_of_mean(readout_.resolution(), readout_.noise(tactel)) *
             (2 * random.uniform() - 1);
}

Result<std::vector<std::array<double, 2>>> PredictionInterval::of(const StaticPress& press,
                                                                  const MeasuredPress& measured,
                                                                  RandomSource& random) const {
  const auto image = method_.press(press);
  if (!image) return fail(image.error());
  const auto shares = method_.shares(press.pose, image->footprint);
  const auto of_lines = method_.line_sums(shares);
  auto by_turn = measured.placing.turn_rad > 0 ? shares_by_turn(press) : std::vector<double>();
  auto by_modulus = shares_by_modulus(press), by_rim = shares_by_rim(press);
  for (auto* slopes : {&by_turn, &by_modulus, &by_rim}) slopes->resize(shares.size(), 0);
  std::vector<Draw> drawn;
  for (int k = 0; k < kDraws; ++k) drawn.push_back(draw(measured, random));
  std::vector<std::array<double, 2>> intervals(shares.size(), {kNone, kNone});
  std::vector<double> draws(kDraws);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!readout_.known(i)) continue;
    const auto& s = shares[i];
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      const auto& d = drawn[k];
      const double share = s.value + s.x * d.x_m + s.y * d.y_m + s.xx * d.xx_m2 + s.yy * d.yy_m2 +
                           by_turn[i] * d.turn_rad + of_lines[i] * d.ghosting +
                           by_modulus[i] * d.modulus + by_rim[i] * d.rim;
      draws[k] = reading(i, image->load_N * d.scale * share, measured.readings, random);
    }
    intervals[i] = middle(draws);
  }
  return intervals;
}

}  // namespace tactelier
