#pragma once
// Whole slides, reversals included: side force and load as measured, and the lines by which the
// stage was told to move (recording/commanded_path.hpp). What a stage that answers ten times a
// second does in between is computed, not sampled (docs/theory/friction.md 13).

#include <optional>
#include <string>
#include <vector>

#include "fitting/friction/slide_data.hpp"
#include "fitting/recording/commanded_path.hpp"

namespace tactelier {

/// Rows of one slide and of a moment after it, within its contact.
struct SlideRows {
  std::size_t begin = 0;
  std::size_t end = 0;
  double sigma_N = 0;  // white noise of one sample of friction_N
  double speed_m_per_s = 0;
  bool compared = true;  // false: only carries the bristles along, which nobody knows yet
};

/// All slides between one lowering of the indenter and the next lift.
struct SlideContact {
  std::size_t session = 0;
  double load_N = 0;         // mean
  double u_zero_N = 0;       // standard uncertainty of the load's zero
  double u_side_N = 0;       // and of the side force's
  double slid_before_m = 0;  // by oscillations, which are not among the slides
  std::vector<double> time_s;
  std::vector<double> step_s;      // since the row before
  std::vector<double> normal_N;    // tare off, smoothed without lag
  std::vector<double> friction_N;  // on the pad, along the axis of the slides; NaN where missing
  std::vector<SlideRows> slides;
};

struct SlideTracks {
  std::vector<CommandedPath> paths;    // by session
  std::vector<SlideContact> contacts;  // in order of time
  std::size_t axis = 0;                // of the stage: 0 x, 1 y
  double along = 1;                    // friction's direction over the axis: 1 or -1
  double step_m = 0;                   // of the stage; 0 when not known
  double reference_N = 0;              // the contacts' middle load
  std::optional<double> side_m_per_N;  // what the rig gives along the surface, where it is known
  std::string why_not;                 // nothing can be computed: code and words
};

/// `runs` as load_slides() gave them, of all sessions. Fails only for damage and cancellation.
Result<SlideTracks> slide_tracks(const FitContext& context, std::span<const SlideRun> runs);

}  // namespace tactelier
