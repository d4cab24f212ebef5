#include "fitting/friction/lugre_block.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

// Below it (1 - exp(-x)) / x is taken from its series, as in lugre_detail::phi.
constexpr double kSmallStep = 1e-4;
constexpr std::array kBentIndex{kLugreSigma0, kLugreStatic, kLugreDynamic, kLugreStribeck};

}  // namespace

void LugreBlock::steps(const double* velocity_m_per_s, const double* normal_N, Index count) {
  const Rows v = Eigen::Map<const Eigen::ArrayXd>(velocity_m_per_s, count);
  const Rows load_N = Eigen::Map<const Eigen::ArrayXd>(normal_N, count);
  const double span = p_[kLugreStatic] - p_[kLugreDynamic];
  const Rows ratio2 = (v / p_[kLugreStribeck]).square();
  const Rows drop = (-ratio2).exp();
  const Rows level_N = load_N * (p_[kLugreDynamic] + span * drop);
  a_ = p_[kLugreSigma0] * v.abs() / level_N;
  const Rows x = a_ * period_s_;
  keep_ = (-x).exp();
  const auto small = x < kSmallStep;
  gain_ = v * period_s_ * small.select(1 - x / 2 + x.square() / 6, (1 - keep_) / x);
  turn_ =
      v * (period_s_ * period_s_) * small.select(-0.5 + x / 3, (keep_ * (1 + x) - 1) / x.square());
  const Rows by_level = -a_ * load_N / level_N;  // da/dmu of a row that has all of it
  rate_[kBySigma0] = a_ / p_[kLugreSigma0];
  rate_[kByStatic] = by_level * drop;
  rate_[kByDynamic] = by_level * (1 - drop);
  rate_[kByStribeck] = by_level * drop * ratio2 * (2 * span / p_[kLugreStribeck]);
  follow(count);
  force_and_gradients(v);
}

void LugreBlock::follow(Index count) {
  z_.resize(count);
  start_slopes_.resize(count);
  for (auto& slopes : slopes_) slopes.resize(count);
  for (Index i = 0; i < count; ++i) {
    const double keep = keep_[i];
    const double by_rate = turn_[i] - z_m_ * keep * period_s_;  // dz+/da
    z_[i] = z_m_ = z_m_ * keep + gain_[i];
    start_slopes_[i] = start_slope_ *= keep;
    for (std::size_t k = 0; k < kBentSize; ++k)
      slopes_[k][i] = slope_[k] = keep * slope_[k] + by_rate * rate_[k][i];
  }
}

void LugreBlock::force_and_gradients(const Rows& v) {
  const double sigma1 = p_[kLugreSigma1];
  const Rows left = p_[kLugreSigma0] - sigma1 * a_;
  const Rows z_rate = v - a_ * z_;
  force_N_ = p_[kLugreSigma0] * z_ + sigma1 * z_rate + p_[kLugreViscous] * v;
  gradients_.resize(v.size(), Eigen::NoChange);
  for (std::size_t k = 0; k < kBentSize; ++k)
    gradients_.col(static_cast<Index>(kBentIndex[k])) =
        (left * slopes_[k] - sigma1 * z_ * rate_[k]).matrix();
  gradients_.col(kLugreSigma0) += z_.matrix();
  gradients_.col(kLugreSigma1) = z_rate.matrix();
  gradients_.col(kLugreViscous) = v.matrix();
  gradients_.col(kLugreSize) = (left * start_slopes_).matrix();
}

}  // namespace tactelier
