#include "fitting/stiffness/hardening.hpp"

#include <ceres/ceres.h>

#include <Eigen/QR>
#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <optional>

#include "fitting/statistics/nonlinear.hpp"

namespace tactelier {
namespace {

constexpr double kSoft = 0.01;                   // w of the piecewise law
constexpr double kMinExponent = 0.3;             // B x_max below which only A B is known
constexpr double kBeyondKnee = 0.1;              // strain that densification needs beyond x2
constexpr double kSimplerWithin = 2;             // of AICc
constexpr std::array kElasticTo = {0.05, 0.08};  // strain: end of E1's start, first knee
constexpr double kSecondKnee = 0.5;

template <class T>
T soft_plus(const T& x) {
  using std::exp, std::log1p;
  const T z = x / kSoft;
  return z > T(30.0) ? x : kSoft * log1p(exp(z));
}

template <class T>
T exponential(const T* p, double x) {
  using std::expm1;
  return p[0] * expm1(p[1] * x);
}

template <class T>
T piecewise(const T* p, double x) {
  return p[0] * x + (p[1] - p[0]) * (soft_plus(T(x) - p[3]) - soft_plus(-p[3])) +
         (p[2] - p[1]) * (soft_plus(T(x) - p[4]) - soft_plus(-p[4]));
}

std::size_t parameter_count(HardeningLaw law) {
  constexpr std::array<std::size_t, 4> kCount = {1, 3, 2, 5};
  return kCount[static_cast<std::size_t>(law)];
}

struct Data {
  std::span<const double> x, y;
  double scale = 1;  // of y, so that residuals are of order one
};

struct Point {
  double x, y;
};

struct ExponentialCost : Point {
  template <class T>
  bool operator()(const T* p, T* residual) const {
    residual[0] = exponential(p, x) - y;
    return true;
  }
};

struct PiecewiseCost : Point {
  template <class T>
  bool operator()(const T* p, T* residual) const {
    residual[0] = piecewise(p, x) - y;
    return true;
  }
};

ceres::CostFunction* cost_of(HardeningLaw law, const Point& point) {
  if (law == HardeningLaw::kExponential)
    return new ceres::AutoDiffCostFunction<ExponentialCost, 1, 2>(new ExponentialCost{point});
  return new ceres::AutoDiffCostFunction<PiecewiseCost, 1, 5>(new PiecewiseCost{point});
}

/// Least squares from one start; parameters that scale with y are in units of data.scale.
Result<std::vector<double>> solve_law(HardeningLaw law, const Data& data, std::vector<double> start,
                                      double& rss, std::vector<double>& std) {
  ceres::Problem problem;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const Point point{data.x[i], data.y[i] / data.scale};
    problem.AddResidualBlock(cost_of(law, point), nullptr, start.data());
  }
  if (law == HardeningLaw::kPiecewise) {
    for (int k = 0; k < 3; ++k) problem.SetParameterLowerBound(start.data(), k, 0);
    problem.SetParameterLowerBound(start.data(), 3, 0.01);
    problem.SetParameterUpperBound(start.data(), 3, 0.3);
    problem.SetParameterLowerBound(start.data(), 4, 0.3);
    problem.SetParameterUpperBound(start.data(), 4, 0.9);
  }
  const auto solved = solve(problem);
  if (!solved) return fail(solved.error());
  double* const block = start.data();
  const auto at = linearize(problem, std::span(&block, 1));
  if (!at) return fail(at.error());
  const auto covariance = covariance_of(*at);
  rss = covariance.chi2 * data.scale * data.scale;
  std.clear();
  for (Eigen::Index k = 0; k < covariance.covariance.rows(); ++k)
    std.push_back(
        std::sqrt(covariance.covariance(k, k) * covariance.chi2 / std::max(1.0, covariance.dof)));
  return start;
}

/// Slope of the points in [low, high), through the first of them.
double slope_between(const Data& data, double low, double high) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    if (data.x[i] < low || data.x[i] >= high) continue;
    ++n;
    x += data.x[i];
    y += data.y[i];
    xx += data.x[i] * data.x[i];
    xy += data.x[i] * data.y[i];
  }
  const double spread = n * xx - x * x;
  return spread > 0 ? std::max(0.0, (n * xy - x * y) / spread) : 0;
}

std::vector<double> piecewise_start(const Data& data) {
  const double last = data.x.back(), third = last / 3;
  double flattest = slope_between(data, 0, third);
  for (int part = 1; part < 3; ++part)
    flattest = std::min(flattest, slope_between(data, part * third, (part + 1) * third));
  const double first = std::max(slope_between(data, 0, kElasticTo[0]), flattest);
  return {first / data.scale, flattest / data.scale,
          slope_between(data, 0.9 * last, 1.01 * last) / data.scale, kElasticTo[1], kSecondKnee};
}

Result<HardeningFit> fit_polynomial(HardeningLaw law, const Data& data) {
  const auto n = static_cast<Eigen::Index>(data.x.size());
  const auto count = static_cast<Eigen::Index>(parameter_count(law));
  Eigen::MatrixXd design(n, count);
  const Eigen::Map<const Eigen::VectorXd> x(data.x.data(), n), y(data.y.data(), n);
  design.col(0) = x;
  for (Eigen::Index k = 1; k < count; ++k) design.col(k) = design.col(k - 1).cwiseProduct(x);
  const Eigen::VectorXd solution = design.householderQr().solve(y);
  HardeningFit fit;
  fit.law = law;
  fit.rss = (y - design * solution).squaredNorm();
  const Eigen::MatrixXd covariance = covariance_from(design);
  if (covariance.size() == 0)
    return fail(ErrorCode::kUnidentifiable, "ID-01 the points lie at too few depths");
  const double variance = fit.rss / std::max(1.0, static_cast<double>(n - count));
  for (Eigen::Index k = 0; k < count; ++k) {
    fit.parameters.push_back(solution(k));
    fit.std.push_back(std::sqrt(covariance(k, k) * variance));
  }
  return fit;
}

Result<HardeningFit> fit_curve(HardeningLaw law, const Data& data) {
  const double last = data.x.back();
  std::vector<double> start = piecewise_start(data);
  if (law == HardeningLaw::kExponential) {
    const double b = 2 / last;
    start = {data.y.back() / data.scale / std::expm1(b * last), b};
  }
  HardeningFit fit;
  fit.law = law;
  auto solved = solve_law(law, data, std::move(start), fit.rss, fit.std);
  if (!solved) return fail(solved.error());
  fit.parameters = std::move(*solved);
  if (law == HardeningLaw::kExponential && fit.parameters[1] * last < kMinExponent)
    return fail(ErrorCode::kUnidentifiable, "ID-01 only the product A B is known: hardly curved");
  if (law == HardeningLaw::kPiecewise && last < fit.parameters[4] + kBeyondKnee)
    return fail(ErrorCode::kUnidentifiable, "ID-01 the data end before densification shows");
  const std::size_t scaled = law == HardeningLaw::kExponential ? 1 : 3;
  for (std::size_t k = 0; k < scaled; ++k) {
    fit.parameters[k] *= data.scale;
    if (k < fit.std.size()) fit.std[k] *= data.scale;
  }
  return fit;
}

bool rises_on(const HardeningFit& fit, double last) {
  constexpr int kSteps = 100;
  for (int i = 0; i <= kSteps; ++i)
    if (!(fit.slope(last * i / kSteps) > 0)) return false;
  return true;
}

}  // namespace

std::string_view to_string(HardeningLaw law) {
  constexpr std::array<std::string_view, 4> kNames = {"linear", "cubic", "exponential",
                                                      "piecewise"};
  return kNames[static_cast<std::size_t>(law)];
}

double HardeningFit::operator()(double x) const {
  const auto& p = parameters;
  switch (law) {
    case HardeningLaw::kLinear:
      return p[0] * x;
    case HardeningLaw::kCubic:
      return x * (p[0] + x * (p[1] + x * p[2]));
    case HardeningLaw::kExponential:
      return exponential(p.data(), x);
    case HardeningLaw::kPiecewise:
      break;
  }
  return piecewise(p.data(), x);
}

double HardeningFit::slope(double x) const {
  const auto& p = parameters;
  const auto step = [](double z) { return 1 / (1 + std::exp(-z / kSoft)); };
  switch (law) {
    case HardeningLaw::kLinear:
      return p[0];
    case HardeningLaw::kCubic:
      return p[0] + x * (2 * p[1] + 3 * x * p[2]);
    case HardeningLaw::kExponential:
      return p[0] * p[1] * std::exp(p[1] * x);
    case HardeningLaw::kPiecewise:
      break;
  }
  return p[0] + (p[1] - p[0]) * step(x - p[3]) + (p[2] - p[1]) * step(x - p[4]);
}

Result<HardeningFit> fit_hardening(HardeningLaw law, std::span<const double> x,
                                   std::span<const double> y) {
  if (x.size() < parameter_count(law) + 2)
    return fail(ErrorCode::kUnidentifiable, "ST-01 {} depths are too few for a {} law", x.size(),
                to_string(law));
  double squares = 0;
  for (const double value : y) squares += value * value;
  const Data data{x, y, std::max(1e-300, std::sqrt(squares / static_cast<double>(y.size())))};
  const bool polynomial = law == HardeningLaw::kLinear || law == HardeningLaw::kCubic;
  auto fit = polynomial ? fit_polynomial(law, data) : fit_curve(law, data);
  if (!fit) return fit;
  fit->criteria = criteria(fit->rss, parameter_count(law), static_cast<double>(x.size()));
  fit->rises = rises_on(*fit, x.back());
  return fit;
}

HardeningFit choose_hardening(std::span<const double> x, std::span<const double> y, bool strain) {
  std::optional<HardeningFit> best;
  for (const auto law : {HardeningLaw::kLinear, HardeningLaw::kExponential, HardeningLaw::kCubic,
                         HardeningLaw::kPiecewise}) {
    if (law == HardeningLaw::kPiecewise && !strain) continue;
    auto fit = fit_hardening(law, x, y);
    if (!fit || !fit->rises) continue;
    const bool better = !best || (fit->criteria.aicc < best->criteria.aicc - kSimplerWithin &&
                                  fit->criteria.bic < best->criteria.bic);
    if (better) best = std::move(*fit);
  }
  if (best) return *best;
  HardeningFit nothing;
  nothing.parameters = {0};
  return nothing;
}

LinearEquivalents linear_equivalents(const HardeningFit& fit, double x) {
  constexpr int kParts = 64;  // knees of the piecewise law are a hundredth wide
  double work = 0;
  for (int i = 0; i < kParts; ++i)
    work += boost::math::quadrature::gauss_kronrod<double, 15>::integrate(fit, x * i / kParts,
                                                                          x * (i + 1) / kParts, 0);
  return {fit(x) / x, 2 * work / (x * x), fit.slope(x)};
}

}  // namespace tactelier
