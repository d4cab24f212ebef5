#pragma once
// What earlier image presses of a session have left in a later one: readings that crept under a
// load give it back as slowly, beneath a threshold where no reading at rest shows it, and the next,
// a lighter one above all, reads more (docs/theory/forward.md 4).

#include <span>
#include <string>
#include <vector>

#include "app/workflow/recorded_images.hpp"

namespace tactelier {

class EarlierLoads {
 public:
  /// Shares of an image press that was predicted, in the order of time within its session.
  void add(const RecordedImage& image, std::span<const double> share_N);
  /// LoadHistory::left_N while `image` is read; empty where nothing was pressed before.
  std::vector<double> left_N(const RecordedImage& image) const;

 private:
  struct Load {
    std::string session;
    double begin_s = 0, end_s = 0;
    std::vector<double> share_N;
  };
  std::vector<Load> loads_;
};

}  // namespace tactelier
