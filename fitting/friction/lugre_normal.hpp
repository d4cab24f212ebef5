#pragma once
// Normal equations of the LuGre fit from the traces' sums: six shared parameters and the shared
// side forces; each trace's own unknown is eliminated.

#include <Eigen/Core>
#include <vector>

#include "fitting/friction/lugre_sums.hpp"

namespace tactelier {

constexpr Eigen::Index kLugreColumns = static_cast<Eigen::Index>(kLugreSize);

struct LugreNormal {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd gradient;
  double chi2 = 0;
};

/// Keeps a reference to the problem.
class LugreGather {
 public:
  explicit LugreGather(const LugreProblem& problem)
      : problem_(problem), size_(kLugreColumns + static_cast<Eigen::Index>(problem.offsets)) {}

  const LugreProblem& problem() const { return problem_; }
  Eigen::Index size() const { return size_; }
  /// How many columns of its sums a trace shares with others.
  Eigen::Index columns(std::size_t trace) const {
    return problem_.traces[trace].offset >= 0 ? kTraceOffset + 1 : kTraceOffset;
  }
  /// Where a trace's column stands among the shared ones.
  Eigen::Index column(std::size_t trace, Eigen::Index local) const {
    return local < kLugreColumns ? local : kLugreColumns + problem_.traces[trace].offset;
  }
  bool has_unknown(std::size_t trace, const TraceSums& sums) const {
    return problem_.traces[trace].unknown != TraceUnknown::kNothing &&
           sums.products(kTraceUnknown, kTraceUnknown) > 0;
  }

  LugreNormal empty() const;
  /// A trace's share of matrix and gradient, its own unknown eliminated (Schur complement).
  void add(std::size_t trace, const TraceSums& sums, LugreNormal& normal, double factor = 1) const;
  /// Takes sigma0 and sigma1 out of the search where the problem holds them.
  void hold(LugreNormal& normal) const;
  LugreNormal all(const std::vector<TraceSums>& sums) const;

 private:
  const LugreProblem& problem_;
  Eigen::Index size_;
};

}  // namespace tactelier
