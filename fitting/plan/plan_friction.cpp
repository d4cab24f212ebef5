// Slides as the friction stage would load them, with the friction that the expected numbers make of
// the planned moves; the covariance is that of the stage's own problem and slopes
// (fitting/friction/slide_fit.hpp).

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/friction/slide_fit.hpp"
#include "fitting/plan/planned_slides.hpp"
#include "fitting/plan/stage_plans.hpp"

namespace tactelier {
namespace {

constexpr double kFullStepSteps = 16;
constexpr double kRiseU = 2e-3;  // slide_estimate.cpp: of sigma0
constexpr std::size_t kMinSlides = 12, kMinSpeeds = 6;
constexpr double kMaxStatic = 0.05, kMaxStribeck = 0.1;  // slide_verdict.cpp
constexpr double kShapesApart = 0.1;
constexpr double kAboveStribeck = 2;
constexpr double kSure = 3;

const char* const kPaths[] = {"mu_s", "mu_d",          "v_s",        "sigma0",           "sigma1",
                              "c_t",  "load_exponent", "running_in", "running_in_length"};

std::string path_of(std::string_view name) { return fmt::format("friction.contact.{}", name); }
std::string unit_of(std::string_view name) {
  if (name == "v_s") return "m/s";
  if (name == "sigma0") return "N/m";
  if (name == "sigma1" || name == "c_t") return "N*s/m";
  return name == "running_in_length" ? "m" : "";
}

PlannedParameters none_for(const std::string& reason) {
  PlannedParameters all;
  for (const char* name : kPaths) all.push_back(not_planned(path_of(name), unit_of(name), reason));
  return all;
}

struct SlidePlan {
  SlideFit fit;
  double reference_N = 0;
  double top_m_per_s = 0;
  bool one_load = false;
  double smooth_chi2 = 0;  // per block, of gliding where the tip jumps; 0: not asked
  Eigen::MatrixXd spread;  // beside the fit's covariance: what shapes that fit as well make of it
};

std::vector<int> held_columns(const PlanBasis& basis, const SlideTracks& tracks, bool one_load) {
  std::vector<int> held{kSlideLogRing, kSlideRingDamping};
  if (tracks.side_m_per_N && !basis.quality.motion_measured()) held.push_back(kSlideSide);
  if (basis.quality.motion_measured())
    for (int i = kSlideExponent; i <= static_cast<int>(kSlideSecondSin); ++i) held.push_back(i);
  if (basis.quality.motion_measured())
    for (const int i : {kSlideDelay, kSlideLag, kSlideLean}) held.push_back(i);
  else if (one_load)
    held.push_back(kSlideExponent);
  std::sort(held.begin(), held.end());
  return held;
}

/// Chi2 per block of a tip that moves otherwise within a step than the planned one does. What a
/// shape that fits nearly as well makes of all numbers is added to `plan.spread`
/// (slide_verdict.cpp).
double try_shape(StepShape shape, const SlideProblem& problem, SlidePlan& plan, const Job& job) {
  constexpr int kEnough = 8;
  constexpr auto shared = static_cast<Eigen::Index>(kSlideShared);
  const auto& fit = plan.fit;
  auto setting = fit.setting;
  setting.shape = shape;
  auto held = fit.held;
  if (shape == StepShape::kRinging)
    std::erase_if(held, [](int i) { return i == kSlideLogRing || i == kSlideRingDamping; });
  const auto other = problem.fit(setting, fit.values, held, kEnough, job);
  if (!other) return 0;
  const double excess = other->chi2 / other->dof;
  if (excess <= kShapesApart) {
    const Eigen::VectorXd off = Eigen::Map<const Eigen::VectorXd>(other->values.data(), shared) -
                                Eigen::Map<const Eigen::VectorXd>(fit.values.data(), shared);
    plan.spread.topLeftCorner(shared, shared) += off * off.transpose();
  }
  return 1 + excess;
}

SlidePlan slide_plan(const PlanBasis& basis, const Job& job) {
  auto tracks = planned_tracks(basis);
  SlidePlan plan;
  plan.reference_N = tracks.reference_N;
  double least_N = HUGE_VAL, most_N = 0;
  for (const auto& contact : tracks.contacts) {
    least_N = std::min(least_N, contact.load_N);
    most_N = std::max(most_N, contact.load_N);
    for (const auto& slide : contact.slides)
      plan.top_m_per_s = std::max(plan.top_m_per_s, slide.speed_m_per_s);
  }
  plan.one_load = most_N < 1.3 * least_N;
  SlideSetting setting;
  setting.shape = tracks.step_m > 0 ? StepShape::kJump : StepShape::kSmooth;
  setting.ripple_period_m = kFullStepSteps * tracks.step_m;
  const auto p = expected_slide_values(basis, tracks);
  fill_friction(setting, p, tracks);
  const SlideProblem problem(tracks);
  auto& fit = plan.fit;
  fit.setting = setting;
  fit.values = p;
  fit.held = held_columns(basis, tracks, plan.one_load);
  fit.dof = static_cast<double>(problem.blocks().size() - problem.size() + fit.held.size());
  fit.chi2 = fit.dof;
  problem.judge(fit);
  plan.spread = Eigen::MatrixXd::Zero(fit.covariance.rows(), fit.covariance.cols());
  if (tracks.step_m > 0 && fit.covariance.size() > 0) {
    plan.smooth_chi2 = try_shape(StepShape::kSmooth, problem, plan, job);
    try_shape(StepShape::kRinging, problem, plan, job);
  }
  return plan;
}

bool swings(const PlannedWork& work) {
  return std::any_of(work.slides.begin(), work.slides.end(),
                     [](const PlannedSlide& slide) { return slide.oscillates; });
}

/// Where motion is measured and nothing oscillates, steady parts alone are fitted, at one load, and
/// the load's regulator and zero scatter their means beyond the force's noise.
void take_steady_parts(const PlanBasis& basis, SlidePlan& plan) {
  constexpr double kRegulator = 1, kZero = 0.12;  // of the noise
  constexpr std::array kColumns{kSlideDynamic, kSlideDrop, kSlideLogStribeck, kSlideViscous};
  const auto& friction = basis.expected.friction;
  const double drop = friction[kLugreStatic] - friction[kLugreDynamic];
  Eigen::Matrix4d information = Eigen::Matrix4d::Zero();
  for (const auto& slide : basis.work.slides) {
    if (slide.load_N != plan.reference_N) continue;
    const double v = slide.speed_m_per_s, ratio2 = std::pow(v / friction[kLugreStribeck], 2);
    const double fall = std::exp(-ratio2), N = slide.load_N;
    const double steady_s = slide.duration_s - 2 * v / slide.motion.top_acceleration_m_per_s2();
    const double samples = std::max(10.0, steady_s * basis.quality.force_rate_hz);
    const Eigen::Vector4d by(N, N * fall, N * drop * fall * 2 * ratio2, v);
    const double u_N =
        basis.quality.force_noise_moving_N * std::hypot(kRegulator / std::sqrt(samples), kZero);
    information += by * by.transpose() / (u_N * u_N);
  }
  const Eigen::Matrix4d covariance = information.inverse();
  if (!covariance.allFinite()) return;
  for (Eigen::Index a = 0; a < 4; ++a)
    for (Eigen::Index b = 0; b < 4; ++b)
      plan.fit.covariance(static_cast<Eigen::Index>(kColumns[static_cast<std::size_t>(a)]),
                          static_cast<Eigen::Index>(kColumns[static_cast<std::size_t>(b)])) =
          covariance(a, b);
}

double u_of(const SlideFit& fit, SlideIndex i, SlideIndex j) {
  return fit.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
}
double u_of(const SlideFit& fit, SlideIndex i) { return std::sqrt(std::max(0.0, u_of(fit, i, i))); }

class FrictionPlanner {
 public:
  FrictionPlanner(const PlanBasis& basis, const SlidePlan& plan)
      : basis_(basis), plan_(plan), fit_(plan.fit), spread_(plan.fit) {
    spread_.covariance += plan.spread;
  }

  PlannedParameters run() {
    const auto& v = basis_.expected.friction;
    const double exponent = basis_.quality.motion_measured() ? 0 : basis_.expected.load_exponent;
    const double variance = u_of(fit_, kSlideDynamic, kSlideDynamic) +
                            u_of(fit_, kSlideDrop, kSlideDrop) +
                            2 * u_of(fit_, kSlideDynamic, kSlideDrop);
    auto mu_s = noise(std::sqrt(std::max(0.0, variance)));
    add_force_gain(basis_.quality, exponent * v[kLugreStatic], mu_s);
    auto mu_d = noise(u_of(spread_, kSlideDynamic));
    add_force_gain(basis_.quality, exponent * v[kLugreDynamic], mu_d);
    add("mu_s", v[kLugreStatic], mu_s);
    add("mu_d", v[kLugreDynamic], mu_d);
    add("v_s", v[kLugreStribeck], noise(u_of(fit_, kSlideLogStribeck)), true);
    add_bristles();
    auto c_t = noise(u_of(spread_, kSlideViscous));
    add_force_gain(basis_.quality, v[kLugreViscous], c_t);
    add("c_t", v[kLugreViscous], c_t);
    add_whole_slides();
    judge();
    return std::move(all_);
  }

 private:
  std::vector<PlannedShare> noise(double u) const {
    const double degrees = std::max(5.0, fit_.slides - static_cast<double>(kSlideShared));
    return {{{basis_.quality.motion_measured() ? "the side force's noise"
                                               : "the side force's noise and the stage's steps",
              u, degrees},
             true}};
  }

  void add(std::string_view name, double value, std::vector<PlannedShare> budget,
           bool logarithmic = false) {
    all_.push_back(planned(path_of(name), unit_of(name), value, std::move(budget), logarithmic));
  }

  /// What the rig gives along the surface stands in series with the bristles.
  void add_bristles() {
    const auto& v = basis_.expected.friction;
    const auto rig = planned_side_compliance(basis_);
    if (basis_.quality.motion_measured() && !swings(basis_.work)) {
      for (const char* name : {"sigma0", "sigma1"})
        all_.push_back(not_planned(
            path_of(name), unit_of(name),
            "FR-04 steady sliding doesn't show the bristles; on a stage that shows its motion "
            "presliding does"));
      return;
    }
    if (!rig) {
      for (const char* name : {"sigma0", "sigma1"})
        all_.push_back(not_planned(
            path_of(name), unit_of(name),
            "FR-SERIES bristles and rig are one spring: measure what the rig gives along the "
            "surface (step shear), or state shear_compliance_um_per_N"));
      return;
    }
    const double shear = rig->m_per_N;
    const double u_rig = rig->u_m_per_N * v[kLugreSigma0];
    auto sigma0 = noise(std::hypot(u_of(spread_, kSlideLogSigma0), kRiseU));
    add_force_gain(basis_.quality, 1, sigma0);
    if (shear > 0) sigma0.push_back({{"what the rig gives along the surface", u_rig}, false});
    add("sigma0", v[kLugreSigma0], sigma0, true);
    const double relative = u_of(spread_, kSlideSigma1) / v[kLugreSigma1];
    auto sigma1 = noise(relative);
    add_force_gain(basis_.quality, 1, sigma1);
    if (shear > 0) {
      sigma1.push_back({{"what the rig gives along the surface", 2 * u_rig}, false});
      sigma1.push_back(
          {{"the rig's own damping", u_of_rig_damping(shear, v[kLugreSigma0], v[kLugreSigma1])},
           false});
    }
    add("sigma1", v[kLugreSigma1], sigma1, true);
    if (relative > 0.5) all_.back().reason = "FR-03 bristle damping changes the force too little";
  }

  void add_whole_slides() {
    if (basis_.quality.motion_measured()) {
      for (const char* name : {"load_exponent", "running_in", "running_in_length"})
        all_.push_back(not_planned(
            path_of(name), unit_of(name),
            "FR-MOVES comes from whole slides along the moves of a stage of seldom answers"));
      return;
    }
    if (plan_.one_load)
      all_.push_back(not_planned(path_of("load_exponent"), "",
                                 "FR-EXPONENT one load: slide under loads a factor of 2 apart"));
    else
      add("load_exponent", basis_.expected.load_exponent, noise(u_of(spread_, kSlideExponent)));
    if (basis_.expected.running_in < kSure * u_of(spread_, kSlideRunningIn)) {
      for (const char* name : {"running_in", "running_in_length"})
        all_.push_back(not_planned(path_of(name), unit_of(name),
                                   "FR-RUNNING-IN too little is slid to see it"));
      return;
    }
    add("running_in", basis_.expected.running_in, noise(u_of(spread_, kSlideRunningIn)));
    add("running_in_length", basis_.expected.running_in_m, noise(u_of(spread_, kSlideLogLength)),
        true);
  }

  PlannedParameter& of(std::string_view name) {
    return *std::find_if(all_.begin(), all_.end(),
                         [&](const auto& one) { return one.path == path_of(name); });
  }

  /// The stage's own rules, by what is planned.
  void judge() {
    const double v_s = basis_.expected.friction[kLugreStribeck];
    if (plan_.top_m_per_s < kAboveStribeck * v_s)
      for (const char* name : {"mu_d", "v_s"})
        of(name) = not_planned(path_of(name), unit_of(name),
                               fmt::format("FR-02 slides up to {:.3g} mm/s do not reach beyond a "
                                           "Stribeck speed of {:.3g} mm/s: slide faster",
                                           1e3 * plan_.top_m_per_s, 1e3 * v_s));
    auto &mu_s = of("mu_s"), &stribeck = of("v_s");
    if (!mu_s.promised() || !stribeck.promised()) return;
    const bool extrapolated = *mu_s.repeat / 1.96 / mu_s.value > kMaxStatic ||
                              *stribeck.repeat / 1.96 / stribeck.value > kMaxStribeck;
    for (auto* one : {&mu_s, &stribeck}) {
      if (extrapolated)
        *one = not_planned(one->path, one->unit,
                           "FR-02 the tip never slides much slower than the Stribeck speed: use a "
                           "finer stage");
      else if (plan_.smooth_chi2 > 0)
        one->may_fail = fmt::format(
            "FR-STEPS whether the tip jumps or glides within a step of {:.2g} um may not show "
            "(chi2 "
            "{:.2g} against 1): then it is refused, surely for a low Stribeck speed",
            1e6 * basis_.quality.step_m, plan_.smooth_chi2);
    }
  }

  const PlanBasis& basis_;
  const SlidePlan& plan_;
  const SlideFit& fit_;  // mu_s and v_s: refused rather than widened where shapes disagree
  SlideFit spread_;      // all else
  PlannedParameters all_;
};

std::string why_no_slides(const PlannedWork& work) {
  std::vector<long long> speeds;
  std::size_t slides = 0;
  for (const auto& slide : work.slides) {
    if (slide.oscillates) continue;
    ++slides;
    speeds.push_back(std::llround(1e7 * slide.speed_m_per_s));
  }
  std::sort(speeds.begin(), speeds.end());
  speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
  if (slides == 0) return "FR-01 no slides";
  if (slides < kMinSlides || speeds.size() < kMinSpeeds)
    return fmt::format("FR-01 {} slides at {} speeds; {} at {} are needed", slides, speeds.size(),
                       kMinSlides, kMinSpeeds);
  return {};
}

}  // namespace

PlannedParameters plan_friction(const PlanBasis& basis, const Job& job) {
  if (const auto why = why_no_slides(basis.work); !why.empty()) return none_for(why);
  auto plan = slide_plan(basis, job);
  if (plan.fit.covariance.size() == 0)
    return none_for("ID-01 these slides don't separate the numbers of the friction model");
  if (basis.quality.motion_measured() && !swings(basis.work)) take_steady_parts(basis, plan);
  return FrictionPlanner(basis, plan).run();
}

}  // namespace tactelier
