#include "fitting/response/touch_map.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kClearAnswer = 8;  // sigma
constexpr double kClearlyMore =
    1.5;                          // times the pressed tactel's reading: neighbours get half of it
constexpr double kFarAway = 1.6;  // pitches: no neighbour, corners included
constexpr std::size_t kMinFrames = 2;

double distance_m(const SensorDescription& sensor, int a, int b) {
  const auto from = sensor.position_m(a), to = sensor.position_m(b);
  return std::hypot(to[0] - from[0], to[1] - from[1]);
}

double pitch_m(const SensorDescription& sensor, int tactel) {
  double least = std::numeric_limits<double>::infinity();
  for (int other = 0; other < sensor.tactels(); ++other)
    if (other != tactel) least = std::min(least, distance_m(sensor, tactel, other));
  return least;
}

/// From tactel to tactel that answers, back to the first; empty when the way ends elsewhere.
std::vector<int> ring_from(int first, const std::map<int, int>& read_by) {
  std::vector<int> ring{first};
  for (auto next = read_by.find(first); next != read_by.end(); next = read_by.find(next->second)) {
    if (next->second == first) return ring;
    if (std::find(ring.begin(), ring.end(), next->second) != ring.end()) return {};
    ring.push_back(next->second);
  }
  return {};
}

std::string words(int tactel, const Misplaced& found) {
  if (!found.swapped)
    return fmt::format(
        "SWAPPED Tactel {0}: a press on it is read by tactel {1}, far away, and hardly by itself. "
        "Check the wiring and the order of tactels in the sensor description, or the place of the "
        "press",
        tactel, found.answers);
  if (found.ring.size() == 2)
    return fmt::format(
        "SWAPPED Tactels {} and {} are swapped: each reads the presses on the other. Correct the "
        "wiring or the order of tactels in the sensor description",
        std::min(tactel, found.answers), std::max(tactel, found.answers));
  return fmt::format(
      "SWAPPED Tactels {} are in the wrong order: a press on tactel {} is read by tactel {}. "
      "Correct the wiring or the order of tactels in the sensor description",
      fmt::join(found.ring, ", "), tactel, found.answers);
}

}  // namespace

std::optional<TouchAnswer> touch_answer(int pressed, std::span<const double> rise,
                                        double at_the_end, std::span<const double> noise_counts) {
  TouchAnswer answer;
  answer.pressed = pressed;
  const auto own = static_cast<std::size_t>(pressed);
  answer.own_counts = std::isnan(rise[own]) ? 0 : rise[own];
  answer.brightest = pressed;
  answer.brightest_counts = answer.own_counts;
  int cut = 0;
  for (std::size_t i = 0; i < rise.size(); ++i) {
    if (std::isnan(rise[i])) continue;
    if (rise[i] >= at_the_end && ++cut > 1) return std::nullopt;
    if (rise[i] <= answer.brightest_counts) continue;
    answer.brightest = static_cast<int>(i);
    answer.brightest_counts = rise[i];
  }
  answer.noise_counts = noise_counts[static_cast<std::size_t>(answer.brightest)];
  return answer;
}

Result<std::optional<TouchAnswer>> read_touch(const FitContext& context,
                                              const PressContact& contact, int pressed,
                                              double time_s, double period_s,
                                              std::span<const double> offsets,
                                              std::span<const double> noise_counts) {
  std::vector<int> tactels(offsets.size());
  std::iota(tactels.begin(), tactels.end(), 0);
  const TimeRange range{time_s - 3 * period_s, time_s + 3 * period_s};
  const auto readings = load_readings(context, contact.session, tactels, range);
  if (!readings) {
    if (readings.error().code == ErrorCode::kUnidentifiable) return std::nullopt;
    return fail(readings.error());
  }
  if (readings->time_s.size() < kMinFrames) return std::nullopt;
  std::vector<double> rise;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    rise.push_back(median(readings->counts[i]) - offsets[i]);
  const auto& adc = context.model.sensor.adc;
  const double at_the_end =
      adc.max ? 0.97 * (*adc.max - adc.min.value_or(0)) : std::numeric_limits<double>::infinity();
  return touch_answer(pressed, rise, at_the_end, noise_counts);
}

std::map<int, Misplaced> find_misplaced(std::span<const TouchAnswer> answers,
                                        const SensorDescription& sensor) {
  std::map<int, int> read_by;  // of the presses that another tactel clearly reads
  for (const auto& answer : answers)
    if (answer.brightest != answer.pressed &&
        answer.brightest_counts > kClearAnswer * answer.noise_counts &&
        answer.brightest_counts > kClearlyMore * answer.own_counts)
      read_by[answer.pressed] = answer.brightest;
  std::map<int, Misplaced> misplaced;
  for (const auto& [tactel, answers_it] : read_by) {
    Misplaced found;
    found.answers = answers_it;
    found.ring = ring_from(tactel, read_by);
    found.swapped = !found.ring.empty();
    const bool far = distance_m(sensor, tactel, answers_it) > kFarAway * pitch_m(sensor, tactel);
    if (!found.swapped && !far) continue;
    std::sort(found.ring.begin(), found.ring.end());
    found.reason = words(tactel, found);
    misplaced.emplace(tactel, std::move(found));
  }
  return misplaced;
}

}  // namespace tactelier
