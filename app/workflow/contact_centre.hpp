#pragma once
// Where on an array something presses, frame by frame, and which way it lies
// (docs/theory/forward.md 5): readings above rest, weighed by their tactels' gains where all have
// one.

#include <optional>
#include <span>
#include <vector>

#include "libcalib/forward/image_features.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

class ContactCentre {
 public:
  explicit ContactCentre(const SensorModel& model);

  /// Two tactels or more whose readings at rest are known.
  bool known() const { return known_; }

  struct Found {
    ImagePoint centre;                    // in the sensor's frame
    std::optional<double> direction_rad;  // none where the contact is as wide as long
  };
  /// Nothing where no reading is clear of its noise.
  std::optional<Found> of(std::span<const double> readings) const;

 private:
  struct Tactel {
    double rest = 0, noise = 0;
    double weight = 0;  // 0: dead, or its rest is not known
  };
  ImageLayout layout_;
  std::vector<Tactel> tactels_;
  bool known_ = false;
};

}  // namespace tactelier
