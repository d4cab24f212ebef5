#pragma once
// tactelier compare: what a model predicts of recorded image presses, beside what the sensor
// repeats of itself (docs/theory/forward.md 8).

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/workflow/compare_report.hpp"
#include "libcalib/forward/forward_method.hpp"
#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct CompareRequest {
  std::filesystem::path model;
  std::vector<std::filesystem::path> sessions;
  std::vector<std::string> methods{"psf"};  // of forward_methods(), one or more
  bool registered = false;       // each method once more with the poses that fit best
  std::filesystem::path images;  // folder for measured and predicted images; empty: none
  std::uint64_t seed = 1;        // of the bootstrap and of predictive intervals
  /// Methods beside those, by the name that the report shall have.
  std::vector<std::pair<std::string, std::shared_ptr<const ForwardMethod>>> others{};
};

/// Images method by method. Presses that a method can't predict are left out of it with a warning.
/// Fails with kInvalidInput where no session holds an image press, and where a method can predict
/// none.
Result<CompareReport> compare_with_sessions(const CompareRequest& request, const Job& job);
/// The same of a model that is at hand; of `request.model` only the name is used, in messages.
Result<CompareReport> compare_with_sessions(const SensorModel& model, const CompareRequest& request,
                                            const Job& job);

}  // namespace tactelier
