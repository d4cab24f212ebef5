// Slides made with known numbers by the forward model itself: what is tried is which of them are
// left out, not the model.
#include "fitting/friction/slide_resonance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace tactelier {
namespace {

constexpr std::array kSpeeds_m_per_s{0.5e-3, 1e-3, 2e-3, 4e-3, 6e-3, 9e-3, 12e-3, 16e-3};
constexpr std::array kLoads_N{0.5, 2.0};
constexpr double kLength_m = 4e-3, kRest_s = 0.3, kRow_s = 1e-3;
constexpr double kWhite_N = 10e-3;

SlideValues true_values() {
  SlideValues p(kSlideShared, 0.0);
  p[kSlideDynamic] = 0.37;
  p[kSlideDrop] = 0.14;
  p[kSlideLogStribeck] = std::log(3e-3);
  p[kSlideLogSigma0] = std::log(2500);
  p[kSlideSigma1] = 6;
  p[kSlideViscous] = 0.8;
  p[kSlideLogLength] = std::log(0.05);
  return p;
}

/// To and fro at each speed under one load, a row per millisecond; friction comes later.
SlideContact contact_from(double begin_s, double load_N, std::vector<Move>& moves) {
  SlideContact contact;
  contact.load_N = load_N;
  double t_s = begin_s;
  for (const double speed : kSpeeds_m_per_s)
    for (const double way : {1.0, -1.0}) {
      Move move;
      move.line = static_cast<int>(moves.size()) + 1;
      move.to_m[0] = way > 0 ? kLength_m : 0;
      move.from_m[0] = kLength_m - move.to_m[0];
      move.speed_m_per_s = speed;
      move.acceleration_m_per_s2 = 0.1;
      move.queued_s = t_s;
      moves.push_back(move);
      const double lasts_s = kLength_m / speed + speed / move.acceleration_m_per_s2 + kRest_s;
      SlideRows rows;
      rows.begin = contact.time_s.size();
      for (double s = 0; s < lasts_s; s += kRow_s) contact.time_s.push_back(t_s + s);
      rows.end = contact.time_s.size();
      rows.sigma_N = kWhite_N;
      rows.speed_m_per_s = speed;
      contact.slides.push_back(rows);
      t_s += lasts_s;
    }
  contact.step_s.assign(contact.time_s.size(), kRow_s);
  contact.friction_N.assign(contact.time_s.size(), 0);
  contact.normal_N.assign(contact.time_s.size(), load_N);
  return contact;
}

SlideTracks tracks() {
  SlideTracks made;
  made.side_m_per_N = 0;
  made.step_m = 2.5e-6;
  made.reference_N = 1;
  std::vector<Move> moves;
  for (const double load_N : kLoads_N) {
    const double begin_s = made.contacts.empty() ? 1 : made.contacts.back().time_s.back() + 5;
    made.contacts.push_back(contact_from(begin_s, load_N, moves));
  }
  made.paths.emplace_back(moves);
  auto p = true_values();
  p.resize(SlideProblem(made).size());
  SlideSetting setting;
  setting.shape = StepShape::kSmooth;
  const auto motions = tip_motions(made, setting, p);
  const auto slid_m = slid_before_m(made, motions);
  std::mt19937 random(11);
  for (std::size_t c = 0; c < made.contacts.size(); ++c) {
    auto& contact = made.contacts[c];
    contact_friction_N(contact, motions[c], slid_m[c], 0, made.reference_N, setting, p,
                       contact.friction_N);
    for (double& force_N : contact.friction_N)
      force_N += kWhite_N * std::sqrt(12) * (static_cast<double>(random()) * 0x1p-32 - 0.5);
  }
  return made;
}

/// As a motor in tune does it: less on average, at these speeds alone.
SlideTracks with_half(SlideTracks tracks, std::span<const double> speeds_m_per_s) {
  for (auto& contact : tracks.contacts)
    for (const auto& rows : contact.slides)
      for (const double speed : speeds_m_per_s)
        for (std::size_t i = rows.begin; i < rows.end && rows.speed_m_per_s == speed; ++i)
          contact.friction_N[i] *= 0.5;
  return tracks;
}

constexpr std::array kStarts_m_per_s{2e-3, 6e-3};

SlideFit first_look(const SlideSolver& solver) {
  SlideSetting smooth;
  smooth.shape = StepShape::kSmooth;
  const auto fit = solver.fit(smooth, solver.generic(kStarts_m_per_s[0]), 12,
                              {kSlideRippleCos, kSlideRippleSin, kSlideLogLength, kSlideLag});
  EXPECT_TRUE(fit);
  return fit ? *fit : SlideFit{};
}

double relative_error(const SlideFit& fit, SlideIndex index) {
  return std::abs(fit.values[index] / true_values()[index] - 1);
}

TEST(SlideResonance, OneSpeedThatHalvesFrictionIsLeftOut) {
  const auto disturbed = with_half(tracks(), std::array{4e-3});
  const SlideSolver solver(disturbed, {}, 2);
  const auto all = first_look(solver);
  EXPECT_GT(relative_error(all, kSlideDynamic), 0.06);
  const auto calm = away_from_resonance(solver, all, kStarts_m_per_s);
  ASSERT_TRUE(calm);
  EXPECT_LT(relative_error(*calm, kSlideDynamic), 0.03);
  EXPECT_LT(relative_error(*calm, kSlideDrop), 0.05);
}

TEST(SlideResonance, TwoOfThemAreLeftOutOneAfterTheOther) {
  const auto disturbed = with_half(tracks(), std::array{2e-3, 4e-3});
  const SlideSolver solver(disturbed, {}, 2);
  const auto calm = away_from_resonance(solver, first_look(solver), kStarts_m_per_s);
  ASSERT_TRUE(calm);
  EXPECT_LT(relative_error(*calm, kSlideDynamic), 0.03);
}

TEST(SlideResonance, WhereNoneStandsOutNoneIsLeftOut) {
  const auto calm_slides = tracks();
  const SlideSolver solver(calm_slides, {}, 2);
  EXPECT_FALSE(away_from_resonance(solver, first_look(solver), kStarts_m_per_s));
}

}  // namespace
}  // namespace tactelier
