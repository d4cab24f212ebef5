#include "devices/marlin/planned_ways.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr double kAhead_s = 0.1, kPiece_s = 0.05;
constexpr double kLeastPiece_m = 20e-6;
constexpr double kOffTheWay_m = 20e-6;
// A first piece waits 100 ms for more of them (module/planner.cpp, BLOCK_DELAY_FOR_1ST_MOVE).
constexpr double kFirst_s = 0.1;

double distance_m(const StagePosition& a, const StagePosition& b) {
  return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

StagePosition between(const StagePosition& a, const StagePosition& b, double share) {
  return {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])};
}

double ahead_m(double v, double a) { return v * v / (2 * a) + v * kAhead_s; }

double piece_m(double v, double a) {
  // So long that the planner has room for the whole of what must be ahead.
  return std::max({v * kPiece_s, kLeastPiece_m,
                   ahead_m(v, a) / (static_cast<double>(PlannedWays::kMostPlanned) - 2)});
}

/// How far from the piece's straight line, and how much of it is left.
std::pair<double, double> off_and_left_m(const Piece& piece, const StagePosition& at_m) {
  const double length_m = distance_m(piece.from_m, piece.to_m);
  if (length_m == 0) return {distance_m(at_m, piece.to_m), 0};
  double along_m = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    along_m += (at_m[axis] - piece.from_m[axis]) * (piece.to_m[axis] - piece.from_m[axis]);
  along_m = std::clamp(along_m / length_m, 0.0, length_m);
  return {distance_m(at_m, between(piece.from_m, piece.to_m, along_m / length_m)),
          length_m - along_m};
}

}  // namespace

double PlannedWays::run_on_m(double v, double a) { return ahead_m(v, a) + piece_m(v, a); }

double PlannedWays::run_on_s(double v, double a) {
  return run_on_m(v, a) / v + v / (2 * a) + kFirst_s;
}

void PlannedWays::rest_at(const StagePosition& place_m) {
  waiting_.clear();
  planned_.clear();
  end_m_ = planned_end_m_ = at_m_ = place_m;
}

void PlannedWays::add(const StagePosition& to_m, double speed_m_per_s,
                      double acceleration_m_per_s2) {
  waiting_.push_back({end_m_, to_m, speed_m_per_s, acceleration_m_per_s2});
  end_m_ = to_m;
}

double PlannedWays::left_m() const {
  if (planned_.empty()) return 0;
  double left_m = off_and_left_m(planned_.front().piece, at_m_).second;
  for (std::size_t i = 1; i < planned_.size(); ++i)
    left_m += distance_m(planned_[i].piece.from_m, planned_[i].piece.to_m);
  return left_m;
}

std::optional<Piece> PlannedWays::due() const {
  if (waiting_.empty() || planned_.size() >= kMostPlanned) return std::nullopt;
  auto piece = waiting_.front();
  const double v = piece.speed_m_per_s, a = piece.acceleration_m_per_s2;
  if (left_m() > ahead_m(v, a)) return std::nullopt;
  const double whole_m = distance_m(piece.from_m, piece.to_m), one_m = piece_m(v, a);
  // The last piece takes with it what would be less than half of one.
  if (whole_m > 1.5 * one_m) piece.to_m = between(piece.from_m, piece.to_m, one_m / whole_m);
  return piece;
}

void PlannedWays::plan(const Piece& piece, std::int64_t now_ns) {
  auto& way = waiting_.front();
  if (distance_m(piece.to_m, way.to_m) == 0)
    waiting_.pop_front();
  else
    way.from_m = piece.to_m;
  const double length_m = distance_m(piece.from_m, piece.to_m);
  const double v = piece.speed_m_per_s, a = piece.acceleration_m_per_s2;
  const auto ns = [](double time_s) { return static_cast<std::int64_t>(time_s * 1e9); };
  const auto earliest_ns =
      planned_.empty()
          ? now_ns
          : std::max(now_ns, planned_.back().earliest_ns +
                                 ns(distance_m(planned_.back().piece.from_m, piece.from_m) /
                                    planned_.back().piece.speed_m_per_s));
  if (planned_.empty()) over_ns_ = now_ns + ns(kFirst_s + v / a);
  over_ns_ = std::max(over_ns_, now_ns) + ns(length_m / v);
  planned_.push_back({piece, earliest_ns});
  planned_end_m_ = piece.to_m;
}

/// The latest piece that it can be on by place and time.
void PlannedWays::see(const StagePosition& at_m, std::int64_t time_ns) {
  at_m_ = at_m;
  for (std::size_t i = planned_.size(); i-- > 0;) {
    const auto& [piece, earliest_ns] = planned_[i];
    const auto [off_m, left_m] = off_and_left_m(piece, at_m);
    if (earliest_ns > time_ns || off_m > kOffTheWay_m) continue;
    const bool gone = left_m == 0 && i + 1 == planned_.size();
    planned_.erase(planned_.begin(),
                   planned_.begin() + static_cast<std::ptrdiff_t>(gone ? i + 1 : i));
    return;
  }
}

void PlannedWays::forget_waiting() {
  waiting_.clear();
  end_m_ = planned_end_m_;
}

}  // namespace tactelier::devices
