#include "fitting/friction/slide_resonance.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kSameSpeed = 0.05;  // relative
constexpr double kStandsOut = 0.75;  // of chi2 per block, left without it
constexpr int kCalmIterations = 12;
constexpr std::size_t kMostLeftOut = 3, kLeastSpeeds = 4;

const std::vector<int> kHeld{kSlideRippleCos, kSlideRippleSin, kSlideLogLength, kSlideLag};

bool goes_at(const SlideRows& slide, double speed_m_per_s) {
  return std::abs(slide.speed_m_per_s - speed_m_per_s) < kSameSpeed * speed_m_per_s;
}

std::vector<double> compared_speeds(const SlideTracks& tracks) {
  std::vector<double> speeds;
  for (const auto& contact : tracks.contacts)
    for (const auto& slide : contact.slides)
      if (slide.compared && std::none_of(speeds.begin(), speeds.end(),
                                         [&](double known) { return goes_at(slide, known); }))
        speeds.push_back(slide.speed_m_per_s);
  return speeds;
}

/// They still carry the bristles along.
SlideTracks without(SlideTracks tracks, double speed_m_per_s) {
  for (auto& contact : tracks.contacts)
    for (auto& slide : contact.slides)
      if (goes_at(slide, speed_m_per_s)) slide.compared = false;
  return tracks;
}

struct LeftOut {
  SlideTracks tracks;
  SlideFit fit;
};

/// The speed without which least is left over.
std::optional<LeftOut> best_without_one(const SlideSolver& solver, const SlideTracks& tracks,
                                        const SlideSetting& setting,
                                        std::span<const double> start_v_s_m_per_s) {
  std::optional<LeftOut> best;
  for (const double speed : compared_speeds(tracks)) {
    auto fewer = without(tracks, speed);
    const auto part = solver.of(fewer);
    for (const double v_s : start_v_s_m_per_s) {
      auto fit = part.fit(setting, part.generic(v_s), kCalmIterations, kHeld);
      if (fit && (!best || fit->chi2_per_dof() < best->fit.chi2_per_dof()))
        best = LeftOut{fewer, std::move(*fit)};
    }
  }
  return best;
}

}  // namespace

std::optional<SlideFit> away_from_resonance(const SlideSolver& solver, const SlideFit& from,
                                            std::span<const double> start_v_s_m_per_s) {
  auto tracks = solver.problem().tracks();
  auto least = from.chi2_per_dof();
  std::optional<SlideFit> found;
  for (std::size_t left_out = 0; left_out < kMostLeftOut && !solver.stopped(); ++left_out) {
    if (compared_speeds(tracks).size() <= kLeastSpeeds) break;
    auto better = best_without_one(solver, tracks, from.setting, start_v_s_m_per_s);
    if (!better || better->fit.chi2_per_dof() > kStandsOut * least) break;
    tracks = std::move(better->tracks);
    least = better->fit.chi2_per_dof();
    found = std::move(better->fit);
  }
  return found;
}

}  // namespace tactelier
