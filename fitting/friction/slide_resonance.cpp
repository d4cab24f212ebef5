#include "fitting/friction/slide_resonance.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kSameSpeed = 0.05;  // relative
constexpr double kStandsOut = 0.75;  // of chi2 per block, left without it
constexpr int kCalmIterations = 12;
constexpr std::size_t kMostLeftOut = 3, kLeastSpeeds = 4, kSuspects = 4;

const std::vector<int> kHeld{kSlideRippleCos, kSlideRippleSin, kSlideLogLength, kSlideLag};

bool same_speed(double a_m_per_s, double b_m_per_s) {
  return std::abs(a_m_per_s - b_m_per_s) < kSameSpeed * b_m_per_s;
}

/// Slides of one speed, and what is left over of them.
struct SpeedShare {
  double speed_m_per_s = 0;
  double chi2 = 0, blocks = 0;
};

std::vector<SpeedShare> shares_of(const SlideProblem& problem, const SlideFit& fit) {
  std::vector<double> residuals(problem.residuals(), 0.0);
  problem.evaluate(fit.setting, fit.values, residuals);
  std::vector<double> speed_of;  // by the number of a slide
  for (const auto& contact : problem.tracks().contacts)
    for (const auto& slide : contact.slides) speed_of.push_back(slide.speed_m_per_s);
  std::vector<SpeedShare> shares;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const double speed = speed_of[problem.blocks()[b].slide];
    auto share = std::find_if(shares.begin(), shares.end(), [&](const SpeedShare& known) {
      return same_speed(known.speed_m_per_s, speed);
    });
    if (share == shares.end()) share = shares.insert(share, {speed, 0, 0});
    share->chi2 += residuals[b] * residuals[b];
    ++share->blocks;
  }
  return shares;
}

/// The speeds whose slides are followed worst: without one of them least would be left over, if
/// nothing else changed.
std::vector<double> suspects(std::vector<SpeedShare> shares) {
  double chi2 = 0, blocks = 0;
  for (const auto& share : shares) chi2 += share.chi2, blocks += share.blocks;
  const auto without = [&](const SpeedShare& share) {
    return (chi2 - share.chi2) / std::max(1.0, blocks - share.blocks);
  };
  std::sort(shares.begin(), shares.end(),
            [&](const auto& a, const auto& b) { return without(a) < without(b); });
  std::vector<double> speeds;
  for (const auto& share : shares)
    if (speeds.size() < kSuspects) speeds.push_back(share.speed_m_per_s);
  return speeds;
}

/// They still carry the bristles along.
SlideTracks without(SlideTracks tracks, double speed_m_per_s) {
  for (auto& contact : tracks.contacts)
    for (auto& slide : contact.slides)
      if (same_speed(slide.speed_m_per_s, speed_m_per_s)) slide.compared = false;
  return tracks;
}

struct LeftOut {
  SlideTracks tracks;
  SlideFit fit;
};

/// The speed without which least is left over, of those that are suspect in `from`.
std::optional<LeftOut> best_without_one(const SlideSolver& solver, const SlideTracks& tracks,
                                        std::span<const double> speeds_m_per_s,
                                        const SlideSetting& setting,
                                        std::span<const double> start_v_s_m_per_s) {
  std::optional<LeftOut> best;
  for (const double speed : speeds_m_per_s) {
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
  auto least = from;
  std::optional<SlideFit> found;
  for (std::size_t left_out = 0; left_out < kMostLeftOut && !solver.stopped(); ++left_out) {
    const auto shares = shares_of(solver.of(tracks).problem(), least);
    if (shares.size() <= kLeastSpeeds) break;
    auto better =
        best_without_one(solver, tracks, suspects(shares), from.setting, start_v_s_m_per_s);
    if (!better || better->fit.chi2_per_dof() > kStandsOut * least.chi2_per_dof()) break;
    tracks = std::move(better->tracks);
    least = *(found = std::move(better->fit));
  }
  return found;
}

}  // namespace tactelier
