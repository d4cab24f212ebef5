#pragma once
// Random truths from published ranges, the same from one seed on every platform.

#include <span>
#include <string_view>

#include "libcalib/pad/pad_truth.hpp"
#include "libcalib/result.hpp"

namespace tactelier::pad {

/// Values are drawn log-uniformly between low and high.
struct PublishedRange {
  std::string_view name;
  std::string_view unit;
  double low;
  double high;
  std::string_view source;
};

std::span<const PublishedRange> published_ranges();

/// What a fit of the basic model cannot represent is off unless asked for.
struct DrawOptions {
  bool damping = true;
  bool relaxation = true;
  bool friction = true;
  bool hardening = false;
  bool student_tails = false;
  bool anisotropic = false;
};

/// The calibration indenter is a flat cylinder of 1 mm, as in S1.
Result<PadTruth> draw_truth(const SensorDescription& sensor, std::uint64_t seed,
                            const DrawOptions& options = {});

}  // namespace tactelier::pad
