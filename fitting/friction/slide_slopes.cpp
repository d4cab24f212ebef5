#include "fitting/friction/slide_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/slide_means.hpp"
#include "fitting/friction/slide_steps.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

// Below it (1 - exp(-x))/x is taken from its series, as in lugre_detail::phi.
constexpr double kSmallStep = 1e-4;

/// The bristles of one contact, tick after tick, with all derivatives.
class Tangents {
 public:
  Tangents(const SlideStepLaw& by, const TipSlopes& tip)
      : by_(by), tip_(tip), slid_by_(tip.slid_before) {}

  /// Friction at the end of each tick of a slide, the first of which is `begin`.
  void slide(const SlideSteps& steps, std::size_t begin, std::span<double> friction_N,
             std::span<SlideColumns> slopes) {
    for (std::size_t i = 0; i < friction_N.size(); ++i)
      friction_N[i] = step_N(steps, static_cast<Index>(i), tip_.speed[begin + i], slopes[i]);
  }

 private:
  /// The columns of the tip's place; what is beyond them in AxisSlopes is 0.
  static auto place_of(SlideColumns& columns) { return columns.segment<8>(kSlideBacklash); }

  /// d log of per_m, which goes with 1 / (N (N/N0)^n [1 + r exp(-S/L)] mu).
  SlideColumns rate_slopes(const SlideSteps& s, Index i, const AxisSlopes& speed_by) const {
    SlideColumns slopes = SlideColumns::Zero();
    const double v_s = by_.law[kLugreStribeck];
    const double drop = by_.law[kLugreStatic] - by_.law[kLugreDynamic];
    const double v = s.v[i], load_N = s.load_N[i], worn = s.worn[i], per_mu = 1 / s.mu[i];
    const double run_in = by_.running_in * worn / s.fresh[i];
    const double by_speed = 2 * drop * s.stuck[i] * v / (v_s * v_s) * per_mu;
    place_of(slopes) = (run_in * by_.per_length) * slid_by_;
    place_of(slopes) += by_speed * speed_by;
    slopes[kSlideDynamic] = -per_mu;
    slopes[kSlideDrop] = -s.stuck[i] * per_mu;
    slopes[kSlideLogStribeck] = -by_speed * v;
    slopes[kSlideLogSigma0] = 1;
    slopes[kSlideExponent] = -s.log_load[i];
    slopes[kSlideRunningIn] = -worn / s.fresh[i];
    slopes[kSlideLogLength] = -run_in * s.slid_m[i] * by_.per_length;
    if (load_N > kSlideLeastLoad_N) {
      slopes[kSlideZeroColumn] = -(1 + by_.exponent) / load_N;
      slopes[kSlideDelay] = slopes[kSlideZeroColumn] * s.load_rate_N_per_s[i];
    }
    return slopes;
  }

  double step_N(const SlideSteps& s, Index i, const AxisSlopes& speed_by, SlideColumns& slope) {
    const double sigma0 = by_.law[kLugreSigma0], sigma1 = by_.law[kLugreSigma1];
    const double per_m = s.per_m[i], v = s.v[i];
    const SeriesTick now = bristle_tick(by_, s, i, before_);
    const double u = now.u_m_per_s, a = per_m * std::abs(u);
    const double x = a * by_.tick_s;
    const double phi_slope =
        x < kSmallStep ? -0.5 + x / 3 : (now.keep * (1 + x) - 1) / (x * x);  // dphi/dx
    const SlideColumns rate = rate_slopes(s, i, speed_by);
    // First at the same u.
    z_by_ = now.keep * z_by_ + (x * (u * by_.tick_s * phi_slope - before_.z_m * now.keep)) * rate;
    slope = (sigma0 - sigma1 * a) * z_by_ - (sigma1 * a * now.z_m) * rate;
    slope[kSlideLogSigma0] += sigma0 * now.z_m;
    slope[kSlideSigma1] += by_.scale * (u - a * now.z_m);
    slope[kSlideViscous] += by_.scale * u;
    // Then as u follows, by C (F - F before) = (v - u) dt. Where bristles give way faster than the
    // rig's spring follows, that would grow from tick to tick without a bound: as driven rigidly.
    const double side = by_.side_m_per_N, rise = side * now.force_by_u + by_.tick_s;
    SlideColumns u_by = SlideColumns::Zero();
    place_of(u_by) = speed_by;
    if (side * std::abs(now.force_by_u - sigma0 * now.z_by_u) < rise) {
      u_by = side * (force_by_ - slope);
      place_of(u_by) += by_.tick_s * speed_by;
      u_by[kSlideSide] -= now.force_N - before_.force_N;
      u_by /= rise;
    }
    slope += now.force_by_u * u_by;
    z_by_ += now.z_by_u * u_by;
    force_by_ = slope;
    if (v != 0) slid_by_ += std::copysign(by_.tick_s, v) * speed_by;
    before_ = now;
    return now.force_N;
  }

  const SlideStepLaw& by_;
  const TipSlopes& tip_;
  SeriesTick before_;
  SlideColumns z_by_ = SlideColumns::Zero(), force_by_ = SlideColumns::Zero();
  AxisSlopes slid_by_;
};
static_assert(kSlideDelay - kSlideBacklash == 7 && kSlideBacklash + 8 <= kSlideColumns);

/// Of one slide, where its blocks are.
class SlideMeans {
 public:
  SlideMeans(const SlideContact& contact, const SlideSetting& setting, double side_N, double tick_s,
             std::span<const double> p)
      : contact_(contact),
        beside_{p[kSlideLean], side_N, setting.u_late_s},
        tick_s_(tick_s),
        p_(p) {}

  /// The slide's first tick is at `first_s`, its blocks are those from `first` on. How late it is.
  double take(std::vector<double> friction_N, std::span<SlideColumns> by_tick, double first_s,
              std::span<const SlideBlock> blocks, std::size_t first, SlideSlopes& slopes) const {
    const double delay_s = p_[kSlideDelay], lag_s = p_[kSlideLag];
    TickFilter<SlideColumns>(std::abs(lag_s) / tick_s_)(by_tick);
    auto more = friction_N, less = friction_N;
    TickFilter<double>(std::abs(lag_s) / tick_s_)(friction_N);
    TickFilter<double>(std::abs(lag_s + kSlideLagStep_s) / tick_s_)(more);
    TickFilter<double>(std::abs(lag_s - kSlideLagStep_s) / tick_s_)(less);
    const double seen_s = first_s + delay_s - std::abs(lag_s);
    const double late_s =
        best_late_s(contact_, blocks, seen_s, tick_s_, std::span(friction_N), beside_);
    late_slopes(contact_, blocks, seen_s + late_s, tick_s_, friction_N,
                std::span(slopes.late).subspan(first, blocks.size()));
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto mean_N = [&](const std::vector<double>& by_tick_N, double at_delay_s,
                              double at_lag_s) {
        return block_mean<double>(contact_, blocks[b],
                                  first_s + late_s + at_delay_s - std::abs(at_lag_s), tick_s_,
                                  by_tick_N, 0);
      };
      auto& column = slopes.columns[first + b];
      slopes.means_N[first + b] = mean_N(friction_N, delay_s, lag_s);
      column = block_mean<SlideColumns>(contact_, blocks[b], seen_s + late_s, tick_s_, by_tick,
                                        SlideColumns::Zero());
      column[kSlideDelay] += (mean_N(friction_N, delay_s + kSlideDelayStep_s, lag_s) -
                              mean_N(friction_N, delay_s - kSlideDelayStep_s, lag_s)) /
                             (2 * kSlideDelayStep_s);
      column[kSlideLag] = (mean_N(more, delay_s, lag_s + kSlideLagStep_s) -
                           mean_N(less, delay_s, lag_s - kSlideLagStep_s)) /
                          (2 * kSlideLagStep_s);
    }
    return late_s;
  }

 private:
  const SlideContact& contact_;
  SlideBeside beside_;
  double tick_s_;
  std::span<const double> p_;
};

}  // namespace

SlideSlopes contact_slopes(const SlideContact& contact, const TipMotion& motion,
                           const TipSlopes& tip, double slid_m, double zero_N, double side_N,
                           double reference_N, const SlideSetting& setting,
                           std::span<const double> p, std::span<const SlideBlock> blocks) {
  const SlideStepLaw by(contact, zero_N, reference_N, setting, p, motion.tick_s);
  const SlideMeans means(contact, setting, side_N, motion.tick_s, p);
  Tangents tangents(by, tip);
  SlideSlopes slopes;
  slopes.means_N.resize(blocks.size());
  slopes.columns.resize(blocks.size());
  slopes.late.resize(blocks.size());
  slopes.late_s.resize(motion.slides.size());
  SlideSteps steps;
  std::vector<double> friction_N;
  std::vector<SlideColumns> by_tick;
  std::size_t end = 0;
  for (std::size_t s = 0; s < motion.slides.size(); ++s) {
    const auto& ticks = motion.slides[s];
    steps.fill(by, contact, motion, s, slid_m);
    friction_N.resize(ticks.end - ticks.begin);
    by_tick.resize(friction_N.size());
    tangents.slide(steps, ticks.begin, friction_N, by_tick);
    const std::size_t first = end;
    while (end < blocks.size() && blocks[end].end <= contact.slides[s].end) ++end;
    if (end > first)
      slopes.late_s[s] = means.take(friction_N, by_tick, ticks.first_s,
                                    blocks.subspan(first, end - first), first, slopes);
  }
  return slopes;
}

}  // namespace tactelier
