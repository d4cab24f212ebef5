#include "fitting/friction/friction_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "fitting/friction/friction_level.hpp"
#include "fitting/friction/friction_runs.hpp"
#include "fitting/friction/load_groups.hpp"
#include "fitting/friction/steady_slides.hpp"
#include "fitting/statistics/quantiles.hpp"

namespace tactelier {
namespace {

constexpr double kFormDecided = 20;      // chi2 difference between the forms of N-dependence
constexpr double kLoadsDisagree = 1e-4;  // probability of loads that differ as much by chance
constexpr double kSettlesAtOnce_N_per_m = 1e5;  // of bristles that nothing shows
constexpr std::size_t kLevelSpeeds = 2;         // from which on a level may stand for other speeds
constexpr int kAsTared = -1;                    // no side force of its own
constexpr double kStartDamping = 1e-3;          // s: sigma1 over sigma0 at the start

class Estimator {
 public:
  Estimator(std::span<const SlideRun> runs, const Job& job) : runs_(runs), job_(job) {}

  Result<FrictionEstimate> run() {
    chosen_ = choose_runs(runs_, result_.warnings);
    result_.no_bristles = chosen_.no_swings;
    loads_ = LoadGroups(chosen_);
    result_.reference_N = loads_.reference_N();
    steady_curve();
    if (auto fitted = joint_fit(); !fitted) return fail(fitted.error());
    return std::move(result_);
  }

 private:
  /// Side forces belong to a contact and an axis. Slides one way can't tell theirs from friction:
  /// the free air before them did.
  int offset_of(const SlideRun& run) {
    if (one_way_) return kAsTared;
    const auto angle = static_cast<int>(
        std::lround(10 * std::atan2(run.direction[1], run.direction[0]) / std::numbers::pi));
    const auto key = std::array{static_cast<int>(run.session), run.contact, angle};
    return offsets_.try_emplace(key, static_cast<int>(offsets_.size())).first->second;
  }

  void steady_curve() {
    for (const auto* run : chosen_.slides) result_.points.push_back(steady_run(*run).point);
    one_way_ = go_one_way(result_.points);
    for (std::size_t i = 0; i < result_.points.size(); ++i)
      result_.points[i].offset = offset_of(*chosen_.slides[i]);
    turn_if_inverted();
    result_.no_curve = too_few_speeds(all_speeds());
    if (!result_.no_curve.empty()) {
      const bool enough_were_tried = too_few_speeds(chosen_.attempted).empty();
      if (!chosen_.why_left_out.empty() && (enough_were_tried || chosen_.attempted.empty()))
        result_.no_curve = chosen_.why_left_out;
      if (result_.points.empty() && chosen_.why_left_out.empty())
        result_.no_curve =
            "FR-01 No slides were recorded; need ≥ 6 different speeds for a Stribeck curve.";
      take_level();
      return;
    }
    warn_of_one_way();
    if (const double x = asymmetry(result_.points); x > kMaxAsymmetry)
      result_.warnings.push_back(
          {"FR-07",
           fmt::format("Forward and backward friction differ by {:.0f} %: side-load offset or "
                       "tilt.",
                       100 * x),
           "friction"});
    const auto model = choose_sliding(result_.points);
    const auto steady = fit_sliding(result_.points, SlidingModel::kStribeck);
    if (!steady) {
      result_.no_curve = "FR-01 " + steady.error().message;
      return;
    }
    result_.steady = *steady;
    if (chosen_.swings.empty()) weigh_alike(*steady);
    result_.no_drop = model != SlidingModel::kStribeck || result_.steady->drop <= 0;
    if (!result_.no_drop) result_.no_stribeck = not_bracketed(all_speeds(), *result_.steady);
    if ((!result_.no_drop && result_.no_stribeck.empty()) || measured(chosen_.slides)) return;
    result_.no_curve =
        "FR-02 The curve is level or does not bracket the Stribeck speed, and slower slides of "
        "this "
        "stage are jerks: µ_s and µ_d can't be told apart. Use a finer stage, or sample it at ≥ "
        "400 "
        "Hz.";
  }

  void warn_of_one_way() {
    if (one_way_)
      result_.warnings.push_back(
          {"ONE-WAY",
           "All slides go one way: a load that leans, or a side force of the set-up, can't be told "
           "from friction and is part of µ. Slide back too.",
           "friction"});
  }

  /// Of few speeds. Slides that a stage's steps may make a row of jerks were left out before.
  void take_level() {
    if (distinct_speeds(result_.points).size() < kLevelSpeeds) return;
    auto level = friction_level(result_.points);
    if (!level) return;
    warn_of_one_way();
    result_.is_level = true;
    result_.form = "constant";
    result_.form_decided = result_.motion_measured = true;
    result_.joint = std::move(level->law);
    result_.warnings.push_back(std::move(level->said));
    add_load_zero(*result_.joint, {});
  }

  /// Steady points, and speeds alone of slides that have no steady part.
  std::vector<SlidePoint> all_speeds() const {
    auto all = result_.points;
    for (const auto* run : chosen_.brief)
      all.push_back(
          {run->direction[0] * run->event.vx_m_per_s + run->direction[1] * run->event.vy_m_per_s});
    return all;
  }

  /// Runs that differ by more than their noise weigh alike, however many readings each holds.
  void weigh_alike(const StribeckFit& steady) {
    spread_ = spread_of_runs(result_.points, steady);
    for (auto& point : result_.points)
      point.u_N = std::hypot(point.u_N, spread_ * point.friction_N);
    if (auto again = fit_sliding(result_.points, SlidingModel::kStribeck)) result_.steady = *again;
  }

  static bool go_one_way(std::span<const SlidePoint> points) {
    const auto forward = std::count_if(points.begin(), points.end(),
                                       [](const SlidePoint& p) { return p.velocity_m_per_s > 0; });
    return forward == 0 || forward == static_cast<std::ptrdiff_t>(points.size());
  }

  static bool measured(const std::vector<const SlideRun*>& runs) {
    return std::all_of(runs.begin(), runs.end(),
                       [](const auto* run) { return run->motion_measured; });
  }

  /// What slides to and fro differ by; of slides one way what they are.
  double braking() const {
    double forward = 0, backward = 0, n_forward = 0, n_backward = 0;
    for (const auto& point : result_.points) {
      const bool ahead = point.velocity_m_per_s > 0;
      (ahead ? forward : backward) += point.friction_N / point.normal_N;
      ++(ahead ? n_forward : n_backward);
    }
    return forward / std::max(1.0, n_forward) - backward / std::max(1.0, n_backward);
  }

  /// Friction brakes: a negative coefficient is a wrong sign of the side force.
  void turn_if_inverted() {
    if (result_.points.empty() || braking() >= 0) return;
    sign_ = -1;
    for (auto& point : result_.points) point.friction_N = -point.friction_N;
    result_.warnings.push_back(
        {"CV-01", "The side force drives the slides: its sign is inverted, and was turned.",
         "friction"});
  }

  FrictionTrace trace_of(const SlideRun& run) {
    FrictionTrace trace;
    trace.where = run.where;
    trace.period_s = run.period_s;
    trace.velocity_m_per_s = run.velocity_m_per_s;
    trace.normal_N = run.normal_N;
    trace.force_N = run.friction_N;
    for (double& f : trace.force_N) f *= sign_;
    trace.sigma_N = run.sigma_N > 0 ? run.sigma_N : 1e-3;
    trace.load_ratio = run.mean_normal_N / result_.reference_N;
    if (run.event.oscillation) {
      trace.unknown = TraceUnknown::kOffset;
      return trace;
    }
    trace.offset = offset_of(run);
    if (run.motion_measured && !chosen_.swings.empty()) {
      trace.unknown = TraceUnknown::kStart;
      return trace;
    }
    const auto window = steady_window(run);
    trace.compared = window.begin;
    const std::span steady(trace.force_N.data() + window.begin, window.end - window.begin);
    const double squared = std::inner_product(steady.begin(), steady.end(), steady.begin(), 0.0);
    trace.sigma_N = std::hypot(trace.sigma_N, spread_ * std::sqrt(squared));
    for (auto* column : {&trace.velocity_m_per_s, &trace.normal_N, &trace.force_N})
      column->resize(window.end);
    return trace;
  }

  /// Traces of one load, or of all; side forces numbered anew.
  LugreProblem problem(std::optional<std::size_t> load, bool proportional) {
    LugreProblem found{{}, 0, proportional};
    std::map<int, int> renumbered;
    for (const auto* runs : {&chosen_.slides, &chosen_.brief, &chosen_.swings})
      for (const auto* run : *runs) {
        if (load && loads_.of(*run) != *load) continue;
        auto trace = trace_of(*run);
        if (trace.offset >= 0)
          trace.offset = renumbered.try_emplace(trace.offset, static_cast<int>(renumbered.size()))
                             .first->second;
        found.traces.push_back(std::move(trace));
      }
    found.offsets = renumbered.size();
    found.hold_bristles = chosen_.swings.empty();
    return found;
  }

  LugreValues start() const {
    const auto& steady = *result_.steady;
    const double sigma0 =
        chosen_.stiffness_N_per_m > 0 ? chosen_.stiffness_N_per_m : kSettlesAtOnce_N_per_m;
    const double mu_d = std::max(0.05 * steady.mu_s, steady.mu_d());
    return {sigma0, kStartDamping * sigma0, std::max(0.0, steady.c_t), steady.mu_s,
            mu_d,   steady.v_s_m_per_s};
  }

  Result<void> joint_fit() {
    result_.motion_measured = measured(chosen_.slides);
    if (!result_.steady) {
      if (result_.no_bristles.empty()) result_.no_bristles = result_.no_curve;
      return {};
    }
    auto constant = fit_lugre(problem({}, false), start(), job_);
    if (!constant)
      return constant.error().code == ErrorCode::kCancelled ? Result<void>(fail(constant.error()))
                                                            : Result<void>();
    result_.form = "constant";
    result_.joint = *constant;
    const auto swung = loads_.count(chosen_.swings);
    if (swung > 1) {
      auto going = fit_lugre(problem({}, true), start(), job_);
      if (!going && going.error().code == ErrorCode::kCancelled) return fail(going.error());
      if (going) {
        result_.form_decided = std::abs(going->chi2 - constant->chi2) > kFormDecided;
        if (going->chi2 < constant->chi2) {
          result_.form = "proportional";
          result_.joint = *going;
        }
      }
    }
    const auto& values = result_.joint->values;
    add_load_zero(*result_.joint, {});
    result_.damping_ratio = 2 * std::numbers::pi * chosen_.top_frequency_hz * values[kLugreSigma1] /
                            values[kLugreSigma0];
    return compare_loads();
  }

  /// A load whose zero is off by u makes friction coefficients off by u/N, alike in all runs of a
  /// contact. As weighted as the runs are: by N.
  void add_load_zero(LugreFit& fit, std::optional<std::size_t> load) const {
    double squares = 0, weights = 0;
    std::map<std::pair<std::size_t, int>, double> errors;  // by contact
    for (const auto* run : chosen_.slides) {
      if (load && loads_.of(*run) != *load) continue;
      const double weight = run->mean_normal_N * run->mean_normal_N;
      weights += weight;
      errors[{run->session, run->contact}] += weight * run->u_normal_N / run->mean_normal_N;
    }
    for (const auto& [contact, error] : errors) squares += error * error;
    const double relative = weights > 0 ? std::sqrt(squares) / weights : 0;
    if (fit.covariance.size() == 0) return;
    for (const auto i : {kLugreStatic, kLugreDynamic})
      for (const auto k : {kLugreStatic, kLugreDynamic})
        fit.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) +=
            relative * relative * fit.values[i] * fit.values[k];
  }

  /// Each load alone; where they differ by more than chance, the reference load speaks for itself.
  Result<void> compare_loads() {
    if (loads_.size() < 2) return {};
    for (std::size_t load = 0; load < loads_.size(); ++load) {
      auto fit =
          fit_lugre(problem(load, result_.form == "proportional"), result_.joint->values, job_);
      if (!fit && fit.error().code == ErrorCode::kCancelled) return fail(fit.error());
      if (!fit || fit->covariance.size() == 0) continue;
      add_load_zero(*fit, load);
      result_.by_load.push_back({loads_.mean_N(load), std::move(*fit)});
    }
    for (const auto& [index, name] : {std::pair{kLugreStatic, "µ_s"}, {kLugreDynamic, "µ_d"}})
      compare(index, name);
    if (result_.loads_agree) return {};
    for (const auto& load : result_.by_load)
      if (load.load_N == result_.reference_N) result_.joint = load.fit;
    return {};
  }

  void compare(LugreIndex index, const char* name) {
    const auto j = static_cast<Eigen::Index>(index);
    double weights = 0, mean = 0, chi2 = 0;
    for (const auto& load : result_.by_load) {
      const double weight = 1 / load.fit.covariance(j, j);
      weights += weight;
      mean += weight * load.fit.values[index];
    }
    mean /= weights;
    for (const auto& load : result_.by_load) {
      const double off = load.fit.values[index] - mean;
      chi2 += off * off / load.fit.covariance(j, j);
    }
    const auto dof = static_cast<double>(result_.by_load.size()) - 1;
    if (dof < 1 || chi2_survival(chi2, dof) > kLoadsDisagree) return;
    result_.loads_agree = false;
    std::string list;
    for (const auto& load : result_.by_load)
      list += fmt::format("{}{:.3g} at {:.2g} N", list.empty() ? "" : ", ", load.fit.values[index],
                          load.load_N);
    result_.warnings.push_back(
        {"ID-07",
         fmt::format("{} is not the same at all loads ({}): the numbers hold for {:.2g} N only.",
                     name, list, result_.reference_N),
         "friction"});
  }

  std::span<const SlideRun> runs_;
  const Job& job_;
  FrictionEstimate result_;
  ChosenRuns chosen_;
  LoadGroups loads_;
  std::map<std::array<int, 3>, int> offsets_;
  double sign_ = 1;
  bool one_way_ = false;
  double spread_ = 0;  // of runs without presliding, of their friction
};

}  // namespace

Result<FrictionEstimate> estimate_friction(std::span<const SlideRun> runs, const Job& job) {
  return Estimator(runs, job).run();
}

}  // namespace tactelier
