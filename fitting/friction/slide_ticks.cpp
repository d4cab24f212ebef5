#include "fitting/friction/slide_ticks.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kStep = 1 / 32.0;  // of a tick, between phases
constexpr int kRounds = 2;
constexpr std::size_t kLikely = 3;
constexpr double kDoubt = 1e-3;  // of chi2: by how much phases differ for other reasons

}  // namespace

/// An eighth of a tick beside the right phase is as bad as any: quarters first, then all by what
/// they leave over with what was found, and again those that leave least.
SlideFit TickPhases::best(const SlideFit& from) {
  best_ = from;
  tried_.push_back(from);
  for (const double phase : {0.25, 0.5, 0.75}) try_phase(phase);
  for (int round = 0; round < kRounds; ++round)
    for (const double phase : likely()) try_phase(phase);
  return best_;
}

void TickPhases::try_phase(double phase) {
  auto with = best_.setting;
  with.phase = phase;
  const auto tried = solver_.fit(with, best_.values, kSlideMiddle);
  if (!tried) return;
  if (tried->chi2 < best_.chi2) best_ = *tried;
  tried_.push_back(*tried);
}

/// Not tried yet.
std::vector<double> TickPhases::likely() const {
  auto with = best_.setting;
  std::vector<std::pair<double, double>> by_cost;
  for (double phase = 0; phase < 1; phase += kStep) {
    with.phase = phase;
    if (was_tried(phase)) continue;
    if (const auto cost = solver_.cost(with, best_.values)) by_cost.emplace_back(*cost, phase);
  }
  std::sort(by_cost.begin(), by_cost.end());
  std::vector<double> phases;
  for (const auto& [cost, phase] : by_cost)
    if (phases.size() < kLikely) phases.push_back(phase);
  return phases;
}

bool TickPhases::was_tried(double phase) const {
  return std::any_of(tried_.begin(), tried_.end(),
                     [&](const SlideFit& fit) { return fit.setting.phase == phase; });
}

void TickPhases::add_spread(SlideFit& fit) const {
  if (fit.covariance.size() == 0 || fit.setting.shape != StepShape::kJump) return;
  constexpr auto shared = static_cast<Eigen::Index>(kSlideShared);
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(shared, shared);
  double total = 0;
  for (const auto& other : tried_) {
    const double weight = std::exp(-std::max(0.0, other.chi2 - fit.chi2) / (2 * kDoubt * fit.chi2));
    const Eigen::VectorXd off = Eigen::Map<const Eigen::VectorXd>(other.values.data(), shared) -
                                Eigen::Map<const Eigen::VectorXd>(fit.values.data(), shared);
    spread += weight * off * off.transpose();
    total += weight;
  }
  fit.covariance += spread / std::max(1.0, total);
}

}  // namespace tactelier
