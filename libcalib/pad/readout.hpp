#pragma once
// From the true share of each tactel to its reading: scatter, ghosting, temperature, hysteresis,
// creep, zero return, threshold, gain, saturation, noise, hum, rounding, and faulty tactels.

#include <span>
#include <vector>

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/pad_truth.hpp"
#include "libcalib/pad/random.hpp"

namespace tactelier::pad {

class Readout {
 public:
  /// Every tactel is read once per frame, `frame_s` apart.
  Readout(const PadTruth& truth, const ReadingEffects& effects, double frame_s, std::uint64_t seed);

  /// Shares of the contact's force.
  void set_shares(std::span<const double> shares);
  /// Draws the scatter of a new press.
  void begin_press();
  /// Forces of what is laid on the pad, with a scatter of its own: it is a press like any other.
  void lay_N(std::span<const double> forces_N);
  void lift();

  /// Readings of tactels [first, last) at a time, with this force on the contact.
  void read(double t_s, double contact_N, std::size_t first, std::size_t last,
            std::span<double> counts);

  std::span<const TactelTruth> tactels() const {
    return tactels_;
  }  // faults of the preset filled in
  double scatter() const { return scatter_; }
  /// Warmer than at the start [K].
  double warmer_K(double t_s) const;

 private:
  struct Memory {
    double branch = 0;     // of hysteresis: the share as the unloading sees it
    double remanence = 0;  // of zero return
    bool awake = false;
  };
  /// What doesn't change from reading to reading.
  struct Constants {
    double band_N = 0;  // hysteresis between unloading and loading
    double zero_return = 0;
    double creep = 0;  // per decade
    double noise = 0;
    double hum_sin = 0;  // amplitude times sine and cosine of the phase
    double hum_cos = 0;
    double top = 0;  // counts
  };

  void draw_faults(const ReadingEffects& effects, Random& random);
  double new_scatter(Random& draws) const;
  double remembered_N(std::size_t tactel, double share_N);
  double hysteresis_N(std::size_t tactel, double share_N);
  double counts_of(const TactelTruth& tactel, double share_N) const;

  SensorDescription sensor_;
  std::vector<TactelTruth> tactels_;
  PlayTruth play_;
  ReadingEffects effects_;
  std::vector<Constants> constants_;
  std::vector<double> shares_, ghosted_, resting_N_;
  std::vector<Memory> memory_;
  std::vector<double> creep_;  // tactels x branches
  std::vector<double> creep_keep_, creep_weight_;
  std::vector<double> play_states_;  // tactels x thresholds
  double remanence_keep_ = 0;
  double scatter_ = 1;
  Random noise_;
  Random scatter_draws_, laid_scatter_draws_;
};

}  // namespace tactelier::pad
