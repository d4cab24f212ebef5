#include "fitting/recording/contact_point.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/scalar_minimum.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kMinExponent = 0.5;
constexpr double kMaxExponent = 4;
constexpr std::size_t kMinRowsInContact = 5;
constexpr double kLittle = 0.1;  // of the peak
constexpr std::size_t kAtOnceRows = 20;

struct Rows {
  std::span<const double> travel_m;
  std::span<const double> force_N;
  double scale_m = 1;  // depths are scaled by it, so that x^n stays near 1
};

struct Linear {
  double bias = 0;
  double k = 0;  // per scaled depth
  double rss = std::numeric_limits<double>::infinity();
};

/// The rows as seen from one contact point: exact bias and k for any exponent. Logarithms of the
/// depths are taken once for all exponents, which are most of a profile's work.
class FromPoint {
 public:
  /// Of an exponent of 1 no logarithm is needed.
  FromPoint(const Rows& rows, double z0_m, std::optional<double> exponent)
      : reference_N_(rows.force_N.front()) {
    const auto all = static_cast<Eigen::Index>(rows.travel_m.size());
    count_ = static_cast<double>(all);
    depth_.resize(all);
    force_N_.resize(all);
    Eigen::Index in_contact = 0;
    for (std::size_t i = 0; i < rows.travel_m.size(); ++i) {
      const double y = rows.force_N[i] - reference_N_;
      sy_ += y;
      syy_ += y * y;
      const double depth = (rows.travel_m[i] - z0_m) / rows.scale_m;
      if (!(depth > 0)) continue;
      depth_[in_contact] = depth;
      force_N_[in_contact++] = y;
    }
    depth_.conservativeResize(in_contact);
    force_N_.conservativeResize(in_contact);
    if (exponent != 1.0) log_depth_ = depth_.log();
  }

  Linear solve(double n) const { return n == 1 ? solve(depth_) : solve((n * log_depth_).exp()); }

  double best_exponent() const {
    return minimize_on_grid([&](double n) { return solve(n).rss; }, kMinExponent, kMaxExponent, 8,
                            1e-7)
        .x;
  }

 private:
  Linear solve(const Eigen::ArrayXd& x) const {
    const double sx = x.sum(), sxx = x.square().sum(), sxy = (x * force_N_).sum();
    const double vxx = sxx - sx * sx / count_;
    if (vxx <= 0) return {reference_N_ + sy_ / count_, 0, syy_ - sy_ * sy_ / count_};
    const double vxy = sxy - sx * sy_ / count_;
    const double k = vxy / vxx;
    return {reference_N_ + (sy_ - k * sx) / count_, k, syy_ - sy_ * sy_ / count_ - k * vxy};
  }

  double reference_N_, count_ = 0, sy_ = 0, syy_ = 0;
  Eigen::ArrayXd depth_, log_depth_, force_N_;  // of what is in contact; force less the reference
};

/// Standard errors of (bias, k, z0[, n]) from the linearisation, widened for serial correlation.
void add_uncertainty(const Rows& rows, bool exponent_free, ContactFit& fit) {
  const auto count = static_cast<Eigen::Index>(rows.travel_m.size());
  const double k = fit.k * std::pow(rows.scale_m, fit.n);
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(count, exponent_free ? 4 : 3);
  std::vector<double> residuals(rows.travel_m.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double x = (rows.travel_m[row] - fit.z0_m) / rows.scale_m;
    const double power = x > 0 ? std::pow(x, fit.n) : 0;
    residuals[row] = rows.force_N[row] - fit.bias_N - k * power;
    jacobian(i, 0) = 1;
    if (x <= 0) continue;
    jacobian(i, 1) = power;
    jacobian(i, 2) = -k * fit.n * power / x;
    if (exponent_free) jacobian(i, 3) = k * power * std::log(x);
  }
  const Eigen::MatrixXd plain = covariance_from(jacobian);
  const double dof = static_cast<double>(count - jacobian.cols());
  if (plain.size() == 0 || dof <= 0) {
    fit.u_z0_m = std::numeric_limits<double>::infinity();
    return;
  }
  const double variance = 2 * fit.cost / dof;
  const double rho = lag1(residuals);
  const auto lag = static_cast<std::size_t>(std::clamp(5 * correlation_length(rho), 1.0, dof / 4));
  const Eigen::MatrixXd honest = newey_west(jacobian, residuals, lag);
  const auto u = [&](Eigen::Index i) {
    return std::sqrt(std::max(honest(i, i), variance * plain(i, i)));
  };
  fit.u_z0_m = u(2) * rows.scale_m;
  fit.u_k = u(1) / std::pow(rows.scale_m, fit.n);
}

tl::unexpected<Error> starts_in_contact() {
  return fail(ErrorCode::kUnidentifiable,
              "RC-01 The record starts in contact: fewer than {0} free samples. Begin the press in "
              "free air, at least {0} samples of the force and 0.2 s before contact",
              kBaselineSamples);
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double sd_of(std::span<const double> values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// The baseline is no baseline: its second half lies above its first for good, or it climbs by
/// itself more than noise and half a percent of the press.
bool rises_already(std::span<const double> force_N, std::size_t baseline) {
  const auto first = force_N.first(baseline / 2);
  const double mean = mean_of(first);
  const double limit = mean + 5 * sd_of(first, mean);
  const auto peak = std::max_element(force_N.begin(), force_N.end());
  auto last_below = std::find_if(std::make_reverse_iterator(peak), force_N.rend(),
                                 [&](double f) { return f <= limit; });
  if (last_below == force_N.rend() || last_below.base() < force_N.begin() + kBaselineSamples)
    return true;
  std::vector<double> index(baseline);
  for (std::size_t i = 0; i < baseline; ++i) index[i] = static_cast<double>(i);
  const auto line = fit_line(index, force_N.first(baseline));
  if (!line) return false;
  const double climb = line->slope * static_cast<double>(baseline);
  return climb > 5 * line->residual_sd && climb > 0.005 * (*peak - mean);
}

/// What rises above the noise at rest and is back at its mean at once was no touch: noise, louder
/// while motors step, where it is little of the peak; a knock against the table where it swings as
/// far below. The row where it is back; empty for a touch at `index`.
std::optional<std::size_t> back_in_air(std::span<const double> force_N, std::size_t index,
                                       const CoarseContact& air, double peak_N) {
  const auto at_once = force_N.subspan(index, std::min(kAtOnceRows, force_N.size() - index));
  const auto back =
      std::find_if(at_once.begin(), at_once.end(), [&](double f) { return f <= air.mean_N; });
  if (back == at_once.end()) return std::nullopt;
  const bool little =
      *std::max_element(at_once.begin(), back) - air.mean_N < kLittle * (peak_N - air.mean_N);
  const bool swings = *std::min_element(back, at_once.end()) < 2 * air.mean_N - air.threshold_N;
  if (!little && !swings) return std::nullopt;
  return index + static_cast<std::size_t>(back - at_once.begin());
}

}  // namespace

Result<CoarseContact> detect_contact(std::span<const double> force_N, std::size_t baseline) {
  assert(baseline >= kBaselineSamples);
  if (force_N.size() < baseline) return starts_in_contact();
  const auto free = force_N.first(baseline);
  CoarseContact coarse;
  coarse.mean_N = mean_of(free);
  coarse.sd_N = sd_of(free, coarse.mean_N);
  coarse.threshold_N = coarse.mean_N + 5 * coarse.sd_N;
  const double peak_N = *std::max_element(force_N.begin(), force_N.end());
  if (peak_N > coarse.threshold_N && rises_already(force_N, baseline)) return starts_in_contact();
  std::size_t above = 0;
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    above = force_N[i] > coarse.threshold_N ? above + 1 : 0;
    if (above < 3) continue;
    coarse.index = i - 2;
    if (const auto back = back_in_air(force_N, i, coarse, peak_N)) {
      i = *back;
      above = 0;
      continue;
    }
    if (coarse.index < kBaselineSamples) return starts_in_contact();
    return coarse;
  }
  // A level that is not zero may be a bias, or a load that lay on all the while.
  const double noise_N = coarse.threshold_N - coarse.mean_N;
  return fail(ErrorCode::kUnidentifiable,
              "NO-CONTACT The force never rose above its noise ({:.3g} N){}", noise_N,
              std::abs(coarse.mean_N) > noise_N
                  ? fmt::format(" about {:.3g} N: the tip did not touch, or pressed all the while",
                                coarse.mean_N)
                  : ": the tip did not touch");
}

Result<ContactFit> fit_contact(std::span<const double> travel_m, std::span<const double> force_N,
                               const ContactWindow& window, std::optional<double> exponent) {
  if (travel_m.size() < kMinRowsInContact)
    return fail(ErrorCode::kUnidentifiable, "RC-01 only {} samples around contact",
                travel_m.size());
  const double deepest = *std::max_element(travel_m.begin(), travel_m.end());
  const double middle = 0.5 * (window.low_m + window.high_m);
  const Rows rows{travel_m, force_N, std::max(deepest - middle, 1e-9)};
  const auto misfit = [&](double z0_m) {
    const FromPoint from(rows, z0_m, exponent);
    return from.solve(exponent ? *exponent : from.best_exponent()).rss;
  };
  const double spacing = (window.high_m - window.low_m) / (window.points - 1);
  const auto best = minimize_on_grid(misfit, window.low_m, window.high_m, window.points,
                                     std::max(1e-9 * rows.scale_m, 1e-6 * spacing));
  if (best.x - window.low_m < 1e-3 * spacing || window.high_m - best.x < 1e-3 * spacing)
    return fail(ErrorCode::kUnidentifiable,
                "CONTACT-EDGE the best contact point lies at the edge of the range searched");
  ContactFit fit;
  fit.z0_m = best.x;
  const FromPoint from(rows, best.x, exponent);
  fit.n = exponent ? *exponent : from.best_exponent();
  const auto linear = from.solve(fit.n);
  fit.bias_N = linear.bias;
  fit.k = linear.k / std::pow(rows.scale_m, fit.n);
  fit.cost = 0.5 * std::max(0.0, linear.rss);
  fit.rms_N = std::sqrt(2 * fit.cost / static_cast<double>(travel_m.size()));
  for (const double z : travel_m) fit.rows_in_contact += z > fit.z0_m ? 1 : 0;
  if (linear.k <= 0)
    return fail(ErrorCode::kUnidentifiable,
                "CV-01 Force falls while the indenter goes down: the F/T sign or the depth sign is "
                "inverted.");
  if (fit.rows_in_contact < kMinRowsInContact)
    return fail(ErrorCode::kUnidentifiable, "RC-05 only {} samples beyond the contact point",
                fit.rows_in_contact);
  add_uncertainty(rows, !exponent, fit);
  return fit;
}

}  // namespace tactelier
