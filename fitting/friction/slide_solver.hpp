#pragma once
// From where whole slides are fitted, and what is held meanwhile: the steps that a search
// (slide_search.hpp) is made of.

#include <array>
#include <vector>

#include "fitting/friction/slide_fit.hpp"

namespace tactelier {

/// Iterations: of a first look, of a step on the way, of another model, of the last word.
constexpr int kSlideCoarse = 8, kSlideMiddle = 8, kSlideOther = 25, kSlideFine = 40;
/// Stribeck speeds to begin with.
constexpr std::array kSlideStartStribeck_m_per_s{2e-3, 6e-3, 20e-3};
constexpr double kFullStep = 16;          // microsteps, over which the microstep error repeats
constexpr double kLikelyRippleSteps = 2;  // its amplitude where nobody knows it, in microsteps

class SlideSolver {
 public:
  SlideSolver(const SlideTracks& tracks, const Job& job, int threads)
      : problem_(tracks, threads), job_(job), threads_(threads) {
    if (tracks.side_m_per_N) hold({kSlideSide});
  }

  /// The same for other tracks, which outlive it.
  SlideSolver of(const SlideTracks& tracks) const {
    SlideSolver other(tracks, job_, threads_);
    other.held_ = held_;
    return other;
  }

  SlideProblem& problem() { return problem_; }
  const SlideProblem& problem() const { return problem_; }
  double step_m() const { return problem_.tracks().step_m; }
  bool stopped() const { return job_.stopped(); }

  /// From now on these stay where they are, by SlideIndex; from the beginning the second harmonic
  /// of the microstep error does, at 0, and what the rig gives where it is known.
  void hold(const std::vector<int>& more);
  void free_second_harmonic();
  /// `more_held`: this time. How steps ring is held where they don't.
  Result<SlideFit> fit(const SlideSetting& with, const SlideValues& start, int iterations,
                       const std::vector<int>& more_held = {}) const;
  /// Sum of squared residuals; empty where the parameters make no sense.
  std::optional<double> cost(const SlideSetting& with, const SlideValues& p) const;

  /// What nobody knows beforehand.
  SlideValues generic(double v_s_m_per_s) const;
  /// `p` with a microstep error of the likely amplitude and this phase.
  SlideValues with_ripple(SlideValues p, double phase_rad) const;
  /// The same with the one of so many phases that leaves least over: the cost has a minimum for
  /// each. `p` itself where none can be evaluated.
  SlideValues with_best_ripple(const SlideSetting& with, const SlideValues& p, int phases) const;

 private:
  SlideProblem problem_;
  Job job_;
  int threads_;
  std::vector<int> held_{kSlideSecondCos, kSlideSecondSin};
};

}  // namespace tactelier
