#pragma once
// From newtons on a tactel to what it reads, by the response that a model file holds
// (docs/theory/forward.md 4). "Above rest" is in counts with the offset removed, rising also where
// the device's readings fall.

#include <optional>
#include <span>
#include <vector>

#include "libcalib/model_file/tactel_curve.hpp"

namespace tactelier {

/// What went before a reading, where readings creep or come back late (docs/theory/response.md 9).
struct LoadHistory {
  double under_load_s = 0;  // for so long the load has not changed
  /// By tactel, of loads before it: the sum of F log10(1 + T/G), of a share F that lay for T and
  /// was gone for G [N decades]. Empty where nothing was pressed before.
  std::vector<double> left_N{};
  /// By tactel, the largest share of a load before it, as much of it as the time since its release
  /// has left: the most of F exp(-G/tau) [N], tau the model's zero_return_time. Empty likewise.
  std::vector<double> largest_N{};
  /// Largest force of the press until then over that of the reading: readings with hysteresis stay
  /// where the crest has taken them (docs/theory/response.md 8). At least 1.
  double crest = 1;
};

class TactelReadout {
 public:
  explicit TactelReadout(const SensorModel& model);

  std::size_t tactels() const { return lines_.size(); }
  /// Has a response; dead, stuck and unidentified tactels have not.
  bool known(std::size_t tactel) const { return lines_[tactel].known; }
  /// The same array with this history. A tactel whose own creep nobody found does as the median of
  /// the others, where none was found as the point spread's memory says; where neither creep nor a
  /// return to zero is known this is the readout as it is.
  TactelReadout after(const LoadHistory& history) const;
  /// Counts above rest of a tactel's own share; NaN where it has no response. Clipped.
  double above_rest(std::size_t tactel, double share_N) const;
  std::vector<double> above_rest(std::span<const double> shares_N) const;
  bool clips(std::size_t tactel, double share_N) const;
  /// A reading above rest that is as high as the tactel goes.
  bool at_top(std::size_t tactel, double above_rest) const {
    return above_rest >= lines_[tactel].top;
  }

  /// Between what a device reports and counts above rest.
  double recorded(std::size_t tactel, double above_rest) const;
  double above_rest_of(std::size_t tactel, double recorded) const;
  /// As the device reads unloaded; NaN where unknown.
  double rest(std::size_t tactel) const;

  /// Standard deviation of one reading, counts; 0 where unknown.
  double noise(std::size_t tactel) const { return lines_[tactel].noise; }
  /// Smallest step between readings; 0 where unknown.
  double resolution() const { return resolution_; }
  /// Counts above rest from which a reading tells contact from rest: three times its noise, at
  /// least one step.
  std::vector<double> contact_levels() const;
  /// Largest reading above rest of a healthy tactel: the median of the saturations that were
  /// identified less their offsets, else the converter's range; empty without either.
  std::optional<double> full_scale() const { return full_scale_; }
  /// Share that a tactel gets of the calibration indenter on its centre; 0 where unknown.
  double centre_share() const { return centre_share_; }

 private:
  struct Line {
    bool known = false;
    double offset = 0, threshold_N = 0, counts_per_N = 0;  // rising counts
    double top = 0;                                        // highest above rest
    double noise = 0;
    double creep_per_decade = 0;
    double left_N = 0;                      // of earlier loads, by creep
    double late_N = 0;                      // of the largest, on its way back to zero
    std::optional<CalibrationCurve> curve;  // over the calibration indenter's force
  };
  struct Play {
    double band_N = 0;  // of a tactel's own share
    double weight = 0;
  };
  Line line_of(const SensorModel& model, TactelResponse response) const;
  /// Force that the reading answers to under a share that has come down from its crest.
  double held_up_N(double share_N) const;
  double curved(const Line& line, double share_N) const;

  SensorDescription sensor_;
  std::vector<Line> lines_;
  double decades_ = 0;  // of time under load
  double decades_in_gains_ = 0;
  std::vector<Play> play_;
  double crest_ = 1;
  double zero_return_ = 0;  // part of the largest load that readings hold on to
  double resolution_ = 0;
  double centre_share_ = 0;  // that a tactel gets of the calibration indenter on its centre
  std::optional<double> full_scale_;
};

}  // namespace tactelier
