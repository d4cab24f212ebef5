#pragma once
// Small recordings of a 4 x 4 patch, made here with erf and scatter of their own.

#include <vector>

#include "fitting/psf/psf_problem.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier::test {

inline constexpr double kPitch_m = 3.4e-3, kSigma_m = 1.5e-3;

SensorDescription patch(int rows, int columns);

/// Force of a press at (x, y) that reaches a tactel of the patch.
double patch_share(int index, int rows, int columns, double x_m, double y_m,
                   double sigma_m = kSigma_m);

struct Place {
  double x_m, y_m;
};
/// 7 x 7 places in steps of half a pitch.
std::vector<Place> raster();

struct MadeScatter {
  double reading = 0;  // of each tactel's reading in each press, relative
  double press = 0;    // of all readings of a press
  double place_m = 0;  // of each press's place, which the problem doesn't know of
  double wider = 0;    // no scatter: part of the force that spreads twice as wide
};

struct MadeRecording {
  PsfProblem problem;
  std::vector<double> slopes;
};
/// Ramps of 20 rows to 2 N, 3 counts of noise, threshold 0.05 N of the share.
MadeRecording record(const std::vector<Place>& places, const MadeScatter& scatter,
                     std::uint64_t seed);

}  // namespace tactelier::test
