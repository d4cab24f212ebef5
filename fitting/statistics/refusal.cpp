#include "fitting/statistics/refusal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "fitting/statistics/criteria.hpp"

namespace tactelier {
namespace {

constexpr double kProfileRise = 1.92;     // half of chi2_0.95(1) = 3.84
constexpr double kCorrelation = 0.99;     // ID-03
constexpr double kTakesPart = 0.1;        // entry of a weak direction that counts as taking part
constexpr double kLogLimit = 0.5;         // of u(log theta)
constexpr double kRunsLimit = 0.001;      // ID-07
constexpr std::size_t kStarts = 8;        // ID-05: of eight starts ...
constexpr std::size_t kStartsAgree = 6;   // ... six have to agree
constexpr double kStartTolerance = 1e-3;  // in cost and in every parameter

double expanded(const Candidate& c) {
  if (c.u_total > 0) return c.u_total;
  return c.estimate.dof >= 1 ? coverage_95(c.estimate.dof) * c.estimate.std : 0;
}

double value_of(const Candidate& c) {
  return c.logarithmic ? std::exp(c.estimate.value) : c.estimate.value;
}

std::string number(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string separation(std::span<const Candidate> candidates, const Condition& condition) {
  const auto& first = candidates[condition.first].name;
  if (condition.first == condition.second)
    return fmt::format("ID-01 Data do not depend on {}.", first);
  return fmt::format("ID-01 Data do not separate {} from {} (cond {:.2g}).", first,
                     candidates[condition.second].name, condition.number);
}

std::string wider_than_value(const Candidate& c) {
  const bool refused =
      c.logarithmic ? !(c.estimate.std < kLogLimit) : !(expanded(c) < std::abs(c.estimate.value));
  if (c.location || !refused) return {};
  const double half = c.logarithmic
                          ? value_of(c) * std::expm1(coverage_95(c.estimate.dof) * c.estimate.std)
                          : expanded(c);
  return fmt::format("ID-02 {} = {}: interval wider than the value.", c.name,
                     with_uncertainty(value_of(c), half, c.unit));
}

std::string open_side(const Candidate& c) {
  const bool below = c.rise_below && *c.rise_below < kProfileRise;
  const bool above = c.rise_above && *c.rise_above < kProfileRise;
  if (!below && !above) return {};
  if (below && above)
    return fmt::format("ID-04 {} has neither a lower nor an upper limit.", c.name);
  return fmt::format("ID-04 {} has only {} limit: {}.", c.name, above ? "a lower" : "an upper",
                     number(value_of(c), c.unit));
}

/// Indices of one solution for each cluster of starts, when they don't agree.
std::string several_solutions(const FitEvidence& evidence) {
  const auto& found = evidence.solutions;
  assert(found.size() == evidence.costs.size());
  if (found.size() < 2) return {};
  const auto same = [&](std::size_t i) {
    if (evidence.costs[i] - evidence.costs[0] > kStartTolerance * std::abs(evidence.costs[0]))
      return false;
    for (std::size_t j = 0; j < found[0].size(); ++j)
      if (std::abs(found[i][j] - found[0][j]) > kStartTolerance * std::abs(found[0][j]))
        return false;
    return true;
  };
  std::size_t agreeing = 0;
  std::string list;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool agrees = same(i);
    agreeing += agrees ? 1 : 0;
    if (i == 0 || !agrees)
      list += fmt::format("{}({:.4g}) at cost {:.4g}", list.empty() ? "" : ", ",
                          fmt::join(found[i], ", "), evidence.costs[i]);
  }
  if (agreeing * kStarts >= kStartsAgree * found.size()) return {};
  return fmt::format("ID-05 Several solutions fit: {}.", list);
}

void warn_condition(std::span<const Candidate> candidates, const FitEvidence& evidence,
                    const std::string& where, Warnings& warnings) {
  if (!evidence.condition || evidence.condition->number < kConditionWarn) return;
  warnings.push_back({"ID-01", separation(candidates, *evidence.condition).substr(6), where});
}

/// The combination that the data do know: a + (u_a/u_b) b for rho -> -1, the difference for +1.
void warn_correlation(std::span<const Candidate> candidates, const FitEvidence& evidence,
                      const std::string& where, Warnings& warnings) {
  const auto& c = evidence.covariance;
  for (Eigen::Index i = 0; i < c.rows(); ++i)
    for (Eigen::Index j = i + 1; j < c.cols(); ++j) {
      const double scale = std::sqrt(c(i, i) * c(j, j));
      if (!(scale > 0) || std::abs(c(i, j)) < kCorrelation * scale) continue;
      const auto& a = candidates[static_cast<std::size_t>(i)];
      const auto& b = candidates[static_cast<std::size_t>(j)];
      const double factor = std::copysign(std::sqrt(c(i, i) / c(j, j)), -c(i, j));
      const double variance = c(i, i) + factor * factor * c(j, j) + 2 * factor * c(i, j);
      const double combined = a.estimate.value + factor * b.estimate.value;
      const auto name = [](const Candidate& x) {
        return x.logarithmic ? fmt::format("ln({})", x.name) : x.name;
      };
      warnings.push_back(
          {"ID-03",
           fmt::format("{} and {} are known only together: {} {} {:.4g} * {} = {}.", a.name, b.name,
                       name(a), factor < 0 ? '-' : '+', std::abs(factor), name(b),
                       with_uncertainty(combined, std::sqrt(std::max(0.0, variance)),
                                        a.logarithmic ? "" : a.unit)),
           where});
    }
}

void warn_quality(const FitEvidence& evidence, const std::string& where, Warnings& warnings) {
  const bool misfit = evidence.chi2_per_dof && !chi2_plausible(*evidence.chi2_per_dof, evidence.dof,
                                                               evidence.sigma_dof, evidence.tests);
  const bool patterned = evidence.runs_p && *evidence.runs_p <= kRunsLimit / evidence.tests;
  if (!misfit && !patterned) return;
  const std::string figure = evidence.chi2_per_dof
                                 ? fmt::format("χ²/ν = {:.3g}", *evidence.chi2_per_dof)
                                 : fmt::format("run test p = {:.2g}", *evidence.runs_p);
  warnings.push_back(
      {"ID-07",
       fmt::format("Model does not describe the data ({}); numbers are descriptive only.", figure),
       where});
}

Verdict verdict_on(const Candidate& c, std::size_t index, std::span<const Candidate> all,
                   const FitEvidence& evidence, const std::string& several) {
  const auto refuse = [](std::string reason) { return Verdict{false, std::move(reason)}; };
  if (evidence.condition && evidence.condition->number > kConditionRefuse &&
      evidence.condition->share_in_weak(index, kConditionRefuse) >= kTakesPart)
    return refuse(separation(all, *evidence.condition));
  if (!several.empty()) return refuse(several);
  if (c.at_bound)
    return refuse(
        fmt::format("ID-06 {} ended at its limit {}.", c.name, number(*c.at_bound, c.unit)));
  if (auto text = open_side(c); !text.empty()) return refuse(std::move(text));
  if (!std::isfinite(c.estimate.value) || !std::isfinite(c.estimate.std))
    return refuse(
        fmt::format("ID-01 Data do not determine {}: its uncertainty is not finite.", c.name));
  if (!(c.estimate.std > 0 && c.estimate.dof >= 1) && !(c.u_total > 0))
    return refuse(fmt::format("ID-02 {} = {}: how far to trust it can't be told from these data.",
                              c.name, number(value_of(c), c.unit)));
  if (auto text = wider_than_value(c); !text.empty()) return refuse(std::move(text));
  return {};
}

}  // namespace

std::string with_uncertainty(double value, double expanded_u, const std::string& unit) {
  return fmt::format("{:.4g} ± {:.2g}{}{}", value, expanded_u, unit.empty() ? "" : " ", unit);
}

Judgement judge(std::span<const Candidate> candidates, const FitEvidence& evidence,
                const std::string& where) {
  Judgement judgement;
  const std::string several = several_solutions(evidence);
  for (std::size_t i = 0; i < candidates.size(); ++i)
    judgement.verdicts.push_back(verdict_on(candidates[i], i, candidates, evidence, several));
  warn_condition(candidates, evidence, where, judgement.warnings);
  warn_correlation(candidates, evidence, where, judgement.warnings);
  warn_quality(evidence, where, judgement.warnings);
  return judgement;
}

Parameter reported(const Candidate& candidate, const Verdict& verdict, std::string from,
                   std::span<const Component> systematic) {
  if (!verdict.reported) return unidentifiable(candidate.unit, verdict.reason, std::move(from));
  return candidate.logarithmic
             ? identified_log(candidate.estimate, candidate.unit, std::move(from), systematic)
             : identified(candidate.estimate, candidate.unit, std::move(from), systematic);
}

}  // namespace tactelier
