#pragma once
// What one image says of the contact, for people and programs: features of libcalib/forward put
// together (docs/theory/forward.md 5).

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "libcalib/forward/fingertip_map.hpp"
#include "libcalib/forward/image_contours.hpp"

namespace tactelier {

/// What is asked for beside the features that need no word.
struct SummaryWish {
  std::vector<double> contour_percents;  // of the largest reading
  std::filesystem::path fingertip;       // mesh in S, mm; empty: none
};

struct ImageSummary {
  double total = 0;
  std::size_t area = 0;  // tactels above 2 % of `top`
  std::optional<ImagePoint> centroid;
  std::optional<ImageOrientation> orientation;
  std::optional<double> hough_rad;
  struct Contours {
    double percent = 0, level = 0;
    std::vector<ImageContour> lines;
    double area_m2() const;  // enclosed by closed ones
  };
  std::vector<Contours> contours;
  struct OnFingertip {
    FingertipMap::Place along_surface, by_chords;
  };
  std::optional<OnFingertip> on_fingertip;
};

/// Reads the mesh once for many images.
class ImageSummariser {
 public:
  /// Fails with kUsage where a fingertip is asked for of a flat sensor, and as read_surface() and
  /// FingertipMap::create() do.
  static Result<ImageSummariser> create(const SensorDescription& sensor, const SummaryWish& wish);
  /// Of images without a sensor, whose layout is known.
  static ImageSummariser of_layout(ImageLayout layout, const SummaryWish& wish);

  /// `top`: full scale, else the image's own largest reading.
  ImageSummary operator()(std::span<const double> image, std::optional<double> top) const;

 private:
  ImageLayout layout_;
  std::vector<double> percents_;
  std::optional<SensorArray> array_;
  std::optional<FingertipMap> fingertip_;
};

}  // namespace tactelier
