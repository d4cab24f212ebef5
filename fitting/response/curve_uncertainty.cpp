#include "fitting/response/curve_uncertainty.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "fitting/response/law_fit.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr int kForces = 13;            // at which the uncertainty is said
constexpr int kSegments = 12;          // of force, over which presses are taken together
constexpr double kFlat = 1e-3;         // of the mean slope: no force can be read there
constexpr double kUnlikeOthers = 10;   // of the pooled variance: this tactel scatters by itself
constexpr double kImprobable = 0.001;  // as for lines (lack_of_fit.cpp)
constexpr double kSingular = 1e-6;
const char* const kFrom = "response";

/// One chosen law of one tactel, asked for slopes.
class Curve {
 public:
  Curve(const TactelCurves& curves, std::size_t law)
      : curves_(curves), fit_(curves.fits[law]), range_(curves.data.range()) {
    const auto& knots = fit_.knots;
    least_slope_ = kFlat * (knots.back()[1] - knots.front()[1]) / (range_.high_N - range_.low_N);
  }
  const CurveFit& fit() const { return fit_; }
  const CurveData& data() const { return curves_.data; }
  /// Empty where the curve is flat.
  std::optional<CurveSlope> at(double force_N) const {
    auto slope = slope_at(fit_, range_, force_N);
    if (!(slope.counts_per_N > least_slope_)) return std::nullopt;
    return slope;
  }
  double dof() const {
    return std::max(1.0, curves_.effective - static_cast<double>(fit_.parameters));
  }
  /// What CurveFit::covariance is scaled by: the variance of a reading that tells something.
  double assumed_variance() const {
    return fit_.rss / std::max(1.0, curves_.readings - static_cast<double>(fit_.parameters)) *
           curves_.readings / curves_.effective;
  }

 private:
  const TactelCurves& curves_;
  const CurveFit& fit_;
  ForceRange range_;
  double least_slope_ = 0;
};

/// Weighted regression of what the curve makes of one press less its force: (shift_N, stretch).
std::optional<Eigen::Vector2d> deviation_of(const Curve& curve, const CurvePress& press) {
  Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  const double offset = curve.data().offset_counts;
  for (std::size_t i = 0; i < press.force_N.size(); ++i) {
    const auto slope = curve.at(press.force_N[i]);
    if (!slope) continue;
    const double read = offset + (press.counts[i] - offset) * press.scale;
    double error_N = (read - slope->counts) / slope->counts_per_N;
    if (const auto there = curve.at(std::max(0.0, press.force_N[i] + error_N)))  // Newton's second
      error_N += (read - there->counts) / there->counts_per_N;
    const Eigen::Vector2d x(1, press.force_N[i]);
    const double weight = press.weight[i] * slope->counts_per_N * slope->counts_per_N;
    normal += weight * x * x.transpose();
    right += weight * error_N * x;
  }
  if (!(normal.determinant() > kSingular * normal(0, 0) * normal(1, 1))) return std::nullopt;
  return Eigen::Vector2d(normal.inverse() * right);
}

/// Whose residuals are hardly the form's.
std::size_t most_flexible(const TactelCurves& curves) {
  return static_cast<std::size_t>(&curves.most_flexible() - curves.fits.data());
}

/// Variance of readings about their own press's curve, neighbours counted once: about the curve of
/// all, how presses differ would count as noise, too.
double reading_variance(const Curve& curve) {
  const double offset = curve.data().offset_counts;
  double squares = 0, readings = 0, effective = 0;
  for (const auto& press : curve.data().presses) {
    const auto own = deviation_of(curve, press).value_or(Eigen::Vector2d::Zero());
    std::vector<double> residuals;
    double n = 0;
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const auto slope = curve.at(std::max(0.0, press.force_N[i] * (1 + own(1)) + own(0)));
      if (!slope) continue;
      residuals.push_back(offset + (press.counts[i] - offset) * press.scale - slope->counts);
      squares += press.weight[i] * residuals.back() * residuals.back();
      n += press.weight[i];
    }
    squares += press.scatter * press.scale * press.scale;
    readings += n;
    if (!residuals.empty())
      effective += n * effective_count(residuals.size(), lag1(residuals)) /
                   static_cast<double>(residuals.size());
  }
  const double taken =
      static_cast<double>(curve.fit().parameters + 2 * curve.data().presses.size());
  return squares / std::max(1.0, readings - taken) * readings / std::max(1.0, effective);
}

struct OwnScatter {
  Eigen::Matrix2d squares = Eigen::Matrix2d::Zero();
  double dof = 0;
};

OwnScatter own_scatter(const Curve& curve) {
  std::vector<Eigen::Vector2d> deviations;
  for (const auto& press : curve.data().presses)
    if (const auto deviation = deviation_of(curve, press)) deviations.push_back(*deviation);
  OwnScatter own;
  if (deviations.size() < 2) return own;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (const auto& d : deviations) mean += d / static_cast<double>(deviations.size());
  for (const auto& d : deviations) own.squares += (d - mean) * (d - mean).transpose();
  own.dof = static_cast<double>(deviations.size() - 1);
  return own;
}

double variance_at(const Eigen::Matrix2d& covariance, double force_N) {
  const Eigen::Vector2d x(1, force_N);
  return x.dot(covariance * x);
}

/// Of the mean of a tactel's presses: pooled, unless this tactel scatters far more than others.
CurveScatter scatter_of_mean(const Curve& curve, const CurveScatter& pooled) {
  const auto presses = static_cast<double>(std::max<std::size_t>(1, curve.data().presses.size()));
  CurveScatter chosen = pooled;
  const auto own = own_scatter(curve);
  const double middle_N = 0.5 * (curve.data().low_N + curve.data().high_N);
  if (own.dof > 0) {
    const Eigen::Matrix2d covariance = own.squares / own.dof;
    if (variance_at(covariance, middle_N) >
        kUnlikeOthers * variance_at(pooled.covariance, middle_N))
      chosen = {covariance, own.dof};
  }
  chosen.covariance /= presses;
  return chosen;
}

/// What all presses have in common beside the law: it bends otherwise than the tactel does.
/// `variance`: of a reading.
Component misfit_N(const Curve& curve, double variance) {
  struct Segment {
    double weight = 0, error_N = 0, slope = 0;
  };
  std::array<Segment, kSegments> segments;
  const auto& data = curve.data();
  for (const auto& press : data.presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const auto slope = curve.at(press.force_N[i]);
      const double place = (press.force_N[i] - data.low_N) / (data.high_N - data.low_N);
      if (!slope || !(place >= 0 && place <= 1)) continue;
      auto& s = segments[std::min<std::size_t>(kSegments - 1,
                                               static_cast<std::size_t>(place * kSegments))];
      s.weight += press.weight[i];
      s.error_N += press.weight[i] * (press.counts[i] - slope->counts) / slope->counts_per_N;
      s.slope += press.weight[i] * slope->counts_per_N;
    }
  double chi2 = 0, squares = 0, expected = 0, n = 0;
  for (const auto& s : segments) {
    if (s.weight == 0) continue;
    const double error_N = s.error_N / s.weight;
    const double slope = s.slope / s.weight;
    const double by_noise = variance / s.weight / (slope * slope);
    chi2 += error_N * error_N / by_noise;
    squares += error_N * error_N;
    expected += by_noise;
    ++n;
  }
  const double dof = n - static_cast<double>(curve.fit().parameters);
  if (dof < 1 || f_survival(chi2 / dof, dof, curve.dof()) > kImprobable) return {"law", 0};
  return {"law", std::sqrt(std::max(0.0, (squares - expected) / dof)), dof};
}

/// Changes of (weights, shape) by which the curve follows when all forces move by shift + stretch
/// F.
Eigen::MatrixXd followed(const Curve& curve) {
  const auto n = curve.fit().covariance.rows();
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n), right = Eigen::MatrixXd::Zero(n, 2);
  for (const auto& press : curve.data().presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const auto slope = curve.at(press.force_N[i]);
      if (!slope) continue;
      const Eigen::RowVector2d moved =
          slope->counts_per_N * Eigen::RowVector2d(1, press.force_N[i]);
      normal += press.weight[i] * slope->by_weight.transpose() * slope->by_weight;
      right += press.weight[i] * slope->by_weight.transpose() * moved;
    }
  return normal.completeOrthogonalDecomposition().solve(right);
}

/// Everything that a curve's uncertainty is made of.
struct Sources {
  Sources(const TactelFit& tactel, const Curve& law, const CurveSettings& settings)
      : fit(tactel),
        curve(law),
        variance(reading_variance(Curve(*tactel.curves, most_flexible(*tactel.curves)))),
        covariance(law.fit().covariance * (variance / law.assumed_variance())),
        presses(scatter_of_mean(law, settings.scatter)),
        misfit(misfit_N(law, variance)),
        gain_u_percent(settings.gain_u_percent) {}

  Component by_readings(double square) const {
    return {"readings", std::sqrt(std::max(0.0, square)), curve.dof()};
  }
  Component by_presses(double square) const {
    return {"presses", std::sqrt(std::max(0.0, square)), std::max(1.0, presses.dof)};
  }
  std::vector<Component> at(const CurveSlope& slope, double force_N) const {
    const double counts2 = slope.by_weight.dot(covariance * slope.by_weight.transpose());
    return {by_readings(counts2 / (slope.counts_per_N * slope.counts_per_N)),
            by_presses(variance_at(presses.covariance, force_N)),
            misfit,
            {"latency", fit.u_latency_s * std::abs(fit.rate.at(force_N))},
            {"force sensor", force_N * gain_u_percent / 100}};
  }

  const TactelFit& fit;
  const Curve& curve;
  double variance;
  Eigen::MatrixXd covariance;
  CurveScatter presses;
  Component misfit;
  double gain_u_percent;
};

}  // namespace

CurveScatter curve_scatter(std::span<const TactelFit> fits, std::size_t law) {
  CurveScatter scatter;
  Eigen::Matrix2d squares = Eigen::Matrix2d::Zero();
  for (const auto& fit : fits) {
    if (!fit.fitted() || !fit.curves) continue;
    const auto own = own_scatter(Curve(*fit.curves, law));
    squares += own.squares;
    scatter.dof += own.dof;
  }
  if (scatter.dof > 0) scatter.covariance = squares / scatter.dof;
  return scatter;
}

std::vector<Parameter> curve_coefficients(const TactelFit& fit, std::size_t law,
                                          const CurveSettings& settings) {
  const Curve curve(*fit.curves, law);
  const auto& found = curve.fit();
  if (found.to_coefficients.size() == 0) return {};
  const Sources sources(fit, curve, settings);
  const auto& map = found.to_coefficients;
  const Eigen::MatrixXd by_force = map * followed(curve);
  const Eigen::MatrixXd by_readings = map * sources.covariance * map.transpose();
  const Eigen::MatrixXd by_presses = by_force * sources.presses.covariance * by_force.transpose();
  std::vector<Parameter> coefficients;
  for (std::size_t k = 0; k < found.terms.coefficients.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const auto statistical = combine(std::array{sources.by_readings(by_readings(row, row)),
                                                sources.by_presses(by_presses(row, row))});
    const std::array systematic{
        Component{"force sensor", std::abs(by_force(row, 1)) * settings.gain_u_percent / 100}};
    coefficients.push_back(
        identified({found.terms.coefficients[k], statistical.u_c, statistical.dof},
                   found.law->coefficient(k).unit, kFrom, systematic));
  }
  return coefficients;
}

std::vector<std::array<double, 2>> curve_u95(const TactelFit& fit, std::size_t law,
                                             const CurveSettings& settings) {
  const Curve curve(*fit.curves, law);
  const Sources sources(fit, curve, settings);
  const double low_N = curve.data().low_N, high_N = curve.data().high_N;
  std::vector<std::array<double, 2>> table;
  for (int i = 0; i < kForces; ++i) {
    const double force_N = low_N + (high_N - low_N) * i / (kForces - 1);
    if (const auto slope = curve.at(force_N))
      table.push_back({force_N, combine(sources.at(*slope, force_N)).U_95});
  }
  return table;
}

}  // namespace tactelier
