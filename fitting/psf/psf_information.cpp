#include "fitting/psf/psf_information.hpp"

#include <algorithm>

namespace tactelier {

std::vector<int> free_columns(const PsfProblem& problem, const PsfFit& fit) {
  std::vector<int> columns;
  const auto shared = static_cast<int>(fit.normal.shared.rows());
  for (int k = 0; k < shared; ++k)
    if (std::find(fit.held.begin(), fit.held.end(), k) == fit.held.end()) columns.push_back(k);
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    columns.push_back(static_cast<int>(slope_column(fit, t)));
    if (problem.tactels[t].intercept_free(fit.state.intercept[t]))
      columns.push_back(static_cast<int>(intercept_column(fit, t)));
  }
  for (std::size_t p = 0; p < fit.normal.presses.size(); ++p)
    if (problem.presses[p].used) columns.push_back(static_cast<int>(scale_column(fit, p)));
  return columns;
}

Eigen::MatrixXd whole_information(const PsfProblem& problem, const PsfFit& fit) {
  const auto shared = fit.normal.shared.rows();
  const auto n = psf_parameters(fit);
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, n);
  all.topLeftCorner(shared, shared) = fit.normal.shared;
  for (std::size_t t = 0; t < fit.normal.locals.size(); ++t) {
    const auto at = slope_column(fit, t);
    all.block(at, at, 2, 2) = fit.normal.locals[t].own;
    all.block(at, 0, 2, shared) = fit.normal.locals[t].shared;
    all.block(0, at, shared, 2) = fit.normal.locals[t].shared.transpose();
    for (std::size_t g = 0; g < fit.normal.locals[t].presses.size(); ++g) {
      const auto press = scale_column(fit, problem.tactels[t].groups[g].press);
      all.block<2, 1>(at, press) = fit.normal.locals[t].presses[g];
      all.block<1, 2>(press, at) = fit.normal.locals[t].presses[g].transpose();
    }
  }
  for (std::size_t p = 0; p < fit.normal.presses.size(); ++p) {
    const auto press = scale_column(fit, p);
    all(press, press) = fit.normal.presses[p].information;
    all.col(press).head(shared) = fit.normal.presses[p].shared;
    all.row(press).head(shared) = fit.normal.presses[p].shared.transpose();
  }
  const auto presses = std::ssize(fit.normal.presses);
  if (presses > 0) all.bottomRightCorner(presses, presses) += fit.normal.prior;
  return all;
}

Eigen::MatrixXd picked(const Eigen::MatrixXd& all, const std::vector<int>& columns) {
  const auto n = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd part(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      part(i, j) = all(columns[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
  return part;
}

PsfTied tied_directions(const PsfProblem& problem, const PsfFit& fit,
                        std::span<const PsfDirection> by) {
  const auto n = static_cast<Eigen::Index>(by.size());
  const auto all = psf_parameters(fit), shared = fit.normal.shared.rows();
  const auto presses = std::ssize(problem.presses);
  PsfTied tied{Eigen::MatrixXd::Zero(all, n), Eigen::MatrixXd::Zero(n, n),
               Eigen::MatrixXd::Zero(all, presses), Eigen::MatrixXd::Zero(n, presses)};
  Eigen::Matrix3Xd directions(3, n);
  for (const auto& term : psf_group_terms(problem, fit)) {
    for (Eigen::Index k = 0; k < n; ++k) directions.col(k) = by[static_cast<std::size_t>(k)](term);
    const Eigen::Matrix3Xd own = term.sums.information * directions;
    const auto press = static_cast<Eigen::Index>(term.press);
    tied.score.col(press) += directions.transpose() * term.sums.score;
    tied.information += directions.transpose() * own;
    tied.cross.topRows(shared) += term.by * own.row(2);
    tied.cross.middleRows(slope_column(fit, term.tactel), 2) += own.topRows(2);
    tied.score_of_all.col(press).head(shared) += term.by * term.sums.score(2);
    tied.score_of_all.col(press).segment(slope_column(fit, term.tactel), 2) +=
        term.sums.score.head<2>();
    if (fit.normal.presses.empty()) continue;
    tied.cross.row(scale_column(fit, term.press)) += term.share * own.row(2);
    tied.score_of_all(scale_column(fit, term.press), press) += term.share * term.sums.score(2);
  }
  return tied;
}

}  // namespace tactelier
