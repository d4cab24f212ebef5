#pragma once
// From the fits of all tactels to model.response, more than once: a later stage may know better how
// presses scatter.

#include "fitting/recording/fit_context.hpp"
#include "fitting/response/joint_line.hpp"
#include "fitting/response/response_report.hpp"

namespace tactelier {

/// What the stage keeps for writing its part of the model again.
struct ResponseFits {
  std::vector<TactelFit> fits;
  ReportSettings settings;
  StageQuality quality;  // with the warnings that came before any report
  std::vector<std::optional<JointLine>> joint_lines = {};  // by tactel
};

/// Its readings may speak for its place: neither dead nor stuck nor swapped with another's.
bool trusted(const TactelResponse& response);

/// Fills model.response, its covariance blocks and quality["response"] from context.response_fits;
/// keeps what other stages wrote there. Fails with kCancelled only.
Result<void> write_response(FitContext& context);

/// What the joint fit of all presses, centred or not, says of each of them.
struct JointFindings {
  double scatter = 0;  // of a tactel's scale between presses, relative, standard
  double dof = 0;      // of the scatter; 0: none
  // Readings answered to a force so much above the one told, which passes for a lower threshold.
  double force_offset_N = 0, u_force_offset_N = 0;
  std::vector<std::optional<JointLine>> lines = {};  // by tactel
  double u_gain_percent = 0;  // standard, of what all gains have in common and was not known before
};

/// Writes the response again where that changes it: scatter is pooled, by degrees of freedom, with
/// that of repeats on tactels, unless it is far more than theirs; thresholds rise by the force's
/// offset; where its lines agree with those of the tactels' own presses they take their place.
/// Fails with kCancelled only.
Result<void> add_joint_findings(FitContext& context, const JointFindings& findings);

}  // namespace tactelier
