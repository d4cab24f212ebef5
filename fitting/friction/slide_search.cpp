#include "fitting/friction/slide_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fitting/friction/slide_resonance.hpp"
#include "fitting/friction/slide_rings.hpp"
#include "fitting/friction/slide_ticks.hpp"
#include "fitting/friction/slide_verdict.hpp"

namespace tactelier {
namespace {

constexpr std::array kStartStribeck_m_per_s{2e-3, 6e-3, 20e-3};
constexpr std::array kMicrosteps{kFullStep, 8.0, 32.0};  // over which their error repeats
constexpr std::array kStartDamping_s{0.8e-3, 2e-3};      // sigma1 over sigma0
constexpr std::array kOtherStribeck{0.55, 1.8};          // over where a search ended
constexpr double kStartViscous = 0.5;                    // N s/m
constexpr int kPhases = 12, kOtherPhases = 4;            // of the microstep error
constexpr int kPolish = 3;
constexpr double kPolished = 1e-3;  // of chi2
constexpr double kDisturbed = 5;  // chi2 per block of a first look: more than shapes of steps leave
constexpr double kFormByChi2 = 20;
constexpr double kLateLine_s = 6e-3;  // standard: controllers begin a line up to 20 ms late
constexpr double kLateByChi2 = 3;     // per slide, that its own time has to be worth
constexpr double kSameLoads = 1.3;
constexpr double kSure = 3;  // standard uncertainties
constexpr std::size_t kMinSlides = 12;

const std::vector<int> kNoRipple{kSlideRippleCos, kSlideRippleSin};
const std::vector<int> kNoSecond{kSlideSecondCos, kSlideSecondSin};

double& at(SlideFit& fit, SlideIndex index) { return fit.values[index]; }
double at(const SlideFit& fit, SlideIndex index) { return fit.values[index]; }

class Search {
 public:
  Search(const SlideTracks& tracks, const Job& job, int threads)
      : tracks_(tracks), job_(job), solver_(tracks, job, threads), ticks_(solver_) {}

  Result<SlideResult> run() {
    result_.reference_N = tracks_.reference_N;
    survey();
    if (!result_.found()) return std::move(result_);
    const bool ok = coarse() && from_coarse() && lateness() && late_search() && polish() &&
                    second_harmonic() && other_shapes() && finer() && forms() && running_in();
    if (job_.stopped()) return Job::cancelled();
    if (!ok) {
      result_.why_not = "ID-01 The slides' forward model found no solution.";
      return std::move(result_);
    }
    solver_.problem().judge(result_.fit);
    ticks_.add_spread(result_.fit);
    judge_slides(tracks_.step_m, result_);
    return std::move(result_);
  }

 private:
  /// Loads and speeds of what is compared.
  void survey() {
    std::vector<std::size_t> slides;
    for (const auto& block : solver_.problem().blocks())
      if (slides.empty() || slides.back() != block.slide) slides.push_back(block.slide);
    if (slides.size() < kMinSlides)
      result_.why_not = fmt::format("FR-01 {} slides can be compared as wholes, {} needed.",
                                    slides.size(), kMinSlides);
    double least_N = HUGE_VAL, most_N = 0;
    result_.least_m_per_s = HUGE_VAL;
    for (const auto& contact : tracks_.contacts) {
      least_N = std::min(least_N, contact.load_N);
      most_N = std::max(most_N, contact.load_N);
      for (const auto& slide : contact.slides) {
        result_.least_m_per_s = std::min(result_.least_m_per_s, slide.speed_m_per_s);
        result_.top_m_per_s = std::max(result_.top_m_per_s, slide.speed_m_per_s);
      }
    }
    if (most_N > kSameLoads * least_N) return;
    solver_.hold({kSlideExponent});
    result_.no_exponent =
        "FR-EXPONENT One load can't show how friction goes with the load: slide under loads a "
        "factor of 2 apart.";
  }

  bool keep_better(const Result<SlideFit>& fit) {
    if (!fit) return false;
    if (result_.fit.values.empty() || fit->chi2 < result_.fit.chi2) result_.fit = *fit;
    return true;
  }

  bool coarse() {
    SlideSetting with;
    with.shape = tracks_.step_m > 0 ? StepShape::kJump : StepShape::kSmooth;
    with.ripple_period_m = kFullStep * tracks_.step_m;
    auto held = kNoRipple;
    held.insert(held.end(), {kSlideLogLength, kSlideLag});
    for (const double v_s : kStartStribeck_m_per_s)
      keep_better(solver_.fit(with, solver_.generic(v_s), kSlideCoarse, held));
    coarse_ = result_.fit;
    if (coarse_.values.empty()) return false;
    if (tracks_.step_m > 0 && coarse_.chi2_per_dof() > kDisturbed)
      calm_ = away_from_resonance(solver_, coarse_, std::span(kStartStribeck_m_per_s).first(2));
    return !job_.stopped();
  }

  bool from_coarse() {
    return ripple() && shape() && blows() && other_ripples() && blows() && delays() &&
           stribecks() && phases() && polish();
  }

  /// Where the microstep error's period and phase are best.
  bool ripple() {
    if (!(tracks_.step_m > 0)) {
      solver_.hold(kNoRipple);
      return keep_better(solver_.fit(result_.fit.setting, result_.fit.values, kSlideFine));
    }
    const auto smooth = result_.fit;
    for (const double microsteps : kMicrosteps) {
      auto with = smooth.setting;
      with.ripple_period_m = microsteps * tracks_.step_m;
      keep_better(
          solver_.fit(with, solver_.with_best_ripple(with, smooth.values, kPhases), kSlideMiddle));
    }
    return true;
  }

  /// Which shape leaves least over. The others are tried again in the end.
  bool shape() {
    if (!(tracks_.step_m > 0)) return true;
    const auto jump = result_.fit;
    auto with = jump.setting;
    with.shape = StepShape::kSmooth;
    const auto smooth = solver_.fit(with, jump.values, kSlideMiddle);
    keep_better(smooth);
    const auto rung = first_ringing(solver_, jump, calm_);
    if (rung) rung_ = rung->values;
    keep_better(rung);
    return polish();
  }

  bool blows() {
    const auto left_out = solver_.problem().leave_out_blows(result_.fit);
    if (left_out == 0) return true;
    result_.blocks_left_out += left_out;
    const auto again = solver_.fit(result_.fit.setting, result_.fit.values, kSlideFine);
    if (again) result_.fit = *again;
    return again.has_value();
  }

  /// Whether lines began when they were told, or each when the controller liked.
  bool lateness() {
    auto with = result_.fit.setting;
    with.u_late_s = kLateLine_s;
    const auto late = solver_.fit(with, result_.fit.values, kSlideFine);
    if (!late || late->chi2 > result_.fit.chi2 - late_worth()) return !job_.stopped();
    result_.fit = *late;
    return delays();
  }

  /// Slides that are some ms off show neither ringing nor the microstep error's period and phase,
  /// and what is found without those hides that they are, also where little is left over: all of
  /// it again, with their own times from the beginning.
  bool late_search() {
    auto first = result_.fit;
    const bool punctual = first.setting.u_late_s == 0;
    if (punctual && !(tracks_.step_m > 0) && first.chi2_per_dof() < kGoodSlideFit) return true;
    auto with = coarse_.setting;
    with.u_late_s = kLateLine_s;
    const auto late = solver_.fit(with, coarse_.values, kSlideFine);
    if (!late) return !job_.stopped();
    result_.fit = *late;
    auto tried = ticks_.forget();
    const auto left_out = result_.blocks_left_out;
    const bool ok = from_coarse();
    if (result_.blocks_left_out > left_out) {  // the other is compared by what is still there
      const auto again = solver_.fit(first.setting, first.values, kSlideMiddle);
      if (!again) return ok;
      first = *again;
    }
    const double worth = punctual ? late_worth() : 0;
    if (first.chi2 < result_.fit.chi2 + worth) {
      result_.fit = first;
      ticks_.recall(std::move(tried));
    }
    return ok;
  }

  /// Of chi2, that slides' own times have to be worth.
  double late_worth() const {
    return kLateByChi2 * static_cast<double>(solver_.problem().slides());
  }

  bool other_ripples() {
    if (!(tracks_.step_m > 0) || result_.fit.chi2_per_dof() < kGoodSlideFit) return true;
    result_.fit = from_other_ripples(solver_, result_.fit);
    return polish();
  }

  /// As long as it goes on.
  bool polish() {
    for (int round = 0; round < kPolish; ++round) {
      const double before = result_.fit.chi2;
      if (!keep_better(solver_.fit(result_.fit.setting, result_.fit.values, kSlideFine))) break;
      if (result_.fit.chi2 > (1 - kPolished) * before) break;
    }
    return !job_.stopped();
  }

  /// sigma1 and the delay lie in one long valley (sigma1 ~ sigma0 x delay), along which a search
  /// creeps: again from other places in it.
  bool delays() {
    const auto from = result_.fit;
    const double sigma0 = std::exp(at(from, kSlideLogSigma0));
    for (const double time_s : kStartDamping_s) {
      auto start = from.values;
      start[kSlideSigma1] = time_s * sigma0;
      start[kSlideDelay] += time_s - at(from, kSlideSigma1) / sigma0;
      keep_better(solver_.fit(from.setting, start, kSlideMiddle));
    }
    return !job_.stopped();
  }

  /// v_s and c_t lie in a valley too: what falls with speed slowly looks like less of what rises.
  bool stribecks() {
    const auto from = result_.fit;
    for (const double factor : kOtherStribeck) {
      auto start = from.values;
      start[kSlideLogStribeck] += std::log(factor);
      start[kSlideViscous] = kStartViscous;
      keep_better(solver_.fit(from.setting, start, kSlideOther));
    }
    return !job_.stopped();
  }

  bool phases() {
    if (result_.fit.setting.shape == StepShape::kJump) result_.fit = ticks_.best(result_.fit);
    return !job_.stopped();
  }

  /// Of the microstep error. Free from the beginning it would lead a search astray.
  bool second_harmonic() {
    if (!(tracks_.step_m > 0)) return true;
    const auto without = result_.fit;
    solver_.free_second_harmonic();
    if (!polish()) return false;
    if (result_.fit.chi2 < without.chi2 - kFormByChi2) return true;
    result_.fit = without;
    solver_.hold(kNoSecond);
    return true;
  }

  /// The shapes that are not this one, from where it ended, each as well as it can.
  bool other_shapes() {
    if (!(tracks_.step_m > 0)) return true;
    const auto best = result_.fit;
    for (const auto shape : {StepShape::kJump, StepShape::kSmooth, StepShape::kRinging}) {
      if (shape == best.setting.shape) continue;
      auto found = other_shape(shape, best);
      if (!found) continue;
      keep_better(found);
      result_.others.push_back(std::move(*found));
    }
    if (result_.fit.setting.shape != best.setting.shape) {
      std::erase_if(result_.others, [&](const SlideFit& fit) {
        return fit.setting.shape == result_.fit.setting.shape;
      });
      result_.others.push_back(best);
    }
    std::sort(result_.others.begin(), result_.others.end(),
              [](const auto& a, const auto& b) { return a.chi2 < b.chi2; });
    return !job_.stopped();
  }

  Result<SlideFit> other_shape(StepShape shape, const SlideFit& best) const {
    auto with = best.setting;
    with.shape = shape;
    with.phase = 0;
    if (shape == StepShape::kRinging) {
      auto start = best.values;
      for (const auto i : {kSlideLogRing, kSlideRingDamping})
        if (!rung_.empty()) start[i] = rung_[i];
      return solver_.fit(with, start, kSlideOther);
    }
    auto found = solver_.fit(with, best.values, kSlideOther);
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
    if (result_.fit.setting.shape != StepShape::kRinging) return true;
    auto with = result_.fit.setting;
    with.fine = true;
    auto found = solver_.fit(with, result_.fit.values, kSlideOther);
    if (found) result_.fit = std::move(*found);
    return !job_.stopped();
  }

  bool forms() {
    if (!result_.no_exponent.empty()) return true;
    auto with = result_.fit.setting;
    with.proportional = true;
    const auto going = solver_.fit(with, result_.fit.values, kSlideOther);
    if (!going) return !job_.stopped();
    result_.form_decided = std::abs(going->chi2 - result_.fit.chi2) > kFormByChi2;
    if (going->chi2 < result_.fit.chi2) result_.fit = *going;
    return true;
  }

  /// Where nothing runs in, its length can't be found.
  bool running_in() {
    solver_.problem().judge(result_.fit);
    const double r = at(result_.fit, kSlideRunningIn);
    const double u = standard_uncertainty(result_.fit, kSlideRunningIn);
    if (std::abs(r) > kSure * u) return true;
    result_.no_running_in =
        "FR-RUNNING-IN Friction did not change with the sliding: the surface was run in, or too "
        "little was slid to see it.";
    solver_.hold({kSlideRunningIn, kSlideLogLength});
    at(result_.fit, kSlideRunningIn) = 0;
    const auto without = solver_.fit(result_.fit.setting, result_.fit.values, kSlideOther);
    if (without) result_.fit = *without;
    return without.has_value();
  }

  const SlideTracks& tracks_;
  const Job& job_;
  SlideSolver solver_;
  TickPhases ticks_;
  SlideResult result_;
  SlideFit coarse_;
  std::optional<SlideFit> calm_;  // away from a resonance
  SlideValues rung_;              // where steps ring, as it was found first
};

}  // namespace

SlideFit from_other_ripples(const SlideSolver& solver, const SlideFit& from) {
  const auto generic = solver.generic(kStartStribeck_m_per_s[0]);
  auto with = from.setting;
  with.ripple_period_m = kFullStep * solver.step_m();
  auto best = from;
  for (int i = 0; i < kOtherPhases; ++i) {
    auto start = solver.with_ripple(from.values, 2 * std::numbers::pi * i / kOtherPhases);
    for (const auto j : {kSlideSigma1, kSlideDelay, kSlideLag}) start[j] = generic[j];
    auto again = solver.fit(with, start, kSlideOther, {kSlideSigma1, kSlideLag});
    if (again && again->chi2 < best.chi2) best = std::move(*again);
  }
  return best;
}

Result<SlideResult> search_slides(const SlideTracks& tracks, const Job& job, int threads) {
  return Search(tracks, job, threads).run();
}

}  // namespace tactelier
