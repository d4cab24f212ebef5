#include "app/workflow/array_newtons.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier {
namespace {

constexpr double kLoaded = 0.05;    // of a tactel's range: more is no drift
constexpr double kUnsteady = 0.02;  // of a tactel's range, beside what noise does
constexpr double kNoiseRange = 12;  // sigma: highest less lowest of thousands of readings

std::string layout_words(const SensorDescription& sensor) {
  std::string words;
  for (const auto& array : sensor.arrays)
    words += fmt::format("{}{} x {}", words.empty() ? "" : " and ", array.rows, array.columns);
  words += " tactels";
  if (sensor.channels != 1) words += fmt::format(" of {} channels", sensor.channels);
  return words;
}

bool same_layout(const SensorDescription& a, const SensorDescription& b) {
  return a.channels == b.channels &&
         std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(),
                    [](const SensorArray& one, const SensorArray& other) {
                      return one.rows == other.rows && one.columns == other.columns;
                    });
}

std::string sensor_words(const SensorDescription& sensor) {
  return sensor.vendor + (sensor.vendor.empty() ? "" : " ") + sensor.model;
}

/// From rest to where readings end; without either of both nothing can be called much.
double span_of(const SensorModel& model, const TactelCalibration& tactel) {
  const auto& adc = model.sensor.adc;
  if (tactel.saturation_counts) return *tactel.saturation_counts - tactel.offset_counts;
  if (tactel.curve) return tactel.curve->highest_counts() - tactel.offset_counts;
  if (adc.min && adc.max) return *adc.max - *adc.min;
  return std::numeric_limits<double>::infinity();
}

std::string tactel_list(const std::vector<OddZero>& odd) {
  constexpr std::size_t kMost = 12;
  std::string words = odd.size() == 1 ? "tactel" : "tactels";
  for (std::size_t i = 0; i < std::min(kMost, odd.size()); ++i)
    words += fmt::format("{} {}", i > 0 ? "," : "", odd[i].tactel);
  return words + (odd.size() > kMost ? ", ..." : "");
}

const OddZero& worst_of(const std::vector<OddZero>& odd) {
  return *std::max_element(odd.begin(), odd.end(), [](const OddZero& a, const OddZero& b) {
    return a.force_N < b.force_N;
  });
}

}  // namespace

Result<void> fits_array(const SensorModel& model, const SensorDescription& sensor,
                        const std::string& array) {
  if (model.sensor.channels != 1)
    return fail(ErrorCode::kInvalidInput,
                "the model is of a sensor with {} readings per tactel; newtons are known for "
                "sensors with one reading per tactel only",
                model.sensor.channels);
  if (!same_layout(model.sensor, sensor))
    return fail(ErrorCode::kInvalidInput, "the model is for {}, {} has {}: not the same sensor",
                layout_words(model.sensor), array, layout_words(sensor));
  if (model.sensor.falling != sensor.falling)
    return fail(ErrorCode::kInvalidInput,
                "the model's readings {} under load, by the description of {} they {}: not the "
                "same sensor, or one of both descriptions is wrong",
                model.sensor.falling ? "fall" : "rise", array, sensor.falling ? "fall" : "rise");
  const auto ours = sensor_words(model.sensor), theirs = sensor_words(sensor);
  if (!ours.empty() && !theirs.empty() && ours != theirs)
    return fail(ErrorCode::kInvalidInput, "the model is of a '{}', {} of a '{}'", ours, array,
                theirs);
  return {};
}

Result<void> fits_serial(const SensorModel& model, const std::string& serial) {
  if (serial.empty() || model.serial.empty() || serial == model.serial) return {};
  return fail(ErrorCode::kInvalidInput,
              "the model is of the sensor with serial number {}, the readings are of {}: each has "
              "gains of its own",
              model.serial, serial);
}

void RestReadings::add(std::span<const double> readings) {
  if (frames_++ == 0) {
    mean_.assign(readings.begin(), readings.end());
    low_ = high_ = mean_;
    squares_.assign(readings.size(), 0);
    return;
  }
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    const double off = readings[i] - mean_[i];
    mean_[i] += off / static_cast<double>(frames_);
    squares_[i] += off * (readings[i] - mean_[i]);
    low_[i] = std::min(low_[i], readings[i]);
    high_[i] = std::max(high_[i], readings[i]);
  }
}

double RestReadings::noise(std::size_t tactel) const {
  return frames_ > 1 ? std::sqrt(squares_[tactel] / static_cast<double>(frames_ - 1)) : 0;
}

ArrayNewtons::ArrayNewtons(const SensorModel& model) : total_(model) {
  const auto tactels = static_cast<std::size_t>(model.sensor.tactels());
  for (std::size_t i = 0; i < tactels; ++i) {
    calibrations_.push_back(tactel_calibration(model, i));
    const auto& tactel = calibrations_.back();
    with_zero_.push_back(tactel.why.empty() && model.response.zero != "rows" &&
                         model.response.tactels[i].offset.value.has_value());
    span_counts_.push_back(span_of(model, tactel));
  }
  shift_.resize(tactels);
}

std::size_t ArrayNewtons::calibrated() const {
  return static_cast<std::size_t>(
      std::count_if(calibrations_.begin(), calibrations_.end(),
                    [](const TactelCalibration& tactel) { return tactel.why.empty(); }));
}

std::size_t ArrayNewtons::with_zero() const {
  return static_cast<std::size_t>(std::count(with_zero_.begin(), with_zero_.end(), true));
}

ArrayNewtons::Zero ArrayNewtons::take_zero(const RestReadings& rest) {
  Zero zero;
  for (std::size_t i = 0; i < tactels(); ++i) {
    auto& tactel = calibrations_[i];
    if (!with_zero_[i]) continue;
    tactel.set_zero(rest.mean(i));
    const double shift = tactel.zero_shift_counts;
    shift_[i] = tactel.falling ? -shift : shift;
    zero.largest_shift_counts = std::max(zero.largest_shift_counts, std::abs(shift));
    const auto odd = [&](double counts) {
      return OddZero{static_cast<int>(i), counts, counts * tactel.gain_N_per_count};
    };
    if (shift > kLoaded * span_counts_[i]) zero.loaded.push_back(odd(shift));
    if (tactel.noise_counts == 0) tactel.noise_counts = rest.noise(i);
    const double moved = rest.range(i) - kNoiseRange * tactel.noise_counts;
    if (moved > kUnsteady * span_counts_[i]) zero.unsteady.push_back(odd(rest.range(i)));
  }
  return zero;
}

void ArrayNewtons::apply(std::span<const double> readings, std::vector<ReadingForce>& into) const {
  into.resize(tactels());
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = calibrations_[i].force(readings[i]);
}

std::optional<double> ArrayNewtons::total_N(std::span<const double> readings) const {
  if (!total_.known()) return std::nullopt;
  std::vector<double> on_models_zero(readings.begin(), readings.end());
  for (std::size_t i = 0; i < shift_.size(); ++i) on_models_zero[i] -= shift_[i];
  return total_.apply(on_models_zero).force_N;
}

Warnings zero_warnings(const ArrayNewtons::Zero& zero) {
  Warnings warnings;
  if (!zero.loaded.empty()) {
    const auto& worst = worst_of(zero.loaded);
    warnings.push_back(
        {"ZERO-LOADED",
         fmt::format("{} tactels read up to {:.0f} counts more than at the model's rest, as under "
                     "{:.2g} N: what lies on them now counts as nothing",
                     zero.loaded.size(), worst.counts, worst.force_N),
         tactel_list(zero.loaded)});
  }
  if (!zero.unsteady.empty()) {
    const auto& worst = worst_of(zero.unsteady);
    warnings.push_back(
        {"ZERO-UNSTEADY",
         fmt::format("readings of {} tactels moved by up to {:.0f} counts, as under {:.2g} N, "
                     "while the zero was taken",
                     zero.unsteady.size(), worst.counts, worst.force_N),
         tactel_list(zero.unsteady)});
  }
  return warnings;
}

}  // namespace tactelier
