#include "fitting/friction/slide_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fitting/friction/slide_choice.hpp"
#include "fitting/friction/slide_start.hpp"
#include "fitting/friction/slide_ticks.hpp"
#include "fitting/friction/slide_verdict.hpp"

namespace tactelier {
namespace {

constexpr double kPoorRungStart = 1.3;  // chi2 per block, of which coarse ticks are a part
constexpr double kFormByChi2 = 20;
constexpr double kHopeless = 2;  // over the other form's chi2, after a first look
constexpr double kSure = 3;      // standard uncertainties
constexpr std::size_t kMinSlides = 12;

const std::vector<int> kNoSecond{kSlideSecondCos, kSlideSecondSin};

double& at(SlideFit& fit, SlideIndex index) { return fit.values[index]; }

class Search {
 public:
  Search(const SlideTracks& tracks, const Job& job, int threads)
      : tracks_(tracks),
        job_(job),
        threads_(threads),
        solver_(tracks, job, threads),
        walk_(solver_),
        ticks_(solver_) {}

  Result<SlideResult> run() {
    result_.reference_N = tracks_.reference_N;
    survey();
    if (!result_.found()) return std::move(result_);
    const bool ok = begin() && valleys() && other_shapes() && finer() && forms() && running_in();
    if (job_.stopped()) return Job::cancelled();
    if (!ok) {
      result_.why_not = "ID-01 The slides' forward model found no solution.";
      return std::move(result_);
    }
    result_.blocks_left_out = walk_.blocks_left_out();
    result_.fit = std::move(best());
    solver_.problem().judge(result_.fit);
    ticks_.add_spread(result_.fit);
    judge_slides(tracks_.step_m, result_);
    return std::move(result_);
  }

 private:
  SlideFit& best() { return walk_.best(); }

  /// Loads and speeds of what is compared.
  void survey() {
    std::vector<std::size_t> slides;
    for (const auto& block : solver_.problem().blocks())
      if (slides.empty() || slides.back() != block.slide) slides.push_back(block.slide);
    if (slides.size() < kMinSlides)
      result_.why_not = fmt::format("FR-01 {} slides can be compared as wholes, {} needed.",
                                    slides.size(), kMinSlides);
    result_.least_m_per_s = HUGE_VAL;
    for (const auto& contact : tracks_.contacts)
      for (const auto& slide : contact.slides) {
        result_.least_m_per_s = std::min(result_.least_m_per_s, slide.speed_m_per_s);
        result_.top_m_per_s = std::max(result_.top_m_per_s, slide.speed_m_per_s);
      }
    if (!one_load(tracks_)) return;
    solver_.hold({kSlideExponent});
    result_.no_exponent =
        "FR-EXPONENT One load can't show how friction goes with the load: slide under loads a "
        "factor of 2 apart.";
  }

  /// From what few slides show; where that leaves much over, from what all of them do.
  bool begin() {
    if (!(tracks_.step_m > 0)) solver_.hold({kSlideRippleCos, kSlideRippleSin});
    const bool begun = begin_with(few_slides(tracks_)) && second_harmonic();
    const bool rings = begun && best().setting.shape == StepShape::kRinging;
    if (begun && best().chi2_per_dof() < (rings ? kPoorRungStart : kGoodSlideFit)) return true;
    if (job_.stopped()) return false;
    auto first = std::exchange(best(), {});
    solver_.hold(kNoSecond);
    const bool again = begin_with(tracks_) && second_harmonic();
    if (begun && (!again || first.chi2_per_dof() < best().chi2_per_dof())) take(std::move(first));
    return begun || again;
  }

  void take(SlideFit fit) {
    best() = std::move(fit);
    if (at(best(), kSlideSecondCos) != 0) solver_.free_second_harmonic();
  }

  bool begin_with(const SlideTracks& slides) {
    const auto start = first_search(slides, job_, threads_);
    if (!start) return false;
    rung_ = start->rung;
    if (!walk_.keep_better(solver_.fit(start->fit.setting, start->fit.values, kSlideFine)))
      return false;
    if (!walk_.blows()) return false;
    return best().setting.u_late_s > 0 ? punctual() : walk_.lateness();
  }

  /// Few slides may take for late lines what is another phase of the stage's ticks.
  bool punctual() {
    auto with = best().setting;
    with.u_late_s = 0;
    auto on_time = solver_.fit(with, best().values, kSlideMiddle);
    if (on_time && with.shape == StepShape::kJump) on_time = ticks_.best(*on_time);
    if (on_time && on_time->chi2 < best().chi2 + walk_.late_worth())
      best() = std::move(*on_time);
    else
      ticks_.forget();
    return !job_.stopped();
  }

  bool valleys() { return walk_.delays() && walk_.stribecks() && phases() && walk_.polish(); }
  bool phases() {
    if (best().setting.shape == StepShape::kJump) best() = ticks_.best(best());
    return !job_.stopped();
  }

  /// Of the microstep error. Free from the beginning it would lead a search astray.
  bool second_harmonic() {
    if (!(tracks_.step_m > 0)) return true;
    const auto without = best();
    solver_.free_second_harmonic();
    if (!walk_.polish()) return false;
    if (best().chi2 < without.chi2 - kFormByChi2) return true;
    best() = without;
    solver_.hold(kNoSecond);
    return true;
  }

  /// The shapes that are not this one, from where it ended, each as well as it can.
  bool other_shapes() {
    if (!(tracks_.step_m > 0)) return true;
    const auto from = best();
    for (const auto shape : {StepShape::kJump, StepShape::kSmooth, StepShape::kRinging}) {
      if (shape == from.setting.shape) continue;
      auto found = other_shape(shape, from);
      if (!found) continue;
      walk_.keep_better(found);
      result_.others.push_back(std::move(*found));
    }
    if (best().setting.shape != from.setting.shape) {
      std::erase_if(result_.others,
                    [&](const SlideFit& fit) { return fit.setting.shape == best().setting.shape; });
      result_.others.push_back(from);
    }
    std::sort(result_.others.begin(), result_.others.end(),
              [](const auto& a, const auto& b) { return a.chi2 < b.chi2; });
    return !job_.stopped();
  }

  Result<SlideFit> other_shape(StepShape shape, const SlideFit& from) const {
    auto with = from.setting;
    with.shape = shape;
    with.phase = 0;
    if (shape == StepShape::kRinging) {
      auto start = from.values;
      for (const auto i : {kSlideLogRing, kSlideRingDamping})
        if (!rung_.empty()) start[i] = rung_[i];
      return solver_.fit(with, start, kSlideOther);
    }
    auto found = solver_.fit(with, from.values, kSlideOther);
    if (shape != StepShape::kJump || !found) return found;
    for (const double phase : {0.25, 0.5, 0.75}) {
      with.phase = phase;
      auto next = solver_.fit(with, found->values, kSlideMiddle);
      if (next && next->chi2 < found->chi2) found = std::move(next);
    }
    return found;
  }

  /// In the end by finer ticks: they hardly move what is said of friction, but what is left over.
  bool finer() {
    if (best().setting.shape != StepShape::kRinging) return true;
    const auto coarse = best();
    auto with = coarse.setting;
    with.fine = true;
    auto start = coarse.values;
    start[kSlideSigma1] = std::max(start[kSlideSigma1], 0.0);  // less only ticks as coarse make up
    auto found = solver_.fit(with, start, kSlideOther);
    if (!found) return !job_.stopped();
    best() = std::move(*found);
    return walk_.delays() && walk_.polish();
  }

  bool forms() {
    if (!result_.no_exponent.empty()) return true;
    auto with = best().setting;
    with.proportional = true;
    auto going = solver_.fit(with, best().values, kSlideMiddle);
    if (going && going->chi2 < kHopeless * best().chi2)
      going = solver_.fit(with, going->values, kSlideOther);
    if (!going) return !job_.stopped();
    result_.form_decided = std::abs(going->chi2 - best().chi2) > kFormByChi2;
    if (going->chi2 < best().chi2) best() = *going;
    return true;
  }

  /// Where nothing runs in, its length can't be found.
  bool running_in() {
    solver_.problem().judge(best());
    const double r = at(best(), kSlideRunningIn);
    const double u = standard_uncertainty(best(), kSlideRunningIn);
    if (std::abs(r) > kSure * u) return true;
    result_.no_running_in =
        "FR-RUNNING-IN Friction did not change with the sliding: the surface was run in, or too "
        "little was slid to see it.";
    solver_.hold({kSlideRunningIn, kSlideLogLength});
    at(best(), kSlideRunningIn) = 0;
    const auto without = solver_.fit(best().setting, best().values, kSlideOther);
    if (without) best() = *without;
    return without.has_value();
  }

  const SlideTracks& tracks_;
  const Job& job_;
  int threads_;
  SlideSolver solver_;
  SlideWalk walk_;
  TickPhases ticks_;
  SlideResult result_;
  SlideValues rung_;  // where steps ring, as it was found first
};

}  // namespace

Result<SlideResult> search_slides(const SlideTracks& tracks, const Job& job, int threads) {
  return Search(tracks, job, threads).run();
}

}  // namespace tactelier
