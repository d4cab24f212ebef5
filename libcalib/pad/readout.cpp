#include "libcalib/pad/readout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libcalib/pad/ghosting.hpp"

namespace tactelier::pad {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kHour_s = 3600;
// log10(1 + t/t0) = 1/ln 10 * integral of (1 - exp(-t/tau)) exp(-t0/tau) over log tau (Frullani):
// two branches per decade, from 0.1 t0 to 1e5 t0.
constexpr int kCreepBranches = 13;
constexpr double kCreepRatio = 3.1622776601683795;
constexpr double kAsleep = 1e-9;  // of full scale

/// The nearest whole number, halves to even, for |x| < 2^51; several times faster than a call.
double whole(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

double full_scale_N(const TactelTruth& tactel) {
  if (!tactel.curve.empty()) return tactel.curve.back()[0];
  return tactel.threshold_N +
         tactel.gain_N_per_count * (tactel.saturation_counts - tactel.offset_counts);
}

}  // namespace

Readout::Readout(const PadTruth& truth, const ReadingEffects& effects, double frame_s,
                 std::uint64_t seed)
    : sensor_(truth.sensor),
      tactels_(truth.tactels),
      play_(truth.play),
      effects_(effects),
      noise_(seed, "reading noise"),
      scatter_draws_(seed, "press scatter"),
      laid_scatter_draws_(seed, "scatter of what is laid") {
  Random faults(seed, "tactel faults");
  constants_.resize(tactels_.size());
  draw_faults(effects, faults);
  Random phases(seed, "hum");
  double most_creep = 0;
  for (std::size_t i = 0; i < tactels_.size(); ++i) {
    const auto& tactel = tactels_[i];
    auto& c = constants_[i];
    c.band_N = tactel.hysteresis.value_or(effects.hysteresis) * full_scale_N(tactel);
    c.zero_return = tactel.zero_return.value_or(effects.zero_return);
    c.creep = tactel.creep_per_decade.value_or(effects.creep_per_decade);
    most_creep = std::max(most_creep, std::abs(c.creep));
    const double phase = phases.uniform(0, kTwoPi);
    c.hum_sin = effects.hum_counts * std::sin(phase);
    c.hum_cos = effects.hum_counts * std::cos(phase);
    c.top = std::min(tactel.saturation_counts, truth.sensor.adc.max.value_or(HUGE_VAL));
    if (effects.quantised) c.top = std::floor(c.top);
  }
  if (most_creep > 0) {
    const double log_step = std::log(kCreepRatio) / std::log(10.0);
    double tau = 0.1 * effects.creep_from_s;
    for (int b = 0; b < kCreepBranches; ++b, tau *= kCreepRatio) {
      creep_keep_.push_back(std::exp(-frame_s / tau));
      creep_weight_.push_back(log_step * std::exp(-effects.creep_from_s / tau));
    }
    creep_.assign(tactels_.size() * creep_keep_.size(), 0.0);
  }
  shares_.assign(tactels_.size(), 0.0);
  ghosted_ = resting_N_ = shares_;
  memory_.resize(tactels_.size());
  play_states_.assign(tactels_.size() * play_.thresholds_N.size(), 0.0);
  remanence_keep_ = std::exp(-frame_s / effects.zero_return_s);
}

void Readout::draw_faults(const ReadingEffects& effects, Random& random) {
  for (std::size_t i = 0; i < tactels_.size(); ++i)
    constants_[i].noise = tactels_[i].noise_counts.value_or(effects.noise_counts);
  std::vector<bool> taken(tactels_.size(), false);
  const auto pick = [&] {
    std::size_t i = 0;
    do {
      i = static_cast<std::size_t>(random.uniform() * static_cast<double>(tactels_.size()));
    } while (taken[i]);
    taken[i] = true;
    return i;
  };
  const auto free = [&](int wanted) {  // never more than half of the array is faulty
    const auto used = std::count(taken.begin(), taken.end(), true);
    return std::min<std::ptrdiff_t>(wanted, static_cast<std::ptrdiff_t>(taken.size() / 2) - used);
  };
  for (auto n = free(effects.dead); n > 0; --n) tactels_[pick()].dead = true;
  for (auto n = free(effects.stuck); n > 0; --n) {
    auto& tactel = tactels_[pick()];
    tactel.stuck_at_counts =
        std::round(random.uniform(tactel.offset_counts, tactel.saturation_counts));
  }
  for (auto n = free(effects.noisy); n > 0; --n) constants_[pick()].noise = effects.noisy_counts;
}

void Readout::set_shares(std::span<const double> shares) {
  shares_.assign(shares.begin(), shares.end());
  if (effects_.ghosting == 0)
    ghosted_ = shares_;
  else
    add_ghosts(sensor_, effects_, shares_, ghosted_);
}

double Readout::new_scatter(Random& draws) const {
  return effects_.press_scatter > 0 ? 1 + effects_.press_scatter * draws.normal() : 1;
}

void Readout::begin_press() { scatter_ = new_scatter(scatter_draws_); }

void Readout::lay_N(std::span<const double> forces_N) {
  add_ghosts(sensor_, effects_, forces_N, resting_N_);
  const double scatter = new_scatter(laid_scatter_draws_);
  for (double& force : resting_N_) force *= scatter;
}

void Readout::lift() { std::fill(resting_N_.begin(), resting_N_.end(), 0.0); }

double Readout::warmer_K(double t_s) const {
  return effects_.temperature_swing_K == 0
             ? 0
             : effects_.temperature_swing_K * std::sin(kTwoPi * t_s / kHour_s);
}

// One-sided play: loading follows the share, unloading stays above it by the band, which closes at
// zero load.
double Readout::hysteresis_N(std::size_t tactel, double share_N) {
  if (!play_.thresholds_N.empty()) {
    const std::size_t n = play_.thresholds_N.size();
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      double& x = play_states_[tactel * n + k];
      const double r = play_.thresholds_N[k];
      x = std::max(share_N, std::min(share_N + 2 * r, x));
      sum += play_.weights[k] * x;
    }
    return sum;
  }
  const double band = std::min(constants_[tactel].band_N, share_N);
  double& branch = memory_[tactel].branch;
  branch = std::max(share_N, std::min(share_N + band, branch));
  return branch;
}

double Readout::remembered_N(std::size_t tactel, double share_N) {
  const auto& c = constants_[tactel];
  auto& memory = memory_[tactel];
  double result = hysteresis_N(tactel, share_N);
  double awake = std::abs(result) + std::abs(memory.branch);
  if (c.zero_return > 0) {
    const double target = c.zero_return * share_N;
    memory.remanence = std::max(target, target + remanence_keep_ * (memory.remanence - target));
    result += memory.remanence - target;
    awake += memory.remanence;
  }
  if (c.creep != 0) {
    const std::size_t n = creep_keep_.size();
    double* state = &creep_[tactel * n];
    double sum = 0;
    for (std::size_t b = 0; b < n; ++b) {
      state[b] = share_N + creep_keep_[b] * (state[b] - share_N);
      sum += creep_weight_[b] * state[b];
    }
    result += c.creep * sum;
    awake += std::abs(sum);
  }
  memory.awake = awake > kAsleep * full_scale_N(tactels_[tactel]);
  return result;
}

double Readout::counts_of(const TactelTruth& tactel, double share_N) const {
  if (tactel.curve.empty())
    return tactel.offset_counts +
           std::max(0.0, share_N - tactel.threshold_N) / tactel.gain_N_per_count;
  const auto& curve = tactel.curve;
  if (share_N <= curve.front()[0]) return curve.front()[1];
  for (std::size_t i = 1; i < curve.size(); ++i)
    if (share_N <= curve[i][0] || i + 1 == curve.size()) {
      const double part = (share_N - curve[i - 1][0]) / (curve[i][0] - curve[i - 1][0]);
      return curve[i - 1][1] + part * (curve[i][1] - curve[i - 1][1]);
    }
  return curve.front()[1];
}

void Readout::read(double t_s, double contact_N, std::size_t first, std::size_t last,
                   std::span<double> counts) {
  const double warm = 1 + effects_.temperature_per_K * warmer_K(t_s);
  const bool hum = effects_.hum_counts != 0;
  const double hum_sin = hum ? std::sin(kTwoPi * effects_.hum_hz * t_s) : 0;
  const double hum_cos = hum ? std::cos(kTwoPi * effects_.hum_hz * t_s) : 0;
  const double floor = sensor_.adc.min.value_or(-HUGE_VAL);
  for (std::size_t i = first; i < last; ++i) {
    const auto& tactel = tactels_[i];
    const auto& c = constants_[i];
    double value = tactel.offset_counts;
    const double share = (ghosted_[i] * contact_N * scatter_ + resting_N_[i]) * warm;
    if (!tactel.dead && (share > 0 || memory_[i].awake))
      value = counts_of(tactel, remembered_N(i, share));
    if (hum) value += hum_sin * c.hum_cos + hum_cos * c.hum_sin;
    if (c.noise > 0) value += c.noise * noise_.normal();
    if (effects_.quantised) value = whole(value);
    value = std::clamp(value, std::min(floor, c.top), c.top);
    if (tactel.stuck_at_counts) value = *tactel.stuck_at_counts;
    if (sensor_.falling) {
      const auto& adc = sensor_.adc;
      value = (adc.max ? *adc.max + adc.min.value_or(0) : 0) - value;
    }
    counts[i] = value;
  }
}

}  // namespace tactelier::pad
