#pragma once
// Presses as the point-spread fit sees them: compact rows, whitened by their weights. Pure data: no
// session. One parameter vector: the spread, one shift and turn per registration, and per tactel
//   counts - offset = slope (w F - threshold), never below the floor or above the ceiling,
// with w the tactel's share of the press (libcalib/models/psf.hpp), to which a matrix read line by
// line adds a part of the shares in the same row and column (ghosting). Linear in (slope, intercept
// = slope * threshold), which is how the fit holds them. Where presses scatter as wholes (how the
// tip lay, rubber that remembers), all shares of press p carry a factor exp(a_p) with the prior
// a_p = 0 +- press_scatter: what tactels of one press say of each other is free of it.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "libcalib/models/psf.hpp"

namespace tactelier {

/// What one row says.
enum class PsfRowKind : std::uint8_t {
  kLine,     // above the dead zone: r = c - L, L = slope w F - intercept
  kFloored,  // the floor is visible: r = c - mean of max(0, L) over the row
  kFloor,    // reads exactly the floor, which is cut: r = max(0, L)
  kCeiling,  // reads the ceiling (in `counts`): r = max(0, c - L)
};

/// The mean of some consecutive readings, or a single one.
struct PsfRow {
  double force_N = 0;       // mean, bias removed
  double half_range_N = 0;  // forces spread evenly over force_N +- this
  double counts = 0;        // above the offset
  double weight = 1;        // 1/variance, counts^-2
  PsfRowKind kind = PsfRowKind::kLine;
  double raised_N = 0;  // in force_N, for its ripple (psf_ripple.hpp)
};

/// Rows [begin, end) of one tactel that belong to one press.
struct PsfGroup {
  std::uint32_t press = 0;
  std::uint32_t begin = 0, end = 0;
  double rest_N = 0;  // of earlier presses, which the rubber still holds or which readings have not
                      // come back from, and its share of what readings answer to beyond the
                      // measured force (press_history.hpp)
  double rest_share = 0;  // the part of it that goes with the force, beside the group's share
};

struct PsfTactel {
  int index = 0;  // in the layout
  std::vector<PsfRow> rows;
  std::vector<PsfGroup> groups;
  bool threshold_free = true;  // else the intercept stays where it starts (0: no dead zone)
  double u_offset_counts = 0;  // standard, of an offset that all its rows share

  /// Where the offset is too high the rows look as with a dead zone; where it is too low the
  /// intercept is negative, minus the offset's error, whose prior is 0 +- u_offset_counts. At 0,
  /// where a fit starts that sees no line, it is held.
  bool intercept_free(double intercept) const {
    return threshold_free && (intercept > 0 || (intercept < 0 && u_offset_counts > 0));
  }
  double lowest_intercept() const { return u_offset_counts > 0 ? -1e300 : 0; }
  /// 1/variance of that prior where it says something, counts^-2.
  double offset_information(double intercept) const {
    return intercept_free(intercept) && intercept < 0 ? 1 / (u_offset_counts * u_offset_counts) : 0;
  }
  double offset_cost(double intercept) const {
    return 0.5 * offset_information(intercept) * intercept * intercept;
  }
};

struct PsfPress {
  double x_m = 0, y_m = 0;  // nominal place in S
  std::uint32_t frame = 0;  // registration in which the place is stated (registrations.hpp)
  std::uint32_t footprint = 0;
  bool used = true;  // else its rows are passed over (held out, not drawn)
  std::uint32_t session = 0;
  double touch_s = 0, release_s = 0, peak_N = 0;
  double mean_N = 0;                   // from touch to release
  std::uint32_t way = 0;               // of pressing (PsfProblem::force_offsets): 0 are scans
  std::array<bool, 2> came_against{};  // the stage last moved against x, y
  double ripple_N = 0;                 // of the force by the motor's steps: amplitude at no load,
  double ripple_growth = 0;            // and by how much per newton (force_ripple.hpp)

  double ripple_at(double force_N) const { return ripple_N + ripple_growth * force_N; }
};

/// Two registrations of one mounting: what is known of their difference before anything is pressed,
/// 0 +- these, standard.
struct PsfFrameTie {
  std::uint32_t one = 0, other = 0;
  double u_shift_m = 0;  // along each axis
  double u_turn_rad = 0;
};

/// From presses beside a weight (preloaded.hpp).
struct MeasuredGhosting {
  double part = 0;
  double std = 0;
  int presses = 0;
};

/// What readings answer to beyond the force that the sensor tells while it rises, the same in all
/// presses of one way.
struct ForceOffset {
  double value_N = 0;
  double u_N = 0;  // standard; 0: none sought
};

/// Part of the largest load before that readings hold on to right after its release, and the time
/// in which it falls to 1/e.
struct ZeroReturn {
  double part = 0;  // 0: none found
  double u = 0;     // standard
  double time_s = 0;
  double u_log_time = 0;
};

/// How much of the force's ripple readings keep (psf_ripple.hpp).
struct RippleKept {
  double part = 0;             // of the most that they can, 0 to 1
  double u = 0;                // standard; 0: none sought
  double half_hysteresis = 0;  // of readings, relative to the largest
};

struct PsfProblem {
  PsfLayout layout;
  std::vector<PressFootprint> footprints;
  std::vector<PsfPress> presses;
  std::vector<PsfTactel> tactels;
  std::uint32_t frames = 1;
  int threads = 1;
  std::vector<PsfFrameTie> ties = {};
  std::vector<PsfPress> earlier = {};             // without rows, but remembered
  std::optional<MeasuredGhosting> ghosting = {};  // then it stays where a fit starts
  double press_scatter = 0;      // relative, standard; 0: presses have no scale of their own
  double memory_per_decade = 0;  // by which groups' rest_N were found (press_history.hpp)
  ZeroReturn zero_return = {};   // in groups' rest_N (press_history.hpp)
  std::vector<ForceOffset> force_offsets = {};  // by way; in groups' rest_N (press_history.hpp)
  RippleKept ripple = {};                       // in rows' forces (psf_ripple.hpp)
  double row_scatter = 0;              // relative, of each row by itself, as the weights hold it
  std::array<bool, 2> across_strip{};  // no shift along x, y is fitted (strip_places.hpp)

  std::size_t rows() const;
  double used_rows() const;  // of presses that are used
  /// Presses have a row or two of each tactel: rows then don't tell their noise from what presses
  /// scatter by.
  bool rows_hide_scatter() const;
  bool on_strip() const { return across_strip[0] || across_strip[1]; }
};

enum class PsfShape { kIsotropic, kAnisotropic };

struct PsfModel {
  PsfForm form = PsfForm::kIntegrated;
  PsfShape shape = PsfShape::kIsotropic;
  PsfEdge edge = PsfEdge::kZero;
  bool free_shift = true;
  bool free_turn = true;
  bool ghosting = false;
};

/// True place of a press in the array's own frame: R(turn) p + shift.
struct PsfFrame {
  double x_m = 0, y_m = 0, turn_rad = 0;
};

struct PsfState {
  LogSpread spread;
  std::vector<PsfFrame> frames;
  double ghosting = 0;            // part of the other tactels of row and column in each reading
  std::vector<double> log_scale;  // a_p by press; empty where presses have none
  std::vector<double> slope;      // counts/N of the tactel's share
  std::vector<double> intercept;  // counts, slope * threshold; < 0 only where an offset is shared
};

/// Column of each shared parameter, -1 where it is not free: spread first, then frames, ghosting.
struct PsfColumns {
  int spread = 0;  // m; e1, e2 follow when anisotropic
  int first_frame = 1;
  int per_frame = 3;
  int ghosting = -1;
  int count = 0;
};
PsfColumns psf_columns(const PsfModel& model, std::uint32_t frames);

}  // namespace tactelier
