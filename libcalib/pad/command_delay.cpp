#include "libcalib/pad/command_delay.hpp"

#include <algorithm>

namespace tactelier::pad {
namespace {

constexpr double kIdle_s = 0.06;  // longer than any delay: the axes stand when it is drawn anew

}  // namespace

CommandDelay::CommandDelay(const StageEffects& effects, std::uint64_t seed)
    : constant_s_(effects.command_delay_s),
      least_s_(effects.late_start_least_s),
      most_s_(effects.late_start_most_s),
      random_(seed, "command delay") {}

Vector3 CommandDelay::follow(double dt_s, const Vector3& commanded_m) {
  if (constant_s_ <= 0 && most_s_ <= 0) return commanded_m;
  const double before_s = t_s_;
  t_s_ += dt_s;
  const bool moves = !told_.empty() && commanded_m != told_.back().at_m;
  if (moves && before_s - still_since_s_ >= kIdle_s && most_s_ > 0)
    start_s_ = random_.uniform(least_s_, most_s_);
  if (moves) still_since_s_ = t_s_;
  told_.push_back({t_s_, commanded_m});
  const double at_s = t_s_ - late_s();
  while (told_.size() > 2 && told_[1].t_s <= at_s) told_.pop_front();
  if (told_.size() < 2 || at_s <= told_[0].t_s) return told_[0].at_m;
  const auto &a = told_[0], &b = told_[1];
  const double part = std::min(1.0, (at_s - a.t_s) / (b.t_s - a.t_s));
  Vector3 place_m;
  for (std::size_t axis = 0; axis < place_m.size(); ++axis)
    place_m[axis] = a.at_m[axis] + part * (b.at_m[axis] - a.at_m[axis]);
  return place_m;
}

}  // namespace tactelier::pad
