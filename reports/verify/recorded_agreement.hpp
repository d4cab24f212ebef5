#pragma once
// How well the pad in its target tells what a sensor recorded, beside how well our own method does,
// by the same images for both. Metrics are those of docs/theory/forward.md 6; relative L1 decides.
//
// A ratio of two errors against one recording hides an export error of half the sensor's noise, so
// that how far target and method are from each other stands beside it.

#include <optional>
#include <string>
#include <vector>

namespace tactelier {

/// The target may be so many times as far off as our own method.
constexpr double kMostErrorRatio = 1.15;

struct RecordedAgreement {
  struct Image {
    std::string press;  // "pad.tact: image 3, hexagon 12 mm"
    double ours_percent = 0, target_percent = 0;
    double apart_percent = 0;  // target from ours, sum of differences over the sum of ours
  };
  struct Spread {
    double median = 0, p95 = 0;  // of the images 95 % are better
  };
  struct Metric {
    std::string name, unit;  // "mad_active", "%"; SI
    std::string of;          // what it is a share of; empty: of nothing
    std::size_t images = 0;  // that have it by both
    Spread ours, target;
    std::optional<double> repeats;  // median between repeats of a press, the sensor against itself
  };

  std::string method;                 // our own: "soft-contact"
  std::vector<std::string> sessions;  // file names
  std::vector<Image> images;          // one at least
  std::vector<Metric> metrics;        // all that both methods have
  std::vector<std::string> left_out;  // images that one of the two can't tell, and why

  double ours_percent() const;    // median
  double target_percent() const;  // median
  /// Of the two; infinite where ours is exact and the target is not.
  double ratio() const;
  double apart_percent() const;        // median
  double worst_apart_percent() const;  // of all images
  bool passed() const { return ratio() <= kMostErrorRatio; }
};

}  // namespace tactelier
