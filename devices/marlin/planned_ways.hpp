#pragma once
// The moves of a stage that can't be told to slow down, cut into pieces. What is planned in the
// controller it goes to the end, whoever is still there; what is not yet planned is forgotten by
// not sending it. So no more is planned than
//   ahead = v^2 / 2a + v * 100 ms      (v speed, a acceleration along the way)
// the braking way, without which the planner would slow down at the end of each piece, and a tenth
// of a second for the next piece to come; a piece is another 50 ms of way, at least 20 um. Pure;
// one thread.

#include <cstdint>
#include <deque>
#include <optional>

#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

struct Piece {
  StagePosition from_m{}, to_m{};
  double speed_m_per_s = 0, acceleration_m_per_s2 = 0;
};

class PlannedWays {
 public:
  /// More pieces than the smallest planner takes (BLOCK_BUFFER_SIZE 8: seven) are never planned: a
  /// line that waits for room would be carried out after a stop.
  static constexpr std::size_t kMostPlanned = 6;

  /// How far, and for how long, it goes on after nothing more is sent.
  static double run_on_m(double speed_m_per_s, double acceleration_m_per_s2);
  static double run_on_s(double speed_m_per_s, double acceleration_m_per_s2);

  /// It stands there; everything is forgotten.
  void rest_at(const StagePosition& place_m);
  /// A straight way behind those that wait.
  void add(const StagePosition& to_m, double speed_m_per_s, double acceleration_m_per_s2);
  /// By less than a step, while nothing waits.
  void move_end(const StagePosition& to_m) { end_m_ = planned_end_m_ = to_m; }
  /// Where the last way ends; and where the last planned piece does.
  const StagePosition& end_m() const { return end_m_; }
  const StagePosition& planned_end_m() const { return planned_end_m_; }

  /// The next piece, if it is time to send it.
  std::optional<Piece> due() const;
  /// The piece that was due has been accepted.
  void plan(const Piece& piece, std::int64_t now_ns);
  /// The stage was there at that time.
  void see(const StagePosition& at_m, std::int64_t time_ns);
  /// What is not planned is forgotten; what is will be gone.
  void forget_waiting();

  bool waiting() const { return !waiting_.empty(); }
  bool planned() const { return !planned_.empty(); }
  /// By then the planned pieces should be over.
  std::int64_t over_ns() const { return over_ns_; }

 private:
  struct Planned {
    Piece piece;
    std::int64_t earliest_ns;  // when it can begin
  };
  double left_m() const;

  std::deque<Piece> waiting_;    // whole ways
  std::deque<Planned> planned_;  // the first is being gone
  StagePosition end_m_{}, planned_end_m_{}, at_m_{};
  std::int64_t over_ns_ = 0;
};

}  // namespace tactelier::devices
