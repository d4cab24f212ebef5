// STOP and trips at a rig whose stage speaks each of the dialects, on real wires.
#include <gmock/gmock.h>

#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

using devices::GrblDialect;
using devices::StageState;
using devices::Timeout;
using testing::HasSubstr;

constexpr double kSpeed = 2;
constexpr double kFarther_m = 1e-3;  // than a stop takes at any of the speeds here

struct Way {
  const char* name;
  std::vector<Vector3> pieces_m;
  double speed_m_per_s;
};
const std::array<Way, 3> kWays{{{"Jog", {{-10e-3, 0, 0}}, 5e-3},
                                {"DescentOfTwoPieces", {{0, 0, -0.5e-3}, {0, 0, -6e-3}}, 2e-3},
                                {"Slide", {{0, -20e-3, 0}}, 10e-3}}};

/// A rig that stands high over the pad.
class RigStop : public testing::Test {
 protected:
  void start(devices::StageDialect dialect) {
    lab_.dialect = dialect;
    ASSERT_NO_FATAL_FAILURE(lab_.start(1, kSpeed));
    if (dialect.homes_to_lower_ends()) {  // it homes to the lower ends of x and y
      ASSERT_TRUE(live().stage().move_to({0, 0, live().stage().travel().high_m[2] - 2e-3}, 25e-3));
      ASSERT_TRUE(live().stage().wait_until_idle(Timeout(60'000)));
    }
    ASSERT_TRUE(listen(0.3));
  }
  LiveRig& live() { return *lab_.live; }
  Vector3 at_m() { return live().reading().stage.position_m; }
  Result<void> listen(double time_s) {
    return live().pump(Timeout(static_cast<int>(1e3 * time_s)));
  }
  /// Sent one behind the other; back once it moves.
  Vector3 set_off(const Way& way) {
    auto end_m = at_m();
    for (const auto& piece_m : way.pieces_m) {
      const auto sent = live().stage().jog(piece_m, way.speed_m_per_s);
      EXPECT_TRUE(sent) << sent.error().message;
      for (std::size_t axis = 0; axis < 3; ++axis) end_m[axis] += piece_m[axis];
    }
    const auto from_m = at_m();
    for (int i = 0; i < 500 && distance_m(at_m(), from_m) < 0.2e-3; ++i) (void)listen(0.01);
    EXPECT_EQ(live().reading().stage.state, StageState::kJog);
    return end_m;
  }
  static double distance_m(const Vector3& a, const Vector3& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  /// Wherever it is after a stop, it stays there.
  void expect_still() {
    live().stage().unlock();
    live().acknowledge();
    ASSERT_TRUE(listen(0.3));
    const auto at = at_m();
    ASSERT_TRUE(listen(2));
    EXPECT_LT(distance_m(at_m(), at), 1e-6);
  }

  Laboratory lab_;
};

using DialectAndWay = std::tuple<devices::StageDialect, int>;
class RigStopOnADialect : public RigStop, public testing::WithParamInterface<DialectAndWay> {};

TEST_P(RigStopOnADialect, EndsTheMotionAndKeepsThePosition) {
  const auto& way = kWays[static_cast<std::size_t>(std::get<1>(GetParam()))];
  ASSERT_NO_FATAL_FAILURE(start(std::get<0>(GetParam())));
  const auto end_m = set_off(way);
  live().press_stop();
  EXPECT_FALSE(listen(0.01));
  const auto secured = live().secure();
  ASSERT_TRUE(secured) << secured.error().message;
  ASSERT_TRUE(live().trip());
  EXPECT_EQ(live().trip()->action, TripAction::kStop) << live().trip()->text;
  EXPECT_EQ(live().trip()->text, "stopped by hand");
  EXPECT_TRUE(live().reading().stage.trusted);
  EXPECT_GT(distance_m(at_m(), end_m), kFarther_m);
  expect_still();
  EXPECT_TRUE(live().stage().move_to(end_m, 2e-3));
}

std::string name_of(const testing::TestParamInfo<DialectAndWay>& info) {
  constexpr std::array kNames{"Grbl", "GrblHal", "FluidNc"};
  const auto& dialect = std::get<0>(info.param);
  const bool zaber = dialect.kind == devices::StageDialect::Kind::kZaber;
  return fmt::format("{}{}", zaber ? "Zaber" : kNames[static_cast<std::size_t>(dialect.grbl)],
                     kWays[static_cast<std::size_t>(std::get<1>(info.param))].name);
}

INSTANTIATE_TEST_SUITE_P(Dialects, RigStopOnADialect,
                         testing::Combine(testing::Values(devices::StageDialect(GrblDialect::kGrbl),
                                                          GrblDialect::kGrblHal,
                                                          GrblDialect::kFluidNc,
                                                          devices::StageDialect::of_zaber()),
                                          testing::Range(0, 3)),
                         name_of);

/// Marlin can't brake: it stands at once and doesn't say where for a second. That is not late.
class RigStopOnAPrinter : public RigStop, public testing::WithParamInterface<int> {};

TEST_P(RigStopOnAPrinter, EndsTheMotionRaisesTheToolAndMustBeHomed) {
  ASSERT_NO_FATAL_FAILURE(start(devices::StageDialect::of_marlin()));
  const auto& way = kWays[static_cast<std::size_t>(GetParam())];
  const auto end_m = set_off(way);
  const auto pressed_m = at_m();
  live().press_stop();
  EXPECT_FALSE(listen(0.01));
  const auto secured = live().secure();
  ASSERT_TRUE(secured) << secured.error().message;
  ASSERT_TRUE(live().trip());
  EXPECT_EQ(live().trip()->action, TripAction::kStop) << live().trip()->text;
  EXPECT_FALSE(live().reading().stage.trusted);
  EXPECT_GT(distance_m(at_m(), end_m), kFarther_m);
  EXPECT_GE(at_m()[2], std::min(pressed_m[2], live().stage().travel().high_m[2] - 1e-6));
  expect_still();
  EXPECT_THAT(live().stage().move_to(end_m, 2e-3).error().message, HasSubstr("home it first"));
  ASSERT_TRUE(live().stage().home());
  EXPECT_TRUE(live().stage().move_to(end_m, 2e-3));
}

INSTANTIATE_TEST_SUITE_P(Ways, RigStopOnAPrinter, testing::Range(0, 3),
                         [](const auto& at) -> std::string {
                           return kWays[static_cast<std::size_t>(at.param)].name;
                         });

/// The end of a way costs nothing there: the pieces that are planned are gone, and no more are
/// sent.
TEST_F(RigStop, APrinterEndsAJogAndKeepsItsPosition) {
  ASSERT_NO_FATAL_FAILURE(start(devices::StageDialect::of_marlin()));
  for (const auto& way : kWays) {
    const auto end_m = set_off(way);
    const auto halted = live().stop_jog();
    ASSERT_TRUE(halted) << halted.error().message;
    EXPECT_FALSE(live().trip());
    EXPECT_TRUE(live().stage().position_trusted());
    ASSERT_TRUE(listen(0.3));
    EXPECT_GT(distance_m(at_m(), end_m), kFarther_m);
    ASSERT_TRUE(live().stage().move_to({0, 0, live().stage().travel().high_m[2] - 2e-3}, 8e-3));
    ASSERT_TRUE(live().stage().wait_until_idle(Timeout(60'000)));
    ASSERT_TRUE(listen(0.3));
  }
}

TEST_F(RigStop, APrinterThatHearsNoStopStandsAfterWhatIsPlanned) {
  ASSERT_NO_FATAL_FAILURE(start(devices::StageDialect::of_marlin()));
  const auto end_m = set_off(kWays[1]);
  lab_.bench->inject("stage", {devices::FaultKind::kDeaf});
  (void)listen(0.05);
  live().press_stop();
  EXPECT_FALSE(listen(0.01));
  (void)live().secure();
  EXPECT_FALSE(live().reading().stage.trusted);
  EXPECT_GT(distance_m(at_m(), end_m), kFarther_m);
  expect_still();
}

/// Of a GRBL the reset, of Zaber axes "estop".
class RigStopThatIsNotHeeded : public RigStop,
                               public testing::WithParamInterface<devices::StageDialect> {};

TEST_P(RigStopThatIsNotHeeded, EndsInAResetAndMustBeHomed) {
  ASSERT_NO_FATAL_FAILURE(start(GetParam()));
  const auto end_m = set_off(kWays[2]);
  lab_.bench->inject("stage", {devices::FaultKind::kDeaf});
  (void)listen(0.05);
  live().press_stop();
  EXPECT_FALSE(listen(0.01));
  const auto secured = live().secure();
  ASSERT_TRUE(secured) << secured.error().message;
  ASSERT_TRUE(live().trip());
  EXPECT_EQ(live().trip()->action, TripAction::kAbort);
  EXPECT_THAT(live().trip()->text, HasSubstr("does not stop"));
  EXPECT_FALSE(live().reading().stage.trusted);
  EXPECT_GT(distance_m(at_m(), end_m), kFarther_m);
  expect_still();
}

INSTANTIATE_TEST_SUITE_P(Dialects, RigStopThatIsNotHeeded,
                         testing::Values(devices::StageDialect(GrblDialect::kGrbl),
                                         devices::StageDialect::of_zaber()),
                         [](const auto& at) { return std::string(at.param.driver()); });

TEST_F(RigStop, TheEndOfAJogIsWatchedAsWell) {
  ASSERT_NO_FATAL_FAILURE(start(GrblDialect::kGrblHal));
  const auto end_m = set_off(kWays[2]);
  lab_.bench->inject("stage", {devices::FaultKind::kDeaf});
  (void)listen(0.05);
  EXPECT_FALSE(live().stop_jog());
  ASSERT_TRUE(live().trip());
  EXPECT_EQ(live().trip()->action, TripAction::kAbort);
  ASSERT_TRUE(live().secure());
  EXPECT_GT(distance_m(at_m(), end_m), kFarther_m);
}

TEST_F(RigStop, AForceThatStillRisesIsAStopThatCameLateWhateverTheStageTells) {
  ASSERT_NO_FATAL_FAILURE(start(GrblDialect::kGrbl));
  const auto centre_m = lab_.rig.stage_from_sensor_m({0, 0, 1e-3});
  ASSERT_TRUE(live().stage().move_to({centre_m[0], centre_m[1], at_m()[2]}, 5e-3));
  ASSERT_TRUE(live().stage().wait_until_idle(Timeout(60'000)));
  ASSERT_TRUE(live().stage().move_to(centre_m, 5e-3));
  ASSERT_TRUE(live().stage().wait_until_idle(Timeout(60'000)));
  ASSERT_TRUE(live().stage().jog({0, 0, -2.2e-3}, 0.5e-3));
  for (int i = 0; i < 1000 && live().reading().raw_N < 0.3; ++i) (void)listen(0.01);
  ASSERT_GE(live().reading().raw_N, 0.3);
  lab_.bench->inject("stage", {devices::FaultKind::kDeaf});
  lab_.bench->inject("stage", {devices::FaultKind::kFreeze});
  (void)listen(0.05);
  live().press_stop();
  // The thread that moves does nothing: the one that reads the force must.
  const auto& clock = live().clock();
  const auto until_ns = clock.now_ns() + 20'000'000'000;
  while (live().trip()->action != TripAction::kAbort && clock.now_ns() < until_ns)
    live().clock().wait_until(clock.now_ns() + 10'000'000);
  EXPECT_EQ(live().trip()->action, TripAction::kAbort);
  EXPECT_THAT(live().trip()->text, HasSubstr("force still rises"));
}

/// Whoever ends a task after a trip expects no air any more, while the stage still moves: Grbl has
/// prepared 60 ms of motion, 5 N on rigid ground at 1 mm/s.
TEST_F(RigStop, ATouchInAirThatGrowsAfterItsTripResets) {
  ASSERT_NO_FATAL_FAILURE(start(GrblDialect::kGrbl));
  ASSERT_TRUE(live().tare_at_top());
  const auto wait_for = [&](TripAction action) {
    for (int i = 0; i < 500; ++i, (void)listen(0.01))
      if (const auto trip = live().trip(); trip && trip->action == action) return true;
    return false;
  };
  live().watch_air(AirWatch::kDescending, false);
  lab_.bench->hang(0.1);
  ASSERT_TRUE(wait_for(TripAction::kRetract));
  live().in_free_air(false);
  lab_.bench->hang(2);
  EXPECT_TRUE(wait_for(TripAction::kAbort));
}

}  // namespace
}  // namespace tactelier::rig
