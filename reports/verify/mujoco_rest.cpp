#include "reports/verify/mujoco_rest.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr int kLeastMoveSteps = 20;
constexpr int kSettleSteps = 60;  // contacts halve what they are off by every three steps
constexpr int kMostTries = 30;
constexpr int kLookSteps = 50, kMeanSteps = 400;  // where contacts tremble
constexpr double kSame = 1e-5;                    // of the load, or of the depth
constexpr double kTrembling = 1e-4;               // of the load, from step to step
constexpr double kTipPerStep = 0.2;               // of a tip's radius
constexpr double kShareOfReturn = 0.2;            // of the speed at which tips come back
constexpr double kMostGrowth = 4;                 // of the depth in one go
constexpr double kDeepest_m = 0.02;
constexpr double kBeyond = 1.5;  // of the depth at which one tactel would carry all

/// One body driven to depths, and the load that it carries there.
class Driven {
 public:
  Driven(MujocoEngine& engine, int dof, double load_N, const MujocoPad& pad)
      : engine_(engine), dof_(dof), load_N_(load_N), pad_(pad) {}

  double load_at(double depth_m) {
    const int steps = std::max(kLeastMoveSteps, static_cast<int>(std::ceil(move_steps(depth_m))));
    const double way_m = depth_m - depth_m_;
    engine_.step(std::array{DofSpeed{dof_, -way_m / (steps * pad_.time_step_s)}}, steps);
    engine_.step(still_, kSettleSteps);
    depth_m_ = -engine_.state(dof_).position_m;
    if (!trembles()) return load_now_N();
    double mean_N = 0;
    for (int step = 0; step < kLookSteps; ++step) {
      engine_.step(still_);
      mean_N += load_now_N() / kLookSteps;
    }
    return mean_N;
  }

  /// Where it is, in the mean of many steps where it trembles.
  PressSeen seen() {
    const bool trembling = trembles();
    const int steps = trembling ? kMeanSteps : 1;
    PressSeen mean{depth_m_, std::vector<double>(pad_.places.size(), 0.0)};
    for (int step = 0; step < steps; ++step) {
      if (trembling) engine_.step(still_);
      const auto now_N = engine_.sensors(pad_.places.size());
      for (std::size_t i = 0; i < now_N.size(); ++i) mean.force_N[i] += now_N[i] / steps;
    }
    return mean;
  }

 private:
  double load_now_N() { return engine_.state(dof_).constraint_N; }

  bool trembles() {
    const double before_N = load_now_N();
    engine_.step(still_);
    return std::abs(load_now_N() - before_N) > kTrembling * load_N_;
  }

  /// Down no faster than that tips are pressed before they are passed by; up so slowly that tips,
  /// which their dampers hold, keep touching.
  double move_steps(double depth_m) const {
    const double way_m = depth_m - depth_m_;
    if (way_m > 0) return way_m / (kTipPerStep * mujoco_tip_radius_m(pad_.places[0]));
    const double return_s = pad_.damping_N_s_per_m / pad_.stiffness_N_per_m;
    return -way_m / depth_m * return_s / (kShareOfReturn * pad_.time_step_s);
  }

  MujocoEngine& engine_;
  int dof_;
  double load_N_;  // in the end
  const MujocoPad& pad_;
  double depth_m_ = 0;
  std::array<DofSpeed, 1> still_{DofSpeed{dof_, 0}};
};

/// The depth of a load that rises with it, between one that is too small and one too large.
class Bracket {
 public:
  explicit Bracket(double load_N) : low_{0, -load_N} {}

  bool closed() const { return high_.off_N > 0; }
  double width_m() const { return high_.depth_m - low_.depth_m; }

  void add(double depth_m, double off_N) {
    const bool above = off_N > 0;
    (above ? high_ : low_) = {depth_m, off_N};
    // Illinois: an end that stays twice counts half, or it would stay for ever.
    if (closed() && above == last_above_) (above ? low_ : high_).off_N /= 2;
    last_above_ = above;
  }
  double guess_m() const {
    return low_.depth_m - low_.off_N * width_m() / (high_.off_N - low_.off_N);
  }

 private:
  struct End {
    double depth_m = 0, off_N = 0;
  };
  End low_, high_;
  bool last_above_ = false;
};

}  // namespace

double creep_s(const MujocoPad& pad) { return 40 * pad.damping_N_s_per_m / pad.stiffness_N_per_m; }

// Deeper until more than the load is carried, which goes past it where more tactels touch, then
// between the two.
PressSeen pressed_under(MujocoEngine& engine, int dof, double load_N, const MujocoPad& pad) {
  Driven driven(engine, dof, load_N, pad);
  Bracket bracket(load_N);
  const double alone_m = kBeyond * pad.spring().depth_m(load_N);
  std::optional<double> touched_m;
  double depth_m = pad.spring().depth_m(load_N / static_cast<double>(pad.places.size()));
  for (int tries = 0; tries < kMostTries; ++tries) {
    const double carried_N = driven.load_at(depth_m);
    if (std::abs(carried_N - load_N) < kSame * load_N) return driven.seen();
    bracket.add(depth_m, carried_N - load_N);
    if (bracket.closed()) {
      if (bracket.width_m() < kSame * depth_m) return driven.seen();
      depth_m = bracket.guess_m();
      continue;
    }
    if (carried_N > 0 && !touched_m) touched_m = depth_m;
    const double most_m = touched_m ? std::min(*touched_m + alone_m, kDeepest_m) : kDeepest_m;
    if (depth_m >= most_m)
      throw std::runtime_error(
          fmt::format("{:g} N are not carried {:.3g} mm deep", load_N, m_to_mm(depth_m)));
    const double growth = carried_N > 0 ? std::min(kMostGrowth, load_N / carried_N) : kMostGrowth;
    depth_m = std::min(most_m, growth * depth_m);
  }
  throw std::runtime_error(fmt::format("no depth carries {:g} N, {} tried", load_N, kMostTries));
}

}  // namespace tactelier
