#pragma once
// The verification record: which sensor, model, file and target, and what came out. A reader of
// simulated forces can ask for it before it calls them newtons. As JSON
// (data/schemas/verification-record.schema.json) and as one page.

#include <optional>
#include <string>

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/section.hpp"
#include "reports/verify/recorded_agreement.hpp"
#include "reports/verify/verification.hpp"

namespace tactelier {

struct VerificationRecord {
  std::string format;   // as in --to
  std::string created;  // UTC, "2026-11-20T10:00:00Z"
  std::string tool;     // "tactelier 0.1.0"
  SensorModel model;    // with what was assumed
  Verification verification;
  std::optional<RecordedAgreement> recorded{};  // where recordings were given

  bool passed() const { return verification.passed() && (!recorded || recorded->passed()); }
  /// "Acme_Pad_2x3_A_7.mujoco": how others refer to it.
  std::string name() const;
};

std::string to_json(const VerificationRecord& record);
/// Facts, then a row per quantity with median and worst error.
std::vector<Section> verification_sections(const VerificationRecord& record);

}  // namespace tactelier
