#include "fitting/stiffness/press_speed.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kAlikeSpeed = 2;  // a factor, either way
constexpr std::size_t kMinLoops = 3;

bool small(const HalfWidth& loop) { return std::abs(loop.value) <= kMaxViscousLoop; }

std::vector<HalfWidth> loops_run_in(const std::vector<StiffnessPress>& presses) {
  std::vector<HalfWidth> loops;
  for (const auto& press : presses)
    if (press.loop && press.run_in) loops.push_back(*press.loop);
  return loops;
}

/// h with what it scatters by from press to press.
std::optional<Estimate> usual(const std::vector<HalfWidth>& loops, double speed_m_per_s) {
  std::vector<double> alike;
  for (const auto& loop : loops)
    if (std::max(loop.speed_m_per_s, speed_m_per_s) <=
        kAlikeSpeed * std::min(loop.speed_m_per_s, speed_m_per_s))
      alike.push_back(loop.value);
  if (alike.size() < kMinLoops) return std::nullopt;
  return Estimate{median(alike), mad_sigma(alike), static_cast<double>(alike.size() - 1)};
}

std::optional<Estimate> loop_of(const StiffnessPress& press, const std::vector<HalfWidth>& run_in) {
  if (press.run_in) return *press.loop;
  if (const auto others = usual(run_in, press.loop->speed_m_per_s)) return others;
  if (press.first && run_in.empty()) return *press.loop;
  return std::nullopt;
}

}  // namespace

void take_speed_out(std::vector<StiffnessPress>& presses) {
  const auto run_in = loops_run_in(presses);
  for (auto& press : presses) {
    if (!press.loop || !press.loading || !press.loading->k_punch) continue;
    const auto loop = loop_of(press, run_in);
    if (!loop || std::abs(loop->value) > kMaxViscousLoop) continue;
    auto& k = *press.loading->k_punch;
    k.value /= 1 + loop->value;
    k.std = std::hypot(k.std, k.value * loop->std);
  }
}

double median_hysteresis_half_width(const std::vector<StiffnessPress>& presses) {
  std::vector<double> run_in, all;
  for (const auto& press : presses) {
    if (!press.loop || !small(*press.loop)) continue;
    all.push_back(std::abs(press.loop->value));
    if (press.run_in) run_in.push_back(all.back());
  }
  if (all.empty()) return 0;
  return median(run_in.empty() ? all : run_in);
}

}  // namespace tactelier
