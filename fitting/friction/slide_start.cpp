#include "fitting/friction/slide_start.hpp"

#include <array>

#include "fitting/friction/slide_choice.hpp"
#include "fitting/friction/slide_resonance.hpp"
#include "fitting/friction/slide_rings.hpp"
#include "fitting/friction/slide_ticks.hpp"
#include "fitting/friction/slide_verdict.hpp"

namespace tactelier {
namespace {

constexpr std::array kMicrosteps{kFullStep, 8.0, 32.0};  // over which their error repeats
constexpr int kPhases = 12;                              // of it
constexpr double kDisturbed = 5;  // chi2 per block of a first look: more than shapes of steps leave

const std::vector<int> kNoRipple{kSlideRippleCos, kSlideRippleSin};

class FirstSearch {
 public:
  FirstSearch(const SlideTracks& tracks, const Job& job, int threads)
      : tracks_(tracks), solver_(tracks, job, threads), walk_(solver_) {
    solver_.hold({kSlideLogLength});
    if (one_load(tracks)) solver_.hold({kSlideExponent, kSlideRunningIn});
  }

  std::optional<SlideStart> run() {
    if (!coarse() || !from_coarse() || !walk_.lateness() || !late_search()) return {};
    return SlideStart{walk_.best(), rung_};
  }

 private:
  bool steps() const { return tracks_.step_m > 0; }

  bool coarse() {
    SlideSetting with;
    with.shape = steps() ? StepShape::kJump : StepShape::kSmooth;
    with.ripple_period_m = kFullStep * tracks_.step_m;
    auto held = kNoRipple;
    held.push_back(kSlideLag);
    for (const double v_s : kSlideStartStribeck_m_per_s)
      walk_.keep_better(solver_.fit(with, solver_.generic(v_s), kSlideCoarse, held));
    coarse_ = walk_.best();
    if (coarse_.values.empty()) return false;
    if (steps() && coarse_.chi2_per_dof() > kDisturbed)
      calm_ =
          away_from_resonance(solver_, coarse_, std::span(kSlideStartStribeck_m_per_s).first(2));
    return !solver_.stopped();
  }

  bool from_coarse() {
    return ripple() && shape() && walk_.blows() && walk_.other_ripples() && walk_.blows() &&
           walk_.delays() && walk_.stribecks() && phases() && walk_.polish();
  }

  /// Where the microstep error's period and phase are best.
  bool ripple() {
    if (!steps()) {
      solver_.hold(kNoRipple);
      return walk_.keep_better(solver_.fit(walk_.best().setting, walk_.best().values, kSlideFine));
    }
    const auto smooth = walk_.best();
    for (const double microsteps : kMicrosteps) {
      auto with = smooth.setting;
      with.ripple_period_m = microsteps * tracks_.step_m;
      walk_.keep_better(
          solver_.fit(with, solver_.with_best_ripple(with, smooth.values, kPhases), kSlideMiddle));
    }
    return true;
  }

  /// Which shape leaves least over. The others are tried again in the end.
  bool shape() {
    if (!steps()) return true;
    const auto jump = walk_.best();
    auto with = jump.setting;
    with.shape = StepShape::kSmooth;
    walk_.keep_better(solver_.fit(with, jump.values, kSlideMiddle));
    const auto rung = first_ringing(solver_, jump, calm_);
    if (rung) rung_ = rung->values;
    walk_.keep_better(rung);
    return walk_.polish();
  }

  bool phases() {
    if (walk_.best().setting.shape == StepShape::kJump)
      walk_.best() = TickPhases(solver_).best(walk_.best());
    return !solver_.stopped();
  }

  /// Slides that are some ms off show neither ringing nor the microstep error's period and phase,
  /// and what is found without those hides that they are, also where little is left over: all of
  /// it again, with their own times from the beginning.
  bool late_search() {
    auto first = walk_.best();
    const bool punctual = first.setting.u_late_s == 0;
    if (punctual && !steps() && first.chi2_per_dof() < kGoodSlideFit) return true;
    auto with = coarse_.setting;
    with.u_late_s = kLateLine_s;
    auto late = solver_.fit(with, coarse_.values, kSlideFine);
    if (!late) return !solver_.stopped();
    walk_.best() = std::move(*late);
    const auto left_out = walk_.blocks_left_out();
    const bool ok = from_coarse();
    if (walk_.blocks_left_out() > left_out) {  // the other is compared by what is still there
      auto again = solver_.fit(first.setting, first.values, kSlideMiddle);
      if (!again) return ok;
      first = std::move(*again);
    }
    const double worth = punctual ? walk_.late_worth() : 0;
    if (first.chi2 < walk_.best().chi2 + worth) walk_.best() = std::move(first);
    return ok;
  }

  const SlideTracks& tracks_;
  SlideSolver solver_;
  SlideWalk walk_;
  SlideFit coarse_;
  std::optional<SlideFit> calm_;  // away from a resonance
  SlideValues rung_;
};

}  // namespace

std::optional<SlideStart> first_search(const SlideTracks& tracks, const Job& job, int threads) {
  return FirstSearch(tracks, job, threads).run();
}

}  // namespace tactelier
