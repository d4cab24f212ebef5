#include "fitting/psf/spread_report.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "fitting/psf/psf_candidate.hpp"

namespace tactelier {
namespace {

constexpr const char* kFrom = "psf";

class SpreadReport {
 public:
  SpreadReport(Psf& target, const PsfFit& fit, double pitch_m, const Eigen::MatrixXd& covariance,
               double dof)
      : target_(target), fit_(fit), pitch_m_(pitch_m), covariance_(covariance), dof_(dof) {}

  void write() {
    if (fit_.model.shape == PsfShape::kAnisotropic) return lengthened();
    double sigma_m = std::exp(fit_.state.spread.m / 2);
    double u = u_of(covariance_, 0) / 2;
    double s = 0, by_sigma = 0;  // d ln s / d ln sigma
    if (fit_.model.form == PsfForm::kSampled) {
      s = sigma_m / pitch_m_;
      sigma_m = integrated_from_sampled(s) * pitch_m_;
      const double h = 1e-4;
      by_sigma =
          1 /
          (std::log(integrated_from_sampled(s * (1 + h)) / integrated_from_sampled(s * (1 - h))) /
           (2 * h));
      u /= by_sigma;
    } else if (fit_.model.form == PsfForm::kPoint) {
      s = sigma_m / pitch_m_;
      by_sigma = 1;
    } else {
      s = sampled_from_integrated(sigma_m / pitch_m_);
      const double h = 1e-4;
      by_sigma = std::log(sampled_from_integrated(sigma_m / pitch_m_ * (1 + h)) /
                          sampled_from_integrated(sigma_m / pitch_m_ * (1 - h))) /
                 (2 * h);
    }
    target_.sigma = spread_parameter("sigma", sigma_m, u);
    target_.sigma_x = target_.sigma_y = target_.sigma;
    target_.theta = unidentifiable("rad", "ROUND the spread is round: it has no direction", kFrom);
    kernel(s, u * by_sigma);
  }

 private:
  Parameter spread_parameter(const std::string& name, double sigma_m, double u_log) const {
    const auto candidate = logarithmic(name, "m", sigma_m, u_log, dof_);
    return reported(candidate, judge(std::array{candidate}, {}).verdicts[0], kFrom);
  }

  void kernel(double s, double u_log) {
    auto& sampled = target_.kernel_sampled;
    const auto kernel = discrete_kernel(s);
    sampled.size = {2 * kernel.half + 1, 2 * kernel.half + 1};
    sampled.weights = kernel.weights;
    const auto candidate = logarithmic("s", "tactels", s, u_log, dof_);
    sampled.s = reported(candidate, judge(std::array{candidate}, {}).verdicts[0], kFrom);
  }

  void lengthened() {
    const auto at = [](LogSpread log) { return spread_axes(spread_covariance(log)); };
    const auto axes = at(fit_.state.spread);
    Eigen::Matrix3d by;  // of (ln sigma_x, ln sigma_y, theta) by (m, e1, e2)
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-5;
      LogSpread up = fit_.state.spread, down = up;
      (k == 0 ? up.m : k == 1 ? up.e1 : up.e2) += h;
      (k == 0 ? down.m : k == 1 ? down.e1 : down.e2) -= h;
      const auto a = at(up), b = at(down);
      by.col(k) << std::log(a.sigma_x_m / b.sigma_x_m), std::log(a.sigma_y_m / b.sigma_y_m),
          std::remainder(a.theta_rad - b.theta_rad, std::numbers::pi);
      by.col(k) /= 2 * h;
    }
    const Eigen::Matrix3d covariance = by * covariance_.topLeftCorner<3, 3>() * by.transpose();
    target_.sigma_x = spread_parameter("sigma_x", axes.sigma_x_m, std::sqrt(covariance(0, 0)));
    target_.sigma_y = spread_parameter("sigma_y", axes.sigma_y_m, std::sqrt(covariance(1, 1)));
    target_.sigma = unidentifiable(
        "m", "NOT-ROUND the spread is longer along one direction: see sigma_x and sigma_y", kFrom);
    // docs/theory/point-spread.md 4: a direction only where the lengths differ by more than their
    // uncertainty.
    const double u_ratio = axes.sigma_x_m / axes.sigma_y_m *
                           std::sqrt(covariance(0, 0) + covariance(1, 1) - 2 * covariance(0, 1));
    if (axes.sigma_x_m / axes.sigma_y_m - 1 > 2 * u_ratio) {
      const auto theta =
          location("theta", "rad", axes.theta_rad, std::sqrt(covariance(2, 2)), dof_);
      target_.theta = reported(theta, judge(std::array{theta}, {}).verdicts[0], kFrom);
    } else {
      target_.theta = unidentifiable("rad", "ROUND the lengths do not differ enough", kFrom);
    }
    kernel(sampled_from_integrated(std::exp(fit_.state.spread.m / 2) / pitch_m_),
           u_of(covariance_, 0) / 2);
  }

  Psf& target_;
  const PsfFit& fit_;
  double pitch_m_;
  const Eigen::MatrixXd& covariance_;
  double dof_;
};

}  // namespace

void report_spread(Psf& target, const PsfFit& fit, double pitch_m,
                   const Eigen::MatrixXd& covariance, double dof) {
  SpreadReport(target, fit, pitch_m, covariance, dof).write();
}

}  // namespace tactelier
