#include "fitting/psf/crosstalk.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <map>

namespace tactelier {
namespace {

constexpr double kZeroBelow = 2;  // sigma
constexpr double kAnswers = 5;    // sigma of a row's noise

/// Weighted slope of one tactel's rows in one press over force; what never answers has none.
struct Slope {
  double value = 0, variance = 0;
};

Slope slope_of(const PsfTactel& tactel, const PsfGroup& group) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, most_N = 0, least = 1e300;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const auto& row = tactel.rows[i];
    const double sigma = 1 / std::sqrt(row.weight);
    most_N = std::max(most_N, row.force_N);
    least = std::min(least, sigma);
    if (row.kind == PsfRowKind::kCeiling || row.counts < kAnswers * sigma) continue;
    const double w = row.weight;
    n += w;
    x += w * row.force_N;
    y += w * row.counts;
    xx += w * row.force_N * row.force_N;
    xy += w * row.force_N * row.counts;
  }
  const double spread = n > 0 ? xx - x * x / n : 0;
  if (spread > 0) return {(xy - x * y / n) / spread, 1 / spread};
  const double silent = most_N > 0 ? least / most_N : 0;
  return {0, silent * silent};
}

}  // namespace

Result<Crosstalk> split_crosstalk(const Eigen::MatrixXd& slopes, const Eigen::MatrixXd& errors,
                                  std::vector<int> tactels) {
  Crosstalk result;
  result.tactels = std::move(tactels);
  result.gain = slopes.diagonal();
  if (!(result.gain.minCoeff() > 0))
    return fail(ErrorCode::kUnidentifiable,
                "RS-01 a tactel does not answer to a press on itself: no cross-talk matrix");
  Eigen::MatrixXd kept = slopes;
  for (Eigen::Index p = 0; p < kept.rows(); ++p)
    for (Eigen::Index q = 0; q < kept.cols(); ++q)
      if (p != q && std::abs(kept(p, q)) < kZeroBelow * errors(p, q)) {
        kept(p, q) = 0;
        ++result.zeroed;
      }
  result.matrix = result.gain.cwiseInverse().asDiagonal() * kept;
  const Eigen::VectorXd singular = Eigen::BDCSVD<Eigen::MatrixXd>(kept).singularValues();
  result.condition = singular(0) / singular(singular.size() - 1);
  if (result.condition < kInvertible) result.inverse = kept.inverse();
  return result;
}

CrosstalkSlopes crosstalk_slopes(const FitContext& context, const PsfData& data,
                                 double scatter_relative) {
  CrosstalkSlopes result;
  std::map<int, std::vector<std::uint32_t>> presses;  // by the tactel pressed
  for (std::uint32_t k = 0; k < data.press_row.size(); ++k) {
    const auto& at = context.contacts[data.press_row[k]];
    if (const auto tactel = context.sessions[at.session].presses[at.press].tactel)
      presses[*tactel].push_back(k);
  }
  std::map<int, const PsfTactel*> fitted;
  for (const auto& tactel : data.problem.tactels)
    if (presses.contains(tactel.index)) fitted[tactel.index] = &tactel;
  for (const auto& [index, tactel] : fitted) result.tactels.push_back(index);
  const auto n = static_cast<Eigen::Index>(result.tactels.size());
  result.slopes.setZero(n, n);
  result.errors.setZero(n, n);
  for (Eigen::Index p = 0; p < n; ++p) {
    const auto& tactel = *fitted[result.tactels[static_cast<std::size_t>(p)]];
    for (Eigen::Index q = 0; q < n; ++q) {
      double sum = 0, variance = 0, count = 0;
      for (const auto& group : tactel.groups) {
        const auto& on = presses[result.tactels[static_cast<std::size_t>(q)]];
        if (std::find(on.begin(), on.end(), group.press) == on.end()) continue;
        const auto slope = slope_of(tactel, group);
        const double own = scatter_relative * slope.value;
        sum += slope.value;
        variance += slope.variance + own * own;
        ++count;
      }
      if (count == 0) continue;  // too far away to have been looked at
      result.slopes(p, q) = sum / count;
      result.errors(p, q) = std::sqrt(variance) / count;
    }
  }
  return result;
}

double crosstalk_delta_bic(const CrosstalkSlopes& measured, const Eigen::MatrixXd& predicted,
                           int spread_parameters) {
  double chi2 = 0, pairs = 0;
  for (Eigen::Index p = 0; p < predicted.rows(); ++p)
    for (Eigen::Index q = 0; q < predicted.cols(); ++q) {
      if (p == q || !(measured.errors(p, q) > 0) || measured.slopes(p, q) == 0) continue;
      const double off = (measured.slopes(p, q) - predicted(p, q)) / measured.errors(p, q);
      chi2 += off * off;
      ++pairs;
    }
  return pairs > 0 ? (pairs - spread_parameters) * std::log(pairs) - chi2 : 0;
}

}  // namespace tactelier
