#include "devices/zaber/zaber_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr double kSpeedUnit = 1.6384;            // data per microstep/s
constexpr double kAccelerationUnit = 1.6384e-4;  // data per microstep/s^2
constexpr double kMost = 1e12;

tl::unexpected<Error> bad(std::string_view line, std::string_view why) {
  return fail(ErrorCode::kProtocol, "Zaber: {} in '{}'", why, line.substr(0, 120));
}

std::optional<int> whole(std::string_view word, int most) {
  int number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool all = error == std::errc{} && stop == word.data() + word.size();
  return all && number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

/// The next word, which is taken out of `text`.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

/// ":8F" at the end is taken off; nothing where there is none, false where it is wrong.
std::optional<bool> take_checksum(std::string_view& text) {
  if (text.size() < 3 || text[text.size() - 3] != ':') return std::nullopt;
  unsigned sum = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(end - 2, end, sum, 16);
  text.remove_suffix(3);
  return error == std::errc{} && stop == end && sum == zaber_checksum(text);
}

bool is_flag(std::string_view word) {
  const auto letter = [](char c) { return c == '-' || (c >= 'A' && c <= 'Z'); };
  return word.size() == 2 && letter(word[0]) && letter(word[1]);
}

/// Behind the address: message id (not of alerts), reply flag (of replies), status, warning flag.
bool read_head(std::string_view& rest, ZaberLine& line) {
  auto next = rest;
  if (const auto id = whole(take_word(next), 99); id && line.kind != ZaberLineKind::kAlert) {
    line.id = id;
    rest = next;
  }
  if (line.kind == ZaberLineKind::kInfo) return true;
  if (line.kind == ZaberLineKind::kReply) {
    const auto word = take_word(rest);
    line.accepted = word == "OK";
    if (!line.accepted && word != "RJ") return false;
  }
  const auto status = take_word(rest);
  line.busy = status == "BUSY";
  line.flag = take_word(rest);
  return (line.busy || status == "IDLE") && is_flag(line.flag);
}

struct FlagRow {
  std::string_view flag;
  ZaberFlagKind kind{};
  std::string_view words;
};
constexpr auto kNone = ZaberFlagKind::kNone;
constexpr auto kNoReference = ZaberFlagKind::kNoReference;
constexpr auto kTrouble = ZaberFlagKind::kTrouble;
constexpr std::array kFlags{
    FlagRow{"--", kNone, "no warning"},
    FlagRow{"FF", kTrouble, "critical system error"},
    FlagRow{"FN", kTrouble, "the peripheral is not supported"},
    FlagRow{"FZ", kTrouble, "the peripheral is inactive"},
    FlagRow{"FH", kTrouble, "its emergency stop is pressed"},
    FlagRow{"FV", kTrouble, "over- or undervoltage, the driver is off"},
    FlagRow{"FO", kTrouble, "the driver is off"},
    FlagRow{"FC", kTrouble, "inrush current"},
    FlagRow{"FM", kTrouble, "the motor is too hot"},
    FlagRow{"FD", kTrouble, "the driver has switched itself off (too hot, or its voltage)"},
    FlagRow{"FQ", kTrouble, "the encoder can't be read"},
    FlagRow{"FI", kTrouble, "the encoder's index is wrong"},
    FlagRow{"FA", kTrouble, "the encoder's phases are wrong"},
    FlagRow{"FR", kTrouble, "driven too hard for too long"},
    FlagRow{"FS", kTrouble, "it has stalled, and stopped"},
    FlagRow{"FB", kTrouble, "a stream went out of its bounds"},
    FlagRow{"FP", kTrouble, "it has left its path"},
    FlagRow{"FE", kTrouble, "a limit sensor is faulty or can't be reached"},
    FlagRow{"FT", kTrouble, "axes in lockstep are twisted"},
    FlagRow{"WL", kTrouble, "a limit sensor has ended its motion"},
    FlagRow{"WV", kTrouble, "the supply voltage is out of range"},
    FlagRow{"WT", kTrouble, "the controller is too hot"},
    FlagRow{"WS", kTrouble, "it has stalled, and recovered"},
    FlagRow{"WM", kTrouble, "it was pushed out of its place at rest"},
    FlagRow{"WR", kNoReference, "it has no reference position"},
    FlagRow{"WH", kNoReference, "it has not been homed"},
    FlagRow{"WP", kNone, "its calibration is of another type, and not used"},
    FlagRow{"NC", kTrouble, "it was moved by its knob"},
    FlagRow{"NI", kNone, "a motion was ended by another command"},
};

struct RefusalRow {
  std::string_view data;
  std::string_view words;
};
constexpr std::array kRefusals{
    RefusalRow{.data = "BADDATA", .words = "a value out of range"},
    RefusalRow{.data = "BADCOMMAND", .words = "no such command or setting in this firmware"},
    RefusalRow{.data = "BADAXIS", .words = "it has no such axis"},
    RefusalRow{.data = "PARKED", .words = "it is parked"},
    RefusalRow{.data = "STATUSBUSY", .words = "it is moving"},
    RefusalRow{.data = "DRIVERDISABLED", .words = "its driver is off"},
    RefusalRow{.data = "LOCKSTEP", .words = "the axis is in lockstep with another"},
    RefusalRow{.data = "NOACCESS", .words = "system.access is too low"},
};

}  // namespace

std::uint8_t zaber_checksum(std::string_view text) {
  unsigned sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return static_cast<std::uint8_t>(0x100U - (sum & 0xFFU));
}

Result<ZaberLine> parse_zaber_line(std::string_view text) {
  ZaberLine line;
  if (text.empty()) return bad(text, "nothing");
  if (text.front() == '@')
    line.kind = ZaberLineKind::kReply;
  else if (text.front() == '!')
    line.kind = ZaberLineKind::kAlert;
  else if (text.front() == '#')
    line.kind = ZaberLineKind::kInfo;
  else
    return bad(text, "no line of the ASCII protocol");
  auto rest = text.substr(1);
  if (const auto checked = take_checksum(rest)) {
    if (!*checked) return bad(text, "a wrong checksum");
    line.checked = true;
  }
  const auto device = whole(take_word(rest), 99), axis = whole(take_word(rest), 9);
  if (!device || !axis) return bad(text, "no address");
  line.device = *device;
  line.axis = *axis;
  if (!read_head(rest, line)) return bad(text, "a damaged status");
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  line.data = rest;
  return line;
}

std::string encode_zaber(int device, int axis, int id, std::string_view command) {
  auto text = fmt::format("{} {} {}", device, axis, id);
  if (!command.empty()) text += fmt::format(" {}", command);
  return fmt::format("/{}:{:02X}\n", text, zaber_checksum(text));
}

std::vector<std::optional<double>> zaber_values(std::string_view data) {
  std::vector<std::optional<double>> values;
  for (auto word = take_word(data); !word.empty(); word = take_word(data)) {
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool fine =
        error == std::errc{} && stop == word.data() + word.size() && std::abs(value) <= kMost;
    values.push_back(fine ? std::optional(value) : std::nullopt);
  }
  return values;
}

std::int64_t zaber_speed(double steps_per_s) {
  return std::max<std::int64_t>(1, std::llround(steps_per_s * kSpeedUnit));
}

std::int64_t zaber_acceleration(double steps_per_s2) {
  return std::max<std::int64_t>(1, std::llround(steps_per_s2 * kAccelerationUnit));
}

double steps_per_s_of(double speed_data) { return speed_data / kSpeedUnit; }
double told_steps_per_s(double steps_per_s) {
  constexpr double kExact = 1e-9;  // the most that a device may go is a whole number of units
  return steps_per_s_of(std::max(1.0, std::ceil(steps_per_s * kSpeedUnit * (1 - kExact))));
}
double steps_per_s2_of(double acceleration_data) { return acceleration_data / kAccelerationUnit; }

ZaberFlag zaber_flag(std::string_view flag) {
  const auto row = std::find_if(kFlags.begin(), kFlags.end(),
                                [&](const FlagRow& known) { return known.flag == flag; });
  if (row != kFlags.end()) return {row->kind, row->words};
  if (flag.starts_with('N')) return {kNone, "a notice"};
  return {kTrouble, "a warning that isn't known here"};
}

std::string zaber_refusal(std::string_view data) {
  const auto row = std::find_if(kRefusals.begin(), kRefusals.end(),
                                [&](const RefusalRow& known) { return known.data == data; });
  if (row == kRefusals.end()) return std::string(data.substr(0, 60));
  return fmt::format("{} ({})", row->words, row->data);
}

}  // namespace tactelier::devices
