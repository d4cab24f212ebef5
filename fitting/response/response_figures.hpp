#pragma once
// What a data sheet says of a tactel besides its gain: hysteresis, repeatability, reversibility,
// return to zero, non-linearity (docs/theory/response.md 7). Pure functions on plain arrays;
// percent where the name says so.

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

/// Largest deviation from the best straight line, percent of `full_scale`.
Result<double> nonlinearity_best_line_percent(std::span<const double> force_N,
                                              std::span<const double> counts, double full_scale);

}  // namespace tactelier
