#include "devices/supervision/trip_latch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

using testing::ElementsAre;
using testing::Field;

Trip trip_of(LimitKind kind, TripAction action, const char* text) {
  return {kind, action, 0, 0, 0, text};
}

/// A wire that breaks was hidden behind the force that had stopped the rig before.
TEST(TripLatch, KeepsEveryKindOfTripInOrderAndTheHardestCounts) {
  TripLatch latch;
  latch.watch_stops(StopWatch(1, 1));
  const auto raise = [&](const Trip& trip) {
    latch.keep(trip);
    return latch.raise(trip, 0, 0);
  };
  EXPECT_TRUE(raise(trip_of(LimitKind::kForceAge, TripAction::kStop, "force silent")));
  EXPECT_FALSE(raise(trip_of(LimitKind::kForceAge, TripAction::kStop, "force silent, again")));
  EXPECT_FALSE(raise(trip_of(LimitKind::kDevice, TripAction::kStop, "stage: gone")));
  EXPECT_FALSE(raise(trip_of(LimitKind::kDevice, TripAction::kStop, "array: gone")));
  EXPECT_TRUE(raise(trip_of(LimitKind::kSensorLoad, TripAction::kAbort, "overload")));
  EXPECT_EQ(latch.trip()->text, "overload");
  EXPECT_THAT(latch.trips(),
              ElementsAre(Field(&Trip::text, "force silent"), Field(&Trip::text, "stage: gone"),
                          Field(&Trip::text, "array: gone"), Field(&Trip::text, "overload")));
  latch.clear();
  EXPECT_TRUE(latch.trips().empty());
}

TEST(TripLatch, AFloodOfTripsFillsNothing) {
  TripLatch latch;
  for (int i = 0; i < 1000; ++i)
    latch.keep(trip_of(LimitKind::kDevice, TripAction::kStop, std::to_string(i).c_str()));
  EXPECT_EQ(latch.trips().size(), 20U);
}

}  // namespace
}  // namespace tactelier::rig
