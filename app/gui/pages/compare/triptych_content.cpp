#include "app/gui/pages/compare/triptych_content.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::gui {
namespace {

double largestSize(const std::vector<double>& values) {
  double top = 0;
  for (const double value : values) top = std::fmax(top, std::abs(value));
  return top;
}

/// Of what both images have: the same tactels in both sums.
double sumBeside(const std::vector<double>& values, const std::vector<double>& beside) {
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]) && !std::isnan(beside[i])) total += values[i];
  return total;
}

TactelMark markOf(ReadingFlag flag) {
  switch (flag) {
    case ReadingFlag::kOk:
    case ReadingFlag::kNoReading:
      return TactelMark::kNone;
    case ReadingFlag::kBelow:
      return TactelMark::kBelow;
    case ReadingFlag::kSaturated:
      return TactelMark::kSaturated;
    case ReadingFlag::kUncalibrated:
      return TactelMark::kNotIdentified;
  }
  return TactelMark::kNone;
}

std::optional<double> less(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a - *b) : std::nullopt;
}

}  // namespace

ImageScales scalesOf(const std::vector<TriptychContent>& images) {
  ImageScales scales{0, 0};
  for (const auto& image : images) {
    for (const auto which : {kReal, kSimulated})
      scales.image = std::max(scales.image, largestSize(image.values[which]));
    scales.difference = std::max(scales.difference, largestSize(image.values[kDifference]));
  }
  if (!(scales.image > 0)) scales.image = 1;
  if (!(scales.difference > 0)) scales.difference = 1;
  return scales;
}

int decimalsFor(double top) { return top >= 100 ? 0 : top >= 10 ? 1 : top >= 1 ? 2 : 3; }

ImageUnits::ImageUnits(const SensorModel& model) {
  for (const auto& tactel : model.response.tactels)
    sound_.push_back(tactel.status == TactelStatus::kDead    ? TactelMark::kDead
                     : tactel.status == TactelStatus::kStuck ? TactelMark::kStuck
                                                             : TactelMark::kNone);
  if (model.sensor.channels == 1) newtons_.emplace(model);
}

TriptychContent ImageUnits::counts(const ComparedImage& image) const {
  TriptychContent content;
  content.unit = TactileMapView::tr("counts");
  content.values[kReal] = image.measured;
  content.values[kSimulated] = image.predicted;
  auto& difference = content.values[kDifference];
  for (std::size_t i = 0; i < image.measured.size(); ++i)
    difference.push_back(image.measured[i] - image.predicted[i]);
  content.marks.fill(sound_);
  content.totals[kReal] = sumBeside(image.measured, image.predicted);
  content.totals[kSimulated] = sumBeside(image.predicted, image.measured);
  content.totals[kDifference] = less(content.totals[kReal], content.totals[kSimulated]);
  return content;
}

TriptychContent ImageUnits::newtons(const ComparedImage& image) const {
  TriptychContent content;
  content.unit = QStringLiteral("N");
  content.load_N = image.load_N;
  const auto real = newtons_->image(image.measured), simulated = newtons_->image(image.predicted);
  content.values = {real.force_N, simulated.force_N, newtons_->difference_N(real, simulated)};
  content.marks.fill(sound_);
  for (const auto& [which, forces] : {std::pair{kReal, &real}, {kSimulated, &simulated}})
    for (std::size_t i = 0; i < sound_.size() && i < forces->flags.size(); ++i)
      if (sound_[i] == TactelMark::kNone) content.marks[which][i] = markOf(forces->flags[i]);
  for (std::size_t i = 0; i < sound_.size() && i < real.flags.size(); ++i)
    if (sound_[i] == TactelMark::kNone && real.flags[i] == ReadingFlag::kUncalibrated)
      content.marks[kDifference][i] = TactelMark::kNotIdentified;
  content.totals = {real.total_N, simulated.total_N, less(real.total_N, simulated.total_N)};
  return content;
}

}  // namespace tactelier::gui
