#include "fitting/recording/reading_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

constexpr double kNoStep = 1e-7;  // of the largest reading: finer than any converter
constexpr double kSame = 1e-12;   // of the largest reading: no step
constexpr std::size_t kManyNeighbours = 32;
constexpr double kRounded = 8;    // steps: less shows no rounding of a larger one
constexpr double kFewSteps = 12;  // that readings span: their common step may be the loads'
constexpr std::size_t kPresses = 6;
constexpr std::size_t kFewRows = 4, kPressesOfFew = 64;
constexpr double kLongest_s = 20;  // of one press

/// Euclid's, for numbers that are rounded in their last digits.
double common_step(double a, double b, double noise) {
  while (b > noise) {
    double rest = std::fmod(a, b);
    if (b - rest < noise) rest = 0;
    a = b;
    b = rest;
  }
  return a;
}

/// Of a notebook's few readings (40, 260, 480 under equal weights) the common step is what the
/// weights make of it; the digits they were written with say more.
double written_step(double step) {
  const double digit = std::pow(10, std::floor(std::log10(step)));
  for (const double finer : {digit, digit / 10, digit / 100}) {
    const double times = step / finer;
    if (std::abs(times - std::round(times)) < 1e-6 * times) return finer;
  }
  return step;
}

/// Readings of a press of a row or two tell no step by themselves: those of all such presses
/// together, tactel by tactel.
class FewReadings {
 public:
  explicit FewReadings(std::size_t tactels) : readings_(tactels) {}

  bool take(std::span<const std::vector<double>> counts) {
    if (counts.empty() || counts.front().size() >= kFewRows) return false;
    for (std::size_t t = 0; t < counts.size(); ++t)
      readings_[t].insert(readings_[t].end(), counts[t].begin(), counts[t].end());
    return true;
  }
  void add_to(ReadingStep& step) const {
    for (const auto& readings : readings_)
      if (!readings.empty()) step.add(readings);
  }

 private:
  std::vector<std::vector<double>> readings_;
};

}  // namespace

void ReadingStep::note_differences(std::span<const double> readings) {
  std::vector<double> sorted, differences;
  for (const double reading : readings)
    if (std::isfinite(reading)) sorted.push_back(reading);
  std::sort(sorted.begin(), sorted.end());
  std::size_t repeated = 0;
  bool again = false;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double difference = sorted[i] - sorted[i - 1];
    const double same = kSame * std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    repeated += difference <= same && !again ? 1 : 0;
    again = difference <= same;
    if (!again) differences.push_back(difference);
  }
  for (const double difference : differences)
    smallest_ = smallest_ > 0 ? std::min(smallest_, difference) : difference;
  if (2 * repeated > differences.size())
    neighbours_.insert(neighbours_.end(), differences.begin(), differences.end());
}

/// The smallest difference between neighbours of a converter, if each of them is rounded to a
/// multiple of the common step; else 0.
double ReadingStep::rounded_step() const {
  if (neighbours_.size() < kManyNeighbours) return 0;
  const double smallest = *std::min_element(neighbours_.begin(), neighbours_.end());
  if (smallest <= kRounded * step_) return 0;
  const auto is_multiple = [&](double difference) {
    const double steps = std::round(difference / smallest);
    return steps > 2 || std::abs(difference - steps * smallest) < (steps + 1.01) * step_;
  };
  return std::all_of(neighbours_.begin(), neighbours_.end(), is_multiple) ? smallest : 0;
}

double ReadingStep::counts() const {
  if (continuous_) return 0;
  const double rounded = rounded_step();
  if (rounded > 0) return rounded;
  return step_ > 0 && highest_ - lowest_ < kFewSteps * step_ ? written_step(step_) : step_;
}

void ReadingStep::add(std::span<const double> readings) {
  note_differences(readings);
  any_ = false;  // tactels may rest at heights of their own
  for (const double reading : readings) {
    if (!std::isfinite(reading) || continuous_) continue;
    largest_ = std::max(largest_, std::abs(reading));
    lowest_ = std::min(lowest_, reading);
    highest_ = std::max(highest_, reading);
    const double difference = any_ ? std::abs(reading - last_) : 0;
    any_ = true;
    last_ = reading;
    const double noise = kNoStep * largest_;
    if (!(difference > noise)) {
      continuous_ = continuous_ || (difference > 1e-3 * noise);
      continue;
    }
    step_ = step_ > 0 ? common_step(std::max(step_, difference), std::min(step_, difference), noise)
                      : difference;
  }
  continuous_ = continuous_ || (step_ > 0 && step_ < 10 * kNoStep * largest_);
}

Result<double> find_reading_step(const FitContext& context) {
  std::vector<int> tactels(static_cast<std::size_t>(context.model.sensor.tactels()));
  std::iota(tactels.begin(), tactels.end(), 0);
  ReadingStep step;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    if (!session.session->stream(StreamKind::kTactile)) continue;
    std::size_t stride = 1 + session.presses.size() / kPresses;
    FewReadings few(tactels.size());
    for (std::size_t p = 0; p < session.presses.size(); p += stride) {
      if (context.job.stopped()) return Job::cancelled();
      const auto& press = session.presses[p];
      const auto readings = load_readings(
          context, s, tactels, {press.begin_s, std::min(press.end_s, press.begin_s + kLongest_s)});
      if (!readings && readings.error().code == ErrorCode::kUnidentifiable) continue;
      if (!readings) return fail(readings.error());
      if (few.take(readings->counts))
        stride = 1 + session.presses.size() / kPressesOfFew;
      else
        for (const auto& counts : readings->counts) step.add(counts);
    }
    few.add_to(step);
  }
  return step.counts();
}

}  // namespace tactelier
