// A rig file that is wrong about the pad, the tip or the force, used at once on the virtual bench:
// the true force on the pad stays small. The whole matrix, both presets and slower, is in
// tests/slow/wrong_files_test.cpp.

#include <gmock/gmock.h>

#include "devices/motion/surface_search.hpp"
#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/wrong_files.hpp"

namespace tactelier::rig {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr double kSpeed = kBenchSpeed;

WrongFile file_named(const std::string& name) {
  for (auto& file : wrong_files())
    if (file.name == name) return file;
  ADD_FAILURE() << name;
  return {};
}

WrongFileOutcome use(const std::string& name, const std::string& phase) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const auto folder = std::filesystem::path(testing::TempDir()) / "wrong_file" / test->name();
  std::filesystem::create_directories(folder);
  const auto file = file_named(name);
  const auto outcome = use_wrong_file(file, phase, pad::clean(), kSpeed, folder);
  EXPECT_LE(outcome.peak_N, file.most_N) << name << ", " << phase << ": " << outcome.state;
  return outcome;
}

TEST(WrongFile, AThickerPadIsMetGentlyAndNamed) {
  const auto outcome = use("surface -3 mm", "search");
  EXPECT_FALSE(outcome.done);
  EXPECT_THAT(outcome.state, HasSubstr("surface.z0_mm = "));
  EXPECT_GT(outcome.peak_N, 0);  // it was touched
}

TEST(WrongFile, AJogOntoAPadThatLiesHigherEndsAtTheTouch) {
  const auto outcome = use("surface -5 mm", "approach");
  EXPECT_FALSE(outcome.done);
  EXPECT_THAT(outcome.state, HasSubstr("only air was expected"));
}

TEST(WrongFile, ARecordingByAStaleFilePressesNothing) {
  const auto outcome = use("surface -5 mm", "record");
  EXPECT_FALSE(outcome.done);
}

TEST(WrongFile, ALongerTipIsMetGently) { EXPECT_FALSE(use("tip 5 mm longer", "search").done); }

TEST(WrongFile, APadThatLiesLowerIsNotFoundOrFoundRight) {
  EXPECT_TRUE(use("surface +1 mm", "search").done);
  EXPECT_THAT(use("surface +3 mm", "search").state, HasSubstr("nothing is touched"));
}

TEST(WrongFile, ProofsOfAnotherRigCountNothing) {
  EXPECT_THAT(use("copied file: proofs dated, sign and surface another rig's", "search").state,
              HasSubstr("reads as a pull"));
  EXPECT_THAT(use("axis of the force", "search").state, HasSubstr("another axis"));
}

TEST(WrongFile, AKnownWeightFindsAWrongGainBeforeAnythingGoesDown) {
  const auto outcome = use("force reads 0.5 times, 100 g to check", "record");
  EXPECT_THAT(outcome.state, HasSubstr("(0.50 times"));
  EXPECT_EQ(outcome.peak_N, 0);
}

/// With how many newtons is a matter of this computer's punctuality (83 N/s a millimetre a second):
/// tests/slow/wrong_files_test.cpp measures it.
TEST(WrongFile, RigidGroundWhereAirWasExpectedEndsTheSearch) {
  const auto outcome = use_wrong_file_once(file_named("rigid ground 2 mm higher"), "search",
                                           pad::clean(), 2, testing::TempDir());
  EXPECT_FALSE(outcome.done);
  EXPECT_THAT(outcome.state, HasSubstr("only air was expected"));
  EXPECT_GT(outcome.peak_N, 0);  // it was touched
}

/// The push by hand is one door; the search has its own.
TEST(WrongFile, ASearchWithTheWrongSignOrAxisStopsByWhateverItFeels) {
  for (const char* axis : {"z", "x", "-y"}) {
    Laboratory lab;
    lab.believed = changed_rig(lab.rig, {{"force_sensor", {{"press_axis", axis}}}});
    ASSERT_NO_FATAL_FAILURE(lab.start(3, kSpeed));
    RigMotion motion(*lab.live, lab.rig, lab.live->sensor(), {});
    lab.live->watch_ages(true);
    const auto found = touch_down(*lab.live, motion, 0, 0, {});
    ASSERT_FALSE(found) << axis;
    EXPECT_THAT(found.error().message, HasSubstr("wrong sign or axis"));
    EXPECT_LE(lab.bench->take_peak_N(), 0.3) << axis;
    ASSERT_TRUE(lab.live->trip());
    EXPECT_TRUE(lab.live->trip()->hard());
  }
}

}  // namespace
}  // namespace tactelier::rig
