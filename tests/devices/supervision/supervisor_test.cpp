// Samples handed to the supervisor, one by one.

#include "devices/supervision/supervisor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMillisecond = 1'000'000;

/// A sensor of 17 N and 0.12 N m, a millinewton per count.
devices::ForceScale scale() {
  devices::ForceScale scale;
  scale.SI_per_count = {1e-3, 1e-3, 1e-3, 1e-6, 1e-6, 1e-6};
  scale.full_scale_SI = {12, 12, 17, 0.12, 0.12, 0.12};
  return scale;
}

SafetyLimits limits() {
  SafetyLimits limits;
  limits.pad_force_N = 5;
  limits.pad_pressure_Pa = 1e6;
  limits.depth_m = 1e-3;
  limits.torque_Nm = 0.05;
  return limits;
}

class SupervisorTest : public testing::Test {
 protected:
  devices::ForceSample sample(int fz_mN, int tx_uNm = 0) {
    devices::ForceSample next;
    next.host_time_ns = now_ns_ += kMillisecond;
    next.counts = {noise_ = noise_ % 10 + 1, 0, fz_mN, tx_uNm, 0, 0};
    return next;
  }
  /// What the last of a few equal forces does.
  std::optional<Trip> see(int fz_mN, double pad_N, int tx_uNm = 0, int samples = 5) {
    std::optional<Trip> trip;
    for (int i = 0; i < samples; ++i) trip = supervisor_.see(sample(fz_mN, tx_uNm), pad_N);
    return trip;
  }
  void touch_pad() {
    ContactState contact;
    contact.touching = contact.on_pad = true;
    contact.pressure_per_N = 1e5;  // 10 mm2
    supervisor_.set_contact(contact);
  }

  Supervisor supervisor_{limits(), scale()};
  std::int64_t now_ns_ = kMillisecond;
  int noise_ = 1;
};

TEST_F(SupervisorTest, APadForceBeyondItsLimitRetracts) {
  touch_pad();
  EXPECT_FALSE(see(4900, 4.9));
  const auto trip = see(5100, 5.1);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kPadForce);
  EXPECT_EQ(trip->action, TripAction::kRetract);
  EXPECT_FALSE(trip->hard());
  EXPECT_EQ(trip->text, "pad force 5.1 N, limit 5 N");
}

TEST_F(SupervisorTest, PadLimitsDontCountWhereThePadIsnt) {
  EXPECT_FALSE(see(6000, 6));
  ContactState plate;
  plate.touching = true;
  supervisor_.set_contact(plate);
  EXPECT_FALSE(see(6000, 6));
}

TEST_F(SupervisorTest, OnAPlateTheRigsOwnLimitCounts) {
  auto own = limits();
  own.rig_force_N = 8;
  Supervisor watching(own, scale());
  ContactState plate;
  plate.touching = true;
  watching.set_contact(plate);
  std::optional<Trip> trip;
  for (int i = 0; i < 5; ++i) trip = watching.see(sample(7900), 7.9);
  EXPECT_FALSE(trip);
  for (int i = 0; i < 5; ++i) trip = watching.see(sample(8100), 8.1);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kRigForce);
  EXPECT_EQ(trip->action, TripAction::kRetract);
}

TEST_F(SupervisorTest, OneWildRecordIsNoForce) {
  touch_pad();
  EXPECT_FALSE(supervisor_.see(sample(9000), 9));
  EXPECT_FALSE(supervisor_.see(sample(100), 0.1));
  EXPECT_FALSE(supervisor_.see(sample(9000), 9));
}

TEST_F(SupervisorTest, PressureIsForceOverTheTipsArea) {
  auto own = limits();
  own.pad_pressure_Pa = 0.4e6;
  Supervisor gentle(own, scale());
  ContactState contact;
  contact.touching = contact.on_pad = true;
  contact.pressure_per_N = 1e5;
  gentle.set_contact(contact);
  std::optional<Trip> trip;
  for (int i = 0; i < 5; ++i) trip = gentle.see(sample(3900), 3.9);
  EXPECT_FALSE(trip);
  for (int i = 0; i < 5; ++i) trip = gentle.see(sample(4100), 4.1);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kPadPressure);
}

TEST_F(SupervisorTest, TheSensorsRangeCountsAllAxesAndAbortsAtOnce) {
  // 14 N of 17 and 0.08 N m of 0.12: 0.82^2 + 0.67^2 > 1, although no axis is at its end.
  EXPECT_FALSE(see(14000, 0));
  SafetyLimits wide = limits();
  wide.torque_Nm.reset();
  Supervisor alone(wide, scale());
  std::optional<Trip> trip;
  for (int i = 0; i < 5; ++i) trip = alone.see(sample(14000, 80000), 0);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kSensorLoad);
  EXPECT_EQ(trip->action, TripAction::kAbort);
}

// 0.05 N m on a tip 10 mm beside the axis of a cell that measures Fz alone: 5 N.
TEST_F(SupervisorTest, TorqueOfASensorWithoutTorqueAxesIsTheForcesLever) {
  SafetyLimits beside = limits();
  beside.tip_m = {0, 10e-3, 25e-3};
  devices::ForceScale cell;
  cell.SI_per_count = {0, 0, 1e-3, 0, 0, 0};
  Supervisor alone(beside, cell);
  std::optional<Trip> trip;
  for (int i = 0; i < 5; ++i) trip = alone.see(sample(4900), 0);
  EXPECT_FALSE(trip);
  for (int i = 0; i < 5; ++i) trip = alone.see(sample(5100), 0);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kTorque);
  EXPECT_EQ(trip->text, "torque 0.051 N m, limit 0.05 N m");
}

TEST_F(SupervisorTest, TorqueHasALimitOfItsOwn) {
  const auto trip = see(0, 0, 60000);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kTorque);
}

TEST_F(SupervisorTest, EqualRecordsInARowAreAFrozenSensor) {
  EXPECT_FALSE(see(100, 0.1, 0, 2500));  // alive for more than two seconds: its last digit changes
  auto stuck = sample(100);
  std::optional<Trip> trip = supervisor_.see(stuck, 0.1);
  for (int i = 0; i < 49 && !trip; ++i) {
    stuck.host_time_ns += kMillisecond;
    trip = supervisor_.see(stuck, 0.1);
  }
  EXPECT_FALSE(trip);
  stuck.host_time_ns += kMillisecond;
  trip = supervisor_.see(stuck, 0.1);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kFrozen);
}

TEST_F(SupervisorTest, ReadingsThatMeanNothingAbort) {
  auto bad = sample(0);
  bad.valid = false;
  const auto trip = supervisor_.see(bad, 0);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->action, TripAction::kAbort);
}

TEST_F(SupervisorTest, SilenceIsAFaultWhileSomethingMayMove) {
  (void)supervisor_.see(sample(0), 0);
  const auto heard_ns = now_ns_;
  EXPECT_FALSE(supervisor_.check_ages(heard_ns + 1000 * kMillisecond));
  supervisor_.watch_ages(true, heard_ns);
  EXPECT_FALSE(supervisor_.check_ages(heard_ns + 20 * kMillisecond));
  const auto trip = supervisor_.check_ages(heard_ns + 21 * kMillisecond);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kForceAge);
  EXPECT_EQ(trip->action, TripAction::kStop);
  EXPECT_THAT(trip->text, HasSubstr("nothing for 21 ms"));
}

TEST_F(SupervisorTest, EachStreamHasItsOwnAge) {
  supervisor_.watch_ages(true, now_ns_);
  supervisor_.see_frame(now_ns_);
  for (int i = 0; i < 101; ++i) (void)supervisor_.see(sample(0), 0);
  const auto array = supervisor_.check_ages(now_ns_);
  ASSERT_TRUE(array);
  EXPECT_EQ(array->kind, LimitKind::kArrayAge);
  for (int i = 0; i < 1000; ++i) (void)supervisor_.see(sample(0), 0);
  supervisor_.see_frame(now_ns_);
  const auto stage = supervisor_.check_ages(now_ns_);
  ASSERT_TRUE(stage);
  EXPECT_EQ(stage->kind, LimitKind::kStageAge);
}

TEST_F(SupervisorTest, DepthIsWhatIsLeftWhenTheRigHasGivenWay) {
  ContactState contact;
  contact.touching = contact.on_pad = true;
  contact.surface_z_m = -5e-3;
  contact.compliance_m_per_N = 12e-6;
  supervisor_.set_contact(contact);
  (void)see(4000, 4);
  const devices::StageTravel travel{{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}, {}, {}};
  devices::StageSample at{now_ns_, {0, 0, -6.1e-3}, devices::StageState::kJog, true};
  EXPECT_FALSE(supervisor_.see(at, travel));  // 1.1 mm less 48 um, and 0.1 mm of doubt
  at.position_m[2] = -6.16e-3;
  const auto trip = supervisor_.see(at, travel);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kDepth);
  EXPECT_FALSE(trip->hard());
}

TEST_F(SupervisorTest, ASmallForceInAirRetractsWhereverItPoints) {
  supervisor_.set_air_zero({0, 0, 0});
  supervisor_.watch_air(AirWatch::kDescending, false);
  EXPECT_FALSE(see(40, 0.04, 0, 200));
  const auto trip = see(-60, -0.06, 0, 60);  // a pad under a sensor with the wrong sign
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kAirForce);
  EXPECT_EQ(trip->action, TripAction::kRetract);
  EXPECT_THAT(trip->text, HasSubstr("only air was expected"));
}

TEST_F(SupervisorTest, HardGroundInUnknownAirAbortsWithinTwoRecords) {
  supervisor_.set_air_zero({0, 0, 0});
  supervisor_.watch_air(AirWatch::kDescending, false);
  (void)see(0, 0, 0, 100);
  std::optional<Trip> trip;
  trip = supervisor_.see(sample(300), 0.3);
  EXPECT_TRUE(!trip || trip->action == TripAction::kRetract);
  trip = supervisor_.see(sample(300), 0.3);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->action, TripAction::kAbort);
  // Where the tip has been, a door that slams is likelier than hard ground.
  supervisor_.watch_air(AirWatch::kMoving, true);
  for (int i = 0; i < 5; ++i) trip = supervisor_.see(sample(300), 0.3);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->action, TripAction::kRetract);
}

/// A busy computer reads forty records at once, all of them stamped alike.
TEST_F(SupervisorTest, ABurstOfNoisyRecordsIsNoForceInAir) {
  (void)see(0, 0, 0, 100);
  supervisor_.set_air_zero({0, 0, 0});
  supervisor_.watch_air(AirWatch::kMoving, true);
  devices::ForceSample next;
  for (int burst = 0; burst < 500; ++burst) {
    next.host_time_ns = now_ns_ += 40 * kMillisecond;
    for (int i = 0; i < 40; ++i) {
      ++next.record;
      next.counts = {noise_ = noise_ % 10 + 1, 0, i % 2 == 0 ? 90 : -90, 0, 0, 0};
      EXPECT_FALSE(supervisor_.see(next, 0)) << burst;
    }
  }
}

TEST_F(SupervisorTest, InAContactAForceIsExpected) {
  supervisor_.set_air_zero({0, 0, 0});
  supervisor_.watch_air(AirWatch::kOff, false);
  touch_pad();
  EXPECT_FALSE(see(1000, 1, 0, 200));
}

TEST_F(SupervisorTest, AForceAcrossThePressingAxisBeforeAnyAlongItIsTheWrongAxis) {
  supervisor_.set_air_zero({0, 0, 0});
  touch_pad();
  const auto against = see(-170, -0.17, 0, 100);
  ASSERT_TRUE(against);
  EXPECT_EQ(against->kind, LimitKind::kWrongAxis);
  EXPECT_TRUE(against->hard());
  EXPECT_THAT(against->text, HasSubstr("Fz -0.17 N"));
  auto own = limits();
  own.press_axis.index = 0;  // the rig file says x
  Supervisor askew(own, scale());
  askew.set_air_zero({0, 0, 0});
  ContactState contact;
  contact.touching = contact.on_pad = true;
  askew.set_contact(contact);
  std::optional<Trip> trip;
  for (int i = 0; i < 100 && !trip; ++i) trip = askew.see(sample(170), 0);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kWrongAxis);
}

TEST_F(SupervisorTest, AForceOnceFeltAlongTheAxisMayLeanAndPull) {
  supervisor_.set_air_zero({0, 0, 0});
  touch_pad();
  EXPECT_FALSE(see(200, 0.2, 0, 100));
  EXPECT_FALSE(see(-400, -0.4, 0, 100));  // rubber that sticks pulls at the tip
}

TEST_F(SupervisorTest, ALockWaitsForWhatLasts) {
  (void)supervisor_.see(sample(0), 0);
  EXPECT_FALSE(supervisor_.waits_for(now_ns_ + 40 * kMillisecond));
  EXPECT_TRUE(supervisor_.force_live(now_ns_ + 50 * kMillisecond));
  EXPECT_FALSE(supervisor_.force_live(now_ns_ + 51 * kMillisecond));
  const auto silent = supervisor_.waits_for(now_ns_ + 1200 * kMillisecond);
  ASSERT_TRUE(silent);
  EXPECT_THAT(*silent, HasSubstr("force sensor has said nothing for 1.2 s"));
  auto bad = sample(0);
  bad.valid = false;
  (void)supervisor_.see(bad, 0);
  ASSERT_TRUE(supervisor_.waits_for(now_ns_));
  EXPECT_THAT(*supervisor_.waits_for(now_ns_), HasSubstr("mean nothing"));
  EXPECT_FALSE(supervisor_.force_live(now_ns_));
  (void)supervisor_.see(sample(0), 0);
  EXPECT_FALSE(supervisor_.waits_for(now_ns_));
}

TEST_F(SupervisorTest, AStageBeyondItsTravelStops) {
  const devices::StageTravel travel{{0, 0, -40e-3}, {80e-3, 80e-3, 0}, {}, {}};
  const auto trip =
      supervisor_.see({now_ns_, {81e-3, 0, -1e-3}, devices::StageState::kRun, true}, travel);
  ASSERT_TRUE(trip);
  EXPECT_EQ(trip->kind, LimitKind::kTravel);
  EXPECT_TRUE(trip->hard());
}

}  // namespace
}  // namespace tactelier::rig
