#include "fitting/friction/slide_law.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/slide_means.hpp"
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

/// Friction of one slide after the other, tick by tick, through the force sensor's filter.
class BristleTrace {
 public:
  BristleTrace(const SlideContact& contact, const TipMotion& motion, double slid_m, double zero_N,
               double reference_N, const SlideSetting& setting, std::span<const double> p)
      : contact_(contact),
        motion_(motion),
        by_(contact, zero_N, reference_N, setting, p, motion.tick_s),
        slid_m_(slid_m),
        delay_s_(p[kSlideDelay]),
        lag_s_(std::abs(p[kSlideLag])) {}

  /// The next one.
  std::span<const double> slide(std::size_t s) {
    steps_.fill(by_, contact_, motion_, s, slid_m_);
    by_tick_N_.resize(motion_.slides[s].end - motion_.slides[s].begin);
    for (std::size_t i = 0; i < by_tick_N_.size(); ++i) {
      now_ = bristle_tick(by_, steps_, static_cast<Eigen::Index>(i), now_);
      by_tick_N_[i] = now_.force_N;
    }
    TickFilter<double>(lag_s_ / motion_.tick_s)(by_tick_N_);
    return by_tick_N_;
  }
  /// When the force sensor sees its first tick.
  double first_s(std::size_t s) const { return motion_.slides[s].first_s + delay_s_ - lag_s_; }

 private:
  const SlideContact& contact_;
  const TipMotion& motion_;
  SlideStepLaw by_;
  SlideSteps steps_;
  double slid_m_, delay_s_, lag_s_;
  SeriesTick now_;
  std::vector<double> by_tick_N_;
};

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
  BristleTrace trace(contact, motion, slid_m, zero_N, reference_N, setting, p);
  friction_N.resize(contact.time_s.size());
  for (std::size_t s = 0; s < motion.slides.size(); ++s) {
    const std::span<const double> by_tick_N = trace.slide(s);
    const double first_s = trace.first_s(s);
    for (std::size_t i = contact.slides[s].begin; i < contact.slides[s].end; ++i)
      friction_N[i] =
          between_ticks<double>(by_tick_N, (contact.time_s[i] - first_s) / motion.tick_s);
  }
}

void contact_means_N(const SlideContact& contact, const TipMotion& motion, double slid_m,
                     double zero_N, double side_N, double reference_N, const SlideSetting& setting,
                     std::span<const double> p, std::span<const SlideBlock> blocks,
                     std::span<double> means_N, std::span<double> late_s) {
  BristleTrace trace(contact, motion, slid_m, zero_N, reference_N, setting, p);
  const SlideBeside beside{p[kSlideLean], side_N, setting.u_late_s};
  std::size_t end = 0;
  for (std::size_t s = 0; s < motion.slides.size(); ++s) {
    const std::span<const double> by_tick_N = trace.slide(s);
    const std::size_t first = end;
    while (end < blocks.size() && blocks[end].end <= contact.slides[s].end) ++end;
    late_s[s] = best_late_s(contact, blocks.subspan(first, end - first), trace.first_s(s),
                            motion.tick_s, by_tick_N, beside);
    for (std::size_t b = first; b < end; ++b)
      means_N[b] = block_mean<double>(contact, blocks[b], trace.first_s(s) + late_s[s],
                                      motion.tick_s, by_tick_N, 0);
  }
}

}  // namespace tactelier
