#pragma once
// A press on a tactel's centre as the joint fit of all presses has it, and when it speaks for the
// tactel (docs/theory/response.md 11). The line through a tactel's own presses holds what each of
// them does as a whole (how the tip lay, where it hit, what presses before left in the rubber),
// 2 to 5 % of gain each; the joint fit knows that of each press from its neighbours' readings. It
// stands on a model of the spread, though. Where the model holds, both estimate the same and differ
// by no more than the worse of them scatters (Hausman, Econometrica 46, 1251, 1978).

#include <optional>
#include <span>

#include "fitting/response/response_report.hpp"

namespace tactelier {

struct JointLine {
  double gain_N_per_count = 0;
  double u_gain = 0;  // relative, standard; without the force sensor's own
  double threshold_N = 0;
  double u_threshold_N = 0;  // standard
  double covariance = 0;     // of threshold and gain [N N/count]
  double dof = 0;
  /// What the tactel's own presses give, by where they lay, over what presses on the centre would.
  double gain_at_presses = 1;
};

/// The two ways beside each other, over all tactels that have both.
struct JointAgreement {
  std::size_t tactels = 0;
  double difference = 0;            // of logarithms of gains, own presses less joint fit: median
  double u = 0;                     // of that, standard
  double scatter = 0;               // of single tactels about it
  double own_u = 0;                 // what own presses say they scatter by: median
  double threshold_difference = 0;  // relative, median
  bool agree = false;
};

/// `lines` and `reports` by tactel.
JointAgreement compare_lines(std::span<const std::optional<JointLine>> lines,
                             std::span<const TactelReport> reports);

/// Puts the joint fit's line in the place of each tactel's own where the two agree; a tactel that
/// by itself differs far more than its presses scatter keeps its own, and so does one whose own
/// presses tell it better. Returns how many it took.
std::size_t take_joint_lines(std::span<const std::optional<JointLine>> lines,
                             std::span<const TactelFit> fits, const ReportSettings& settings,
                             const JointAgreement& agreement, std::span<TactelReport> reports);

}  // namespace tactelier
