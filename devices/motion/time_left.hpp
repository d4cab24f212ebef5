#pragma once
// How long a plan still takes. A plan knows its moves with feed and acceleration, its dwells, holds
// and pauses; a stage takes a little longer over each piece, and how much is learned piece by
// piece:
//
//   left = sum over what is to come of (planned + excess of its kind)
//
// with the excess the mean of the last twenty pieces of that kind (phase and what is touched) and a
// usual stage's, the longest left out: the first press on something unknown feels its way, the
// first way through unknown air creeps, and neither says anything of the others.

#include <deque>
#include <map>

#include "libcalib/protocol/plan.hpp"

namespace tactelier::rig {

/// Of a usual pad, until one is known.
inline constexpr double kUsualSurface_s = 80, kUsualRegistration_s = 100;

class TimeLeft {
 public:
  /// The plan outlives this.
  explicit TimeLeft(const Plan& plan) : plan_(plan) {}

  void took(std::size_t segment, double duration_s);
  /// Of the whole plan, as far as is known by now.
  double total_s() const { return expected_s(0); }
  /// Within `segment`, so long after its begin.
  double left_s(std::size_t segment, double in_s) const;

 private:
  using Kind = std::pair<Phase, Touch>;
  static Kind kind_of(const Segment& segment) { return {segment.phase, segment.touch}; }
  double excess_s(const Segment& segment) const;
  double expected_s(std::size_t from) const;

  const Plan& plan_;
  std::map<Kind, std::deque<double>> excess_s_;
};

}  // namespace tactelier::rig
