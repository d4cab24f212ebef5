#include "app/workflow/contact_centre.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kClearOfNoise = 4;    // standard deviations of a reading
constexpr double kPartOfImage = 0.05;  // of the strongest tactel: less is no part of the direction

}  // namespace

ContactCentre::ContactCentre(const SensorModel& model) : layout_(ImageLayout::of(model.sensor)) {
  const auto& responses = model.response.tactels;
  const bool all_gains = std::all_of(responses.begin(), responses.end(), [](const auto& tactel) {
    return tactel.press_gain.value || !tactel.offset.value;
  });
  const double sign = model.sensor.falling ? -1 : 1;
  std::size_t known = 0;
  for (const auto& response : responses) {
    Tactel tactel;
    const bool live = response.status != TactelStatus::kDead &&
                      response.status != TactelStatus::kStuck && response.offset.value;
    if (live) {
      tactel.rest = *response.offset.value;
      tactel.noise = response.noise.value.value_or(0);
      tactel.weight = sign * (all_gains ? std::abs(*response.press_gain.value) : 1);
      ++known;
    }
    tactels_.push_back(tactel);
  }
  known_ = known > 1 && layout_.tactels() == tactels_.size();
}

std::optional<ContactCentre::Found> ContactCentre::of(std::span<const double> readings) const {
  std::vector<double> image(tactels_.size(), 0.0);
  double strongest = 0;
  for (std::size_t i = 0; i < tactels_.size(); ++i) {
    const auto& tactel = tactels_[i];
    const double above = readings[i] - tactel.rest;
    if (!(std::abs(above) > kClearOfNoise * tactel.noise)) continue;
    image[i] = std::max(0.0, tactel.weight * above);
    strongest = std::max(strongest, image[i]);
  }
  const auto centre = image_centroid(layout_, image);
  if (!centre) return std::nullopt;
  Found found{*centre, std::nullopt};
  const auto direction = image_orientation(layout_, image, kPartOfImage * strongest);
  if (direction && direction->elongation >= kLeastElongation)
    found.direction_rad = direction->angle_rad;
  return found;
}

}  // namespace tactelier
