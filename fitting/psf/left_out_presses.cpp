#include "fitting/psf/left_out_presses.hpp"

#include <Eigen/Eigenvalues>
#include <map>

namespace tactelier {
namespace {

constexpr double kMostHeld = 0.999;  // of a direction's information, by one press
constexpr double kNothing = 1e-12;   // of a press's largest information

/// What one press says, of those free parameters that it speaks of, each in units of its standard
/// error.
class PressSays {
 public:
  PressSays(const PsfFit& fit, const std::vector<Eigen::Index>& position,
            const Eigen::VectorXd& unit, const std::vector<const PsfGroupTerm*>& terms)
      : fit_(fit), position_(position) {
    for (const auto* term : terms) note_columns(*term);
    const auto n = std::ssize(places_);
    information_.setZero(n, n);
    score_.setZero(n);
    for (const auto* term : terms) add(*term, unit);
  }

  const std::vector<Eigen::Index>& places() const { return places_; }
  const Eigen::MatrixXd& information() const { return information_; }
  const Eigen::VectorXd& score() const { return score_; }

 private:
  template <class See>
  void each_column(const PsfGroupTerm& term, const See& see) const {
    see(slope_column(fit_, term.tactel), Eigen::Vector3d(1, 0, 0));
    see(intercept_column(fit_, term.tactel), Eigen::Vector3d(0, 1, 0));
    for (Eigen::Index k = 0; k < term.by.size(); ++k) see(k, Eigen::Vector3d(0, 0, term.by(k)));
    if (!fit_.normal.presses.empty())
      see(scale_column(fit_, term.press), Eigen::Vector3d(0, 0, term.share));
  }

  void note_columns(const PsfGroupTerm& term) {
    each_column(term, [&](Eigen::Index column, const Eigen::Vector3d&) {
      const auto place = position_[static_cast<std::size_t>(column)];
      if (place >= 0 && at_.try_emplace(place, std::ssize(places_)).second)
        places_.push_back(place);
    });
  }

  void add(const PsfGroupTerm& term, const Eigen::VectorXd& unit) {
    Eigen::Matrix3Xd local = Eigen::Matrix3Xd::Zero(3, std::ssize(places_));
    each_column(term, [&](Eigen::Index column, const Eigen::Vector3d& by) {
      const auto place = position_[static_cast<std::size_t>(column)];
      if (place >= 0) local.col(at_.at(place)) += unit(place) * by;
    });
    information_.noalias() += local.transpose() * term.sums.information * local;
    score_.noalias() += local.transpose() * term.sums.score;
  }

  const PsfFit& fit_;
  const std::vector<Eigen::Index>& position_;
  std::map<Eigen::Index, Eigen::Index> at_;  // free parameter to place in the list
  std::vector<Eigen::Index> places_;
  Eigen::MatrixXd information_;
  Eigen::VectorXd score_;
};

/// (I - H C)^-1 s of one press: its score as the fit without it would see it, C being the inverse
/// information of all. What the press alone holds, its own scale apart from its prior above all,
/// counts as held to kMostHeld.
struct UnseenScore {
  Eigen::VectorXd score;
  Eigen::MatrixXd root;  // R: R R^T is what its covariance is expected to be
};

UnseenScore unseen_score(const PressSays& press, const Eigen::MatrixXd& inverse) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> own(press.information());
  const double least = kNothing * own.eigenvalues().maxCoeff();
  const Eigen::VectorXd root = own.eigenvalues().cwiseMax(0).cwiseSqrt();
  const Eigen::VectorXd over = own.eigenvalues().unaryExpr(
      [&](double value) { return value > least ? 1 / std::sqrt(value) : 0.0; });
  const Eigen::MatrixXd factor = own.eigenvectors() * root.asDiagonal();  // H = factor factor^T
  const Eigen::VectorXd along =
      over.asDiagonal() * (own.eigenvectors().transpose() * press.score());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> held(factor.transpose() * inverse * factor);
  const Eigen::VectorXd grown = (1 - held.eigenvalues().array().min(kMostHeld)).inverse().matrix();
  const Eigen::MatrixXd turned = factor * held.eigenvectors();
  return {turned * grown.cwiseProduct(held.eigenvectors().transpose() * along),
          turned * grown.cwiseSqrt().asDiagonal()};
}

}  // namespace

LeftOutPresses left_out_presses(const PsfProblem& problem, const PsfFit& fit,
                                const std::vector<PsfGroupTerm>& terms,
                                const std::vector<int>& columns, const Eigen::MatrixXd& inverse) {
  std::vector<Eigen::Index> position(static_cast<std::size_t>(psf_parameters(fit)), -1);
  for (std::size_t i = 0; i < columns.size(); ++i)
    position[static_cast<std::size_t>(columns[i])] = static_cast<Eigen::Index>(i);
  const Eigen::VectorXd unit = inverse.diagonal().cwiseMax(1e-300).cwiseSqrt();
  const Eigen::MatrixXd scaled =
      unit.cwiseInverse().asDiagonal() * inverse * unit.cwiseInverse().asDiagonal();
  std::vector<std::vector<const PsfGroupTerm*>> by_press(problem.presses.size());
  for (const auto& term : terms) by_press[term.press].push_back(&term);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(inverse.rows(), inverse.cols());
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(inverse.rows()), squares = expected;
  double presses = 0;
  for (const auto& own : by_press) {
    if (own.empty()) continue;
    const PressSays press(fit, position, unit, own);
    const auto n = std::ssize(press.places());
    if (n == 0) continue;
    const Eigen::MatrixXd reach = scaled(Eigen::all, press.places());
    const auto unseen = unseen_score(press, Eigen::MatrixXd(reach(press.places(), Eigen::all)));
    const Eigen::VectorXd step = reach * unseen.score;
    sum.noalias() += step * step.transpose();
    const Eigen::VectorXd adds = (reach * unseen.root).rowwise().squaredNorm();
    expected += adds;
    squares += adds.cwiseAbs2();
    ++presses;
  }
  if (presses > 1) sum *= (presses - 1) / presses;
  LeftOutPresses left;
  left.covariance = unit.asDiagonal() * sum * unit.asDiagonal();
  left.dof = expected.cwiseAbs2().cwiseQuotient(squares.cwiseMax(1e-300)).cwiseMax(1);
  return left;
}

}  // namespace tactelier
