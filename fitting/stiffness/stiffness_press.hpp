#pragma once
// Stiffness from one press (docs/theory/contact-and-stiffness.md 4), on plain arrays: how force
// rises with depth while loading, how it falls at the start of unloading, and how far the line
// holds.
// Force is regressed on depth, the cleaner variable.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

constexpr std::size_t kMinDepths = 5;          // ST-01
constexpr double kMinStrain = 0.03;            // ST-01, of the layer's thickness
constexpr std::size_t kMinLinearReadings = 8;  // fewer can't fail a run test at 1 %
constexpr double kRunsTestLimit = 0.01;        // ST-03
constexpr double kUnloadingHigh = 0.98;   // window of the unloading slope, of the load at which
constexpr double kUnloadingLow = 0.90;    // unloading starts
constexpr std::size_t kMinUnloading = 5;  // readings in it

/// The loading branch. Rows in time order, depth and force of equal length.
struct LoadingBranch {
  std::vector<double> depth_m;  // from first touch when `from_contact`, else from anywhere
  std::vector<double> force_N;  // bias removed when `from_contact`
  bool from_contact = false;
  bool independent = false;  // readings at rest; else samples that follow one another in time
};

struct LoadingFit {
  LineFit line;                     // affine, standard errors as if samples were independent
  Estimate k_affine;                // N/m, widened for serial correlation
  Estimate intercept;               // N at first touch; only meaningful from contact
  std::optional<Estimate> k_punch;  // N/m through the contact point; empty without contact
  double max_depth_m = 0;
  double peak_force_N = 0;
  double r2 = 0;
  std::size_t readings = 0;
};

/// Lines through one loading branch; rows above the surface (depth <= 0 from contact) are left out.
/// The standard error of k_punch and intercept includes u_z0_m, the contact point's.
/// Fails with kUnidentifiable and "ST-01 Depths ...: too few or too small for a stiffness."
Result<LoadingFit> fit_loading(const LoadingBranch& branch, double u_z0_m,
                               std::optional<double> thickness_m);

/// How far a straight line describes the loading branch: affine fits to shorter and shorter parts
/// until their residuals pass the run test. Serially correlated samples are averaged in groups of
/// five correlation lengths first, since the test takes readings for independent.
struct Linearity {
  std::optional<double> linear_to_m;  // empty: curved from the start, or not tested
  std::size_t readings = 0;           // independent ones; fewer than kMinLinearReadings: not tested
  bool to_the_end = true;             // the whole branch passes
  double runs_p = 1;                  // of the whole branch
  double resolution_m = 0;            // distance of neighbouring groups
};
Linearity check_linearity(const LoadingBranch& branch);

/// Averages of neighbouring rows below the surface, five correlation lengths of the noise each and
/// at most 40; readings at rest stay as they are.
LoadingBranch grouped(const LoadingBranch& all_rows);

/// The way out: all rows from the peak on, in time order.
struct UnloadingBranch {
  std::span<const double> travel_m;  // depth or travel: only differences count
  std::span<const double> force_N;   // bias removed
};

struct UnloadingFit {
  Estimate slope;   // N/m
  double high = 0;  // window, as fractions of the load at which unloading starts
  double low = 0;
  double start_N = 0;  // that load
  std::size_t readings = 0;
};

/// Slope dF/ddepth over the readings between 0.98 and 0.90 of the load at which unloading starts,
/// contiguous in time. A rest at constant depth before it, in which the force relaxes, is skipped.
/// Fails with kUnidentifiable when fewer than 5 readings lie in the window.
Result<UnloadingFit> fit_unloading(const UnloadingBranch& branch);

/// Widens `u` for residuals in time order by lag-1: {value, u, n_eff - parameters}.
Estimate widened(double value, double u, std::span<const double> residuals, double parameters);

}  // namespace tactelier
