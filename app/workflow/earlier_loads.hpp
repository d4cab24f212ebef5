#pragma once
// What earlier image presses of a session have left in a later one: readings that crept under a
// load give it back as slowly, beneath a threshold where no reading at rest shows it, and the next,
// a lighter one above all, reads more (docs/theory/forward.md 4). So do readings that come back to
// zero late.

#include <span>
#include <string>
#include <vector>

#include "app/workflow/recorded_images.hpp"
#include "libcalib/forward/tactel_readout.hpp"

namespace tactelier {

class EarlierLoads {
 public:
  /// 0: readings come back at once.
  explicit EarlierLoads(double zero_return_time_s) : zero_return_time_s_(zero_return_time_s) {}

  /// Shares of an image press that was predicted, in the order of time within its session.
  void add(const RecordedImage& image, std::span<const double> share_N);
  LoadHistory before(const RecordedImage& image) const;

 private:
  struct Load {
    std::string session;
    double begin_s = 0, end_s = 0;
    std::vector<double> share_N;
  };
  double zero_return_time_s_;
  std::vector<Load> loads_;
};

}  // namespace tactelier
