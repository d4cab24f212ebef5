#include "libcalib/forward/tactel_readout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kContactNoise = 3;  // standard deviations
// That gains hold already where nobody knew creep: a press of 3 s (docs/theory/response.md 9).
constexpr double kDecadesOfPress = 0.37;

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// gain = centre share * press_gain for every tactel; the median is better known than any.
double centre_share_of(const SensorModel& model) {
  std::vector<double> shares;
  for (const auto& tactel : model.response.tactels)
    if (tactel.gain.identified() && tactel.press_gain.value.value_or(0) > 0)
      shares.push_back(*tactel.gain.value / *tactel.press_gain.value);
  return median_of(std::move(shares)).value_or(0);
}

std::optional<double> full_scale_of(const SensorModel& model) {
  std::vector<double> scales;
  for (const auto& tactel : model.response.tactels)
    if (tactel.saturation.identified() && tactel.offset.value)
      scales.push_back(std::abs(*tactel.saturation.value - *tactel.offset.value));
  if (!scales.empty()) return median_of(std::move(scales));
  const auto& adc = model.sensor.adc;
  if (!adc.max || *adc.max <= adc.min.value_or(0)) return {};
  return *adc.max - adc.min.value_or(0);
}

/// Of a tactel of which nobody found it; empty where nobody found any.
std::optional<double> usual_creep_per_decade(const SensorModel& model) {
  std::vector<double> creeps;
  for (const auto& tactel : model.response.tactels)
    if (tactel.creep.identified()) creeps.push_back(*tactel.creep.value / 100);
  return median_of(std::move(creeps));
}

/// What presses have left in later ones tells it too, within a tenth (docs/theory/point-spread.md
/// 5): 0 where none is seen.
double creep_of_memory_per_decade(const SensorModel& model) {
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return 0;
  const auto percent = quality->second.figures.find("memory_percent_per_decade");
  return percent == quality->second.figures.end() ? 0 : percent->second / 100;
}

}  // namespace

TactelReadout::TactelReadout(const SensorModel& model)
    : sensor_(model.sensor),
      zero_return_(model.response.zero_return.value.value_or(0) / 100),
      resolution_(model.response.resolution.value.value_or(0)),
      centre_share_(centre_share_of(model)),
      full_scale_(full_scale_of(model)) {
  const auto found = usual_creep_per_decade(model);
  const double usual = found ? *found : creep_of_memory_per_decade(model);
  if (!found) decades_in_gains_ = kDecadesOfPress;
  const auto& play = model.response.hysteresis_model;
  for (std::size_t k = 0; k < std::min(play.thresholds.size(), play.weights.size()); ++k)
    play_.push_back({2 * play.thresholds[k].value.value_or(0) * centre_share_,
                     play.weights[k].value.value_or(0)});
  for (const auto& response : model.response.tactels) {
    lines_.push_back(line_of(model, response));
    lines_.back().creep_per_decade =
        response.creep.identified() ? *response.creep.value / 100 : usual;
  }
}

TactelReadout TactelReadout::after(const LoadHistory& history) const {
  auto later = *this;
  later.decades_ =
      std::max(0.0, std::log10(1 + std::max(0.0, history.under_load_s)) - decades_in_gains_);
  later.crest_ = std::max(1.0, history.crest);
  for (std::size_t i = 0; i < std::min(lines_.size(), history.left_N.size()); ++i)
    later.lines_[i].left_N = lines_[i].creep_per_decade * history.left_N[i];
  for (std::size_t i = 0; i < std::min(lines_.size(), history.largest_N.size()); ++i)
    later.lines_[i].late_N = zero_return_ * history.largest_N[i];
  return later;
}

TactelReadout::Line TactelReadout::line_of(const SensorModel& model,
                                           TactelResponse response) const {
  Line line;
  turn_counts(model, response);
  line.offset = response.offset.value.value_or(kNone);
  line.noise = response.noise.value.value_or(0);
  line.top = std::numeric_limits<double>::infinity();
  const auto& adc = sensor_.adc;  // as wide turned as not
  if (adc.max) line.top = *adc.max - line.offset;
  if (response.saturation.value) line.top = *response.saturation.value - line.offset;
  line.threshold_N = response.threshold.value.value_or(0);
  const bool sound =
      response.status != TactelStatus::kDead && response.status != TactelStatus::kStuck;
  line.known = sound && response.gain.value.value_or(0) > 0 && response.offset.value;
  if (!line.known) return line;
  line.counts_per_N = 1 / *response.gain.value;
  if (centre_share_ > 0) line.curve = calibration_curve(model, response);
  return line;
}

// A curve holds from its first knot; between rest and there a straight line.
double TactelReadout::curved(const Line& line, double share_N) const {
  const double force_N = share_N / centre_share_;
  const double low_N = line.curve->low_N();
  if (force_N >= low_N) return line.curve->counts(force_N) - line.offset;
  return (line.curve->lowest_counts() - line.offset) * force_N / low_N;
}

// What stays of the crest: min(share + 2 r, crest) less the share, for each operator.
double TactelReadout::held_up_N(double share_N) const {
  double held_N = share_N;
  for (const auto& play : play_)
    held_N += play.weight * std::min(play.band_N, (crest_ - 1) * share_N);
  return held_N;
}

double TactelReadout::above_rest(std::size_t tactel, double share_N) const {
  const auto& line = lines_[tactel];
  if (!line.known) return kNone;
  // A load as large as the one before holds the reading up by itself.
  const double late_N = std::max(0.0, line.late_N - zero_return_ * share_N);
  const double felt_N =
      held_up_N(share_N) + share_N * line.creep_per_decade * decades_ + line.left_N + late_N;
  const double counts =
      line.curve ? curved(line, felt_N) : (felt_N - line.threshold_N) * line.counts_per_N;
  return std::clamp(counts, 0.0, std::max(0.0, line.top));
}

std::vector<double> TactelReadout::above_rest(std::span<const double> shares_N) const {
  std::vector<double> counts;
  for (std::size_t i = 0; i < shares_N.size(); ++i) counts.push_back(above_rest(i, shares_N[i]));
  return counts;
}

bool TactelReadout::clips(std::size_t tactel, double share_N) const {
  return lines_[tactel].known && at_top(tactel, above_rest(tactel, share_N));
}

double TactelReadout::recorded(std::size_t tactel, double above_rest) const {
  return turned_reading(sensor_, lines_[tactel].offset + above_rest);
}

double TactelReadout::above_rest_of(std::size_t tactel, double recorded) const {
  return turned_reading(sensor_, recorded) - lines_[tactel].offset;
}

double TactelReadout::rest(std::size_t tactel) const { return recorded(tactel, 0); }

std::vector<double> TactelReadout::contact_levels() const {
  std::vector<double> levels;
  for (const auto& line : lines_)
    levels.push_back(std::max({kContactNoise * line.noise, resolution_, 1e-9}));
  return levels;
}

}  // namespace tactelier
