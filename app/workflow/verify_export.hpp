#pragma once
// tactelier verify-export

#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "reports/verify/verification_record.hpp"
#include "reports/verify/verify_script.hpp"

namespace tactelier {

struct VerifyRequest {
  std::filesystem::path model;
  std::string format;                    // one of verifiable_formats()
  std::vector<std::string> assumptions;  // "PATH=VALUE", in SI units, as for the export
  /// With image presses, to tell how well the target predicts what was recorded; may be none.
  std::vector<std::filesystem::path> sessions{};
};

/// Targets that this program can run: "mujoco" in Debian's library, "mujoco-3.7" in npm's newest.
std::vector<std::string> verifiable_formats();

/// Exports the model, presses the exported pad in the target and compares, by what was recorded
/// before by the list of presses, so that a session that can't be read is told at once. Fails with
/// kUsage for a target that can't be run here, and wherever the export itself fails; with sessions
/// where compare_with_sessions() does, and with kUnidentifiable for pads that are not level.
Result<VerificationRecord> verify_export(const VerifyRequest& request, const Job& job);

/// The same of a model that is at hand, assumptions included; of `request.model` only the name is
/// used, in messages.
Result<VerificationRecord> verify_export(SensorModel model, const VerifyRequest& request,
                                         const Job& job);

/// verify_in_TARGET.py for a target that can't be run here. Fails with kUsage for a format that has
/// none, and wherever the export itself fails.
Result<std::string> verify_script_of(const VerifyRequest& request);

/// Whether write_verification() will find its page's place free: to be asked before presses that
/// take their time. Fails with kUsage as it does.
Result<void> may_write_verification(const std::filesystem::path& file, bool replace);
/// Writes the record to `file` and its page beside it, with the ending .txt; a page that is there
/// already only with `replace`.
Result<void> write_verification(const VerificationRecord& record, const std::filesystem::path& file,
                                bool replace);

}  // namespace tactelier
