#pragma once
// How well the pad in its target tells what a sensor recorded, beside how well our own method does:
// relative L1 of images (docs/theory/forward.md 6), the same images for both.

#include <string>
#include <vector>

namespace tactelier {

/// The target may be so many times as far off as our own method.
constexpr double kMostErrorRatio = 1.15;

struct RecordedAgreement {
  struct Image {
    std::string press;  // "pad.tact: image 3, hexagon 12 mm"
    double ours_percent = 0, target_percent = 0;
  };

  std::string method;                 // our own: "soft-contact"
  std::vector<std::string> sessions;  // file names
  std::vector<Image> images;          // one at least
  std::vector<std::string> left_out;  // images that one of the two can't tell, and why

  double ours_percent() const;    // median
  double target_percent() const;  // median
  /// Of the two; infinite where ours is exact and the target is not.
  double ratio() const;
  bool passed() const { return ratio() <= kMostErrorRatio; }
};

}  // namespace tactelier
