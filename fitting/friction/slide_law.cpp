#include "fitting/friction/slide_law.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/slide_sensor.hpp"

namespace tactelier {
namespace {

constexpr double kBlock_s = 0.01;
constexpr double kTick_s = 1e-3;        // within which a stage's steps are taken as one move
constexpr double kRungTick_s = 0.5e-3;  // a tenth of the fastest ringing of a motor, and
constexpr double kFineTick_s = 0.25e-3;
constexpr double kFieldSteps = 4;  // full steps, after which a motor's field is the same again

AxisDrive drive_of(const SlideTracks& tracks, const SlideSetting& setting,
                   std::span<const double> p) {
  AxisDrive drive;
  drive.step_m = setting.shape == StepShape::kSmooth ? 0 : tracks.step_m;
  drive.backlash_m = p[kSlideBacklash];
  drive.up_drives = true;
  drive.microstep[0] = {std::hypot(p[kSlideRippleCos], p[kSlideRippleSin]), setting.ripple_period_m,
                        std::atan2(p[kSlideRippleSin], p[kSlideRippleCos])};
  return drive;
}

double tick_of(const SlideSetting& setting) {
  if (setting.shape != StepShape::kRinging) return kTick_s;
  return setting.fine ? kFineTick_s : kRungTick_s;
}

TipMotion::Slide ticks_over(const SlideContact& contact, const SlideRows& rows,
                            const SlideSetting& setting, std::size_t begin) {
  const double from_s = contact.time_s[rows.begin] - contact.step_s[rows.begin];
  const double to_s = contact.time_s[rows.end - 1], tick_s = tick_of(setting);
  TipMotion::Slide slide{tick_s * (std::floor(from_s / tick_s) + setting.phase), begin, begin};
  slide.end += 2 + static_cast<std::size_t>(std::max(0.0, (to_s - slide.first_s) / tick_s));
  return slide;
}

/// Of all ticks, and of the tick before each slide.
std::vector<double> times_of(const TipMotion& motion) {
  std::vector<double> times_s;
  times_s.reserve(motion.speed_m_per_s.size() + motion.slides.size());
  for (const auto& slide : motion.slides)
    for (std::size_t i = 0; i <= slide.end - slide.begin; ++i)
      times_s.push_back(slide.first_s + (static_cast<double>(i) - 1) * motion.tick_s);
  return times_s;
}

void set_speeds(std::span<const double> places_m, double along, TipMotion& motion) {
  std::size_t place = 0;
  for (const auto& slide : motion.slides) {
    for (std::size_t i = slide.begin; i < slide.end; ++i, ++place)
      motion.speed_m_per_s[i] = along * (places_m[place + 1] - places_m[place]) / motion.tick_s;
    ++place;
  }
}

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

std::vector<TipMotion> tip_motions(const SlideTracks& tracks, const SlideSetting& setting,
                                   std::span<const double> p) {
  const auto drive = drive_of(tracks, setting, p);
  std::vector<TipMotion> motions;
  for (const auto& contact : tracks.contacts) {
    TipMotion motion{tick_of(setting), {}, {}};
    for (const auto& rows : contact.slides)
      motion.slides.push_back(
          ticks_over(contact, rows, setting, motion.slides.empty() ? 0 : motion.slides.back().end));
    motion.speed_m_per_s.resize(motion.slides.empty() ? 0 : motion.slides.back().end);
    const auto& path = tracks.paths[contact.session];
    const auto times_s = times_of(motion);
    const AxisRing ring{std::exp(p[kSlideLogRing]), p[kSlideRingDamping],
                        kFieldSteps * setting.ripple_period_m};
    set_speeds(setting.shape == StepShape::kRinging
                   ? rung_encoder_m(path, tracks.axis, drive, ring, motion.tick_s, times_s)
                   : virtual_encoder_m(path, tracks.axis, drive, times_s),
               tracks.along, motion);
    motions.push_back(std::move(motion));
  }
  return motions;
}

std::vector<double> slid_before_m(const SlideTracks& tracks,
                                  const std::vector<TipMotion>& motions) {
  std::vector<double> slid_m;
  double sum_m = 0;
  for (std::size_t c = 0; c < tracks.contacts.size(); ++c) {
    slid_m.push_back(sum_m + tracks.contacts[c].slid_before_m);
    for (const double v : motions[c].speed_m_per_s) sum_m += std::abs(v) * motions[c].tick_s;
  }
  return slid_m;
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
  auto values = lugre_values(p);
  if (setting.proportional)
    for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous})
      values[i] *= contact.load_N / reference_N;
  const double per_length = std::exp(-p[kSlideLogLength]);
  const double late_s = p[kSlideDelay], lag_s = std::abs(p[kSlideLag]), tick_s = motion.tick_s;
  LugreBristle bristle;
  std::vector<double> by_tick_N;
  friction_N.resize(contact.time_s.size());
  for (std::size_t s = 0; s < motion.slides.size(); ++s) {
    const auto& rows = contact.slides[s];
    const auto& ticks = motion.slides[s];
    const std::span time_s = std::span(contact.time_s).subspan(rows.begin, rows.end - rows.begin);
    BetweenRows load(time_s, std::span(contact.normal_N).subspan(rows.begin, time_s.size()));
    by_tick_N.resize(ticks.end - ticks.begin);
    for (std::size_t i = 0; i < by_tick_N.size(); ++i) {
      const double v = motion.speed_m_per_s[ticks.begin + i];
      if (v == 0) {
        by_tick_N[i] = values[kLugreSigma0] * bristle.deflection_m();
        continue;
      }
      const double t_s = ticks.first_s + static_cast<double>(i) * tick_s;
      const double load_N = std::max(kSlideLeastLoad_N, zero_N + load.at(t_s + late_s));
      const double fresh = 1 + p[kSlideRunningIn] * std::exp(-slid_m * per_length);
      const double level_N =
          load_N * fresh * std::exp(p[kSlideExponent] * std::log(load_N / reference_N));
      by_tick_N[i] = bristle.step_N(values, tick_s, v, level_N);
      slid_m += std::abs(v) * tick_s;
    }
    TickFilter<double>(lag_s / tick_s)(by_tick_N);
    for (std::size_t i = 0; i < time_s.size(); ++i)
      friction_N[rows.begin + i] =
          between_ticks<double>(by_tick_N, (time_s[i] - late_s + lag_s - ticks.first_s) / tick_s);
  }
}

}  // namespace tactelier
