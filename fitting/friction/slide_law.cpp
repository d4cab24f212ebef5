#include "fitting/friction/slide_law.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/slide_sensor.hpp"
#include "fitting/friction/slide_steps.hpp"

namespace tactelier {
namespace {

constexpr double kBlock_s = 0.01;

void add_blocks(const SlideContact& contact, std::size_t index, const SlideRows& rows,
                std::size_t slide, std::vector<SlideBlock>& blocks) {
  const auto size = static_cast<std::size_t>(
      std::max(1.0, std::round(kBlock_s / contact.step_s[rows.begin + 1])));
  for (std::size_t begin = rows.begin; begin + size <= rows.end; begin += size) {
    SlideBlock block{index, slide, begin, begin + size, 0, 0, 0};
    const auto n = static_cast<double>(size);
    for (std::size_t i = begin; i < block.end; ++i) {
      block.force_N += contact.friction_N[i] / n;
      block.normal_N += contact.normal_N[i] / n;
    }
    block.sigma_N = rows.sigma_N / std::sqrt(n);
    if (std::isfinite(block.force_N) && block.normal_N > 0) blocks.push_back(block);
  }
}

}  // namespace

std::vector<SlideBlock> slide_blocks(const SlideTracks& tracks) {
  std::vector<SlideBlock> blocks;
  std::size_t slide = 0;
  for (std::size_t c = 0; c < tracks.contacts.size(); ++c)
    for (const auto& rows : tracks.contacts[c].slides) {
      if (rows.compared) add_blocks(tracks.contacts[c], c, rows, slide, blocks);
      ++slide;
    }
  return blocks;
}

LugreValues lugre_values(std::span<const double> p) {
  LugreValues values{};
  values[kLugreSigma0] = std::exp(p[kSlideLogSigma0]);
  values[kLugreSigma1] = p[kSlideSigma1];
  values[kLugreViscous] = p[kSlideViscous];
  values[kLugreStatic] = p[kSlideDynamic] + p[kSlideDrop];
  values[kLugreDynamic] = p[kSlideDynamic];
  values[kLugreStribeck] = std::exp(p[kSlideLogStribeck]);
  return values;
}

void contact_friction_N(const SlideContact& contact, const TipMotion& motion, double slid_m,
                        double zero_N, double reference_N, const SlideSetting& setting,
                        std::span<const double> p, std::vector<double>& friction_N) {
  const SlideStepLaw by(contact, zero_N, reference_N, setting, p, motion.tick_s);
  const double late_s = p[kSlideDelay], lag_s = std::abs(p[kSlideLag]), tick_s = motion.tick_s;
  const double sigma0 = by.law[kLugreSigma0], sigma1 = by.law[kLugreSigma1];
  SlideSteps steps;
  double z_m = 0;
  std::vector<double> by_tick_N;
  friction_N.resize(contact.time_s.size());
  for (std::size_t s = 0; s < motion.slides.size(); ++s) {
    const auto& rows = contact.slides[s];
    const auto& ticks = motion.slides[s];
    const std::span time_s = std::span(contact.time_s).subspan(rows.begin, rows.end - rows.begin);
    steps.fill(by, contact, motion, s, slid_m);
    by_tick_N.resize(ticks.end - ticks.begin);
    for (std::size_t i = 0; i < by_tick_N.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double v = steps.v[row];
      z_m = z_m * steps.keep[row] + v * tick_s * steps.phi[row];
      by_tick_N[i] =
          sigma0 * z_m + sigma1 * (v - steps.rate_per_s[row] * z_m) + by.law[kLugreViscous] * v;
    }
    TickFilter<double>(lag_s / tick_s)(by_tick_N);
    for (std::size_t i = 0; i < time_s.size(); ++i)
      friction_N[rows.begin + i] =
          between_ticks<double>(by_tick_N, (time_s[i] - late_s + lag_s - ticks.first_s) / tick_s);
  }
}

}  // namespace tactelier
