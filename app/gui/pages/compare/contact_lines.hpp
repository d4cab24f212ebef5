#pragma once
// Over the images of a press: the outline of the contact, its centre of force and the direction it
// lies in. Real solid, simulated dashed, both over the difference.

#include <optional>

#include "app/gui/pages/compare/triptych_content.hpp"
#include "libcalib/forward/image_features.hpp"

namespace tactelier::gui {

enum class Outline {
  kNone,
  kContact,  // where a tactel tells contact from rest: what iou counts
  kHalf,     // of the largest real reading
};

class ContactLines {
 public:
  explicit ContactLines(const SensorModel& model);

  /// Of several arrays none: nothing lies between them.
  std::array<std::vector<MapLine>, kThirds> over(const ComparedImage& image, Outline outline,
                                                 bool centres) const;
  /// "Centre of force real x 1.20 y 0.31 mm, simulated x 1.25 y 0.30 mm · direction 44°, 45°"; no
  /// direction where an image has none; "" where both images are empty.
  QString centreWords(const ComparedImage& image) const;

 private:
  std::vector<MapLine> outlinesOf(const std::vector<double>& image, double level,
                                  bool dashed) const;
  std::vector<MapLine> centreOf(const std::vector<double>& image, bool dashed) const;
  std::optional<ImageOrientation> directionOf(const std::vector<double>& image) const;

  SensorDescription sensor_;
  std::vector<double> contact_levels_;  // counts above rest, by tactel
  std::optional<double> full_scale_;    // counts above rest
};

}  // namespace tactelier::gui
