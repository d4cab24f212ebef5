#pragma once
// How sure a model is of the readings that it predicts: 95 % intervals by drawing what it does not
// know exactly (docs/theory/forward.md 8). Held against recordings they say whether the model's
// uncertainties are right.

#include <array>
#include <vector>

#include "fitting/statistics/random.hpp"
#include "libcalib/forward/psf_method.hpp"
#include "libcalib/forward/tactel_readout.hpp"

namespace tactelier {

/// How differently presses stand that were meant to be the same, standard deviations.
struct Placing {
  double place_m = 0;  // along each axis
  double turn_rad = 0;
};

/// How a press was measured.
struct MeasuredPress {
  std::size_t readings = 0;  // that each mean is of
  /// The load was measured by the sensor that the model was fitted with, so that its gain's error
  /// is in both and cancels.
  bool same_force_sensor = false;
  Placing placing;  // beyond what the model knows of its stage
};

class PredictionInterval {
 public:
  PredictionInterval(const SensorModel& model, const PsfMethod& method,
                     const TactelReadout& readout);

  /// Of means of readings, counts above rest, by tactel; NaN where the tactel has no response.
  Result<std::vector<std::array<double, 2>>> of(const StaticPress& press,
                                                const MeasuredPress& measured,
                                                RandomSource& random) const;

 private:
  /// Standard deviations of one tactel's numbers, and how two of them go together.
  struct Unsure {
    double threshold_N = 0, gain = 0;  // gain: relative
    double correlation = 0;
    double rest_counts = 0;
  };
  struct Draw {
    double scale = 1, x_m = 0, y_m = 0, turn_rad = 0, xx_m2 = 0, yy_m2 = 0, ghosting = 0;
    double modulus = 0, rim = 0;  // relative
  };
  Draw draw(const MeasuredPress& measured, RandomSource& random) const;
  /// Half the difference of two images' shares, by the half step between them; empty where one of
  /// them can't be predicted.
  static std::vector<double> slopes_between(const Result<PressImage>& less,
                                            const Result<PressImage>& more, double half_step);
  /// Of the whole image by radians; by the logarithm of foundation modulus and of rim modulus.
  std::vector<double> shares_by_turn(const StaticPress& press) const;
  std::vector<double> shares_by_modulus(const StaticPress& press) const;
  std::vector<double> shares_by_rim(const StaticPress& press) const;
  double reading(std::size_t tactel, double share_N, std::size_t readings,
                 RandomSource& random) const;

  const PsfMethod& method_;
  const TactelReadout& readout_;
  std::vector<Unsure> tactels_;
  double scatter_of_press_ = 0, scatter_of_reading_ = 0;  // relative
  double u_place_m_ = 0, u_ghosting_ = 0;
  std::array<double, 2> sigma_m_{}, u_sigma_m_{};
  double u_force_ = 0;                // of the force sensor's gain, relative
  double u_modulus_ = 0, u_rim_ = 0;  // relative
};

}  // namespace tactelier
