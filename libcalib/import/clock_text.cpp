#include "libcalib/import/clock_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "libcalib/import/csv_reader.hpp"

namespace tactelier {
namespace {

constexpr std::int64_t kDay_s = 86'400, kHour_s = 3'600;
constexpr std::size_t kDecimals = 9;

struct ReadClock {
  std::optional<std::int64_t> day;  // since 1970, where the date says it for sure
  std::int64_t whole_s = 0;
  std::string_view decimals;
  std::int64_t period_s = kDay_s;
  int zone_s = 0;  // ahead of UTC
};

/// `text` is digits, `least` to `most` of them, and at most `highest`.
std::optional<int> number(std::string_view text, std::size_t least, std::size_t most, int highest) {
  if (text.size() < least || text.size() > most ||
      text.find_first_not_of("0123456789") != text.npos)
    return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value <= highest ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> parts(std::string_view text, char by) {
  std::vector<std::string_view> all;
  for (;;) {
    const auto end = text.find(by);
    all.push_back(text.substr(0, end));
    if (end == text.npos) return all;
    text.remove_prefix(end + 1);
  }
}

/// Days of the Gregorian calendar since 1970 (years counted from March on).
std::int64_t day_of(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t since_march = (month + 9) % 12;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * since_march + 2) / 5 + day - 1 - 719'468;
}

/// "2024-05-06", "06.05.2024"; of "5/6/2024" and "5-6-24" no day is known. False where it is none.
bool read_date(std::string_view text, std::optional<std::int64_t>& day) {
  const char by = text.find('-') != text.npos ? '-' : text.find('/') != text.npos ? '/' : '.';
  const auto fields = parts(text, by);
  if (fields.size() != 3) return false;
  const bool year_first = fields[0].size() == 4;
  const auto year = number(fields[year_first ? 0 : 2], year_first ? 4 : 2, 4, 9999);
  const auto one = number(fields[year_first ? 1 : 0], 1, 2, 31);
  const auto two = number(fields[year_first ? 2 : 1], 1, 2, 31);
  if (!year || !one || !two || *one == 0 || *two == 0) return false;
  const auto month = year_first ? one : two;
  if ((year_first || by == '.') && *month > 12) return false;
  if (year_first || by == '.')
    day = day_of(*year < 100 ? 2000 + *year : *year, *month, year_first ? *two : *one);
  return true;
}

/// Takes "Z", "UTC", "+02:00", "-0700" off the end.
bool take_zone(std::string_view& text, int& zone_s) {
  for (const std::string_view utc : {"Z", "UTC", "GMT"})
    if (text.ends_with(utc)) {
      text = trimmed(text.substr(0, text.size() - utc.size()));
      return true;
    }
  const auto sign = text.find_last_of("+-");
  if (sign == text.npos) return true;
  auto zone = std::string(text.substr(sign + 1));
  std::erase(zone, ':');
  const auto hours = number(std::string_view(zone).substr(0, 2), 2, 2, 14);
  const auto minutes = number(zone.size() > 2 ? std::string_view(zone).substr(2) : "00", 2, 2, 59);
  if (!hours || !minutes) return false;
  zone_s = (text[sign] == '-' ? -1 : 1) * (*hours * 3600 + *minutes * 60);
  text = trimmed(text.substr(0, sign));
  return true;
}

/// "PM" and "am" off the end: hours to be added to 12 at most; nothing where none is there.
std::optional<int> take_half_of_day(std::string_view& text) {
  if (text.size() < 3 || (text.back() | 0x20) != 'm') return std::nullopt;
  const char half = static_cast<char>(text[text.size() - 2] | 0x20);
  if (half != 'a' && half != 'p') return std::nullopt;
  text = trimmed(text.substr(0, text.size() - 2));
  return half == 'p' ? 12 : 0;
}

bool read_time(std::string_view text, ReadClock& clock) {
  if (!take_zone(text, clock.zone_s)) return false;
  const auto half = take_half_of_day(text);
  auto fields = parts(text, ':');
  if (fields.size() == 4 && fields.back().size() == 3) {
    clock.decimals = fields.back();
    fields.pop_back();
  } else if (const auto point = fields.back().find_first_of(".,"); point != text.npos) {
    clock.decimals = fields.back().substr(point + 1);
    fields.back() = fields.back().substr(0, point);
    if (clock.decimals.empty()) return false;
  }
  if (clock.decimals.find_first_not_of("0123456789") != text.npos) return false;
  const bool of_minutes = fields.size() == 2 && !clock.decimals.empty() && !half;
  if (fields.size() != 3 && !of_minutes) return false;
  const auto hours = of_minutes ? std::optional(0) : number(fields[0], 1, 2, half ? 12 : 23);
  const auto minutes = number(fields[fields.size() - 2], 1, 2, 59);
  const auto seconds = number(fields.back(), 2, 2, 60);
  if (!hours || !minutes || !seconds) return false;
  const int hour = half ? *hours % 12 + *half : *hours;
  clock.whole_s = hour * kHour_s + *minutes * 60 + *seconds;
  clock.period_s = of_minutes ? kHour_s : kDay_s;
  return true;
}

std::optional<ReadClock> read_clock(std::string_view cell) {
  cell = trimmed(cell);
  ReadClock clock;
  const auto date_ends = std::min(cell.find_first_of("T "), cell.size());
  const auto date = cell.substr(0, date_ends);
  if (date_ends < cell.size() && read_date(date, clock.day))
    cell = trimmed(cell.substr(date_ends + 1));
  return read_time(cell, clock) ? std::optional(clock) : std::nullopt;
}

}  // namespace

bool is_time_of_day(std::string_view cell) {
  return cell.find(':') != cell.npos && read_clock(cell).has_value();
}

std::optional<std::string> DayClock::seconds(std::string_view cell) {
  auto clock = read_clock(cell);
  if (!clock) return std::nullopt;
  clock->decimals = clock->decimals.substr(0, kDecimals);
  if (!first_zone_s_) first_zone_s_ = clock->zone_s;
  if (!first_day_) first_day_ = clock->day;
  std::int64_t whole_s = clock->whole_s - clock->zone_s + *first_zone_s_;
  if (clock->day) {
    whole_s += (*clock->day - *first_day_) * kDay_s;
  } else {
    if (before_s_ - static_cast<double>(whole_s) > 0.5 * static_cast<double>(clock->period_s))
      passed_s_ += clock->period_s;
    before_s_ = static_cast<double>(whole_s);
    whole_s += passed_s_;
  }
  if (clock->decimals.empty()) return fmt::format("{}", whole_s);
  // Times before the first midnight: -1 + 0.25 is written as -0.75.
  std::int64_t scale = 1, part = 0;
  for (std::size_t i = 0; i < clock->decimals.size(); ++i) scale *= 10;
  std::from_chars(clock->decimals.data(), clock->decimals.data() + clock->decimals.size(), part);
  const std::int64_t ticks = whole_s * scale + part;
  const auto magnitude = std::abs(ticks);
  return fmt::format("{}{}.{:0{}}", ticks < 0 ? "-" : "", magnitude / scale, magnitude % scale,
                     clock->decimals.size());
}

}  // namespace tactelier
