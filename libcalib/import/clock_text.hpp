#pragma once
// Times of day and dates as loggers and spreadsheets write them, read as seconds.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tactelier {

/// "12:03:04.567", "2024-05-06T12:03:04Z", "06.05.2024 12:03:04,5", "5/6/2024 1:03:04 PM",
/// "12:03:04:567", and "03:04.5" of a spreadsheet (minutes).
bool is_time_of_day(std::string_view cell);

/// One column of them, row after row. Where a date says no day for sure (5/6/2024) or there is
/// none, midnight has passed when the time falls by more than half a day; minutes alone pass an
/// hour likewise.
class DayClock {
 public:
  /// Since the midnight (of minutes: the hour) before the first cell, with as many decimals as were
  /// written, nine at most; nothing where the cell is no time of day.
  std::optional<std::string> seconds(std::string_view cell);

 private:
  std::optional<std::int64_t> first_day_;  // since 1970
  std::optional<int> first_zone_s_;
  std::int64_t passed_s_ = 0;  // of midnights that no date told
  double before_s_ = 0;        // without them
};

}  // namespace tactelier
