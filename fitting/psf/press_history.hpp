#pragma once
// What the presses before do to one (docs/theory/point-spread.md 5):
//   Memory. Rubber that creeps under a press gives the reading back as slowly: a part of an earlier
//   press's load is still there when the next one comes, below the dead zone, where no reading at
//   rest shows it. Tactels pressed just before read more than those that were not, by some percent
//   of small answers, which a fit takes for ghosting and spread.
//     rest_i(p) = c sum_q F_q w_i(q) log10(1 + T_q / (t_p - t_q))      earlier presses q
//   is the recovery of creep that goes with the logarithm of time (Boltzmann's superposition), c
//   per decade, T how long q lasted, t_p - t_q from its release to p's rows. Presses without
//   rows, as holds are, count among the earlier ones. Return to zero:
//   zero_return.hpp. Play. Where the stage came against an axis, it stands off by its backlash:
//   presses of lines that go to and fro lie alternately.
// and, found with them, what readings answer to beyond the force that the sensor tells, the same in
// all presses of one way (scans, rasters, staircases: of one speed each) while they load:
//   rest_i(p) = w_i(p) F_0
// Each step of a motor is a blow that the sensor's filter smooths and hysteresis of a reading
// keeps, the more the nearer steps come to how the motor rings.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fitting/psf/psf_uncertainty.hpp"

namespace tactelier {

/// Found in turns with the fit: each turn is a step in which all other parameters go along.
class PressHistory {
 public:
  /// `moving`: forces were read while the tip moved, which alone can leave F_0.
  explicit PressHistory(bool moving) : moving_(moving) {}

  /// Steps from the fit to these presses, and books memory, return to zero and play in `problem`:
  /// as its groups' rest_N and its presses' places, with the uncertainties of z and F_0. Leaves it
  /// as it is where the data don't tell.
  void refine(const PsfFit& fit, PsfProblem& problem);

  /// Where presses are that came against x, y; 0 where all came one way.
  const std::array<double, 2>& play_m() const { return play_m_; }

 private:
  void take_force_offsets(const PsfAdded& step, Eigen::Index first,
                          std::span<const std::uint32_t> ways, PsfProblem& problem);

  bool moving_;
  double memory_ = 0;
  std::array<double, 2> play_m_{};
};

/// What F_0 of a way does to a group. Both must outlive it.
PsfDirection force_offset_direction(const PsfProblem& problem, const PsfFit& fit,
                                    std::uint32_t way);

/// What memory, a return to zero that was found and the offsets of all ways do to groups: what
/// steps of other findings have to let go along. Both must outlive them.
std::vector<PsfDirection> history_directions(const PsfProblem& problem, const PsfFit& fit,
                                             bool moving);

}  // namespace tactelier
