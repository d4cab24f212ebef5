#include "fitting/friction/slide_law.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kBlock_s = 0.01;
constexpr double kLeastLoad_N = 1e-3;  // bristles need one

AxisDrive drive_of(const SlideTracks& tracks, const SlideSetting& setting,
                   std::span<const double> p) {
  AxisDrive drive;
  drive.step_m = setting.shape == StepShape::kJump ? tracks.step_m : 0;
  drive.backlash_m = p[kSlideBacklash];
  drive.up_drives = true;
  drive.microstep[0] = {std::hypot(p[kSlideRippleCos], p[kSlideRippleSin]), setting.ripple_period_m,
                        std::atan2(p[kSlideRippleSin], p[kSlideRippleCos])};
  return drive;
}

/// Times of a contact's rows, and of the row before each slide.
std::vector<double> times_with_starts(const SlideContact& contact) {
  std::vector<double> times_s;
  times_s.reserve(contact.time_s.size() + contact.slides.size());
  for (const auto& slide : contact.slides) {
    times_s.push_back(contact.time_s[slide.begin] - contact.step_s[slide.begin]);
    times_s.insert(times_s.end(), contact.time_s.begin() + static_cast<std::ptrdiff_t>(slide.begin),
                   contact.time_s.begin() + static_cast<std::ptrdiff_t>(slide.end));
  }
  return times_s;
}

std::vector<double> speeds_between(const SlideContact& contact, std::span<const double> places_m,
                                   double along) {
  std::vector<double> speeds(contact.time_s.size());
  std::size_t place = 0;
  for (const auto& slide : contact.slides) {
    for (std::size_t i = slide.begin; i < slide.end; ++i, ++place)
      speeds[i] = along * (places_m[place + 1] - places_m[place]) / contact.step_s[i];
    ++place;
  }
  return speeds;
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

/// Value `rows` later than row i, by a straight line between neighbours; at rest beyond the ends.
double shifted(std::span<const double> values, const SlideRows& within, std::size_t i,
               double rows) {
  const double at = std::clamp(static_cast<double>(i - within.begin) + rows, 0.0,
                               static_cast<double>(within.end - within.begin - 1));
  const auto low = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(low);
  const double first = values[within.begin + low];
  return share > 0 ? first + share * (values[within.begin + low + 1] - first) : first;
}

void delay(std::vector<double>& values, const SlideRows& slide, double rows) {
  const std::vector<double> before(values.begin() + static_cast<std::ptrdiff_t>(slide.begin),
                                   values.begin() + static_cast<std::ptrdiff_t>(slide.end));
  const SlideRows all{0, before.size()};
  for (std::size_t i = 0; i < before.size(); ++i)
    values[slide.begin + i] = shifted(before, all, i, -rows);
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

SlideSpeeds slide_speeds(const SlideTracks& tracks, const SlideSetting& setting,
                         std::span<const double> p) {
  const auto drive = drive_of(tracks, setting, p);
  SlideSpeeds speeds;
  for (const auto& contact : tracks.contacts) {
    auto times_s = times_with_starts(contact);
    for (double& t_s : times_s) t_s += setting.phase * contact.period_s;
    const auto places_m =
        virtual_encoder_m(tracks.paths[contact.session], tracks.axis, drive, times_s);
    speeds.push_back(speeds_between(contact, places_m, tracks.along));
  }
  return speeds;
}

std::vector<double> slid_before_m(const SlideTracks& tracks, const SlideSpeeds& speeds) {
  std::vector<double> slid_m;
  double sum_m = 0;
  for (std::size_t c = 0; c < tracks.contacts.size(); ++c) {
    const auto& contact = tracks.contacts[c];
    slid_m.push_back(sum_m + contact.slid_before_m);
    for (std::size_t i = 0; i < speeds[c].size(); ++i)
      sum_m += std::abs(speeds[c][i]) * contact.step_s[i];
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

void contact_friction_N(const SlideContact& contact, std::span<const double> speed_m_per_s,
                        double slid_m, double zero_N, double reference_N,
                        const SlideSetting& setting, std::span<const double> p,
                        std::vector<double>& friction_N) {
  auto values = lugre_values(p);
  if (setting.proportional)
    for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous})
      values[i] *= contact.load_N / reference_N;
  const double per_length = std::exp(-p[kSlideLogLength]);
  const double late_rows = p[kSlideDelay] / contact.period_s + setting.phase;
  LugreBristle bristle;
  friction_N.resize(contact.time_s.size());
  for (const auto& slide : contact.slides) {
    for (std::size_t i = slide.begin; i < slide.end; ++i) {
      const double v = speed_m_per_s[i];
      if (v == 0) {
        friction_N[i] = values[kLugreSigma0] * bristle.deflection_m();
        continue;
      }
      const double load_N =
          std::max(kLeastLoad_N, zero_N + shifted(contact.normal_N, slide, i, late_rows));
      const double fresh = 1 + p[kSlideRunningIn] * std::exp(-slid_m * per_length);
      const double level_N =
          load_N * fresh * std::exp(p[kSlideExponent] * std::log(load_N / reference_N));
      friction_N[i] = bristle.step_N(values, contact.step_s[i], v, level_N);
      slid_m += std::abs(v) * contact.step_s[i];
    }
    delay(friction_N, slide, late_rows);
  }
}

}  // namespace tactelier
