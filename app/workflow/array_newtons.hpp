#pragma once
// One frame of readings to newtons: what `apply --live` and the window do. `apply` on a recording
// gives each force its uncertainty besides (apply_model.hpp).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/workflow/apply_model.hpp"
#include "libcalib/model_file/tactel_calibration.hpp"

namespace tactelier {

/// A model can be applied to readings of that array when tactels, their rows and columns, their
/// channels and the direction of the readings agree. Fails with kInvalidInput, saying what differs;
/// `array` is what the readings' side calls itself: "dev.json", "the recording".
Result<void> fits_array(const SensorModel& model, const SensorDescription& sensor,
                        const std::string& array);

/// Where both are known. Fails with kInvalidInput.
Result<void> fits_serial(const SensorModel& model, const std::string& serial);

/// A tactel whose zero is not to be trusted.
struct OddZero {
  int tactel = 0;
  double counts = 0;   // above the model's rest, or by how much it moved meanwhile
  double force_N = 0;  // what they would mean
};

/// Readings at rest, taken frame by frame.
class RestReadings {
 public:
  void add(std::span<const double> readings);
  std::size_t frames() const { return frames_; }
  double mean(std::size_t tactel) const { return mean_[tactel]; }
  /// Standard deviation of one reading; 0 for a single frame.
  double noise(std::size_t tactel) const;
  /// Highest less lowest.
  double range(std::size_t tactel) const { return high_[tactel] - low_[tactel]; }

 private:
  std::size_t frames_ = 0;
  std::vector<double> mean_, squares_, low_, high_;  // squares: of the differences to the mean
};

class ArrayNewtons {
 public:
  /// `model`: of one channel per tactel (fits_array()).
  explicit ArrayNewtons(const SensorModel& model);

  std::size_t tactels() const { return calibrations_.size(); }
  /// Tactels whose readings become newtons.
  std::size_t calibrated() const;
  bool has_total() const { return total_.known(); }
  /// Tactels whose zero can be taken: not where the model's own is none of rest (response.zero
  /// "rows"), or is not known.
  std::size_t with_zero() const;

  struct Zero {
    std::vector<OddZero> loaded;    // read more than a twentieth of their range above rest
    std::vector<OddZero> unsteady;  // moved while they were read
    double largest_shift_counts = 0;
  };
  /// From now on these means are rest, and where the model knows no noise theirs counts: without
  /// any, readings at rest would leave the dead zone every other frame.
  Zero take_zero(const RestReadings& rest);

  ReadingForce tactel(std::size_t i, double reading) const {
    return calibrations_[i].force(reading);
  }
  /// By tactel; `into` is overwritten.
  void apply(std::span<const double> readings, std::vector<ReadingForce>& into) const;
  /// The force on the whole array; empty where the model doesn't know it or a reading is missing.
  std::optional<double> total_N(std::span<const double> readings) const;

 private:
  std::vector<TactelCalibration> calibrations_;
  std::vector<bool> with_zero_;
  std::vector<double> span_counts_;  // of a tactel's readings from rest to its end
  ArrayTotal total_;
  std::vector<double> shift_;  // recorded counts: reading less shift is on the model's zero
};

/// What lay on the array, or moved, while its zero was taken.
Warnings zero_warnings(const ArrayNewtons::Zero& zero);

}  // namespace tactelier
