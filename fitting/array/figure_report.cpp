#include "fitting/array/figure_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "fitting/statistics/per_decade.hpp"
#include "libcalib/forward/image_features.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kLeast = 3;   // presses whose scatter makes an interval
constexpr double kStraight = 0.05;  // of the sum's range: more is no line
constexpr double kSamePlace_m = 1e-6;

using Figured = ArrayPresses::Figured;
using Figures = std::map<std::string, double>;

template <class Get>
std::vector<double> told_by(std::span<const Figured> presses, Get get) {
  std::vector<double> values;
  for (const auto& press : presses)
    if (const std::optional<double> value = get(press.figures)) values.push_back(*value);
  return values;
}

void add(Figures& figures, const std::string& name, const std::string& unit, const Estimate& mean,
         double systematic = 0, double scale = 1) {
  const std::array parts{Component{"presses", mean.std, mean.dof},
                         Component{"systematic", systematic, kManyDegrees}};
  figures[name + "_" + unit] = scale * mean.value;
  figures[name + "_u95_" + unit] = std::abs(scale) * combine(parts).U_95;
}

void add_share(Figures& figures, const std::string& name, const std::vector<double>& shares) {
  if (shares.size() >= kLeast) add(figures, name, "percent", press_spread(shares), 0, 100);
}

/// Newtons of all readings above rest added up; none where the sum is no line.
void add_sum(std::span<const Figured> presses, double certificate, Figures& figures) {
  const auto part = [&](double SumLine::*member) {
    return told_by(presses, [member](const PressFigures& press) {
      return press.sum ? std::optional((*press.sum).*member) : std::nullopt;
    });
  };
  const auto bends = part(&SumLine::bend);
  add_share(figures, "sum_bend", bends);
  if (bends.size() < kLeast) return;
  const double bend = press_spread(bends).value;
  if (bend > kStraight) return;
  const auto gain = press_spread(part(&SumLine::gain_N_per_count));
  add(figures, "sum_gain", "N_per_count", gain,
      std::hypot(certificate * gain.value, u_rectangular(bend * gain.value)));
  add(figures, "sum_threshold", "N", press_spread(part(&SumLine::threshold_N)));
}

void add_creep(std::span<const Figured> presses, Figures& figures) {
  std::vector<Estimate> holds;
  for (const auto& press : presses)
    if (press.figures.creep) holds.push_back(*press.figures.creep);
  if (!holds.empty()) add(figures, "sum_creep", "percent_per_decade", mean_of_holds(holds), 0, 100);
}

/// Presses of one place, on one tactel where no place is stated.
using Place = std::tuple<long long, long long, int>;
std::optional<Place> place_of(const PressRow& press) {
  if (press.x_m && press.y_m)
    return Place{std::llround(*press.x_m / kSamePlace_m), std::llround(*press.y_m / kSamePlace_m),
                 -1};
  if (press.tactel) return Place{0, 0, *press.tactel};
  return std::nullopt;
}

bool extends(const std::vector<double>& along) {
  const auto [low, high] = std::minmax_element(along.begin(), along.end());
  return *high > *low;
}

/// Standard deviation of the centre of force over presses of one place, along one axis, and how far
/// its mean lies from where was pressed.
void add_centres(std::span<const Figured> presses, const SensorModel& model, Figures& figures) {
  const auto layout = ImageLayout::of(model.sensor);
  std::map<Place, std::vector<ImagePoint>> places;
  for (const auto& press : presses) {
    const auto place = place_of(model.presses[press.row]);
    const auto centre = image_centroid(layout, press.figures.image);
    if (place && centre) places[*place].push_back(*centre);
  }
  const double axes = (extends(layout.x_m) ? 1 : 0) + (extends(layout.y_m) ? 1 : 0);
  double squares = 0, dof = 0;
  for (const auto& [place, centres] : places) {
    const auto n = static_cast<double>(centres.size());
    ImagePoint mean;
    for (const auto& centre : centres) {
      mean.x_m += centre.x_m / n;
      mean.y_m += centre.y_m / n;
    }
    for (const auto& centre : centres)
      squares += std::pow(centre.x_m - mean.x_m, 2) + std::pow(centre.y_m - mean.y_m, 2);
    dof += axes * (n - 1);
  }
  if (dof < 2) return;
  const double deviation = std::sqrt(squares / dof);
  add(figures, "centre_repeatability", "m", {deviation, deviation / std::sqrt(2 * dof), dof});
}

}  // namespace

Figures array_figures(std::span<const Figured> presses, double certificate,
                      const SensorModel& model) {
  Figures figures;
  add_share(figures, "cycle_loss",
            told_by(presses, [](const PressFigures& press) { return press.loss; }));
  add_share(figures, "cycle_loop",
            told_by(presses, [](const PressFigures& press) { return press.loop; }));
  add_creep(presses, figures);
  if (model.sensor.tactels() == 1) return figures;  // a sum of one is its reading
  add_sum(presses, certificate, figures);
  add_centres(presses, model, figures);
  return figures;
}

}  // namespace tactelier
