#include "fitting/friction/slide_motion.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/parallel.hpp"

namespace tactelier {
namespace {

constexpr double kTick_s = 1e-3;        // within which a stage's steps are taken as one move
constexpr double kRungTick_s = 0.5e-3;  // a tenth of the fastest ringing of a motor, and
constexpr double kFineTick_s = 0.25e-3;
constexpr double kFieldSteps = 4;  // full steps, after which a motor's field is the same again

double step_of(const SlideTracks& tracks, const SlideSetting& setting) {
  return setting.shape == StepShape::kSmooth ? 0 : tracks.step_m;
}

AxisDrive drive_of(const SlideTracks& tracks, const SlideSetting& setting,
                   std::span<const double> p) {
  AxisDrive drive;
  drive.step_m = step_of(tracks, setting);
  drive.backlash_m = p[kSlideBacklash];
  drive.up_drives = true;
  const auto harmonic = [&](SlideIndex cosine, SlideIndex sine, double period_m) {
    return AxisDrive::Harmonic{std::hypot(p[cosine], p[sine]), period_m,
                               std::atan2(p[sine], p[cosine])};
  };
  drive.microstep = {harmonic(kSlideRippleCos, kSlideRippleSin, setting.ripple_period_m),
                     harmonic(kSlideSecondCos, kSlideSecondSin, setting.ripple_period_m / 2)};
  return drive;
}

TipMotion::Slide ticks_over(const SlideContact& contact, const SlideRows& rows,
                            const SlideSetting& setting, std::size_t begin) {
  const double from_s = contact.time_s[rows.begin] - contact.step_s[rows.begin];
  const double to_s = contact.time_s[rows.end - 1], tick_s = slide_tick_s(setting);
  TipMotion::Slide slide{tick_s * (std::floor(from_s / tick_s) + setting.phase), begin, begin};
  slide.end += 2 + static_cast<std::size_t>(std::max(0.0, (to_s - slide.first_s) / tick_s));
  return slide;
}

TipMotion ticks_of(const SlideContact& contact, const SlideSetting& setting) {
  TipMotion motion{slide_tick_s(setting), {}, {}};
  for (const auto& rows : contact.slides)
    motion.slides.push_back(
        ticks_over(contact, rows, setting, motion.slides.empty() ? 0 : motion.slides.back().end));
  return motion;
}

/// Of all ticks, and of the tick before each slide.
std::vector<double> times_of(const TipMotion& motion) {
  std::vector<double> times_s;
  for (const auto& slide : motion.slides)
    for (std::size_t i = 0; i <= slide.end - slide.begin; ++i)
      times_s.push_back(slide.first_s + (static_cast<double>(i) - 1) * motion.tick_s);
  return times_s;
}

/// From values at the ticks and at the tick before each slide.
template <class Value>
std::vector<Value> rates_of(const std::vector<Value>& places, double per_tick,
                            const std::vector<TipMotion::Slide>& slides) {
  std::vector<Value> rates;
  rates.reserve(places.size());
  std::size_t place = 0;
  for (const auto& slide : slides) {
    for (std::size_t i = slide.begin; i < slide.end; ++i, ++place)
      rates.push_back(per_tick * (places[place + 1] - places[place]));
    ++place;
  }
  return rates;
}

double way_m(const TipMotion& motion) {
  return Eigen::Map<const Eigen::ArrayXd>(motion.speed_m_per_s.data(),
                                          static_cast<Eigen::Index>(motion.speed_m_per_s.size()))
             .abs()
             .sum() *
         motion.tick_s;
}

AxisSlopes way_slopes(const TipMotion& motion, const std::vector<AxisSlopes>& speed) {
  AxisSlopes sum = AxisSlopes::Zero();
  for (std::size_t i = 0; i < speed.size(); ++i)
    if (const double v = motion.speed_m_per_s[i]; v != 0) sum += v > 0 ? speed[i] : -speed[i];
  return sum * motion.tick_s;
}

}  // namespace

double slide_tick_s(const SlideSetting& setting) {
  if (setting.shape != StepShape::kRinging) return kTick_s;
  return setting.fine ? kFineTick_s : kRungTick_s;
}

TipTurns::TipTurns(const SlideTracks& tracks, const SlideSetting& setting, int threads)
    : tracks_(tracks), setting_(setting), threads_(threads), contacts_(tracks.contacts.size()) {
  parallel_for(threads_, contacts_.size(), [&](std::size_t c) {
    const auto& contact = tracks_.contacts[c];
    auto& own = contacts_[c];
    own.motion = ticks_of(contact, setting);
    if (!own.motion.slides.empty())
      own.turns = axis_turns(tracks_.paths[contact.session], tracks_.axis,
                             step_of(tracks_, setting), 0, own.motion.tick_s, times_of(own.motion));
  });
}

bool TipTurns::same(const SlideSetting& setting) const {
  return setting.shape == setting_.shape && setting.phase == setting_.phase &&
         setting.fine == setting_.fine;
}

std::vector<TipMotion> TipTurns::motions(const SlideSetting& setting, std::span<const double> p,
                                         std::vector<TipSlopes>* slopes) const {
  const auto drive = drive_of(tracks_, setting, p);
  const AxisRing ring{std::exp(p[kSlideLogRing]), p[kSlideRingDamping],
                      kFieldSteps * setting.ripple_period_m};
  std::vector<TipMotion> motions(contacts_.size());
  std::vector<AxisSlopes> ways(contacts_.size(), AxisSlopes::Zero());
  if (slopes) slopes->assign(contacts_.size(), {});
  parallel_for(threads_, contacts_.size(), [&](std::size_t c) {
    const auto& own = contacts_[c];
    auto& motion = motions[c] = own.motion;
    const double per_tick = tracks_.along / motion.tick_s;
    std::vector<AxisSlopes> by;
    const auto places_m =
        turned_axis_m(own.turns, drive, setting.shape == StepShape::kRinging ? &ring : nullptr,
                      slopes ? &by : nullptr);
    motion.speed_m_per_s = rates_of(places_m, per_tick, motion.slides);
    if (!slopes) return;
    (*slopes)[c].speed = rates_of(by, per_tick, motion.slides);
    ways[c] = way_slopes(motion, (*slopes)[c].speed);
  });
  if (!slopes) return motions;
  AxisSlopes sum = AxisSlopes::Zero();
  for (std::size_t c = 0; c < motions.size(); ++c) {
    (*slopes)[c].slid_before = sum;
    sum += ways[c];
  }
  return motions;
}

std::vector<TipMotion> tip_motions(const SlideTracks& tracks, const SlideSetting& setting,
                                   std::span<const double> p) {
  return TipTurns(tracks, setting).motions(setting, p);
}

std::vector<double> slid_before_m(const SlideTracks& tracks,
                                  const std::vector<TipMotion>& motions) {
  std::vector<double> slid_m;
  double sum_m = 0;
  for (std::size_t c = 0; c < tracks.contacts.size(); ++c) {
    slid_m.push_back(sum_m + tracks.contacts[c].slid_before_m);
    sum_m += way_m(motions[c]);
  }
  return slid_m;
}

}  // namespace tactelier
