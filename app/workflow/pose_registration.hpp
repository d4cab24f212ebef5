#pragma once
// Where an indenter must have stood for a prediction to lie best on what was measured. What a hand
// lays on stands beside the place that the recording states; a registered comparison takes that
// out, and hides errors of setting up in it, so the shift is always told
// (docs/theory/forward.md 8). The forward model is run anew at each pose: no image is resampled.

#include <memory>
#include <string>

#include "app/workflow/compare_report.hpp"
#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/tactel_readout.hpp"

namespace tactelier {

/// All that predictions of one model by one method need.
struct ImagePredictor {
  std::string name;  // of the method
  std::shared_ptr<const ForwardMethod> method;
  TactelReadout readout;
  ImageLayout layout;
  ImageScale scale;

  /// Fails with kUsage on an unknown method, with kUnidentifiable where the model lacks something.
  static Result<ImagePredictor> create(const SensorModel& model, const std::string& method);
  /// With a method of any kind.
  static ImagePredictor with(const SensorModel& model, std::string name,
                             std::shared_ptr<const ForwardMethod> method);
};

/// Pitches that a shift may be long along x and y, and the largest turn.
constexpr double kMostShift = 2;
constexpr double kMostTurn_rad = 0.8;

/// Predicts an image again with its indenter moved, and measures it again but for rho and coverage.
/// Fails as the method does.
Result<ComparedImage> predict_moved(const ImagePredictor& predictor, const ComparedImage& image,
                                    const PoseShift& by);

/// Least sum of (predicted - measured)^2 over shifts along x and y to a hundredth of a pitch, and
/// turns where the prediction has a direction, within the limits above. Fails as the method does
/// where the image can't even be predicted as it stands.
Result<PoseShift> register_pose(const ImagePredictor& predictor, const ComparedImage& image);

/// The search ended at a limit: perhaps the tactels are in another order.
bool at_limit(const PoseShift& shift, double pitch_m);

}  // namespace tactelier
