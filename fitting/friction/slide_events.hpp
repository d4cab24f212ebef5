#pragma once
// Slides of a session: motion along the surface under load (docs/session-format.md).

#include <optional>
#include <span>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier {

struct SlideEvent {
  int number = 0;
  double begin_s = 0;
  double end_s = 0;
  double vx_m_per_s = 0;  // sensor frame; both 0 for an oscillation
  double vy_m_per_s = 0;
  bool oscillation = false;
  double amplitude_m = 0;
  double frequency_hz = 0;
  std::optional<double> load_N;

  double speed_m_per_s() const;
};

/// In order of time; one that never ends is left out. Fails with kInvalidInput on an end without
/// its begin and on a slide inside another.
Result<std::vector<SlideEvent>> slides(std::span<const Event> events);

}  // namespace tactelier
