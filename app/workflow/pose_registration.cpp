#include "app/workflow/pose_registration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "libcalib/forward/image_features.hpp"

namespace tactelier {
namespace {

constexpr double kFirstStep = 0.5, kLastStep = 0.01;  // pitches
constexpr double kTurnPerPitch_rad = 0.2;             // steps of turns beside those of shifts
constexpr double kDirectionLevel = 0.02;              // of full scale
constexpr int kMostTries = 400;

StaticPress moved(StaticPress press, const PoseShift& by) {
  press.pose.x_m += by.x_m;
  press.pose.y_m += by.y_m;
  press.pose.rz_rad += by.rz_rad;
  return press;
}

/// Infinite where the method can't predict.
double squares(const ImagePredictor& predictor, const ComparedImage& image, const PoseShift& by) {
  const auto press = predictor.method->image(moved(image.press, by));
  if (!press) return std::numeric_limits<double>::infinity();
  const auto readout = predictor.readout.after(image.history);
  double sum = 0;
  for (std::size_t i = 0; i < image.measured.size(); ++i) {
    const double apart = readout.above_rest(i, press->force_N[i]) - image.measured[i];
    if (!std::isnan(apart)) sum += apart * apart;
  }
  return sum;
}

bool has_direction(const ImagePredictor& predictor, const ComparedImage& image) {
  const auto found = image_orientation(predictor.layout, image.predicted,
                                       kDirectionLevel * predictor.scale.full_scale.value_or(0));
  return found && found->elongation >= kLeastElongation;
}

}  // namespace

Result<ImagePredictor> ImagePredictor::create(const SensorModel& model, const std::string& name) {
  const auto info = find_forward_method(name);
  if (!info) return fail(info.error());
  auto method = (*info)->create(model);
  if (!method) return fail(method.error());
  return with(model, name, std::move(*method));
}

ImagePredictor ImagePredictor::with(const SensorModel& model, std::string name,
                                    std::shared_ptr<const ForwardMethod> method) {
  TactelReadout readout(model);
  ImageScale scale{readout.full_scale(), readout.contact_levels()};
  return {std::move(name), std::move(method), std::move(readout), ImageLayout::of(model.sensor),
          std::move(scale)};
}

Result<ComparedImage> predict_moved(const ImagePredictor& predictor, const ComparedImage& image,
                                    const PoseShift& by) {
  auto again = image;
  again.shift = by;
  again.course.reset();
  const auto predicted = predictor.method->press(moved(image.press, by));
  if (!predicted) return fail(predicted.error());
  again.predicted = predictor.readout.after(image.history).above_rest(predicted->force_N);
  again.metrics =
      compare_images(predictor.layout, predictor.scale, again.predicted, again.measured);
  again.contact = contact_errors(predictor.scale, again.predicted, again.measured);
  return again;
}

// One coordinate after the other, in steps that halve: some dozens of predictions, and no
// derivative of what has edges.
Result<PoseShift> register_pose(const ImagePredictor& predictor, const ComparedImage& image) {
  if (const auto possible = predictor.method->image(image.press); !possible)
    return fail(possible.error());
  const double pitch_m = predictor.layout.pitch_m;
  const std::array axes{&PoseShift::x_m, &PoseShift::y_m, &PoseShift::rz_rad};
  const std::array per_pitch{pitch_m, pitch_m, kTurnPerPitch_rad};
  const std::array most{kMostShift * pitch_m, kMostShift * pitch_m, kMostTurn_rad};
  const std::size_t free = has_direction(predictor, image) ? 3 : 2;
  PoseShift best;
  double least = squares(predictor, image, best);
  int tries = 0;
  for (double step = kFirstStep; step >= kLastStep && tries < kMostTries;) {
    bool better = false;
    for (std::size_t axis = 0; axis < free; ++axis)
      for (const double way : {step, -step}) {
        auto trial = best;
        trial.*axes[axis] =
            std::clamp(trial.*axes[axis] + way * per_pitch[axis], -most[axis], most[axis]);
        ++tries;
        const double found = squares(predictor, image, trial);
        if (!(found < least)) continue;
        least = found;
        best = trial;
        better = true;
        break;
      }
    if (!better) step /= 2;
  }
  return best;
}

bool at_limit(const PoseShift& shift, double pitch_m) {
  const double most_m = kMostShift * pitch_m * (1 - 1e-9);
  return std::abs(shift.x_m) >= most_m || std::abs(shift.y_m) >= most_m;
}

}  // namespace tactelier
