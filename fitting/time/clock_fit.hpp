#pragma once
// The map from one stream's clock to the host's, window by window, from (device time, arrival).

#include <optional>
#include <vector>

#include "fitting/recording/clock_map.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/time/lower_hull.hpp"

namespace tactelier {

struct ClockFit {
  ClockMap map;
  Estimate offset_s;      // host - device at the first sample; transport included
  Estimate skew;          // host seconds per device second, less 1
  double residual_s = 0;  // mean arrival behind the line: what jitter adds to the shortest way
  double wander = 0;      // largest less smallest skew among the windows
  std::size_t points = 0;
  int windows = 0;
  int pieces = 1;  // 1 + restarts
};

/// Crystals drift about 1 ppm/K, so long recordings get a line per window of 120 s, every 60 s, and
/// the map goes straight from the middle of one to the middle of the next, where each line is known
/// best. Streams through: memory is that of the hulls.
class ClockFitter {
 public:
  /// Times of a stream must not fall.
  void add(double device_s, double arrival_s);
  /// The device or the host's clock started anew: no line goes across.
  void split();
  /// Empty with fewer than 20 samples, or where time stands still.
  std::optional<ClockFit> fit();

 private:
  struct Window {
    double begin_s;
    LowerHull hull;
  };
  void close(const Window& window);
  void end_piece();

  std::vector<Window> open_;
  std::vector<HullLine> piece_;  // closed windows of the piece that is being read
  std::vector<HullLine> lines_;  // of all pieces
  std::vector<ClockMap::Knot> knots_;
  std::optional<double> begin_s_;  // of the piece
  double last_s_ = 0;
  double first_device_s_ = 0;
  std::size_t points_ = 0;
  int pieces_ = 0;
  double longest_s_ = 0;  // piece, for the skew
  Estimate skew_;
};

}  // namespace tactelier
