#pragma once
// What a report is made from: the model, the recordings where they are at hand, and what was worked
// out with both.

#include <optional>
#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"
#include "fitting/views/response_curve.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

/// What readings say of one force: of single tactels, or of the array as one.
struct ForceUse {
  double force_N = 0;
  int measure = 0;      // tactels that turn it into newtons: neither below threshold nor saturated
  int calibrated = 0;   // of so many
  double median_N = 0;  // of their 95 % uncertainties, one reading's noise included
  double worst_N = 0;
  int worst_tactel = 0;
};

/// How forces that the model reads out of a recording compare with the force sensor's.
struct PressErrors {
  std::string session;
  bool seen = false;  // the fit used this recording
  int presses = 0, readings = 0;
  double low_N = 0, high_N = 0;  // of the forces compared
  double rms_N = 0;
  double p95_N = 0;    // 95 % of readings are off by less
  double covered = 0;  // share of readings within their stated 95 %
};

/// Another model of the same sensor, to be looked at beside the one reported.
struct OtherModel {
  std::string name;  // file name without folder
  SensorModel model;
  std::optional<double> day;  // of its fit, since any fixed day
};

struct ReportInput {
  SensorModel model;
  std::optional<double> day;  // of its fit, as OtherModel's
  std::string model_name;     // file name without folder; "" of a model that has none
  std::string model_hash;
  std::vector<FitSession> sessions;      // of the fit; may be fewer than it had
  std::vector<SessionClocks> clocks;     // one each
  std::optional<FitContext> looked;      // with their contacts; there where sessions are
  std::vector<ResponseCurve> responses;  // of these sessions, by tactel
  std::vector<ForceUse> use;             // by force
  std::vector<ForceUse> array_use;       // of the whole array, where the model knows its force
  std::vector<PressErrors> errors;       // by session, those the fit never saw first
  std::vector<OtherModel> others;        // the latest first
  std::vector<Chapter> further;          // what only app/workflow can tell: before tactel by tactel
};

/// Fails for damage and cancellation only: what can't be drawn says why.
Result<ReportDocument> make_document(const ReportInput& input, const Job& job);

}  // namespace tactelier
