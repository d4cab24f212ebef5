// Which column is the time of a table, and in which unit.

#include <gmock/gmock.h>

#include "libcalib/import/guess/guess_map.hpp"
#include "tests/libcalib/import/scratch_folder.hpp"

namespace tactelier {
namespace {

/// 300 rows of a clock that rises by `step`, a force and a reading; named as `header` says.
class ClockGuess : public testing::Test {
 protected:
  std::string first_role(const std::string& header, int step, int rows = 300) {
    std::string table = header;
    for (int i = 0; i < rows; ++i) {
      const double force_N = i % 100 > 30 && i % 100 < 70 ? 2.5 : 0.01 * (i % 3);
      table += fmt::format("{},{},{}\n", step * i, force_N, 100 + 50 * force_N);
    }
    const auto guessed = guess_map(scratch_.write("table.csv", table), {}, {});
    EXPECT_TRUE(guessed.has_value()) << (guessed ? "" : guessed.error().message);
    if (!guessed) return "";
    const auto& first = guessed->columns.front();
    return fmt::format("{} [{}]", first.target, first.unit);
  }

  test_support::ScratchFolder scratch_;
};

TEST_F(ClockGuess, AColumnCalledAfterItsUnitIsATimeInIt) {
  EXPECT_EQ(first_role("millis,force_N,s1\n", 20), "t [ms]");
  EXPECT_EQ(first_role("ms,force_N,s1\n", 20), "t [ms]");
  EXPECT_EQ(first_role("millis(),force_N,s1\n", 20), "t [ms]");
  EXPECT_EQ(first_role("micros,force_N,s1\n", 4000), "t [us]");
  EXPECT_EQ(first_role("us,force_N,s1\n", 20), "t [us]");
  EXPECT_EQ(first_role("seconds,force_N,s1\n", 2), "t [s]");
}

TEST_F(ClockGuess, WithoutNamesWholeNumbersThatRiseEvenlyForLongAreATime) {
  EXPECT_EQ(first_role("", 20), "t [ms]");
  EXPECT_EQ(first_role("", 20000), "t [us]");
}

TEST_F(ClockGuess, CountsOfRowsAndFewLoadsAreNone) {
  EXPECT_NE(first_role("", 1), "t [ms]");
  EXPECT_NE(first_role("", 1), "t [s]");
  EXPECT_NE(first_role("", 20, 40), "t [ms]");
}

}  // namespace
}  // namespace tactelier
