#pragma once
// From a whole recording of a station to its label: fit, verdict, label, catalogue, in this order.
// Each step finds what an earlier call has left, so that a call that was interrupted is made again;
// what has its label is never fitted or judged anew.

#include <string>
#include <vector>

#include "app/workflow/station/station_folder.hpp"
#include "app/workflow/station/station_label.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct StationLimits {
  std::filesystem::path catalogue;      // whose limits count, and where the fit goes
  std::vector<std::string> parameters;  // that must be right; empty: nothing is judged
};

/// The fit joins the catalogue after the verdict: no sensor takes part in its own limits.
/// A fit that fails is a label, too ("unclear", with the reason); only a stop, a catalogue without
/// limits, or a file that can't be written is an error.
Result<StationLabel> judge_recording(StationFolder& folder, const std::string& id,
                                     const StationLimits& limits, const Job& job);

}  // namespace tactelier
