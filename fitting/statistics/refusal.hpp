#pragma once
// When to refuse (docs/theory/statistics.md 6): a parameter is reported only if the data determine
// it.
// One function decides for every stage, so that refusals read alike everywhere.

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/identified.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct Candidate {
  std::string name;  // as the user knows it: "press gain"
  std::string unit;
  Estimate estimate;   // of log(theta) when `logarithmic`
  double u_total = 0;  // expanded uncertainty with systematic parts; 0: from estimate alone
  bool logarithmic = false;
  bool location = false;  // offset, intercept, position: may be 0, so no test of U against |value|
  std::optional<double> at_bound;    // the bound it rests on
  std::optional<double> rise_below;  // rise of the profile cost (half chi^2) on either side, when
  std::optional<double> rise_above;  // it was computed: less than 1.92 is an open side
};

struct FitEvidence {
  std::optional<Condition> condition;  // of the whitened Jacobian, columns as candidates
  Eigen::MatrixXd covariance;          // p x p or empty; for ID-03
  std::optional<double> chi2_per_dof;  // when the noise is known
  double dof = 0;
  double sigma_dof = std::numeric_limits<double>::infinity();  // behind the known noise
  int tests = 1;  // fits of one kind that are judged together, tactels for one: for ID-07
  std::optional<double> runs_p;                // of the residuals in order
  std::vector<std::vector<double>> solutions;  // of the multi-start, best first (ID-05)
  std::vector<double> costs;                   // like solutions
};

struct Verdict {
  bool reported = true;
  std::string reason;  // "ID-02 k = 3 ± 5 N/m: interval wider than the value."
};

struct Judgement {
  std::vector<Verdict> verdicts;  // one per candidate
  Warnings warnings;              // ID-01 (1e3 .. 1e6), ID-03, ID-07
};

constexpr double kConditionWarn = 1e3;
constexpr double kConditionRefuse = 1e6;

/// `where` goes into the warnings: press, tactel or file.
Judgement judge(std::span<const Candidate> candidates, const FitEvidence& evidence,
                const std::string& where = {});

/// identified() or identified_log() when the verdict allows, else unidentifiable with its reason.
Parameter reported(const Candidate& candidate, const Verdict& verdict, std::string from,
                   std::span<const Component> systematic = {});

/// "1.85e+05 ± 2.1e+03 N/m", for messages.
std::string with_uncertainty(double value, double expanded, const std::string& unit);

}  // namespace tactelier
