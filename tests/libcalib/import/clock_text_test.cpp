// Times of day as loggers write them, against seconds worked by hand.

#include "libcalib/import/clock_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace tactelier {
namespace {

using testing::ElementsAre;

std::vector<std::string> seconds(const std::vector<std::string>& cells) {
  DayClock clock;
  std::vector<std::string> all;
  for (const auto& cell : cells) all.push_back(clock.seconds(cell).value_or("none"));
  return all;
}

TEST(DayClock, CountsSecondsSinceMidnightWithTheDigitsThatWereWritten) {
  // 12 * 3600 + 3 * 60 + 4 = 43384
  for (const char* cell :
       {"12:03:04.567", "12:03:04,567", "12:03:04:567", "2024-05-06T12:03:04.567Z",
        "2024-05-06 12:03:04.567", "06.05.2024 12:03:04.567", "5/6/2024 12:03:04.567 PM",
        "20:03:04.567+08:00", "12:03:04.567-0700"})
    EXPECT_THAT(seconds({cell}),
                ElementsAre(std::string(cell).starts_with("20:") ? "72184.567" : "43384.567"))
        << cell;
  EXPECT_THAT(seconds({"23:03:04", "1:02:03 AM", "12:00:00 pm"}),
              ElementsAre("82984", "90123", "129600"));  // midnight passed, then noon
}

TEST(DayClock, PassesMidnightWithADateOrWithout) {
  EXPECT_THAT(seconds({"23:59:59.9", "00:00:00.1"}), ElementsAre("86399.9", "86400.1"));
  EXPECT_THAT(seconds({"12/31/2024 11:59:59 PM", "1/1/2025 12:00:01 AM"}),
              ElementsAre("86399", "86401"));
  EXPECT_THAT(seconds({"2024-02-28 23:00:00", "2024-03-01 01:00:00"}),  // a leap day between
              ElementsAre("82800", "176400"));
  EXPECT_THAT(seconds({"2023-12-31T23:00:00+01:00", "2023-12-31T23:00:00+00:00"}),
              ElementsAre("82800", "86400"));
  EXPECT_THAT(seconds({"2024-05-06 00:00:01", "2024-05-05 23:59:59.25"}),
              ElementsAre("1", "-0.75"));
}

TEST(DayClock, ReadsMinutesOfASpreadsheet) {
  EXPECT_THAT(seconds({"59:59.5", "00:00.5"}), ElementsAre("3599.5", "3600.5"));
}

TEST(DayClock, GoesBackByLessThanHalfADayWhereALoggerDid) {
  EXPECT_THAT(seconds({"12:00:00", "11:59:00"}), ElementsAre("43200", "43140"));
}

TEST(DayClock, TakesNothingElse) {
  for (const char* cell :
       {"12:03", "25:00:00", "12:60:00", "1:2:3", "2024-05-06", "a:b:c", "", "12:03:04.", "3.5",
        "2024-13-06 12:03:04", "12:03:04 +1", "1:2:3:4:5", "00:1A:2B:3C:4D:5E"})
    EXPECT_FALSE(is_time_of_day(cell)) << cell;
}

}  // namespace
}  // namespace tactelier
