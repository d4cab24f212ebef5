#include "fitting/friction/slide_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/slide_sensor.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

// Below it (1 - exp(-x))/x is taken from its series, as in lugre_detail::phi.
constexpr double kSmallStep = 1e-4;

/// The bristles of one contact, tick after tick, with all derivatives.
class Tangents {
 public:
  Tangents(const SlideContact& contact, double slid_m,
           std::span<const DriveSlope, kSlideDrives> drives, double zero_N, double reference_N,
           const SlideSetting& setting, std::span<const double> p, double tick_s)
      : law_(lugre_values(p)),
        drives_(drives),
        zero_N_(zero_N),
        reference_N_(reference_N),
        exponent_(p[kSlideExponent]),
        running_in_(p[kSlideRunningIn]),
        per_length_(std::exp(-p[kSlideLogLength])),
        scale_(setting.proportional ? contact.load_N / reference_N : 1),
        tick_s_(tick_s),
        slid_m_(slid_m) {
    for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous}) law_[i] *= scale_;
    for (std::size_t d = 0; d < kSlideDrives; ++d) slid_slope_[d] = drives[d].slid;
  }

  /// Friction at the end of a tick with speed `v`, and its derivatives.
  double step_N(std::size_t tick, double v, double load_N, double load_rate_N_per_s,
                SlideColumns& slope) {
    const auto speed_slope = speed_slopes(tick);
    if (v == 0) {
      if (moves_) z_slope_ += tick_s_ * speed_slope;
      slope = law_[kLugreSigma0] * z_slope_;
      if (moves_) slope += (law_[kLugreSigma1] + law_[kLugreViscous]) * speed_slope;
      slope[kSlideLogSigma0] += law_[kLugreSigma0] * z_m_;
      return law_[kLugreSigma0] * z_m_;
    }
    return sliding_N(v, load_N, load_rate_N_per_s, speed_slope, slope);
  }

 private:
  SlideColumns speed_slopes(std::size_t tick) {
    SlideColumns slopes = SlideColumns::Zero();
    moves_ = false;
    for (std::size_t d = 0; d < kSlideDrives; ++d) {
      if (drives_[d].speed.empty() || drives_[d].speed[tick] == 0) continue;
      slopes[static_cast<Index>(kSlideBacklash + d)] = drives_[d].speed[tick];
      moves_ = true;
    }
    return slopes;
  }

  /// d log(load of the bristles' level): N (N/N0)^n [1 + r exp(-S/L)].
  SlideColumns level_slopes(double load_N, double load_rate_N_per_s, double log_load, double worn,
                            double fresh) const {
    SlideColumns slopes = SlideColumns::Zero();
    const double run_in = running_in_ * worn / fresh;
    for (std::size_t d = 0; d < kSlideDrives; ++d)
      slopes[static_cast<Index>(kSlideBacklash + d)] = -run_in * per_length_ * slid_slope_[d];
    slopes[kSlideExponent] = log_load;
    slopes[kSlideRunningIn] = worn / fresh;
    slopes[kSlideLogLength] = run_in * slid_m_ * per_length_;
    if (load_N > kSlideLeastLoad_N) {
      slopes[kSlideZeroColumn] = (1 + exponent_) / load_N;
      slopes[kSlideDelay] = (1 + exponent_) / load_N * load_rate_N_per_s;
    }
    return slopes;
  }

  double sliding_N(double v, double measured_N, double load_rate_N_per_s,
                   const SlideColumns& speed_slope, SlideColumns& slope) {
    const double sigma0 = law_[kLugreSigma0], sigma1 = law_[kLugreSigma1];
    const double drop = law_[kLugreStatic] - law_[kLugreDynamic];
    const double load_N = std::max(kSlideLeastLoad_N, zero_N_ + measured_N);
    const double log_load = std::log(load_N / reference_N_);
    const double worn = std::exp(-slid_m_ * per_length_), fresh = 1 + running_in_ * worn;
    const double ratio = v / law_[kLugreStribeck];
    const double stuck = std::exp(-ratio * ratio);
    const double mu = law_[kLugreDynamic] + drop * stuck;
    const double a = sigma0 * std::abs(v) / (load_N * std::exp(exponent_ * log_load) * fresh * mu);
    const double x = a * tick_s_, keep = std::exp(-x);
    const double phi = lugre_detail::phi(x, keep);
    const double phi_slope =
        x < kSmallStep ? -0.5 + x / 3 : (keep * (1 + x) - 1) / (x * x);  // dphi/dx
    const double before_m = z_m_;
    z_m_ = z_m_ * keep + v * tick_s_ * phi;

    SlideColumns rate = -level_slopes(load_N, load_rate_N_per_s, log_load, worn, fresh);  // d log a
    rate[kSlideDynamic] = -1 / mu;
    rate[kSlideDrop] = -stuck / mu;
    rate[kSlideLogStribeck] = -drop * stuck * 2 * ratio * ratio / mu;
    rate[kSlideLogSigma0] = 1;
    if (moves_)
      rate += (1 / v + drop * stuck * 2 * ratio / (law_[kLugreStribeck] * mu)) * speed_slope;

    z_slope_ = keep * z_slope_ + (x * (v * tick_s_ * phi_slope - before_m * keep)) * rate;
    if (moves_) z_slope_ += (tick_s_ * phi) * speed_slope;
    slope = (sigma0 - sigma1 * a) * z_slope_ - (sigma1 * a * z_m_) * rate;
    if (moves_) slope += (sigma1 + law_[kLugreViscous]) * speed_slope;
    const double z_rate = v - a * z_m_;
    slope[kSlideLogSigma0] += sigma0 * z_m_;
    slope[kSlideSigma1] += scale_ * z_rate;
    slope[kSlideViscous] += scale_ * v;

    slid_m_ += std::abs(v) * tick_s_;
    if (moves_)
      for (std::size_t d = 0; d < kSlideDrives; ++d)
        slid_slope_[d] +=
            std::copysign(tick_s_, v) * speed_slope[static_cast<Index>(kSlideBacklash + d)];
    return sigma0 * z_m_ + sigma1 * z_rate + law_[kLugreViscous] * v;
  }

  LugreValues law_;
  std::span<const DriveSlope, kSlideDrives> drives_;
  double zero_N_, reference_N_, exponent_, running_in_, per_length_, scale_, tick_s_;
  bool moves_ = false;  // the tip, with a parameter, in this tick
  double z_m_ = 0;
  SlideColumns z_slope_ = SlideColumns::Zero();
  double slid_m_;
  std::array<double, kSlideDrives> slid_slope_{};
};

/// Mean over the rows of a block of what lies between ticks.
template <typename Value>
Value block_mean(const SlideContact& contact, const SlideBlock& block, double first_s,
                 double tick_s, std::span<const Value> by_tick, Value zero) {
  for (std::size_t i = block.begin; i < block.end; ++i)
    zero += between_ticks<Value>(by_tick, (contact.time_s[i] - first_s) / tick_s);
  return zero / static_cast<double>(block.end - block.begin);
}

/// Of one slide, where its blocks are.
class SlideMeans {
 public:
  SlideMeans(const SlideContact& contact, double first_s, double tick_s, std::span<const double> p)
      : contact_(contact), first_s_(first_s), tick_s_(tick_s), p_(p) {}

  void take(std::vector<double> friction_N, std::span<SlideColumns> slopes,
            std::span<const SlideBlock> blocks, std::span<SlideColumns> means) const {
    const double delay_s = p_[kSlideDelay], lag_s = p_[kSlideLag];
    TickFilter<SlideColumns>(std::abs(lag_s) / tick_s_)(slopes);
    auto more = friction_N, less = friction_N;
    TickFilter<double>(std::abs(lag_s) / tick_s_)(friction_N);
    TickFilter<double>(std::abs(lag_s + kSlideLagStep_s) / tick_s_)(more);
    TickFilter<double>(std::abs(lag_s - kSlideLagStep_s) / tick_s_)(less);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto mean_N = [&](const std::vector<double>& by_tick_N, double at_delay_s,
                              double at_lag_s) {
        return block_mean<double>(contact_, blocks[b], from_s(at_delay_s, at_lag_s), tick_s_,
                                  by_tick_N, 0);
      };
      means[b] = block_mean<SlideColumns>(contact_, blocks[b], from_s(delay_s, lag_s), tick_s_,
                                          slopes, SlideColumns::Zero());
      means[b][kSlideDelay] += (mean_N(friction_N, delay_s + kSlideDelayStep_s, lag_s) -
                                mean_N(friction_N, delay_s - kSlideDelayStep_s, lag_s)) /
                               (2 * kSlideDelayStep_s);
      means[b][kSlideLag] = (mean_N(more, delay_s, lag_s + kSlideLagStep_s) -
                             mean_N(less, delay_s, lag_s - kSlideLagStep_s)) /
                            (2 * kSlideLagStep_s);
    }
  }

 private:
  double from_s(double delay_s, double lag_s) const { return first_s_ + delay_s - std::abs(lag_s); }

  const SlideContact& contact_;
  double first_s_, tick_s_;
  std::span<const double> p_;
};

}  // namespace

void contact_slopes(const SlideContact& contact, const TipMotion& motion, double slid_m,
                    std::span<const DriveSlope, kSlideDrives> drives, double zero_N,
                    double reference_N, const SlideSetting& setting, std::span<const double> p,
                    std::span<const SlideBlock> blocks, std::span<SlideColumns> means) {
  Tangents tangents(contact, slid_m, drives, zero_N, reference_N, setting, p, motion.tick_s);
  std::vector<double> friction_N;
  std::vector<SlideColumns> slopes;
  std::size_t block = 0;
  for (std::size_t s = 0; s < motion.slides.size(); ++s) {
    const auto& rows = contact.slides[s];
    const auto& ticks = motion.slides[s];
    const std::span time_s = std::span(contact.time_s).subspan(rows.begin, rows.end - rows.begin);
    BetweenRows load(time_s, std::span(contact.normal_N).subspan(rows.begin, time_s.size()));
    friction_N.resize(ticks.end - ticks.begin);
    slopes.resize(friction_N.size());
    for (std::size_t i = 0; i < friction_N.size(); ++i) {
      const double t_s = ticks.first_s + static_cast<double>(i) * motion.tick_s + p[kSlideDelay];
      const double v = motion.speed_m_per_s[ticks.begin + i];
      const double load_N = v == 0 ? 0 : load.at(t_s);
      friction_N[i] = tangents.step_N(ticks.begin + i, v, load_N,
                                      v == 0 ? 0 : load.slope_per_s(t_s), slopes[i]);
    }
    const std::size_t first = block;
    while (block < blocks.size() && blocks[block].end <= rows.end) ++block;
    if (block > first)
      SlideMeans(contact, ticks.first_s, motion.tick_s, p)
          .take(friction_N, slopes, blocks.subspan(first, block - first),
                means.subspan(first, block - first));
  }
}

}  // namespace tactelier
