#pragma once
// From the fits of all tactels to model.response, more than once: a later stage may know better how
// presses scatter.

#include "fitting/recording/fit_context.hpp"
#include "fitting/response/response_report.hpp"

namespace tactelier {

/// What the stage keeps for writing its part of the model again.
struct ResponseFits {
  std::vector<TactelFit> fits;
  ReportSettings settings;
  StageQuality quality;  // with the warnings that came before any report
};

/// Its readings may speak for its place: neither dead nor stuck nor swapped with another's.
bool trusted(const TactelResponse& response);

/// Fills model.response, its covariance blocks and quality["response"] from context.response_fits;
/// keeps what other stages wrote there. Fails with kCancelled only.
Result<void> write_response(FitContext& context);

/// Relative scatter of a tactel's scale between presses as the joint fit of all presses, centred or
/// not, shows it. Where repeats on tactels know theirs badly the two are pooled by their degrees of
/// freedom, and the response is written again. Fails with kCancelled only.
Result<void> add_press_scatter(FitContext& context, double relative, double dof);

}  // namespace tactelier
