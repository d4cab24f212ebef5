#include "fitting/friction/slide_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::array kStartStribeck_m_per_s{2e-3, 6e-3, 20e-3};
constexpr std::array kMicrosteps{16.0, 8.0, 32.0};   // of a full step, over which the error repeats
constexpr std::array kStartDamping_s{0.8e-3, 2e-3};  // sigma1 over sigma0
constexpr int kPhases = 12;
constexpr double kPhaseStep = 1 / 32.0;  // of a tick, between phases
constexpr int kPhaseRounds = 2;
constexpr double kPhaseDoubt = 1e-3;  // of chi2: by how much phases differ for other reasons
constexpr std::size_t kLikelyPhases = 3;
constexpr double kRippleSteps = 2;  // its amplitude in the scan, in microsteps
constexpr int kCoarse = 8, kMiddle = 8, kFine = 40, kOther = 25;  // iterations
constexpr double kGoodFit = 1.05;     // chi2 per block of the better shape
constexpr double kShapesApart = 0.1;  // and how much worse the other must be
constexpr double kNoFit = 3;          // the model does not describe the data
constexpr double kSystematic = 0.01;  // of mu_d, where the shape of steps isn't known
constexpr double kMaxStatic = 0.05;   // relative standard uncertainty of mu_s and of v_s beyond
constexpr double kMaxStribeck = 0.1;  // which both bend away from a straight line
constexpr double kFormByChi2 = 20;
constexpr double kSameLoads = 1.3;
constexpr double kSure = 3;  // standard uncertainties
constexpr std::size_t kMinSlides = 12;

const std::vector<int> kNoRipple{kSlideRippleCos, kSlideRippleSin};

double& at(SlideFit& fit, SlideIndex index) { return fit.values[index]; }
double at(const SlideFit& fit, SlideIndex index) { return fit.values[index]; }

double u_of(const SlideFit& fit, SlideIndex index) {
  const auto j = static_cast<Eigen::Index>(index);
  return fit.covariance.size() > 0 ? std::sqrt(fit.covariance(j, j))
                                   : std::numeric_limits<double>::infinity();
}

double cost_of(std::span<const double> residuals) {
  double cost = 0;
  for (const double r : residuals) cost += r * r;
  return cost;
}

class Search {
 public:
  Search(const SlideTracks& tracks, const Job& job, int threads)
      : tracks_(tracks), problem_(tracks, threads), job_(job) {}

  Result<SlideResult> run() {
    result_.reference_N = tracks_.reference_N;
    survey();
    if (!result_.found()) return std::move(result_);
    const bool ok = coarse() && ripple() && blows() && other_ripples() && delays() && phases() &&
                    shapes() && forms() && running_in();
    if (job_.stopped()) return Job::cancelled();
    if (!ok) {
      result_.why_not = "ID-01 The slides' forward model found no solution.";
      return std::move(result_);
    }
    problem_.judge(result_.fit);
    add_phase_spread();
    decide();
    return std::move(result_);
  }

 private:
  /// Loads and speeds of what is compared.
  void survey() {
    std::vector<std::size_t> slides;
    for (const auto& block : problem_.blocks())
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
    held_.push_back(kSlideExponent);
    result_.no_exponent =
        "FR-EXPONENT One load can't show how friction goes with the load: slide under loads a "
        "factor of 2 apart.";
  }

  SlideSetting setting(StepShape shape) const {
    return {shape, kMicrosteps[0] * tracks_.step_m, false};
  }

  std::vector<int> held_with(const std::vector<int>& more) const {
    auto held = held_;
    held.insert(held.end(), more.begin(), more.end());
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    return held;
  }

  SlideValues start(double v_s_m_per_s) const {
    SlideValues p(problem_.size(), 0.0);
    p[kSlideDynamic] = 0.35;
    p[kSlideDrop] = 0.15;
    p[kSlideLogStribeck] = std::log(v_s_m_per_s);
    p[kSlideLogSigma0] = std::log(3500);
    p[kSlideSigma1] = 5;
    p[kSlideViscous] = 0.5;
    p[kSlideRunningIn] = 0.05;
    p[kSlideLogLength] = std::log(0.05);
    p[kSlideBacklash] = 10e-6;
    p[kSlideDelay] = 1e-3;
    p[kSlideLag] = 0.5e-3;
    return p;
  }

  bool keep_better(const Result<SlideFit>& fit) {
    if (!fit) return false;
    if (result_.fit.values.empty() || fit->chi2 < result_.fit.chi2) result_.fit = *fit;
    return true;
  }

  bool coarse() {
    const auto shape = tracks_.step_m > 0 ? StepShape::kJump : StepShape::kSmooth;
    auto held = held_with(kNoRipple);
    held.push_back(kSlideLogLength);
    for (const double v_s : kStartStribeck_m_per_s)
      keep_better(problem_.fit(setting(shape), start(v_s), held, kCoarse, job_));
    return !result_.fit.values.empty();
  }

  /// Where the microstep error's period and phase are best: the cost has a minimum per phase.
  bool ripple() {
    if (!(tracks_.step_m > 0)) {
      held_ = held_with(kNoRipple);
      return keep_better(problem_.fit(result_.fit.setting, result_.fit.values, held_, kFine, job_));
    }
    const auto smooth = result_.fit;
    for (const double microsteps : kMicrosteps) {
      auto with = smooth.setting;
      with.ripple_period_m = microsteps * tracks_.step_m;
      keep_better(problem_.fit(with, best_phase(with, smooth.values), held_, kMiddle, job_));
    }
    return keep_better(problem_.fit(result_.fit.setting, result_.fit.values, held_, kFine, job_));
  }

  SlideValues best_phase(const SlideSetting& with, SlideValues p) const {
    std::vector<double> residuals(problem_.residuals());
    double least = HUGE_VAL;
    auto best = p;
    for (int i = 0; i < kPhases; ++i) {
      const double phase_rad = 2 * std::numbers::pi * i / kPhases;
      p[kSlideRippleCos] = kRippleSteps * tracks_.step_m * std::cos(phase_rad);
      p[kSlideRippleSin] = kRippleSteps * tracks_.step_m * std::sin(phase_rad);
      if (!problem_.evaluate(with, p, residuals)) continue;
      const double cost = cost_of(residuals);
      if (cost >= least) continue;
      least = cost;
      best = p;
    }
    return best;
  }

  bool blows() {
    result_.blocks_left_out = problem_.leave_out_blows(result_.fit);
    if (result_.blocks_left_out == 0) return true;
    const auto again = problem_.fit(result_.fit.setting, result_.fit.values, held_, kFine, job_);
    if (again) result_.fit = *again;
    return again.has_value();
  }

  /// Beside a wrong v_s the best phase of the microstep error may be the wrong one, and no search
  /// leaves it: where something is left over, again from a quarter each.
  bool other_ripples() {
    if (!(tracks_.step_m > 0) || result_.fit.chi2_per_dof() < kGoodFit) return true;
    const auto from = result_.fit;
    auto with = from.setting;
    with.ripple_period_m = kMicrosteps[0] * tracks_.step_m;
    const double amplitude_m = kRippleSteps * tracks_.step_m;
    for (const auto& [a, b] : {std::pair{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
      auto start = from.values;
      start[kSlideRippleCos] = a * amplitude_m;
      start[kSlideRippleSin] = b * amplitude_m;
      keep_better(problem_.fit(with, start, held_, kFine, job_));
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
      keep_better(problem_.fit(from.setting, start, held_, kMiddle, job_));
    }
    return !job_.stopped();
  }

  /// At which instants a step falls into one tick or the next. mu_s and v_s hang on it where the
  /// tip jumps, and an eighth of a tick beside the right phase is as bad as any: quarters first,
  /// then all by what they leave over with what was found, and again those that leave least.
  bool phases() {
    if (!(tracks_.step_m > 0)) return true;
    tried_.push_back(result_.fit);
    for (const double phase : {0.25, 0.5, 0.75}) try_phase(phase);
    for (int round = 0; round < kPhaseRounds; ++round)
      for (const double phase : likely_phases()) try_phase(phase);
    return keep_better(problem_.fit(result_.fit.setting, result_.fit.values, held_, kFine, job_));
  }

  /// Not tried yet.
  std::vector<double> likely_phases() const {
    auto with = result_.fit.setting;
    std::vector<double> residuals(problem_.residuals());
    std::vector<std::pair<double, double>> by_cost;
    for (double phase = 0; phase < 1 && !job_.stopped(); phase += kPhaseStep) {
      with.phase = phase;
      if (was_tried(phase) || !problem_.evaluate(with, result_.fit.values, residuals)) continue;
      by_cost.emplace_back(cost_of(residuals), phase);
    }
    std::sort(by_cost.begin(), by_cost.end());
    std::vector<double> phases;
    for (const auto& [cost, phase] : by_cost)
      if (phases.size() < kLikelyPhases) phases.push_back(phase);
    return phases;
  }

  bool was_tried(double phase) const {
    return std::any_of(tried_.begin(), tried_.end(),
                       [&](const SlideFit& fit) { return fit.setting.phase == phase; });
  }

  void try_phase(double phase) {
    auto with = result_.fit.setting;
    with.phase = phase;
    const auto fit = problem_.fit(with, result_.fit.values, held_, kMiddle, job_);
    if (keep_better(fit)) tried_.push_back(*fit);
  }

  /// What other phases would have given belongs to the uncertainty, the more the less they leave
  /// over: where none stands out, the stage's ticks do not keep the host's time.
  void add_phase_spread() {
    auto& fit = result_.fit;
    if (fit.covariance.size() == 0 || fit.setting.shape != StepShape::kJump) return;
    constexpr auto shared = static_cast<Eigen::Index>(kSlideShared);
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(shared, shared);
    double total = 0;
    for (const auto& other : tried_) {
      const double weight =
          std::exp(-std::max(0.0, other.chi2 - fit.chi2) / (2 * kPhaseDoubt * fit.chi2));
      const Eigen::VectorXd off = Eigen::Map<const Eigen::VectorXd>(other.values.data(), shared) -
                                  Eigen::Map<const Eigen::VectorXd>(fit.values.data(), shared);
      spread += weight * off * off.transpose();
      total += weight;
    }
    fit.covariance += spread / std::max(1.0, total);
  }

  /// The other shape, from where this one ended.
  bool shapes() {
    if (!(tracks_.step_m > 0)) return true;
    auto with = result_.fit.setting;
    with.shape = StepShape::kSmooth;
    auto other = problem_.fit(with, result_.fit.values, held_, kOther, job_);
    if (!other) return false;
    if (other->chi2 < result_.fit.chi2) std::swap(*other, result_.fit);
    result_.other = std::move(*other);
    return true;
  }

  bool forms() {
    if (!result_.no_exponent.empty()) return true;
    auto with = result_.fit.setting;
    with.proportional = true;
    const auto going = problem_.fit(with, result_.fit.values, held_, kOther, job_);
    if (!going) return !job_.stopped();
    result_.form_decided = std::abs(going->chi2 - result_.fit.chi2) > kFormByChi2;
    if (going->chi2 < result_.fit.chi2) result_.fit = *going;
    return true;
  }

  /// Where nothing runs in, its length can't be found.
  bool running_in() {
    problem_.judge(result_.fit);
    const double r = at(result_.fit, kSlideRunningIn), u = u_of(result_.fit, kSlideRunningIn);
    if (std::abs(r) > kSure * u) return true;
    result_.no_running_in =
        "FR-RUNNING-IN Friction did not change with the sliding: the surface was run in, or too "
        "little was slid to see it.";
    held_ = held_with({kSlideRunningIn, kSlideLogLength});
    at(result_.fit, kSlideRunningIn) = 0;
    const auto without = problem_.fit(result_.fit.setting, result_.fit.values, held_, kOther, job_);
    if (without) result_.fit = *without;
    return without.has_value();
  }

  void decide() {
    const auto& fit = result_.fit;
    if (fit.covariance.size() == 0 || fit.chi2_per_dof() > kNoFit) {
      result_.why_not = fmt::format(
          "ID-07 Whole slides do not follow the model (χ² {:.2g} per 10 ms): the stage did not "
          "move as its lines say, or friction follows another law.",
          fit.chi2_per_dof());
      return;
    }
    decide_shape();
    if (!result_.no_static.empty()) return;
    if (at(fit, kSlideDrop) < kSure * u_of(fit, kSlideDrop))
      result_.no_static = "FR-08 No Stribeck drop: use µ_s = µ_d, drop v_s.";
    else if (u_static() > kMaxStatic || u_of(fit, kSlideLogStribeck) > kMaxStribeck)
      result_.no_static = fmt::format(
          "FR-02 A step of {:.2g} µm at a time the tip never slides much slower than the Stribeck "
          "speed: µ_s (± {:.0f} %) and v_s (± {:.0f} %) are extrapolated. Use a finer stage.",
          1e6 * tracks_.step_m, 200 * u_static(), 200 * u_of(fit, kSlideLogStribeck));
  }

  /// Relative standard uncertainty of mu_s.
  double u_static() const {
    const auto& c = result_.fit.covariance;
    const double variance = c(kSlideDynamic, kSlideDynamic) + c(kSlideDrop, kSlideDrop) +
                            2 * c(kSlideDynamic, kSlideDrop);
    return std::sqrt(variance) / (at(result_.fit, kSlideDynamic) + at(result_.fit, kSlideDrop));
  }

  void decide_shape() {
    const auto& fit = result_.fit;
    if (!result_.other) return;
    const double here = fit.chi2_per_dof(), there = result_.other->chi2_per_dof();
    if (here < kGoodFit && there > here + kShapesApart) return;
    const double mu_d = at(fit, kSlideDynamic);
    result_.u_shape = std::max(std::abs(at(*result_.other, kSlideDynamic) / mu_d - 1), kSystematic);
    result_.no_static = fmt::format(
        "FR-STEPS How the tip moves within a step of {:.2g} µm can't be told (χ² {:.3g} with "
        "jumps or without, {:.3g} the other way): µ_s and v_s hang on it. Use a finer stage.",
        1e6 * tracks_.step_m, here, there);
  }

  const SlideTracks& tracks_;
  SlideProblem problem_;
  const Job& job_;
  SlideResult result_;
  std::vector<int> held_;
  std::vector<SlideFit> tried_;  // by phase
};

}  // namespace

Result<SlideResult> search_slides(const SlideTracks& tracks, const Job& job, int threads) {
  return Search(tracks, job, threads).run();
}

}  // namespace tactelier
