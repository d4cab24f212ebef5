#include "fitting/adaptive/press_information.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace tactelier::adaptive {
namespace {

constexpr double kClearNoises = 5;  // an answer: so far above the noise at the peak
constexpr double kLeastFrames = 3;
constexpr double kThresholdScatter = 2;  // of a threshold over that of a reading
constexpr double kHiddenVariance = 1e6;  // of a number that a press leaves open

struct Line {
  double slope_variance = 0;  // relative
  double both = 0;
  double threshold_variance = 0;  // relative
};

/// Of slope a and threshold h of a(F - h/..) seen over `frames` forces spread evenly up to `top_N`,
/// noise `noise` counts: the inverse of the sums of squares of what is above the threshold.
Line line_of(double slope, double threshold_N, double top_N, double frames, double noise) {
  const double low_N = std::min(threshold_N, top_N);
  const double n = frames * (top_N - low_N) / top_N;
  const double mean_N = (top_N + low_N) / 2;
  const double square_N2 = (top_N * top_N + top_N * low_N + low_N * low_N) / 3;
  const double weight = n / (noise * noise);
  const double q = slope * threshold_N;
  const double ss = weight * slope * slope * square_N2;
  const double sq = -weight * slope * mean_N * q;
  const double qq = weight * q * q;
  const double determinant = ss * qq - sq * sq;
  if (!(determinant > 1e-12 * ss * qq) || !std::isfinite(determinant))
    return {ss > 0 ? 1 / ss : kHiddenVariance, 0, kHiddenVariance};
  return {qq / determinant, -sq / determinant, ss / determinant};
}

}  // namespace

PressInformation::PressInformation(SensorDescription sensor, PsfLayout layout,
                                   PressFootprint footprint, PressBeliefs beliefs,
                                   const PressPriors& priors)
    : sensor_(std::move(sensor)),
      layout_(std::move(layout)),
      footprint_(std::move(footprint)),
      beliefs_(std::move(beliefs)),
      gain_prior_(priors.gain) {
  const auto tactels = sensor_.tactels();
  for (int t = 0; t < tactels; ++t)
    for (std::size_t axis = 0; axis < 2; ++axis)
      middle_m_[axis] += sensor_.position_m(t)[axis] / tactels;
  Eigen::VectorXd prior(kShared + 2 * tactels + 1);
  const double shift_m = priors.shift_pitch * layout_.pitch_m();
  prior.head(kShared) << priors.sigma, shift_m, shift_m, priors.turn_rad, priors.ghosting;
  for (int t = 0; t < tactels; ++t) {
    prior[gain_column(t)] = priors.gain;
    prior[gain_column(t) + 1] = priors.threshold;
  }
  prior[prior.size() - 1] = priors.stiffness;
  covariance_ = prior.cwiseAbs2().asDiagonal();
  pressed_.assign(static_cast<std::size_t>(tactels), false);
}

Result<PressInformation> PressInformation::create(const SensorDescription& sensor,
                                                  const Indenter& tip, PressBeliefs beliefs,
                                                  const PressPriors& priors) {
  auto layout = PsfLayout::create(sensor);
  if (!layout) return fail(layout.error());
  auto footprint = press_footprint(tip, layout->pitch_m());
  if (!footprint)
    return fail(ErrorCode::kUnidentifiable,
                "PS-01 the contact of {} grows with depth: presses are chosen for flat ends only",
                tip.describe());
  return PressInformation(sensor, std::move(*layout), std::move(*footprint), std::move(beliefs),
                          priors);
}

PressSays PressInformation::says(const PressThought& press) const {
  const auto tactels = static_cast<std::size_t>(sensor_.tactels());
  std::vector<Share> shares(tactels);
  const SpreadAxes axes{beliefs_.sigma_m, beliefs_.sigma_m, 0};
  const auto spread = spread_covariance(axes);
  layout_.shares(press.x_m, press.y_m, footprint_, spread, PsfForm::kIntegrated, PsfEdge::kZero,
                 shares);
  std::vector<double> values(tactels), lines(tactels);
  for (std::size_t t = 0; t < tactels; ++t) values[t] = shares[t].value;
  layout_.line_sums(values, lines);
  const double top_N = std::min(press.force_N, beliefs_.saturation_N);
  const double loads_s =
      press.speed_m_per_s > 0 ? press.depth_m / press.speed_m_per_s * top_N / press.force_N : 0;
  const double frames = std::max(kLeastFrames, loads_s * beliefs_.tactile_rate_hz);

  std::vector<int> answering;
  for (std::size_t t = 0; t < tactels; ++t) {
    const double top =
        beliefs_.slope_counts_per_N[t] * (values[t] * top_N - beliefs_.threshold_N[t]);
    if (top > kClearNoises * beliefs_.noise_counts) answering.push_back(static_cast<int>(t));
  }
  PressSays says;
  for (Eigen::Index c = 0; c < kShared; ++c) says.columns.push_back(c);
  for (const int t : answering) {
    says.columns.push_back(gain_column(t));
    says.columns.push_back(gain_column(t) + 1);
  }
  const auto n = static_cast<Eigen::Index>(answering.size());
  const bool tells_k = press.tactel && !pressed_[static_cast<std::size_t>(*press.tactel)];
  const Eigen::Index rows = 2 * n + (tells_k ? 1 : 0);
  if (tells_k) says.columns.push_back(stiffness_column());
  says.by = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(says.columns.size()));
  says.covariance = Eigen::MatrixXd::Zero(rows, rows);
  Eigen::VectorXd along_x(n), along_y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto t = static_cast<std::size_t>(answering[static_cast<std::size_t>(i)]);
    const auto& share = shares[t];
    const double slope = beliefs_.slope_counts_per_N[t] * share.value;
    const double noise = std::hypot(beliefs_.noise_counts, slope * beliefs_.force_noise_N);
    const auto line = line_of(slope, beliefs_.threshold_N[t] / share.value, top_N, frames, noise);
    const auto row = 2 * i;
    // d ln w / d ln sigma: the covariance of the spread grows by twice itself.
    says.by(row, kSigma) = 2 * (share.xx * spread.xx + share.yy * spread.yy) / share.value;
    along_x[i] = share.x / share.value;
    along_y[i] = share.y / share.value;
    says.by(row, kShiftX) = along_x[i];
    says.by(row, kShiftY) = along_y[i];
    says.by(row, kTurn) =
        along_y[i] * (press.x_m - middle_m_[0]) - along_x[i] * (press.y_m - middle_m_[1]);
    says.by(row, kGhosting) = lines[t] / share.value;
    says.by(row, kShared + 2 * i) = 1;
    says.by(row + 1, kShared + 2 * i + 1) = 1;
    says.by(row + 1, kShared + 2 * i) = 1;  // q = s h, of which the line tells q
    const double own = std::pow(beliefs_.own_scatter, 2);
    says.covariance(row, row) = line.slope_variance + own;
    says.covariance(row, row + 1) = says.covariance(row + 1, row) = line.both;
    says.covariance(row + 1, row + 1) =
        line.threshold_variance + kThresholdScatter * kThresholdScatter * own;
  }
  const double common = std::pow(beliefs_.press_scatter, 2);
  const double place = std::pow(beliefs_.place_m, 2);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      says.covariance(2 * i, 2 * j) +=
          common + place * (along_x[i] * along_x[j] + along_y[i] * along_y[j]);
  if (tells_k) {
    const auto last = rows - 1;
    says.by(last, static_cast<Eigen::Index>(says.columns.size()) - 1) = 1;
    says.covariance(last, last) = std::pow(beliefs_.stiffness_scatter, 2);
  }
  return says;
}

Eigen::VectorXd PressInformation::would_lower(const PressSays& says) const {
  if (says.by.rows() == 0) return Eigen::VectorXd::Zero(covariance_.rows());
  const auto& c = says.columns;
  const Eigen::MatrixXd crossed = says.by * covariance_(c, Eigen::all);
  const Eigen::MatrixXd inner = says.covariance + crossed(Eigen::all, c) * says.by.transpose();
  const Eigen::LLT<Eigen::MatrixXd> factor(inner);
  const Eigen::MatrixXd lowered = factor.matrixL().solve(crossed);
  return lowered.colwise().squaredNorm().transpose();
}

void PressInformation::add(const PressThought& press) {
  const auto says = this->says(press);
  if (press.tactel) pressed_[static_cast<std::size_t>(*press.tactel)] = true;
  if (says.by.rows() == 0) return;
  const auto& c = says.columns;
  const Eigen::MatrixXd all = covariance_(Eigen::all, c);
  const Eigen::MatrixXd crossed = says.by * all.transpose();
  const Eigen::MatrixXd inner = says.covariance + crossed(Eigen::all, c) * says.by.transpose();
  const Eigen::LLT<Eigen::MatrixXd> factor(inner);
  const Eigen::MatrixXd lowered = factor.matrixL().solve(crossed);
  covariance_.selfadjointView<Eigen::Lower>().rankUpdate(lowered.transpose(), -1.0);
  covariance_.triangularView<Eigen::StrictlyUpper>() = covariance_.transpose();
}

void PressInformation::forget(int tactel) {
  const auto column = gain_column(tactel);
  covariance_(column, column) += gain_prior_ * gain_prior_;
}

}  // namespace tactelier::adaptive
