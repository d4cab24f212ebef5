#include "fitting/psf/psf_uncertainty.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fitting/psf/left_out_presses.hpp"
#include "fitting/psf/psf_information.hpp"
#include "fitting/statistics/bootstrap.hpp"

namespace tactelier {
namespace {

constexpr double kMinLeft = 0.1;       // of the information in a direction, for a drawing to count
constexpr double kSaysNothing = 1e-9;  // of a parameter's information, when all else is free

/// A matrix R with R^T R = H: it has the Jacobian's singular values. H is scaled to unit diagonal
/// first, or rounding would hide what metres and counts make small.
Eigen::MatrixXd root_of(const Eigen::MatrixXd& information) {
  const Eigen::VectorXd scale = information.diagonal().cwiseMax(0).cwiseSqrt().unaryExpr(
      [](double d) { return d > 0 ? d : 1.0; });
  const Eigen::MatrixXd scaled =
      scale.cwiseInverse().asDiagonal() * information * scale.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  return solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() *
         solver.eigenvectors().transpose() * scale.asDiagonal();
}

/// With scales of presses there are hundreds of parameters.
Condition condition_at(const PsfFit& fit, const Eigen::MatrixXd& information) {
  return fit.normal.presses.empty() ? condition(root_of(information))
                                    : condition_of_information(information);
}

/// Parts of the normal equations that one press adds, for drawing presses again.
class Redraw {
 public:
  Redraw(const PsfProblem& problem, const PsfFit& fit, const std::vector<PsfGroupTerm>& terms)
      : fit_(fit), by_press_(problem.presses.size()) {
    for (const auto& term : terms) by_press_[term.press].push_back(&term);
    std::erase_if(by_press_, [](const auto& list) { return list.empty(); });
    for (std::size_t t = 0; t < problem.tactels.size(); ++t)
      own_.push_back(OwnLine{problem.tactels[t].intercept_free(fit.state.intercept[t]),
                             problem.tactels[t].offset_information(fit.state.intercept[t]),
                             fit.state.intercept[t]});
    std::vector<std::size_t> all(by_press_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    full_root_ = root_of(reduced(all).information);
  }

  std::size_t presses() const { return by_press_.size(); }

  /// Step of the shared parameters that the drawn presses would take away from the fit; nothing
  /// when a direction is left with less than a tenth of its information.
  std::optional<Eigen::VectorXd> operator()(std::span<const std::size_t> drawn) const {
    const auto drawing = reduced(drawn);
    const Eigen::MatrixXd inverse_root = full_root_.inverse();
    const Eigen::MatrixXd relative = inverse_root.transpose() * drawing.information * inverse_root;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(relative);
    if (!(solver.eigenvalues().minCoeff() > kMinLeft)) return {};
    const Eigen::VectorXd inner =
        solver.eigenvectors() *
        (solver.eigenvectors().transpose() * (inverse_root.transpose() * drawing.score))
            .cwiseQuotient(solver.eigenvalues());
    return (inverse_root * inner).eval();
  }

 private:
  struct Reduced {
    Eigen::MatrixXd information;
    Eigen::VectorXd score;
  };
  struct OwnLine {
    bool intercept_free = false;
    double offset_information = 0, intercept = 0;
  };

  /// Of the shared parameters, with every tactel's own eliminated.
  Reduced reduced(std::span<const std::size_t> drawn) const {
    const auto shared = fit_.normal.shared.rows();
    std::vector<PsfNormal::Local> locals(own_.size());
    for (std::size_t t = 0; t < own_.size(); ++t) {
      locals[t].shared.setZero(2, shared);
      locals[t].own(1, 1) = own_[t].offset_information;
      locals[t].score(1) = -own_[t].offset_information * own_[t].intercept;
    }
    Reduced sum{Eigen::MatrixXd::Zero(shared, shared), Eigen::VectorXd::Zero(shared)};
    for (const std::size_t press : drawn)
      for (const auto* term : by_press_[press]) {
        auto& local = locals[term->tactel];
        local.own += term->sums.information.topLeftCorner<2, 2>();
        local.score += term->sums.score.head<2>();
        local.shared.noalias() += term->sums.information.block<2, 1>(0, 2) * term->by.transpose();
        sum.information.noalias() += term->sums.information(2, 2) * term->by * term->by.transpose();
        sum.score.noalias() += term->sums.score(2) * term->by;
      }
    for (std::size_t t = 0; t < locals.size(); ++t) {
      const auto& own = locals[t].own;
      if (!(own(0, 0) > 0)) continue;
      const bool line = own_[t].intercept_free && own.determinant() > 1e-9 * own(0, 0) * own(1, 1);
      Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();
      if (line)
        inverse = own.inverse();
      else
        inverse(0, 0) = 1 / own(0, 0);
      sum.information.noalias() -= locals[t].shared.transpose() * inverse * locals[t].shared;
      sum.score.noalias() -= locals[t].shared.transpose() * (inverse * locals[t].score);
    }
    for (const int column : fit_.held) {
      sum.information.row(column).setZero();
      sum.information.col(column).setZero();
      sum.information(column, column) = 1;
      sum.score(column) = 0;
    }
    return sum;
  }

  const PsfFit& fit_;
  std::vector<std::vector<const PsfGroupTerm*>> by_press_;
  std::vector<OwnLine> own_;   // by tactel
  Eigen::MatrixXd full_root_;  // R with R^T R = information of all presses
};

/// Of the shared parameters, each press left out once. Presses that hold much of a parameter pull
/// the fit towards themselves, so that what is left over of them, and with it the bootstrap, is too
/// small; a fit that never saw a press misses it by all it is off. Presses without which a
/// direction has no information do not count.
Eigen::MatrixXd jackknife(const Redraw& redraw, Eigen::Index shared) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(shared, shared);
  double count = 0;
  for (std::size_t out = 0; out < redraw.presses(); ++out) {
    std::vector<std::size_t> kept(redraw.presses());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(out));
    const auto step = redraw(kept);
    if (!step) continue;
    sum += *step * step->transpose();
    ++count;
  }
  return count > 1 ? Eigen::MatrixXd((count - 1) / count * sum) : sum;
}

/// Adds to the covariance what the shared parameters scatter more than it says; the tactels follow
/// through their ties to them.
void add_shared(const Eigen::MatrixXd& drawn, const PsfFit& fit, Eigen::MatrixXd& covariance) {
  const auto shared = fit.normal.shared.rows();
  const Eigen::MatrixXd present = covariance.topLeftCorner(shared, shared);
  Eigen::VectorXd scale = present.diagonal().cwiseMax(0).cwiseSqrt();
  for (auto& s : scale) s = s > 0 ? s : 1;
  const Eigen::MatrixXd scaled =
      scale.cwiseInverse().asDiagonal() * (drawn - present) * scale.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  const Eigen::MatrixXd more = scale.asDiagonal() * solver.eigenvectors() *
                               solver.eigenvalues().cwiseMax(0).asDiagonal() *
                               solver.eigenvectors().transpose() * scale.asDiagonal();
  Eigen::MatrixXd ties = Eigen::MatrixXd::Zero(covariance.rows(), shared);
  ties.topRows(shared).setIdentity();
  for (std::size_t t = 0; t < fit.normal.locals.size(); ++t) {
    const auto& local = fit.normal.locals[t];
    const bool line = covariance(intercept_column(fit, t), intercept_column(fit, t)) > 0;
    if (line)
      ties.block(slope_column(fit, t), 0, 2, shared) = -local.own.inverse() * local.shared;
    else if (local.own(0, 0) > 0)
      ties.row(slope_column(fit, t)) = -local.shared.row(0) / local.own(0, 0);
  }
  covariance += ties * more * ties.transpose();
}

/// What a shared offset's prior says of each tactel's intercept, as the scatter of a score: it is
/// as good as it says, whatever noise and presses are.
Eigen::VectorXd offset_priors(const PsfProblem& problem, const PsfFit& fit,
                              const std::vector<int>& columns) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(psf_parameters(fit));
  for (std::size_t t = 0; t < problem.tactels.size(); ++t)
    all(intercept_column(fit, t)) = problem.tactels[t].offset_information(fit.state.intercept[t]);
  return all(columns);
}

/// Scales scatter as they do, a plane over their places like anything else: what the firmer prior
/// of such a plane presses out of the scales is in the others.
void add_scales_prior(const PsfProblem& problem, const PsfFit& fit, const std::vector<int>& columns,
                      double noise, Eigen::MatrixXd& spread) {
  if (fit.normal.presses.empty()) return;
  const auto& prior = fit.normal.prior;
  const Eigen::MatrixXd scattered =
      problem.press_scatter * problem.press_scatter * prior * prior - noise * prior;
  const auto first = scale_column(fit, 0);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[i] >= first && columns[k] >= first)
        spread(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) +=
            scattered(columns[i] - first, columns[k] - first);
}

}  // namespace

double psf_degrees(const PsfUncertainty& uncertainty, const PsfProblem& problem) {
  const auto presses = static_cast<double>(problem.presses.size());
  return uncertainty.bootstrapped ? std::max(1.0, std::min(presses - 1, uncertainty.scatter.dof))
                                  : uncertainty.scatter.dof;
}

Condition psf_condition(const PsfProblem& problem, const PsfFit& fit) {
  return condition_at(fit, picked(whole_information(problem, fit), free_columns(problem, fit)));
}

FittedScales fitted_scales(const PsfProblem& problem, const PsfFit& fit,
                           const PsfScatter& scatter) {
  FittedScales scales;
  const auto columns = free_columns(problem, fit);
  const auto first = scale_column(fit, 0);
  for (const int column : columns)
    if (column >= first) scales.presses.push_back(static_cast<std::size_t>(column - first));
  const auto n = std::ssize(scales.presses);
  Eigen::MatrixXd prior(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k)
      prior(i, k) =
          fit.normal.prior(static_cast<Eigen::Index>(scales.presses[static_cast<std::size_t>(i)]),
                           static_cast<Eigen::Index>(scales.presses[static_cast<std::size_t>(k)]));
  const auto information = picked(whole_information(problem, fit), columns);
  const Eigen::MatrixXd inverse = covariance_from(condition_at(fit, information));
  if (inverse.size() == 0) return scales;
  const double noise = problem.rows_hide_scatter()
                           ? noise_of_weak_rows(problem, fit)
                           : std::max(1.0, 2 * fit.cost / std::max(1.0, problem.used_rows()));
  Eigen::MatrixXd spread = noise * information;
  spread.bottomRightCorner(n, n) -= noise * prior;
  add_psf_scatter(psf_group_terms(problem, fit), problem, fit, columns, scatter, spread);
  const Eigen::MatrixXd of_scales = inverse.bottomRows(n);
  scales.by_true = Eigen::MatrixXd::Identity(n, n) - of_scales.rightCols(n) * prior;
  scales.covariance = of_scales * spread * of_scales.transpose();
  return scales;
}

Result<PsfUncertainty> psf_uncertainty(const PsfProblem& problem, const PsfFit& fit,
                                       const PsfBootstrapOptions& options, const Job& job) {
  PsfUncertainty result;
  result.columns = free_columns(problem, fit);
  const auto information = picked(whole_information(problem, fit), result.columns);
  result.condition = condition_at(fit, information);
  const auto terms = psf_group_terms(problem, fit);
  // The prior of each press's scale is in the cost as a row is.
  const double row_dof =
      std::max(1.0, problem.used_rows() + static_cast<double>(fit.normal.presses.size()) -
                        static_cast<double>(result.columns.size()));
  result.chi2_per_dof = 2 * fit.cost / row_dof;
  const std::size_t scales = problem.tactels.size() + fit.normal.presses.size() +
                             static_cast<std::size_t>(fit.shares.columns);
  result.dof = std::max(1.0, static_cast<double>(terms.size()) - static_cast<double>(scales));
  const double noise = std::max(1.0, result.chi2_per_dof);
  result.scatter = find_psf_scatter(terms, problem, fit, scales, noise);
  const Eigen::MatrixXd inverse = covariance_from(result.condition);
  if (inverse.size() == 0 || result.condition.number > 1e7) return result;
  const auto all = psf_parameters(fit);
  const bool hidden = problem.rows_hide_scatter();
  const auto priors = offset_priors(problem, fit, result.columns);
  Eigen::MatrixXd small;
  if (hidden) {
    auto left = left_out_presses(problem, fit, terms, result.columns, inverse);
    result.variance_dof = Eigen::VectorXd::Constant(all, result.scatter.dof);
    result.variance_dof(result.columns) = left.dof;
    small = std::move(left.covariance);
    small += inverse * priors.asDiagonal() * inverse;
  } else {
    Eigen::MatrixXd spread = noise * information;
    spread.diagonal() -= (noise - 1) * priors;
    add_scales_prior(problem, fit, result.columns, noise, spread);
    add_psf_scatter(terms, problem, fit, result.columns, result.scatter, spread);
    small = inverse * spread * inverse;
  }
  result.covariance = Eigen::MatrixXd::Zero(all, all);
  for (Eigen::Index i = 0; i < small.rows(); ++i)
    for (Eigen::Index j = 0; j < small.cols(); ++j)
      result.covariance(result.columns[static_cast<std::size_t>(i)],
                        result.columns[static_cast<std::size_t>(j)]) = small(i, j);
  const Redraw redraw(problem, fit, terms);
  const auto with_the_rest = [&] {
    add_carried(problem, fit, result.columns, inverse, result.covariance);
    result.tails = add_tails(problem, fit, result.columns, inverse, result.covariance);
    return std::move(result);
  };
  if (hidden || redraw.presses() < kMinBootstrapPresses) return with_the_rest();
  RandomSource random(options.seed);
  const auto drawn = bootstrap_presses(
      redraw.presses(), options.resamples, random,
      [&](std::span<const std::size_t> presses) { return redraw(presses); }, job);
  if (!drawn) {
    if (drawn.error().code == ErrorCode::kCancelled) return Job::cancelled();
    return with_the_rest();
  }
  result.bootstrapped = true;
  add_shared(drawn->covariance, fit, result.covariance);
  add_shared(jackknife(redraw, fit.normal.shared.rows()), fit, result.covariance);
  return with_the_rest();
}

namespace {

/// H^-1 tied; empty where H is singular.
Eigen::MatrixXd go_along(const PsfFit& fit, const Eigen::MatrixXd& information,
                         const Eigen::MatrixXd& tied) {
  if (fit.normal.presses.empty()) {
    const Eigen::MatrixXd inverse = covariance_from(root_of(information));
    return inverse.size() == 0 ? inverse : Eigen::MatrixXd(inverse * tied);
  }
  const Eigen::VectorXd scale = information.diagonal().cwiseMax(0).cwiseSqrt().unaryExpr(
      [](double d) { return d > 0 ? d : 1.0; });
  const Eigen::MatrixXd scaled =
      scale.cwiseInverse().asDiagonal() * information * scale.cwiseInverse().asDiagonal();
  const Eigen::LDLT<Eigen::MatrixXd> solver(scaled);
  if (solver.info() != Eigen::Success || !solver.isPositive()) return {};
  return scale.cwiseInverse().asDiagonal() * solver.solve(scale.cwiseInverse().asDiagonal() * tied);
}

}  // namespace

PsfAdded added_parameters(const PsfProblem& problem, const PsfFit& fit,
                          std::span<const PsfDirection> by) {
  const auto columns = free_columns(problem, fit);
  const auto all = picked(whole_information(problem, fit), columns);
  const auto directions = tied_directions(problem, fit, by);
  const Eigen::MatrixXd tied = directions.cross(columns, Eigen::all);
  const auto going_along = go_along(fit, all, tied);
  if (going_along.size() == 0) return {};
  const Eigen::MatrixXd own = directions.information - tied.transpose() * going_along;
  // Each relative to what it would say if nothing else were free: no two may be one.
  const Eigen::VectorXd unit = directions.information.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd relative = unit.asDiagonal() * own * unit.asDiagonal();
  if (!relative.allFinite()) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> said(relative, Eigen::EigenvaluesOnly);
  if (!(said.eigenvalues()(0) > kSaysNothing)) return {};
  const Eigen::MatrixXd inverse = own.inverse();
  PsfAdded added;
  added.covariance = std::max(1.0, 2 * fit.cost / std::max(1.0, problem.used_rows())) * inverse;
  added.value = own.ldlt().solve(directions.score.rowwise().sum());
  const Eigen::MatrixXd asked =
      inverse *
      (directions.score - going_along.transpose() * directions.score_of_all(columns, Eigen::all));
  added.by_presses = asked * asked.transpose();
  return added;
}

PsfDirection wider_spread(const PsfProblem& problem, const PsfFit& fit) {
  auto wide = fit.state;
  wide.spread.m += 2 * std::log(2.0);
  return [&problem, shares = psf_shares(problem, fit.model, wide, false)](
             const PsfGroupTerm& term) -> Eigen::Vector3d {
    const auto index = static_cast<std::size_t>(problem.tactels[term.tactel].index);
    return {0, 0, shares.at(term.press, index) - term.share};
  };
}

PsfTails psf_tails(const PsfProblem& problem, const PsfFit& fit) {
  const std::array wider{wider_spread(problem, fit)};
  const auto added = added_parameters(problem, fit, wider);
  if (added.value.size() == 0) return {};
  return {added.value(0), added.value(0) / std::sqrt(added.covariance(0, 0)),
          std::sqrt(std::max(added.covariance(0, 0), added.by_presses(0, 0)))};
}

}  // namespace tactelier
