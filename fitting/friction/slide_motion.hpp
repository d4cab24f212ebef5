#pragma once
// How the tip moves along the slides' axis, tick by tick: what the path's commands make the nut do
// is the same for all drives (recording/axis_turns.hpp) and computed once per shape, phase and size
// of the ticks; the axis follows for each backlash, microstep error and ringing that is tried.

#include <array>
#include <span>
#include <vector>

#include "fitting/friction/slide_parameters.hpp"
#include "fitting/friction/slide_tracks.hpp"
#include "fitting/recording/axis_turns.hpp"

namespace tactelier {

/// The ticks in which a shape of steps is computed.
double slide_tick_s(const SlideSetting& setting);

/// The tip along the axis of the slides, tick by tick, for one contact.
struct TipMotion {
  struct Slide {
    double first_s = 0;     // time of its first tick
    std::size_t begin = 0;  // ticks
    std::size_t end = 0;
  };
  double tick_s = 0;
  std::vector<double> speed_m_per_s;  // within the tick that ends there
  std::vector<Slide> slides;          // as in SlideContact
};

/// How it changes with SlideIndex kSlideBacklash and the six after it, as AxisParameter goes.
struct TipSlopes {
  std::vector<AxisSlopes> speed;                // by tick, d(m/s)/dp
  AxisSlopes slid_before = AxisSlopes::Zero();  // of what was slid before the contact, dm/dp
};

class TipTurns {
 public:
  /// `tracks` must outlive it.
  TipTurns(const SlideTracks& tracks, const SlideSetting& setting, int threads = 1);

  bool same(const SlideSetting& setting) const;
  /// By contact; `slopes` may be null.
  std::vector<TipMotion> motions(const SlideSetting& setting, std::span<const double> p,
                                 std::vector<TipSlopes>* slopes = nullptr) const;

 private:
  struct Contact {
    TipMotion motion;  // without speeds
    AxisTurns turns;   // at the tick before each slide, and at its ticks
  };

  const SlideTracks& tracks_;
  SlideSetting setting_;
  int threads_;
  std::vector<Contact> contacts_;
};

/// The same for one p.
std::vector<TipMotion> tip_motions(const SlideTracks& tracks, const SlideSetting& setting,
                                   std::span<const double> p);
/// Slid before each contact, what was left out of the recording not counted.
std::vector<double> slid_before_m(const SlideTracks& tracks, const std::vector<TipMotion>& motions);

}  // namespace tactelier
