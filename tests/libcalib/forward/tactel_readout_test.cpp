// Newtons to counts, by hand: offset 100, threshold 0.02 N, 5e-4 N/count, saturation 3940.
#include "libcalib/forward/tactel_readout.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

using testing_models::forward_model;
using testing_models::set;

TEST(TactelReadout, CountsAreZeroBelowTheThresholdThenLinearThenClipped) {
  const TactelReadout readout(forward_model());
  EXPECT_DOUBLE_EQ(readout.above_rest(5, 0.01), 0);
  EXPECT_DOUBLE_EQ(readout.above_rest(5, 0.52), 1000);
  EXPECT_DOUBLE_EQ(readout.above_rest(5, 5), 3840);
  EXPECT_TRUE(readout.clips(5, 5));
  EXPECT_FALSE(readout.clips(5, 0.52));
  EXPECT_DOUBLE_EQ(readout.recorded(5, 1000), 1100);
  EXPECT_DOUBLE_EQ(readout.above_rest_of(5, 1100), 1000);
  EXPECT_DOUBLE_EQ(*readout.full_scale(), 3840);
  EXPECT_DOUBLE_EQ(readout.contact_levels()[5], 6);
}

// 9 s are a decade: 0.5 N then reads as 0.52 N, and 0.53 N where a tactel creeps by 6 %.
TEST(TactelReadout, GoesOnRisingUnderALoadThatStays) {
  auto model = forward_model();
  set(model.response.tactels[0].creep, 4);
  set(model.response.tactels[1].creep, 6);
  set(model.response.tactels[2].creep, 4);
  const TactelReadout readout(model);
  EXPECT_DOUBLE_EQ(readout.above_rest(0, 0.5), 960);
  const auto later = readout.after({9});
  EXPECT_NEAR(later.above_rest(0, 0.5), 1000, 1e-9);
  EXPECT_NEAR(later.above_rest(1, 0.5), 1020, 1e-9);
  EXPECT_NEAR(later.above_rest(5, 0.5), 1000, 1e-9);  // nobody found its own
  EXPECT_DOUBLE_EQ(readout.after({0}).above_rest(0, 0.5), 960);
  EXPECT_DOUBLE_EQ(TactelReadout(forward_model()).after({9}).above_rest(0, 0.5), 960);
}

// 0.25 N decades of earlier loads at 4 % per decade are 0.01 N, which take a share from 0.02 N, the
// threshold, to 20 counts.
TEST(TactelReadout, GivesBackSlowlyWhatItCreptUnderEarlierLoads) {
  auto model = forward_model();
  set(model.response.tactels[0].creep, 4);
  const auto readout =
      TactelReadout(model).after({0, std::vector<double>(TactelReadout(model).tactels(), 0.25)});
  EXPECT_NEAR(readout.above_rest(0, 0.02), 20, 1e-9);
  EXPECT_NEAR(readout.above_rest(0, 0.5), 980, 1e-9);
  EXPECT_DOUBLE_EQ(readout.above_rest(0, 0.005), 0) << "still below the threshold";
}

// Gains without creep hold that of a press of 3 s, 0.37 decades: after 9 s, a decade, 4 % of 0.63
// are due. One tactel's own creep speaks for all others instead, and for the whole decade.
TEST(TactelReadout, CreepsAsThePointSpreadsMemoryWhereNobodyFoundCreep) {
  auto model = forward_model();
  model.quality["psf"].figures["memory_percent_per_decade"] = 4;
  const auto counts = [&] { return TactelReadout(model).after({9}).above_rest(0, 0.5); };
  EXPECT_NEAR(counts(), (0.5 * (1 + 0.04 * 0.63) - 0.02) / 5e-4, 1e-9);
  EXPECT_NEAR(TactelReadout(model).after({1}).above_rest(0, 0.5), 960, 1e-9) << "no less than now";
  set(model.response.tactels[1].creep, 2);
  EXPECT_NEAR(counts(), (0.5 * 1.02 - 0.02) / 5e-4, 1e-9);
}

// Half the response of an operator 0.04 N wide stays at the crest: from 0.33 N to 0.3 N the whole
// 0.03 N, half of it, from 0.4 N no more than its width.
TEST(TactelReadout, StaysWhereACrestOfTheForceHasTakenIt) {
  auto model = forward_model();
  const double share = TactelReadout(model).centre_share();
  ASSERT_GT(share, 0);
  auto& play = model.response.hysteresis_model;
  for (const double newtons : {0.0, 0.02 / share}) set(play.thresholds.emplace_back(), newtons);
  for (const double weight : {0.5, 0.5}) set(play.weights.emplace_back(), weight);
  const auto counts = [&](double crest) {
    LoadHistory history;
    history.crest = crest;
    return TactelReadout(model).after(history).above_rest(0, 0.3);
  };
  EXPECT_NEAR(counts(1), (0.3 - 0.02) / 5e-4, 1e-9);
  EXPECT_NEAR(counts(1.1), (0.3 + 0.5 * 0.03 - 0.02) / 5e-4, 1e-9);
  EXPECT_NEAR(counts(4.0 / 3), (0.3 + 0.5 * 0.04 - 0.02) / 5e-4, 1e-9);
}

// Of 0.5 N that are left of the largest load, 2 % hold a share of 0.02 N, the threshold, up by
// 0.02 (0.5 - 0.02) N, 19.2 counts, and one of 0.5 N by nothing.
TEST(TactelReadout, ComesBackLateFromALargerLoad) {
  auto model = forward_model();
  set(model.response.zero_return, 2);
  const std::vector<double> largest_N(TactelReadout(model).tactels(), 0.5);
  const auto readout = TactelReadout(model).after({0, {}, largest_N});
  EXPECT_NEAR(readout.above_rest(0, 0.02), 19.2, 1e-9);
  EXPECT_DOUBLE_EQ(readout.above_rest(0, 0.5), 960);
  EXPECT_DOUBLE_EQ(readout.above_rest(0, 0.6), 1160);
}

TEST(TactelReadout, DeadAndUnknownTactelsReadNothing) {
  auto model = forward_model();
  model.response.tactels[1].status = TactelStatus::kDead;
  model.response.tactels[2].gain = unidentifiable("N/count", "RS-01 Tactel 2 stayed at rest.");
  const TactelReadout readout(model);
  EXPECT_TRUE(std::isnan(readout.above_rest(1, 1)));
  EXPECT_TRUE(std::isnan(readout.above_rest(2, 1)));
  EXPECT_FALSE(readout.known(1));
  EXPECT_TRUE(readout.known(0));
}

TEST(TactelReadout, ASensorThatFallsReportsFallingCounts) {
  auto model = forward_model();
  model.sensor.falling = true;
  for (auto& tactel : model.response.tactels) {
    set(tactel.offset, 3995);
    set(tactel.saturation, 155);
  }
  const TactelReadout readout(model);
  EXPECT_DOUBLE_EQ(readout.above_rest(0, 0.52), 1000);
  EXPECT_DOUBLE_EQ(readout.recorded(0, 1000), 2995);
  EXPECT_DOUBLE_EQ(readout.above_rest_of(0, 2995), 1000);
  EXPECT_DOUBLE_EQ(readout.above_rest(0, 9), 3840);
}

// Knots over the pin's force; a tactel gets half of it (gain / press_gain).
TEST(TactelReadout, ACurveSpeaksOfThePinsForce) {
  auto model = forward_model();
  model.response.model = "monotone";
  model.response.tactels[7].knots = {{0.2, 200}, {1.0, 1400}, {2.0, 1900}};
  const TactelReadout readout(model);
  EXPECT_DOUBLE_EQ(readout.above_rest(7, 0.5), 1300);
  EXPECT_DOUBLE_EQ(readout.above_rest(7, 0.75), 1550);
  EXPECT_DOUBLE_EQ(readout.above_rest(7, 0.05), 50);
  EXPECT_DOUBLE_EQ(readout.above_rest(8, 0.52), 1000);
}

TEST(TactelReadout, WithoutSaturationsTheConverterIsFullScale) {
  auto model = forward_model();
  for (auto& tactel : model.response.tactels)
    tactel.saturation = unidentifiable("counts", "RS-05 never reached");
  EXPECT_DOUBLE_EQ(*TactelReadout(model).full_scale(), 4095);
}

}  // namespace
}  // namespace tactelier
