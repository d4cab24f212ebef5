#pragma once
// One pass over all rows: cost, gradient and Gauss-Newton matrix in blocks. The matrix is an arrow:
// each tactel has a 2 x 2 block of its own and couples to the few shared parameters only.

#include <Eigen/Core>
#include <Eigen/StdVector>
#include <vector>

#include "fitting/psf/psf_problem.hpp"

namespace tactelier {

/// Shares of every press at one state, with their derivatives by the shared parameters.
struct PsfShares {
  std::size_t tactels = 0;
  int columns = 0;
  PsfColumns shared;             // which column is whose
  std::vector<double> value;     // [press][tactel]
  std::vector<double> gradient;  // [press][tactel][column]

  double at(std::size_t press, std::size_t tactel) const { return value[press * tactels + tactel]; }
  const double* slope(std::size_t press, std::size_t tactel) const {
    return gradient.data() + (press * tactels + tactel) * static_cast<std::size_t>(columns);
  }
};
/// `with_gradient`: else only values.
PsfShares psf_shares(const PsfProblem& problem, const PsfModel& model, const PsfState& state,
                     bool with_gradient);

/// Sums over the rows of one group by (slope, intercept, share).
struct PsfGroupSums {
  Eigen::Matrix3d information = Eigen::Matrix3d::Zero();
  Eigen::Vector3d score = Eigen::Vector3d::Zero();  // -J^T r
  double cost = 0;
};
PsfGroupSums psf_group_sums(const PsfTactel& tactel, const PsfGroup& group, double slope,
                            double intercept, double share);
/// Half the sum of squared residuals alone.
double psf_group_cost(const PsfTactel& tactel, const PsfGroup& group, double slope,
                      double intercept, double share);

/// Whitened residual of one row.
double psf_residual(const PsfRow& row, double slope, double intercept, double share);

/// Inverse covariance of the presses' scales that the fit believes in: press_scatter of each, and a
/// tenth of that for what goes with their places as a plane. Such a course can't be told from gains
/// that go the other way and a shift; what little readings say of it, misfit says as well.
Eigen::MatrixXd scale_prior(const PsfProblem& problem);

struct PsfNormal {
  struct Local {
    Eigen::Matrix2d own = Eigen::Matrix2d::Zero();
    Eigen::Vector2d score = Eigen::Vector2d::Zero();
    Eigen::Matrix<double, 2, Eigen::Dynamic> shared;  // 2 x columns
    /// With the scale of the press of each of the tactel's groups, in their order.
    std::vector<Eigen::Vector2d, Eigen::aligned_allocator<Eigen::Vector2d>> presses;
    double cost = 0;
  };
  /// A press's scale, as its readings have it.
  struct Press {
    double information = 0;
    double score = 0;
    Eigen::VectorXd shared;  // columns
  };
  std::vector<Local> locals;
  std::vector<Press> presses;    // empty where presses have no scale of their own
  Eigen::MatrixXd prior;         // of the scales, presses x presses
  Eigen::MatrixXd shared;        // columns x columns
  Eigen::VectorXd shared_score;  // -J^T r
  double cost = 0;
};
PsfNormal psf_normal(const PsfProblem& problem, const PsfState& state, const PsfShares& shares);
double psf_cost(const PsfProblem& problem, const PsfState& state, const PsfShares& shares);

}  // namespace tactelier
