#pragma once
// What every long call is handed: where to report progress, and how to be stopped.

#include <functional>
#include <stop_token>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

/// `done` of `total` in any unit; total 0 when unknown. Called often: the receiver thins out.
struct Progress {
  std::string_view what;  // "import force.csv"
  double done = 0;
  double total = 0;
};

struct Job {
  std::function<void(const Progress&)> on_progress;  // may be empty
  std::stop_token stop;

  void progress(std::string_view what, double done, double total) const {
    if (on_progress) on_progress({what, done, total});
  }
  bool stopped() const { return stop.stop_requested(); }
  /// The error to return once stopped() is true.
  [[nodiscard]] static tl::unexpected<Error> cancelled() {
    return fail(ErrorCode::kCancelled, "stopped on request; nothing half-written was kept");
  }
};

}  // namespace tactelier
