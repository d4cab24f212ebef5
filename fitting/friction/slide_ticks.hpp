#pragma once
// Where the ticks begin in which a stage's steps are made at once (slide_law.hpp), as a phase of
// the host's milliseconds: mu_s and v_s hang on which steps fall into one tick.

#include "fitting/friction/slide_solver.hpp"

namespace tactelier {

class TickPhases {
 public:
  explicit TickPhases(const SlideSolver& solver) : solver_(solver) {}

  /// The best of all phases, from a fit by one of them.
  SlideFit best(const SlideFit& from);
  /// What the others would have given belongs to the uncertainty, the more the less they leave
  /// over: where none stands out, the stage's ticks do not keep the host's time.
  void add_spread(SlideFit& fit) const;
  /// What was tried so far was of another model.
  void forget() { tried_.clear(); }

 private:
  void try_phase(double phase);
  std::vector<double> likely() const;
  bool was_tried(double phase) const;

  const SlideSolver& solver_;
  SlideFit best_;
  std::vector<SlideFit> tried_;
};

}  // namespace tactelier
