// Recordings whose streams run on clocks of their own, as a person looks at them.

#include "fitting/views/viewing_clocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/workflow/synth_session.hpp"
#include "fitting/views/preparation.hpp"
#include "fitting/views/press_curve.hpp"
#include "fitting/views/recording_view.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

class ViewingClocks : public ::testing::Test {
 protected:
  ViewingClocks() {
    SynthRequest synth;
    synth.protocol = "study";
    synth.preset = "lab";
    synth.seed = 4;
    synth.target = folder_.path() / "pad.tact";
    const auto made = synth_session(synth, {});
    EXPECT_TRUE(made) << made.error().message;
    session_ = std::make_unique<Session>(Session::open(synth.target).value());
    presses_ = presses(session_->events(), {}, session_->metadata()).value();
    clocks_ = viewing_clocks(*session_, {}).value();
  }

  TestFolder folder_;
  std::unique_ptr<Session> session_;
  std::vector<Press> presses_;
  SessionClocks clocks_;
};

TEST_F(ViewingClocks, ForceRisesWithinThePressesThatTheHostRecorded) {
  ASSERT_EQ(session_->metadata().clock(StreamKind::kForce), Clock::kOwn);
  const auto force = force_envelope(*session_, clocks_).value();
  for (const auto& press : presses_) {
    double inside_N = 0, before_N = 0;
    for (const auto& point : force.points) {
      if (point.begin_s >= press.begin_s && point.end_s <= press.end_s)
        inside_N = std::max(inside_N, point.max);
      if (point.end_s < press.begin_s && point.begin_s > press.begin_s - 0.3)
        before_N = std::max(before_N, point.max);
    }
    EXPECT_GT(inside_N, 0.5) << press.number;
    EXPECT_LT(before_N, 0.3) << press.number;
  }
}

TEST_F(ViewingClocks, APressHasForceTravelAndReadingsThatPeakTogether) {
  const auto curve = press_curve(*session_, clocks_, presses_[1], {});
  ASSERT_TRUE(curve) << curve.error().message;
  ASSERT_FALSE(curve->travel_m.empty());
  const auto deepest = static_cast<std::size_t>(
      std::max_element(curve->travel_m.begin(), curve->travel_m.end()) - curve->travel_m.begin());
  // Half a period of the positions, and what this rig's lines may begin late.
  EXPECT_NEAR(curve->time_s[deepest], curve->time_s[curve->peak], 0.05 + 0.02);
  EXPECT_TRUE(curve->contact_s);
  const std::vector<std::string> columns{std::to_string(presses_[1].tactel.value())};
  const auto readings = read_lined_up(*session_, clocks_, StreamKind::kTactile, columns,
                                      {presses_[1].begin_s, presses_[1].end_s}, {});
  ASSERT_TRUE(readings);
  ASSERT_GT(readings->rows(), 100U);
  EXPECT_GE(readings->time_s.front(), presses_[1].begin_s);
  EXPECT_LE(readings->time_s.back(), presses_[1].end_s);
}

TEST_F(ViewingClocks, AgreeWithTheFitsOwnToAMillisecond) {
  const auto exact = session_clocks({session_.get(), presses_, {}}, {}).value();
  for (const auto kind : {StreamKind::kForce, StreamKind::kTactile})
    for (const auto& press : presses_)
      EXPECT_NEAR(clocks_.of(kind).map.to_device_s(press.begin_s),
                  exact.of(kind).map.to_device_s(press.begin_s), 0.001)
          << to_string(kind);
}

}  // namespace
}  // namespace tactelier::test
