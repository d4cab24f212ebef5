#include "fitting/friction/slide_means.hpp"

#include <cmath>

namespace tactelier {
namespace {

constexpr int kIterations = 12;
constexpr double kDone_s = 1e-8;
constexpr int kHalvings = 6;

/// d/d late of what lies between ticks.
double slope_between(std::span<const double> by_tick, double ticks, double tick_s) {
  if (ticks <= 0 || ticks >= static_cast<double>(by_tick.size() - 1)) return 0;
  const auto low = static_cast<std::size_t>(ticks);
  return -(by_tick[low + 1] - by_tick[low]) / tick_s;
}

class LateSlide {
 public:
  LateSlide(const SlideContact& contact, std::span<const SlideBlock> blocks, double first_s,
            double tick_s, std::span<const double> by_tick_N, const SlideBeside& beside)
      : contact_(contact),
        blocks_(blocks),
        first_s_(first_s),
        tick_s_(tick_s),
        by_tick_N_(by_tick_N),
        beside_(beside),
        slopes_(blocks.size()) {}

  double best_s() {
    double late_s = 0, cost = cost_at(0);
    for (int i = 0; i < kIterations; ++i) {
      double step_s = step_from(late_s);
      int halvings = 0;
      double next = cost_at(late_s + step_s);
      for (; next > cost && halvings < kHalvings; ++halvings)
        next = cost_at(late_s + (step_s /= 2));
      if (next > cost) break;
      cost = next;
      late_s += step_s;
      if (std::abs(step_s) < kDone_s) break;
    }
    return late_s;
  }

 private:
  double residual(std::size_t b, double late_s) const {
    const auto& block = blocks_[b];
    return (block_mean<double>(contact_, block, first_s_ + late_s, tick_s_, by_tick_N_, 0) +
            beside_.lean * block.normal_N + beside_.side_N - block.force_N) /
           block.sigma_N;
  }
  double cost_at(double late_s) const {
    double sum = std::pow(late_s / beside_.u_late_s, 2);
    for (std::size_t b = 0; b < blocks_.size(); ++b) sum += std::pow(residual(b, late_s), 2);
    return sum;
  }
  double step_from(double late_s) {
    late_slopes(contact_, blocks_, first_s_ + late_s, tick_s_, by_tick_N_, slopes_);
    const double weight = 1 / (beside_.u_late_s * beside_.u_late_s);
    double curvature = weight, slope = weight * late_s;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const double d = slopes_[b] / blocks_[b].sigma_N;
      curvature += d * d;
      slope += d * residual(b, late_s);
    }
    return -slope / curvature;
  }

  const SlideContact& contact_;
  std::span<const SlideBlock> blocks_;
  double first_s_, tick_s_;
  std::span<const double> by_tick_N_;
  const SlideBeside& beside_;
  std::vector<double> slopes_;
};

}  // namespace

double best_late_s(const SlideContact& contact, std::span<const SlideBlock> blocks, double first_s,
                   double tick_s, std::span<const double> by_tick_N, const SlideBeside& beside) {
  if (beside.u_late_s == 0 || blocks.empty()) return 0;
  return LateSlide(contact, blocks, first_s, tick_s, by_tick_N, beside).best_s();
}

void late_slopes(const SlideContact& contact, std::span<const SlideBlock> blocks, double first_s,
                 double tick_s, std::span<const double> by_tick_N, std::span<double> slopes) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    double sum = 0;
    for (std::size_t i = blocks[b].begin; i < blocks[b].end; ++i)
      sum += slope_between(by_tick_N, (contact.time_s[i] - first_s) / tick_s, tick_s);
    slopes[b] = sum / static_cast<double>(blocks[b].end - blocks[b].begin);
  }
}

}  // namespace tactelier
