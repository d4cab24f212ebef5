#include "fitting/plan/planned_slides.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "libcalib/session/moves.hpp"

namespace tactelier {
namespace {

constexpr double kBefore_s = 0.02, kAfter_s = 0.12;  // slide_tracks.cpp: rows of a slide
constexpr double kUnknownState_m = 1.5e-3;
constexpr double kDelay_s = 1e-3, kFilter_s = 0.8e-3;  // of the force, as ordinary sensors have it

}  // namespace

std::optional<SideCompliance> planned_side_compliance(const PlanBasis& basis) {
  constexpr double kMeasuredU = 0.02;
  const auto& stated = basis.quality.shear_compliance_m_per_N;
  if (basis.work.shears > 0) {
    const double c_m_per_N = stated.value_or(kUsualSide_m_per_N);
    return SideCompliance{c_m_per_N, kMeasuredU * c_m_per_N, true};
  }
  return stated ? std::optional(stated_compliance(*stated)) : std::nullopt;
}

SlideTracks planned_tracks(const PlanBasis& basis) {
  const auto& quality = basis.quality;
  SlideTracks tracks;
  std::vector<Move> moves;
  std::map<std::size_t, SlideContact> contacts;
  std::map<std::size_t, double> slid_m;
  const double dt_s = quality.force_period_s();
  for (const auto& slide : basis.work.slides) {
    if (slide.oscillates) continue;
    const auto from_m = slide.motion.from_m(), to_m = slide.motion.end_m();
    if (moves.empty())
      tracks.axis = std::abs(to_m[1] - from_m[1]) > std::abs(to_m[0] - from_m[0]) ? 1 : 0;
    moves.push_back({static_cast<int>(moves.size()) + 1,
                     from_m,
                     to_m,
                     slide.speed_m_per_s,
                     slide.motion.top_acceleration_m_per_s2(),
                     slide.begin_s,
                     {}});
    auto& contact = contacts[slide.contact];
    contact.load_N = slide.load_N;
    contact.u_zero_N = contact.u_side_N = quality.force_noise_N / 10;
    const auto first = static_cast<std::ptrdiff_t>(std::ceil((slide.begin_s - kBefore_s) / dt_s));
    const auto end = static_cast<std::ptrdiff_t>(
        std::floor((slide.begin_s + slide.duration_s + kAfter_s) / dt_s));
    SlideRows rows{contact.time_s.size(), 0, quality.force_noise_moving_N, slide.speed_m_per_s,
                   slid_m[slide.contact] >= kUnknownState_m};
    for (auto i = first; i < end; ++i) {
      contact.time_s.push_back(static_cast<double>(i) * dt_s);
      contact.step_s.push_back(dt_s);
      contact.normal_N.push_back(slide.load_N);
    }
    rows.end = contact.time_s.size();
    contact.slides.push_back(rows);
    slid_m[slide.contact] += slide.motion.path_m();
  }
  std::vector<double> loads_N;
  for (auto& [number, contact] : contacts) {
    contact.friction_N.assign(contact.time_s.size(), 0);
    loads_N.push_back(contact.load_N);
    tracks.contacts.push_back(std::move(contact));
  }
  std::sort(loads_N.begin(), loads_N.end());
  tracks.reference_N = loads_N[(loads_N.size() - 1) / 2];
  tracks.step_m = quality.motion_measured() ? 0 : quality.step_m;
  tracks.paths.emplace_back(moves);
  if (const auto rig = planned_side_compliance(basis)) tracks.side_m_per_N = rig->m_per_N;
  return tracks;
}

std::vector<double> expected_slide_values(const PlanBasis& basis, const SlideTracks& tracks) {
  const auto& expected = basis.expected;
  const auto& quality = basis.quality;
  std::vector<double> p(kSlideShared + 2 * tracks.contacts.size(), 0.0);
  p[kSlideDynamic] = expected.friction[kLugreDynamic];
  p[kSlideDrop] = expected.friction[kLugreStatic] - expected.friction[kLugreDynamic];
  p[kSlideLogStribeck] = std::log(expected.friction[kLugreStribeck]);
  p[kSlideLogSigma0] = std::log(expected.friction[kLugreSigma0]);
  p[kSlideSide] = tracks.side_m_per_N.value_or(kUsualSide_m_per_N);
  p[kSlideSigma1] = expected.friction[kLugreSigma1];
  p[kSlideViscous] = expected.friction[kLugreViscous];
  p[kSlideLogLength] = std::log(expected.running_in_m);
  p[kSlideLogRing] = std::log(100);
  p[kSlideRingDamping] = 0.15;
  if (quality.motion_measured()) return p;
  p[kSlideExponent] = -expected.load_exponent;
  p[kSlideRunningIn] = expected.running_in;
  p[kSlideBacklash] = quality.backlash_m;
  p[kSlideRippleCos] = quality.microstep_error_m / std::sqrt(2);
  p[kSlideRippleSin] = quality.microstep_error_m / std::sqrt(2);
  p[kSlideDelay] = kDelay_s;
  p[kSlideLag] = kFilter_s;
  return p;
}

void fill_friction(const SlideSetting& setting, std::span<const double> p, SlideTracks& tracks) {
  const auto motions = tip_motions(tracks, setting, p);
  const auto slid_m = slid_before_m(tracks, motions);
  for (std::size_t c = 0; c < tracks.contacts.size(); ++c)
    contact_friction_N(tracks.contacts[c], motions[c], slid_m[c], 0, tracks.reference_N, setting, p,
                       tracks.contacts[c].friction_N);
}

}  // namespace tactelier
