#include "fitting/hydroelastic/hydro_fit.hpp"

#include <Eigen/QR>
#include <cmath>

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxIterations = 50;
constexpr double kSettled = 1e-12;

class HydroSearch {
 public:
  HydroSearch(std::span<const HydroRow> rows, const Indenter& indenter, RateModel model,
              const HydroTerms& terms)
      : rows_(rows), indenter_(indenter), model_(model), terms_(terms) {
    if (terms.rate) rate_ = columns_++;
    if (terms.hysteresis) hysteresis_ = columns_++;
    shifts_ = columns_;
    columns_ += static_cast<Index>(terms.u_contact_m.size());
    for (const double u : terms.u_contact_m) priors_ += std::isfinite(u) && u > 0 ? 1 : 0;
  }

  Result<HydroFit> run() {
    if (static_cast<Index>(rows_.size()) + priors_ <= columns_)
      return fail(ErrorCode::kUnidentifiable, "{} readings, {} needed", rows_.size(), columns_ + 1);
    at_ = VectorXd::Zero(columns_);
    at_[0] = start();
    if (!(at_[0] > 0))
      return fail(ErrorCode::kUnidentifiable, "the force does not rise with depth");
    for (int i = 0; i < kMaxIterations; ++i) {
      linearize();
      const VectorXd scale = jacobian_.colwise().norm().cwiseMax(1e-300);
      const MatrixXd scaled = jacobian_ * scale.cwiseInverse().asDiagonal();
      const VectorXd scaled_step = scaled.colPivHouseholderQr().solve(-residual_);
      const VectorXd step = scaled_step.cwiseQuotient(scale);
      at_ += step;
      if (!at_.allFinite() || !(at_[0] > 0))
        return fail(ErrorCode::kUnidentifiable, "the presses do not determine the modulus");
      if (scaled_step.norm() <= kSettled * std::sqrt(1 + residual_.squaredNorm())) break;
    }
    linearize();
    return finish();
  }

 private:
  Overlap overlap(const HydroRow& row) const {
    const double shift_m =
        terms_.u_contact_m.empty() ? 0 : at_[shifts_ + static_cast<Index>(row.press)];
    return slab_overlap(indenter_, row.depth_m - shift_m).value_or(Overlap{});
  }

  double start() const {
    double volumes = 0, products = 0;
    for (const auto& row : rows_) {
      const double volume = slab_overlap(indenter_, row.depth_m).value_or(Overlap{}).volume_m3;
      volumes += volume * volume / (row.sigma_N * row.sigma_N);
      products += volume * row.force_N / (row.sigma_N * row.sigma_N);
    }
    return volumes > 0 ? products / volumes : 0;
  }

  void linearize() {
    const auto n = static_cast<Index>(rows_.size());
    jacobian_ = MatrixXd::Zero(n + priors_, columns_);
    residual_ = VectorXd::Zero(n + priors_);
    for (Index i = 0; i < n; ++i) add(rows_[static_cast<std::size_t>(i)], i);
    Index row = n;
    for (std::size_t p = 0; p < terms_.u_contact_m.size(); ++p) {
      const double u = terms_.u_contact_m[p];
      if (!(std::isfinite(u) && u > 0)) continue;
      const Index column = shifts_ + static_cast<Index>(p);
      jacobian_(row, column) = 1 / u;
      residual_[row++] = at_[column] / u;
    }
  }

  void add(const HydroRow& row, Index i) {
    const auto here = overlap(row);
    const double weight = 1 / row.sigma_N;
    const double k = at_[0];
    const bool hunt_crossley = model_ == RateModel::kHuntCrossley;
    const double v = row.velocity_m_per_s;
    const double rate = rate_ >= 0 ? at_[rate_] : 0;
    const double sign = std::copysign(1.0, v);
    const double loop = hysteresis_ >= 0 ? at_[hysteresis_] * sign : 0;
    const double factor = 1 + loop + (hunt_crossley ? rate * v : 0);
    const double dashpot_m3 = hunt_crossley ? 0 : rate * here.area_m2 * v;
    const double force = here.volume_m3 * factor + dashpot_m3 + row.branches_m3;
    residual_[i] = (k * force - row.force_N) * weight;
    jacobian_(i, 0) = force * weight;
    if (rate_ >= 0)
      jacobian_(i, rate_) = k * v * (hunt_crossley ? here.volume_m3 : here.area_m2) * weight;
    if (hysteresis_ >= 0) jacobian_(i, hysteresis_) = k * here.volume_m3 * sign * weight;
    if (!terms_.u_contact_m.empty())
      jacobian_(i, shifts_ + static_cast<Index>(row.press)) = -k * here.area_m2 * factor * weight;
  }

  Result<HydroFit> finish() const {
    const MatrixXd covariance = covariance_from(jacobian_);
    if (covariance.size() == 0)
      return fail(ErrorCode::kUnidentifiable, "the presses do not separate modulus and contact");
    HydroFit fit;
    fit.model = model_;
    fit.modulus_Pa_per_m = at_[0];
    if (rate_ >= 0) fit.rate = at_[rate_];
    if (hysteresis_ >= 0) fit.hysteresis = at_[hysteresis_];
    for (std::size_t p = 0; p < terms_.u_contact_m.size(); ++p)
      fit.shift_m.push_back(at_[shifts_ + static_cast<Index>(p)]);
    const Index shown = terms_.rate ? 2 : 1;
    fit.covariance = covariance.topLeftCorner(shown, shown);
    fit.chi2 = residual_.squaredNorm();
    fit.dof = static_cast<double>(residual_.size() - columns_);
    fit.residuals.assign(residual_.data(), residual_.data() + rows_.size());
    return fit;
  }

  std::span<const HydroRow> rows_;
  const Indenter& indenter_;
  RateModel model_;
  const HydroTerms& terms_;
  Index columns_ = 1, rate_ = -1, hysteresis_ = -1, shifts_ = 1, priors_ = 0;
  VectorXd at_, residual_;
  MatrixXd jacobian_;
};

}  // namespace

Result<HydroFit> fit_hydro(std::span<const HydroRow> rows, const Indenter& indenter,
                           RateModel model, const HydroTerms& terms) {
  return HydroSearch(rows, indenter, model, terms).run();
}

}  // namespace tactelier
