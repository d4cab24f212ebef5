#include "fitting/stiffness/press_speed.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kAlikeSpeed = 2;  // a factor, either way
constexpr std::size_t kMinLoops = 3;
constexpr double kOfMedian = 1.25;  // its standard error over that of the mean
constexpr double kStudent = 3;      // of what is no chance
constexpr double kPlaces = 0.005;  // loops differ by less from place to place; softening makes more

bool small(const HalfWidth& loop) { return std::abs(loop.value) <= kMaxViscousLoop; }

template <class Which>
std::vector<HalfWidth> loops_of(const std::vector<StiffnessPress>& presses, Which which) {
  std::vector<HalfWidth> loops;
  for (const auto& press : presses)
    if (press.loop && which(press)) loops.push_back(*press.loop);
  return loops;
}

/// Median h, with what h scatters by from press to press and how well the median is known.
struct UsualLoop {
  double value = 0, scatter = 0, u_value = 0;
};

std::optional<UsualLoop> usual(const std::vector<HalfWidth>& loops, double speed_m_per_s) {
  std::vector<double> alike;
  for (const auto& loop : loops)
    if (std::max(loop.speed_m_per_s, speed_m_per_s) <=
        kAlikeSpeed * std::min(loop.speed_m_per_s, speed_m_per_s))
      alike.push_back(loop.value);
  if (alike.size() < kMinLoops) return std::nullopt;
  const double scatter = mad_sigma(alike);
  return UsualLoop{median(alike), scatter,
                   kOfMedian * scatter / std::sqrt(static_cast<double>(alike.size()))};
}

/// Loops of virgin rubber differ from those of rubber that is run in by more than chance, at the
/// speeds of the virgin ones.
bool differ(const std::vector<HalfWidth>& virgin, const std::vector<HalfWidth>& run_in) {
  return std::any_of(virgin.begin(), virgin.end(), [&](const HalfWidth& loop) {
    const auto one = usual(virgin, loop.speed_m_per_s);
    const auto other = usual(run_in, loop.speed_m_per_s);
    return one && other &&
           std::abs(one->value - other->value) >
               std::max(kPlaces, kStudent * std::hypot(one->u_value, other->u_value));
  });
}

class Loops {
 public:
  explicit Loops(const std::vector<StiffnessPress>& presses)
      : run_in_(loops_of(presses, [](const auto& press) { return press.run_in; })) {
    const auto first = loops_of(presses, [](const auto& press) { return press.first; });
    const auto deeper =
        loops_of(presses, [](const auto& press) { return !press.first && !press.run_in; });
    soften_ = run_in_.size() >= kMinLoops && (differ(first, run_in_) || differ(deeper, run_in_));
  }

  std::optional<UsualLoop> of(const StiffnessPress& press) const {
    const UsualLoop own{press.loop->value, press.loop->std, 0};
    if (press.run_in) return own;
    if (soften_) return usual(run_in_, press.loop->speed_m_per_s);
    // Nothing tells, or nothing softens.
    if (press.first || run_in_.size() >= kMinLoops) return own;
    return std::nullopt;
  }

 private:
  std::vector<HalfWidth> run_in_;
  bool soften_ = false;
};

}  // namespace

void take_speed_out(std::vector<StiffnessPress>& presses) {
  const Loops loops(presses);
  for (auto& press : presses) {
    if (!press.loop || !press.loading || !press.loading->k_punch) continue;
    const auto loop = loops.of(press);
    if (!loop || std::abs(loop->value) > kMaxViscousLoop) continue;
    auto& k = *press.loading->k_punch;
    k.value /= 1 + loop->value;
    k.std = std::hypot(k.std, k.value * loop->scatter);
    press.shared = std::hypot(press.shared, loop->u_value);
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
