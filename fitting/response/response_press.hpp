#pragma once
// One press as the response stage sees it: which samples load, which unload, which are free air.

#include <span>
#include <vector>

#include "fitting/recording/press_data.hpp"
#include "fitting/response/affine_fit.hpp"

namespace tactelier {

/// dF/dt while loading, as a line over the force.
struct LoadingRate {
  double at_zero_N_per_s = 0;
  double growth_per_s = 0;

  double at(double force_N) const { return at_zero_N_per_s + growth_per_s * force_N; }
};

struct TactelPress {
  // First touch to peak, only while the force is at its highest so far; of weights all of the last.
  // Empty where the touch lies behind the peak, as found of a light press or set by hand.
  ResponsePress loading;
  std::vector<double> unloading_force_N, unloading_counts;  // from there to release, time order
  std::vector<double> before, after;  // readings in free air, before touch and after release
  std::vector<double> loading_s;      // times of `loading`, host's
  std::vector<double> unloading_s;    // the same of unloading
  double before_s = 0;                // the middle of `before`
  double sigma_force_N = 0;           // of the rows' force
  std::size_t sigma_force_rows = 0;   // of free air that tell it; 0: from the contact stage
  double peak_force_N = 0;
  double force_rate_N_per_s = 0;  // median while loading
  LoadingRate rate;               // how it goes with the force
  double u_latency_s = 0;         // standard: how late the readings may be against the force
  double period_s = 0;
  bool static_readings = false;
  std::size_t rows_left_out = 0;  // of the whole press: no force beside the reading
  std::size_t row = 0;            // in FitContext::contacts
  std::size_t session = 0;        // of that row
};

/// `tactel_row`: index into data.counts. The force's bias is removed here.
TactelPress split_press(const PressData& data, std::size_t tactel_row, const PressContact& contact);

/// Readings at rest of one table as a press for each round of loads (round_begins()); anything else
/// stays one press.
std::vector<TactelPress> split_rounds(TactelPress press);

/// Mean, spread and floor of one stretch of free air.
struct BaselineWindow {
  double mean = 0;
  double variance = 0;  // n - 1
  double rho = 0;       // lag-1 correlation
  std::size_t n = 0;
  std::size_t at_floor = 0;  // readings at exactly `floor`
  bool stated = false;       // a number of the map, not measured
};
BaselineWindow air_window(std::span<const double> counts, double floor);

/// The converter's step, or the smallest one between different readings where they show none; 0
/// when they are all equal.
double reading_step(std::span<const double> counts);

}  // namespace tactelier
