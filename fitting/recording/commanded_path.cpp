#include "fitting/recording/commanded_path.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kSamePlace_m = 0.2e-6;
constexpr double kDecimals_m = 0.6e-6;   // what three of a millimetre leave open
constexpr double kSameDirection = 1e-6;  // of the cross product of unit vectors
constexpr double kSameSpeed = 1e-6;      // relative

Vector3 unit(const Move& move) {
  const double length_m = distance_m(move.from_m, move.to_m);
  Vector3 direction{};
  for (std::size_t i = 0; i < 3 && length_m > 0; ++i)
    direction[i] = (move.to_m[i] - move.from_m[i]) / length_m;
  return direction;
}

Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

bool same(double a, double b) { return std::abs(a - b) <= kSameSpeed * std::max(a, b); }

/// Whether the stage goes on without a stop.
bool goes_on(const Move& move, double end_s, const Move& next) {
  return next.queued_s < end_s && !move.stopped_s && same(move.speed_m_per_s, next.speed_m_per_s) &&
         same(move.acceleration_m_per_s2, next.acceleration_m_per_s2) &&
         distance_m(move.to_m, next.from_m) < kSamePlace_m &&
         distance_m(unit(move), unit(next)) < kSameDirection;
}

CommandedPath::Line line_of(const Move& move, double after_s) {
  CommandedPath::Line line;
  line.begin_s = std::max(move.queued_s, after_s);
  line.motion =
      Motion::line(move.from_m, move.to_m, move.speed_m_per_s, move.acceleration_m_per_s2);
  line.end_s = line.begin_s + line.motion.duration_s();
  if (!move.stopped_s || *move.stopped_s >= line.end_s) return line;
  line.brake_s = std::max(*move.stopped_s, line.begin_s);
  const double since_s = *line.brake_s - line.begin_s;
  line.brake = Motion::brake(line.motion.position_m(since_s), line.motion.velocity_m_per_s(since_s),
                             move.acceleration_m_per_s2);
  line.end_s = *line.brake_s + line.brake.duration_s();
  return line;
}

}  // namespace

Vector3 CommandedPath::Line::place_m(double t_s) const {
  return brake_s && t_s > *brake_s ? brake.position_m(t_s - *brake_s)
                                   : motion.position_m(t_s - begin_s);
}

CommandedPath::CommandedPath(std::span<const Move> moves) {
  std::optional<Move> whole;  // of the last of lines_, with what was added to it
  for (const auto& move : moves) {
    if (whole && goes_on(*whole, lines_.back().end_s, move)) {
      whole->to_m = move.to_m;
      whole->stopped_s = move.stopped_s;
      const auto jump_m = lines_.back().jump_m;
      lines_.back() = line_of(*whole, lines_.back().begin_s);
      lines_.back().jump_m = jump_m;
      continue;
    }
    auto line = line_of(move, lines_.empty() ? move.queued_s : lines_.back().end_s);
    if (!lines_.empty()) line.jump_m = minus(move.from_m, lines_.back().place_m(line.begin_s));
    lines_.push_back(std::move(line));
    whole = move;
  }
}

const CommandedPath::Line& CommandedPath::line_at(double t_s) const {
  assert(!lines_.empty());
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), t_s,
                                      [](double t, const Line& line) { return t < line.begin_s; });
  return after == lines_.begin() ? lines_.front() : *(after - 1);
}

bool CommandedPath::joined(std::size_t axis, double from_s, double to_s, double step_m) const {
  const double within_m = step_m > 0 ? step_m + kDecimals_m : kSamePlace_m;
  return std::all_of(lines_.begin(), lines_.end(), [&](const Line& line) {
    return std::abs(line.jump_m[axis]) < within_m || line.begin_s <= from_s || line.begin_s >= to_s;
  });
}

const CommandedPath::Line* CommandedPath::line_into(double t_s, double early_s,
                                                    double late_s) const {
  if (lines_.empty()) return nullptr;
  const Line& line = line_at(t_s);
  if (line.begin_s > t_s || line.end_s < t_s - early_s || line.end_s > t_s + late_s) return nullptr;
  return &line;
}

}  // namespace tactelier
