#pragma once
// A tactel whose readings show no dead zone, and one of which nobody recorded the reading at rest:
// both have a line all the same, and its force is what apply needs.

#include "fitting/response/response_report.hpp"

namespace tactelier {

/// Whether the readings themselves show that the answer begins later than at force 0. How repeats
/// scatter tells how well the threshold is known, not whether there is one.
bool shows_dead_zone(const TactelFit& fit);

/// The fit with its threshold held at 0, and the gain that goes with that.
TactelFit without_dead_zone(TactelFit fit);

/// press_threshold 0, not seen, up to where the data could hide one.
Parameter hidden_threshold(const TactelFit& fit, const ReportSettings& settings,
                           std::span<const Component> systematic, const Job& job);

/// Without free air the line through the rows is known, not where on it the reading rests: it is
/// said to rest where the line meets force 0. The threshold is 0 there and carries what the height
/// of the line is uncertain by, so that forces have their full uncertainty.
struct RestOfLine {
  Estimate offset, threshold;
  Eigen::Matrix2d covariance;  // threshold_N, gain_N_per_count, at that offset
};
RestOfLine rest_of_line(const TactelFit& fit, const Eigen::Matrix2d& covariance, double dof);

}  // namespace tactelier
