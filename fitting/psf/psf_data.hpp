#pragma once
// From recorded presses to the compact rows of the point-spread fit: presses are streamed, what
// stays of each is at most some dozens of means per tactel that it reaches.

#include <string>
#include <vector>

#include "fitting/psf/image_places.hpp"
#include "fitting/psf/preloaded.hpp"
#include "fitting/psf/psf_problem.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {

/// Variance of one row's mean, apart from what goes with the reading itself.
struct PsfRowNoise {
  double counts2 = 0;  // of the readings
  double force2 = 0;   // N^2, of the force
};

struct PsfData {
  PsfProblem problem;
  std::vector<PreloadedPress> preloaded;        // no part of the problem
  std::vector<std::vector<PsfRowNoise>> noise;  // like problem.tactels[].rows
  std::vector<std::size_t> press_row;           // of problem.presses, in FitContext::contacts
  std::vector<ImagePlace> images;               // of presses whose image shows
  std::size_t most_answering = 0;               // tactels that answered to one press, at most
  std::size_t samples = 0;                      // readings behind the rows
  double peak_force_N = 0;
  double median_press_threshold_N = 0;  // 0 when no tactel has one
  double force_rate_N_per_s = 0;        // median while presses load; 0 for readings at rest
  double force_growth_per_s = 0;        // of the rate with the force, median
  double frame_period_s = 0;
  double u_latency_s = 0;  // standard: how late readings may be against the force
  double noise_dof = 0;    // behind the noise of readings, of all tactels; 0: known otherwise
};

/// Which rows of a press load (first touch to peak, only while the force is at its highest so far)
/// and how much free air comes before.
struct PsfLoading {
  std::vector<std::size_t> rows;
  double sigma_force_N = 0;  // of one force on the readings' times
  std::size_t before = 0;    // rows of free air at the beginning
};
PsfLoading psf_loading(const PressData& data, const PressContact& contact);

struct PsfReading {
  double offset_counts = 0;
  double offset_variance_counts2 = 0;
  double noise_counts = 0;
  std::optional<double> ceiling_counts = {};
  bool cut_floor = false;      // readings below the floor are cut to it
  bool offset_shared = false;  // with the tactel's other presses
};
/// Appends the rows of one press for one tactel, in time order; the force's bias is removed here.
void add_rows(const PressData& data, const PsfLoading& loading, double force_bias_N,
              std::size_t tactel_row, const PsfReading& reading, PsfTactel& tactel,
              std::vector<PsfRowNoise>& noise);

/// Streams all presses that can speak. Fails with kUnidentifiable and the reason when none can or
/// the sensor's layout is not a flat array; with another code on damage or cancellation. Presses
/// left out are marked in model.presses.
Result<PsfData> load_psf_data(FitContext& context);

/// Weights before anything is fitted: the readings' noise and a hundredth of each reading.
void first_weights(PsfData& data);

/// weight = 1/variance, the force's noise carried over by the present slopes and `relative` of each
/// reading added (repeatability of a reading).
void reweight(PsfData& data, const PsfState& state, const std::vector<double>& share_values,
              double relative);

}  // namespace tactelier
