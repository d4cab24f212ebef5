#pragma once
// verify-export --session: what a comparison with recordings says of our own method and of the pad
// in its target, image by image and metric by metric.

#include "app/workflow/compare_report.hpp"
#include "reports/verify/recorded_agreement.hpp"

namespace tactelier {

/// Of the images that both methods tell, in the report's order; `ours` and `target` are names of
/// methods in it. Sessions stay empty.
RecordedAgreement agreement_of(const CompareReport& report, const std::string& ours,
                               const std::string& target);

}  // namespace tactelier
