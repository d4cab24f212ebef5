#include "fitting/relaxation/relaxation_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

// Times this close above the shortest that shows are those that happened to come out long enough.
constexpr double kSurelyAbove = 1.2;
constexpr std::size_t kFewHolds = 3;  // fewer show nothing of how they scatter
// Of a branch and its time behind a computed ramp: what the surface and the force drift within a
// hold, and how late the stage follows its line, which all holds share.
constexpr double kShared = 0.005;
// Of rests: branches slower than the staircase stand in the level of the next ones.
constexpr double kSharedByRests = 0.03;
constexpr double kMisfitOfRests = 1.5;  // chi^2 per degree of freedom
constexpr double kFalls = 0.01;         // of the force: more than drift and noise of a hold's ends

/// g_inf, g.., log tau.. and what the fit leaves open of them.
struct Fractions {
  std::vector<double> value;
  std::vector<double> u;
};

Fractions fractions(const PronyFit& fit) {
  const auto m = static_cast<Eigen::Index>(fit.k.size());
  double k0 = fit.k_inf;
  for (const double k : fit.k) k0 += k;
  const double inflation = serial_inflation(std::clamp(fit.lag1, 0.0, 0.99));
  const double dof = static_cast<double>(fit.rows) - 1 - 2 * static_cast<double>(m);
  const double scale = inflation * std::sqrt(std::max(1.0, fit.chi2 / dof));
  // dg_i/dk_j = (delta_ij - g_i) / k0, with g_0 = g_inf
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(1 + 2 * m, 1 + 2 * m);
  Fractions one;
  for (Eigen::Index i = 0; i <= m; ++i) {
    const double g = (i == 0 ? fit.k_inf : fit.k[static_cast<std::size_t>(i - 1)]) / k0;
    one.value.push_back(g);
    for (Eigen::Index j = 0; j <= m; ++j) turn(i, j) = ((i == j ? 1 : 0) - g) / k0;
  }
  for (Eigen::Index b = 0; b < m; ++b) {
    one.value.push_back(std::log(fit.tau_s[static_cast<std::size_t>(b)]));
    turn(1 + m + b, 1 + m + b) = 1;
  }
  if (fit.covariance.size() == 0) {
    one.u.assign(one.value.size(), HUGE_VAL);
    return one;
  }
  const Eigen::MatrixXd covariance = turn * fit.covariance * turn.transpose();
  for (Eigen::Index i = 0; i < covariance.rows(); ++i)
    one.u.push_back(scale * std::sqrt(covariance(i, i)));
  return one;
}

/// What an error of all branches in proportion does to value i: fractions by their size, g_inf by
/// what is left of 1, logarithms of times by 1.
double shared_by(const Fractions& found, std::size_t i) {
  const std::size_t branches = (found.value.size() - 1) / 2;
  if (i == 0) return 1 - found.value[0];
  return i <= branches ? found.value[i] : 1;
}

/// What lines that all began later by `late_s` do to value i: a branch that had so much less time
/// to fall looks so much stronger.
double late_by(const Fractions& found, std::size_t i, double late_s) {
  const std::size_t branches = (found.value.size() - 1) / 2;
  const auto one = [&](std::size_t b) {
    return found.value[b] * late_s / std::exp(found.value[branches + b]);
  };
  if (i > branches) return 0;
  if (i > 0) return one(i);
  double sum = 0;
  for (std::size_t b = 1; b <= branches; ++b) sum += one(b);
  return sum;
}

/// Leaves out one hold after the other: how much the holds differ. Empty with few holds.
std::vector<double> jackknife(const std::vector<HoldTrace>& traces, std::size_t branches,
                              TauWindow window) {
  std::vector<std::vector<double>> without;
  for (std::size_t out = 0; out < traces.size() && traces.size() >= kFewHolds; ++out) {
    auto rest = traces;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
    const auto fit = fit_scaled_prony(std::move(rest), branches, window);
    if (fit) without.push_back(fractions(*fit).value);
  }
  if (without.size() < kFewHolds) return {};
  const auto n = static_cast<double>(without.size());
  std::vector<double> std(without[0].size());
  for (std::size_t i = 0; i < std.size(); ++i) {
    double mean = 0, squares = 0;
    for (const auto& one : without) mean += one[i] / n;
    for (const auto& one : without) squares += (one[i] - mean) * (one[i] - mean);
    std[i] = std::sqrt(squares * (n - 1) / n);
  }
  return std;
}

double fall_of(const HoldPress& hold) {
  std::vector<double> first, last;
  const auto& trace = hold.trace;
  for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
    if (!(trace.sigma_N[i] > 0)) continue;
    if (first.size() < 10) first.push_back(trace.force_N[i]);
    last.push_back(trace.force_N[i]);
  }
  const auto tail = std::span(last).last(std::min<std::size_t>(10, last.size()));
  const double begin_N = median(first);
  return begin_N > 0 ? (begin_N - median(tail)) / begin_N : 0;
}

std::string why_none(std::span<const HoldPress> all) {
  for (const auto& hold : all)
    if (!hold.at_force && !hold.refusal.empty()) return hold.refusal;
  for (const auto& hold : all)
    if (hold.at_force)
      return "DP-03 All holds are at constant force: they show creep, not relaxation. Hold a "
             "depth.";
  return "DP-03 No hold was recorded: hold a depth for several relaxation times.";
}

RelaxationEstimate estimate(std::span<const HoldPress> all, bool rests) {
  RelaxationEstimate result;
  std::vector<HoldTrace> traces;
  std::vector<double> falls;
  TauWindow window{0, HUGE_VAL};
  double u_late_s = 0;
  for (const auto& hold : all) {
    if (hold.at_force || !hold.refusal.empty()) continue;
    u_late_s = std::max(u_late_s, hold.u_late_s);
    traces.push_back(hold.trace);
    falls.push_back(fall_of(hold));
    window.low_s = std::max(window.low_s, hold.window.low_s);
    window.high_s = std::min(window.high_s, hold.window.high_s);
  }
  if (traces.empty()) {
    result.refusal = why_none(all);
    return result;
  }
  result.fall = median(falls);
  result.holds = traces.size();
  result.branches = count_branches(traces, window);
  if (result.branches == 0 && result.fall > kFalls) {
    result.unresolved = true;
    result.refusal = fmt::format(
        "DP-03 The force falls by {:.2g} % over the hold, and no time that is known describes how: "
        "hold longer.",
        100 * result.fall);
    return result;
  }
  if (result.branches == 0) {
    result.refusal = fmt::format(
        "DP-02 The force falls by {:.2g} % over the hold: no relaxation above the noise.",
        100 * result.fall);
    return result;
  }
  const auto fit = fit_scaled_prony(traces, result.branches, window);
  const bool hardly_shows =
      fit && *std::min_element(fit->tau_s.begin(), fit->tau_s.end()) < kSurelyAbove * window.low_s;
  if (!fit || fit->at_bound || hardly_shows) {
    const bool slow = !fit || 1.05 * fit->tau_s.back() > window.high_s;
    result.unresolved = true;
    result.refusal = fmt::format(
        "DP-03 Relaxation time at the limit of the record ({:.2g} s): hold longer / sample faster.",
        slow ? window.high_s : window.low_s);
    return result;
  }
  result.chi2_per_dof =
      fit->chi2 / (static_cast<double>(fit->rows) - 1 - 2 * static_cast<double>(result.branches));
  if (rests && result.chi2_per_dof > kMisfitOfRests) {
    result.unresolved = true;
    result.refusal = fmt::format(
        "DP-03 The force falls in the rests of a staircase, but no times describe it (χ²/ν = "
        "{:.3g}): hold a depth for longer.",
        result.chi2_per_dof);
    return result;
  }
  const auto found = fractions(*fit);
  const auto between = rests ? std::vector<double>{} : jackknife(traces, result.branches, window);
  const bool computed = std::any_of(traces.begin(), traces.end(),
                                    [](const HoldTrace& trace) { return trace.u_zero_m > 0; });
  const auto one = [&](std::size_t i) {
    const bool wider = !between.empty() && between[i] > found.u[i];
    const double shared =
        rests      ? kSharedByRests * shared_by(found, i)
        : computed ? std::hypot(kShared * shared_by(found, i), late_by(found, i, u_late_s))
                   : 0;
    return wider ? Estimate{found.value[i], std::hypot(between[i], shared),
                            static_cast<double>(traces.size()) - 1}
                 : Estimate{found.value[i], std::hypot(found.u[i], shared), kManyDegrees};
  };
  result.g_inf = one(0);
  for (std::size_t b = 0; b < result.branches; ++b) {
    result.g.push_back(one(1 + b));
    result.log_tau.push_back(one(1 + result.branches + b));
  }
  result.method =
      rests ? std::string("within the rests of staircases, with 3 % for what they share")
      : between.empty()
          ? std::string("within the holds; fewer than 3 holds show no scatter between holds")
          : fmt::format("within {} holds or between them (jackknife), the wider", traces.size());
  return result;
}

}  // namespace

RelaxationEstimate estimate_relaxation(std::span<const HoldPress> holds) {
  return estimate(holds, false);
}

RelaxationEstimate estimate_from_rests(std::span<const HoldPress> rests) {
  return estimate(rests, true);
}

}  // namespace tactelier
