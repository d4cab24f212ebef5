#include "fitting/recording/axis_turns.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kGap = 1.5;  // periods between times, beyond which they do not follow each other

class TurnList {
 public:
  TurnList(double step_m, double start_m) {
    turns_.step_m = step_m;
    turns_.start_m = nut_m_ = stepped(start_m).nut_m;
  }

  void command(double at_m) { add(stepped(at_m)); }
  /// Step by step, where the command went straight from one place to the other.
  void steps(double from_m, double to_m) {
    const auto last = std::llround(to_m / turns_.step_m);
    const int way = to_m > from_m ? 1 : -1;
    for (auto nut = std::llround(from_m / turns_.step_m); nut != last; nut += way) {
      const double due_m = (static_cast<double>(nut) + 0.5 * way) * turns_.step_m;
      auto turn = at(nut + way);
      turn.left = std::clamp((to_m - due_m) / (to_m - from_m), 0.0, 1.0);
      add(turn);
    }
  }
  void next_time(bool rested) {
    turns_.end.push_back(turns_.turns.size());
    turns_.rested.push_back(rested ? 1 : 0);
  }
  AxisTurns take() { return std::move(turns_); }

 private:
  AxisTurns::Turn at(long long nut) const {
    return {static_cast<double>(nut) * turns_.step_m, static_cast<std::int32_t>(nut)};
  }
  AxisTurns::Turn stepped(double at_m) const {
    return turns_.step_m > 0 ? at(std::llround(at_m / turns_.step_m)) : AxisTurns::Turn{at_m};
  }
  void add(const AxisTurns::Turn& turn) {
    if (turn.nut_m == nut_m_) return;
    nut_m_ = turn.nut_m;
    turns_.turns.push_back(turn);
  }

  AxisTurns turns_;
  double nut_m_ = 0;
};

}  // namespace

AxisTurns axis_turns(const CommandedPath& path, std::size_t axis, double step_m, double delay_s,
                     double period_s, std::span<const double> times_s) {
  const auto& lines = path.lines();
  TurnList list(step_m, lines.front().motion.from_m()[axis]);
  std::size_t at = 0;  // the line under way
  double before_m = lines.front().motion.from_m()[axis], before_s = -HUGE_VAL;
  for (const double time_s : times_s) {
    const double told_s = time_s - delay_s;
    const bool rested = told_s - before_s > kGap * period_s;
    const auto go_to = [&](double to_m) {
      if (rested || !(step_m > 0))
        list.command(to_m);
      else
        list.steps(before_m, to_m);
      before_m = to_m;
    };
    for (; at + 1 < lines.size() && lines[at + 1].begin_s <= told_s; ++at) {
      go_to(lines[at].place_m(lines[at].end_s)[axis]);
      before_m = lines[at + 1].motion.from_m()[axis];
      list.command(before_m);
    }
    go_to(lines[at].place_m(told_s)[axis]);
    list.next_time(rested);
    before_s = told_s;
  }
  auto turns = list.take();
  turns.period_s = period_s;
  return turns;
}

}  // namespace tactelier
