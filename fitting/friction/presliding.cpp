#include "fitting/friction/presliding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kFadeIn = 1, kFadeOut = 4;  // periods (protocol/motion.hpp)
constexpr double kMaxStep = 0.2;             // of the amplitude
constexpr double kMinSamples = 20;           // of a period
constexpr double kMaxThird = 0.1;
constexpr double kSure = 3;

struct Tone {
  std::vector<double> time_s;
  double frequency_hz = 0;

  std::complex<double> of(const std::vector<double>& values, double harmonic) const {
    double mean = 0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += (values[i] - mean) *
             std::polar(1.0, -2 * std::numbers::pi * harmonic * frequency_hz * time_s[i]);
    return sum * (2 / static_cast<double>(values.size()));
  }
};

}  // namespace

Presliding presliding(const SlideRun& run) {
  const double period_s = 1 / run.event.frequency_hz;
  const bool as_went = run.full_swing_s[1] > run.full_swing_s[0];
  const double begin_s = as_went ? run.full_swing_s[0] : run.event.begin_s + kFadeIn * period_s;
  const double end_s = as_went ? run.full_swing_s[1] : run.event.end_s - kFadeOut * period_s;
  const double cycles = std::floor((end_s - begin_s) / period_s + 1e-6);
  Presliding found;
  if (cycles < 1) return found;
  Tone tone{{}, run.event.frequency_hz};
  std::vector<double> motion, force;
  double at_m = 0;
  for (std::size_t i = 0; i < run.time_s.size(); ++i) {
    at_m += run.velocity_m_per_s[i] * run.period_s;
    const double since = run.time_s[i] - begin_s;
    if (since < 0 || since >= cycles * period_s - run.period_s / 2) continue;
    tone.time_s.push_back(since);
    motion.push_back(at_m);
    force.push_back(run.friction_N[i]);
  }
  if (force.size() < 20) return found;
  const auto x = tone.of(motion, 1), f = tone.of(force, 1);
  found.amplitude_m = std::abs(x);
  if (!(found.amplitude_m > 0) || !(std::abs(f) > 0)) return found;
  found.stiffness_N_per_m = f / x;
  found.third_harmonic = std::abs(tone.of(force, 3)) / std::abs(f);
  found.u_third_harmonic =
      run.sigma_N * std::sqrt(2 / static_cast<double>(force.size())) / std::abs(f);
  return found;
}

std::string cannot_preslide(const SlideRun& run, const Presliding& found) {
  if (!(found.amplitude_m > 0))
    return fmt::format("FR-04 {}: no full cycle of presliding was recorded.", run.where);
  if (run.period_s * run.event.frequency_hz * kMinSamples > 1)
    return fmt::format(
        "FR-04 {}: {:.3g} force samples per cycle can't show presliding, {:.0f} needed.", run.where,
        1 / (run.period_s * run.event.frequency_hz), kMinSamples);
  if (run.stage_step_m > kMaxStep * run.event.amplitude_m)
    return fmt::format(
        "FR-04 {}: stage steps of {:.2g} µm are too coarse for presliding of {:.2g} µm: raise the "
        "amplitude or use a finer stage.",
        run.where, run.stage_step_m * 1e6, run.event.amplitude_m * 1e6);
  if (!run.motion_measured || run.stage_period_s * run.event.frequency_hz * kMinSamples > 1)
    return fmt::format(
        "FR-04 {}: {:.3g} stage samples per cycle can't show a motion of {:.2g} µm, {:.0f} needed: "
        "play of the drive would pass for soft bristles.",
        run.where, 1 / (run.stage_period_s * run.event.frequency_hz), run.event.amplitude_m * 1e6,
        kMinSamples);
  if (found.third_harmonic > kMaxThird + kSure * found.u_third_harmonic)
    return fmt::format(
        "FR-04 {}: the force is no sine (third harmonic {:.0f} %): play of the stage, or the "
        "contact slips; take it out or lower the amplitude.",
        run.where, 100 * found.third_harmonic);
  return {};
}

}  // namespace tactelier
