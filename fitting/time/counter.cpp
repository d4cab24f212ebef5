#include "fitting/time/counter.hpp"

#include <array>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::array kModuli{256.0, 65536.0, 16777216.0, 4294967296.0};
constexpr double kSlackRows = 3;     // that time may be off, in rows ...
constexpr double kSlackShare = 0.1;  // ... and in shares of a gap

double slack(double expected, double step) { return kSlackRows * step + kSlackShare * expected; }

}  // namespace

std::optional<CounterPace> counter_pace(std::span<const double> time_s,
                                        std::span<const double> counter) {
  std::vector<double> steps, intervals;
  for (std::size_t i = 1; i < counter.size(); ++i) {
    if (std::isnan(counter[i]) || std::isnan(counter[i - 1])) continue;
    steps.push_back(counter[i] - counter[i - 1]);
    intervals.push_back(time_s[i] - time_s[i - 1]);
  }
  if (steps.size() < 2) return std::nullopt;
  const CounterPace pace{median(steps), median(intervals)};
  if (!(pace.step > 0) || !(pace.interval_s > 0)) return std::nullopt;
  return pace;
}

/// What to add to `difference` (0, or wraps of one modulus); NaN when nothing fits.
double CounterReader::turn(double expected, double difference) {
  const double allowed = slack(expected, pace_.step);
  if (difference > 0 && std::abs(difference - expected) <= allowed) return 0;
  for (const double modulus : kModuli) {
    if (modulus_ > 0 && modulus != modulus_) continue;
    if (last_ >= modulus || last_ + difference >= modulus) continue;
    const double turns = std::round((expected - difference) / modulus);
    if (turns < 1 || std::abs(difference + turns * modulus - expected) > allowed) continue;
    // A gap as long as a turn or more says little about which modulus it is.
    if (modulus_ == 0 && expected >= modulus) continue;
    modulus_ = modulus;
    wraps_ += static_cast<std::size_t>(turns);
    return turns * modulus;
  }
  return difference > 0 ? 0 : std::nan("");
}

double CounterReader::add(double time_s, double counter) {
  restarted_ = false;
  if (!started_) {
    started_ = true;
    unwrapped_ = counter;
  } else {
    const double difference = counter - last_;
    const double expected = (time_s - last_s_) / pace_.interval_s * pace_.step;
    const double added = turn(expected, difference);
    restarted_ = std::isnan(added);
    if (restarted_) {
      restarts_s_.push_back(time_s);
      unwrapped_ = counter;
    } else {
      const double advance = difference + added;
      unwrapped_ += advance;
      const double lost = std::round(advance / pace_.step) - 1;
      if (lost > 0) missing_ += static_cast<std::size_t>(lost);
    }
  }
  last_s_ = time_s;
  last_ = counter;
  return unwrapped_;
}

}  // namespace tactelier
