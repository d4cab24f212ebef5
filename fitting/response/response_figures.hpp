#pragma once
// What a data sheet says of a tactel besides its gain: hysteresis, repeatability, reversibility,
// return to zero, non-linearity (docs/theory/response.md 7). "ISO-376-like" is our naming: like, no
// conformity claimed. Pure functions on plain arrays; percent where the name says so.

#include <span>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// One branch of a press: force ascending.
struct Branch {
  std::vector<double> force_N;
  std::vector<double> counts;

  /// Straight lines between points; the end values outside.
  double at(double force_N) const;
  double lowest_N() const { return force_N.front(); }
  double highest_N() const { return force_N.back(); }
};

/// Samples of a branch in any order, brought to `bins` means of equally wide force intervals
/// between low and high; empty intervals are left out. Averages noise before maxima are taken.
Branch binned_branch(std::span<const double> force_N, std::span<const double> counts, double low_N,
                     double high_N, int bins);

/// Unloading less loading at equal force.
struct BranchGap {
  std::vector<double> load, unload;  // counts on the grid
  double largest_counts = 0;         // of unload - load
};
BranchGap branch_gap(const Branch& load, const Branch& unload, std::span<const double> grid_N);

/// Integral of counts over force around a closed loop (trapezoids, rows in time order). A loop that
/// reads more while unloading, as rubber does, has a negative area.
double loop_area_counts_N(std::span<const double> force_N, std::span<const double> counts);

/// Rows X1, X2 (same mounting), X3, X5 (mounted again), X4, X6 (their unloading), one entry per
/// force step; `curve` the fitted readings at those forces. All in counts less offset.
struct Iso376Rows {
  std::vector<double> x1, x2, x3, x4_unload, x5, x6_unload;
};
struct Iso376Like {
  std::vector<double> mean;                     // X_r of X1, X3, X5
  std::vector<double> reproducibility_percent;  // b
  std::vector<double> repeatability_percent;    // b'
  std::vector<double> reversibility_percent;    // v
  std::vector<double> interpolation_percent;    // f_c, against `curve`
  double zero_percent = 0;                      // f_0
};
Iso376Like iso376_like(const Iso376Rows& rows, std::span<const double> curve, double zero_before,
                       double zero_after);

/// Largest deviation from the best straight line, percent of `full_scale`.
Result<double> nonlinearity_best_line_percent(std::span<const double> force_N,
                                              std::span<const double> counts, double full_scale);
/// Largest deviation from the line through the end points (rows ascending in force).
double nonlinearity_end_points_percent(std::span<const double> force_N,
                                       std::span<const double> counts, double full_scale);

}  // namespace tactelier
