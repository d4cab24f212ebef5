#pragma once
// From one fit of whole slides to a better one, by what is known of where searches stick.

#include "fitting/friction/slide_solver.hpp"

namespace tactelier {

/// Each step leaves the best so far, and is false where it came to nothing or was stopped.
class SlideWalk {
 public:
  explicit SlideWalk(SlideSolver& solver) : solver_(solver) {}

  SlideFit& best() { return best_; }
  const SlideFit& best() const { return best_; }
  bool keep_better(const Result<SlideFit>& fit);

  /// Least squares as long as they go on.
  bool polish();
  /// sigma1, the delay and the force's filter lie in one long valley (sigma1 ~ sigma0 x delay),
  /// along which a search creeps: again from other places in it.
  bool delays();
  /// v_s and c_t lie in a valley too: what falls with speed slowly looks like less of what rises.
  bool stribecks();
  /// Without what a blow against the rig did.
  bool blows();
  std::size_t blocks_left_out() const { return blocks_left_out_; }
  /// From other phases of the microstep error where what is left over is more than noise.
  bool other_ripples();
  /// With a time of its own for each line, which has to be worth it: whether lines began when they
  /// were told, or each when the controller liked.
  bool lateness();
  /// Of chi2, that slides' own times have to be worth.
  double late_worth() const;

 private:
  SlideSolver& solver_;
  SlideFit best_;
  std::size_t blocks_left_out_ = 0;
};

constexpr double kLateLine_s = 6e-3;  // standard: controllers begin a line up to 20 ms late

/// Beside a wrong v_s the best phase of the microstep error may be the wrong one, and no search
/// leaves it: the best of a fit and of fits that begin with a quarter each.
SlideFit from_other_ripples(const SlideSolver& solver, const SlideFit& from);

}  // namespace tactelier
