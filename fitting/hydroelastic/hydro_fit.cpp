#include "fitting/hydroelastic/hydro_fit.hpp"

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "fitting/statistics/condition.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxIterations = 50;
constexpr double kSettled = 1e-12;
// Microstep errors are 5 to 20 % of a full step, which is their period.
constexpr double kLargestMicrostep = 0.2;
constexpr int kHalvings = 40;

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
    if (terms.u_series_m_per_N > 0) {
      series_ = columns_++;
      ++priors_;
    }
    if (terms.microstep_m > 0) {
      microstep_ = columns_;
      columns_ += 2;
      priors_ += 2;
    }
  }

  Result<HydroFit> run() {
    if (static_cast<Index>(rows_.size()) + priors_ <= columns_)
      return fail(ErrorCode::kUnidentifiable, "{} readings, {} needed", rows_.size(), columns_ + 1);
    at_ = VectorXd::Zero(columns_);
    at_[0] = start();
    if (series_ >= 0) at_[series_] = terms_.series_m_per_N;
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
  /// Sine and cosine of the microstep error's phase.
  std::array<double, 2> turn(const HydroRow& row) const {
    const double phase = 2 * std::numbers::pi * row.nut_m / terms_.microstep_m;
    return {std::sin(phase), std::cos(phase)};
  }

  double depth_m(const HydroRow& row) const {
    const double shift_m =
        terms_.u_contact_m.empty() ? 0 : at_[shifts_ + static_cast<Index>(row.press)];
    const double series = series_ >= 0 ? at_[series_] : terms_.series_m_per_N;
    double depth = row.depth_m - shift_m - series * row.force_N;
    if (microstep_ >= 0) {
      const auto [sine, cosine] = turn(row);
      depth += at_[microstep_] * sine + at_[microstep_ + 1] * cosine;
    }
    return depth;
  }

  Overlap overlap(const HydroRow& row) const {
    return slab_overlap(indenter_, depth_m(row)).value_or(Overlap{});
  }

  /// Of the row, with what its depth is worth in force there.
  double sigma_N(const HydroRow& row, const Overlap& there) const {
    return std::hypot(row.sigma_N, terms_.u_depth_m * at_[0] * there.area_m2);
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
    deviance_ = 0;
    for (Index i = 0; i < n; ++i) add(rows_[static_cast<std::size_t>(i)], i);
    Index row = n;
    for (std::size_t p = 0; p < terms_.u_contact_m.size(); ++p) {
      const double u = terms_.u_contact_m[p];
      if (!(std::isfinite(u) && u > 0)) continue;
      const Index column = shifts_ + static_cast<Index>(p);
      jacobian_(row, column) = 1 / u;
      residual_[row++] = at_[column] / u;
    }
    const auto expect = [&](Index column, double value, double u) {
      jacobian_(row, column) = 1 / u;
      residual_[row++] = (at_[column] - value) / u;
    };
    if (series_ >= 0) expect(series_, terms_.series_m_per_N, terms_.u_series_m_per_N);
    for (Index i = 0; microstep_ >= 0 && i < 2; ++i)
      expect(microstep_ + i, 0, kLargestMicrostep * terms_.microstep_m);
  }

  void add(const HydroRow& row, Index i) {
    const auto here = overlap(row);
    const double sigma = sigma_N(row, here);
    const double weight = 1 / sigma;
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
    deviance_ += 2 * std::log(sigma) + residual_[i] * residual_[i];
    jacobian_(i, 0) = force * weight;
    if (rate_ >= 0)
      jacobian_(i, rate_) = k * v * (hunt_crossley ? here.volume_m3 : here.area_m2) * weight;
    if (hysteresis_ >= 0) jacobian_(i, hysteresis_) = k * here.volume_m3 * sign * weight;
    const double deeper = k * here.area_m2 * factor * weight;
    if (!terms_.u_contact_m.empty())
      jacobian_(i, shifts_ + static_cast<Index>(row.press)) = -deeper;
    if (series_ >= 0) jacobian_(i, series_) = -deeper * row.force_N;
    if (microstep_ < 0) return;
    const auto [sine, cosine] = turn(row);
    jacobian_(i, microstep_) = deeper * sine;
    jacobian_(i, microstep_ + 1) = deeper * cosine;
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
    fit.series_m_per_N = series_ >= 0 ? at_[series_] : terms_.series_m_per_N;
    if (series_ >= 0) fit.u_series_m_per_N = std::sqrt(covariance(series_, series_));
    const Index shown = terms_.rate ? 2 : 1;
    fit.covariance = covariance.topLeftCorner(shown, shown);
    fit.chi2 = residual_.squaredNorm();
    fit.dof = static_cast<double>(residual_.size() - columns_);
    fit.deviance = deviance_;
    fit.residuals.assign(residual_.data(), residual_.data() + rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      fit.depth_m.push_back(depth_m(rows_[i]));
      fit.left_over_N.push_back(fit.residuals[i] * sigma_N(rows_[i], overlap(rows_[i])));
    }
    return fit;
  }

  std::span<const HydroRow> rows_;
  const Indenter& indenter_;
  RateModel model_;
  const HydroTerms& terms_;
  Index columns_ = 1, rate_ = -1, hysteresis_ = -1, shifts_ = 1, series_ = -1, microstep_ = -1,
        priors_ = 0;
  double deviance_ = 0;
  VectorXd at_, residual_;
  MatrixXd jacobian_;
};

}  // namespace

double depth_scatter_m(std::span<const HydroRow> rows, const HydroFit& fit,
                       const Indenter& indenter, double most_m) {
  std::vector<double> slope_N_per_m;
  for (const double depth_m : fit.depth_m)
    slope_N_per_m.push_back(fit.modulus_Pa_per_m *
                            slab_overlap(indenter, depth_m).value_or(Overlap{}).area_m2);
  const auto too_small = [&](double u_m) {
    double chi2 = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      chi2 += std::pow(fit.left_over_N[i] / std::hypot(rows[i].sigma_N, u_m * slope_N_per_m[i]), 2);
    return chi2 > fit.dof;
  };
  if (!too_small(0)) return 0;
  double low_m = 0, high_m = most_m;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle_m = (low_m + high_m) / 2;
    (too_small(middle_m) ? low_m : high_m) = middle_m;
  }
  return high_m;
}

Result<HydroFit> fit_hydro(std::span<const HydroRow> rows, const Indenter& indenter,
                           RateModel model, const HydroTerms& terms) {
  return HydroSearch(rows, indenter, model, terms).run();
}

}  // namespace tactelier
