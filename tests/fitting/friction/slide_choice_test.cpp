#include "fitting/friction/slide_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

constexpr double kRow_s = 1e-3;

/// One slide after the other, each so long in seconds.
SlideContact contact(double load_N, const std::vector<std::pair<double, double>>& speed_and_time) {
  SlideContact made;
  made.load_N = load_N;
  double t_s = 0;
  for (const auto& [speed_m_per_s, lasts_s] : speed_and_time) {
    SlideRows rows;
    rows.begin = made.time_s.size();
    rows.speed_m_per_s = speed_m_per_s;
    for (int i = 0; i < static_cast<int>(std::lround(lasts_s / kRow_s)); ++i)
      made.time_s.push_back(t_s += kRow_s);
    rows.end = made.time_s.size();
    made.slides.push_back(rows);
    t_s += 1;
  }
  return made;
}

/// As the protocol p9: running in at the highest load, then every speed under three loads.
SlideTracks three_loads() {
  SlideTracks tracks;
  tracks.reference_N = 1;
  tracks.contacts = {contact(2, {{16e-3, 0.5}, {16e-3, 0.5}}),
                     contact(0.5, {{0.5e-3, 8}, {16e-3, 0.25}}),
                     contact(1, {{0.5e-3, 8}, {16e-3, 0.25}}),
                     contact(2, {{0.5e-3, 8}, {16e-3, 0.25}, {25e-3, 0.3}})};
  return tracks;
}

double seconds(const SlideContact& contact, std::size_t slide) {
  const auto& rows = contact.slides[slide];
  return kRow_s * static_cast<double>(rows.end - rows.begin);
}

TEST(SlideChoice, KeepsOneLoadOfEachSpeed) {
  const auto few = few_slides(three_loads());
  ASSERT_EQ(few.contacts.size(), 4u);
  EXPECT_TRUE(few.contacts[0].slides.empty());
  EXPECT_TRUE(few.contacts[1].slides.empty());
  EXPECT_EQ(few.contacts[2].slides.size(), 2u);
  EXPECT_EQ(few.contacts[3].slides.size(), 3u) << "25 mm/s went under no other load";
  EXPECT_FALSE(one_load(few));
}

TEST(SlideChoice, CutsLongSlidesAndKeepsHowFarTheyWent) {
  const auto few = few_slides(three_loads());
  EXPECT_NEAR(seconds(few.contacts[2], 0), 2, 2 * kRow_s);
  EXPECT_NEAR(seconds(few.contacts[2], 1), 0.25, 2 * kRow_s);
  // All of the contacts that are left out, then six seconds of the first slide of the next.
  const double before_m = 2 * 16e-3 * 0.5 + 0.5e-3 * 8 + 16e-3 * 0.25;
  EXPECT_NEAR(few.contacts[2].slid_before_m, before_m, 1e-4);
  EXPECT_NEAR(few.contacts[3].slid_before_m, before_m + 0.5e-3 * 6, 1e-4);
}

TEST(SlideChoice, OneLoadIsOneWithoutSlidesToo) {
  SlideTracks tracks;
  tracks.reference_N = 1;
  tracks.contacts = {contact(1, {{1e-3, 1}}), contact(1.1, {{2e-3, 1}}), contact(3, {})};
  EXPECT_TRUE(one_load(tracks));
}

}  // namespace
}  // namespace tactelier
