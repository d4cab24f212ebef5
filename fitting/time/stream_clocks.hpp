#pragma once
// Clocks and counters of one session's streams, read once from end to end.

#include "fitting/recording/fit_context.hpp"
#include "fitting/time/clock_fit.hpp"

namespace tactelier {

struct StreamSurvey {
  StreamKind kind{};
  std::optional<ClockFit> clock;  // of a stream on a clock of its own, with arrival times
  std::size_t rows = 0;
  std::size_t missing = 0;         // rows that its counter or gap events say were lost
  std::size_t wraps = 0;           // of its counter
  std::vector<double> restarts_s;  // of its counter, the stream's own time
  double period_s = 0;             // median interval, host time
  bool by_presses = false;         // the clock has no other source
};

struct ClockSurvey {
  SessionClocks clocks;
  std::vector<StreamSurvey> streams;
  Warnings warnings;  // TA-01 .. TA-03
};

/// Fails only for damage that stops reading, and cancellation.
Result<ClockSurvey> survey_clocks(const FitContext& context, std::size_t session);

}  // namespace tactelier
