#include "devices/marlin/marlin_protocol.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "devices/link/line_splitter.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr double kMost = 1e9;  // no setting or place is larger
constexpr std::string_view kAxes = "XYZ";

tl::unexpected<Error> bad(std::string_view line, std::string_view why) {
  return fail(ErrorCode::kProtocol, "Marlin: {} in '{}'", why, line.substr(0, 120));
}

/// A number at the begin of `text`, and what follows is left there.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

MarlinLine line_of(MarlinLineKind kind, std::string_view text = {}) {
  MarlinLine line;
  line.kind = kind;
  line.text = text;
  return line;
}

/// "X80.00 Y80.00 Z400.00 E500.00": words of X, Y, Z and T; false where one has no number.
bool read_words(std::string_view text, AxisValues& values, std::optional<double>* travel) {
  while (!(text = trimmed(text)).empty() && text.front() != ';') {
    const char letter = text.front();
    text.remove_prefix(1);
    const auto axis = kAxes.find(letter);
    if (axis == kAxes.npos && letter != 'T') {
      text.remove_prefix(std::min(text.find(' '), text.size()));
      continue;
    }
    const auto value = take_number<double>(text);
    if (!value || !(std::abs(*value) <= kMost)) return false;
    if (axis != kAxes.npos) values[axis] = *value;
    if (letter == 'T' && travel != nullptr) *travel = *value;
  }
  return true;
}

/// "X:10.00 Y:20.00 Z:5.00 E:0.00 Count X:800 Y:1600 Z:2000" (module/motion.cpp,
/// report_real_position(); module/stepper.cpp, report_a_position()). The coordinates have two
/// decimals; the counts are whole steps.
Result<MarlinLine> parse_position(std::string_view line) {
  auto parsed = line_of(MarlinLineKind::kPosition);
  const auto count = line.find("Count ");
  if (count == line.npos) return bad(line, "no step counts");
  auto rest = line.substr(count + 6);
  if (rest.starts_with("A:"))
    return bad(line, "step counts of motors that are no axes (CoreXY, delta)");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    rest = trimmed(rest);
    if (rest.size() < 3 || rest[0] != kAxes[axis] || rest[1] != ':')
      return bad(line, "an axis missing");
    rest.remove_prefix(2);
    const auto steps = take_number<std::int64_t>(rest);
    const bool ends = rest.empty() || rest.front() == ' ';
    if (!steps || !ends || std::abs(static_cast<double>(*steps)) > kMost)
      return bad(line, "a bad number");
    parsed.steps[axis] = *steps;
  }
  return parsed;
}

/// "  Min:  X0.00 Y0.00 Z0.00   Max:  X200.00 Y200.00 Z40.00" (gcode/control/M211.cpp).
Result<MarlinLine> parse_reach(std::string_view line, std::string_view text) {
  auto parsed = line_of(MarlinLineKind::kReach);
  const auto most = text.find("Max:");
  if (most == text.npos) return bad(line, "no upper end");
  const bool fine = read_words(text.substr(4, most - 4), parsed.values, nullptr) &&
                    read_words(text.substr(most + 4), parsed.most, nullptr);
  if (!fine) return bad(line, "a bad number");
  return parsed;
}

/// Behind "echo:" where all were asked for (M503), bare where one was.
bool is_setting(std::string_view text) {
  constexpr std::array<std::string_view, 6> kBegins{"M92 ",  "M201 ", "M203 ",
                                                    "M204 ", "M211 ", "Min:"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [&](std::string_view begin) { return text.starts_with(begin); });
}

Result<MarlinLine> parse_setting(std::string_view line, std::string_view text) {
  if (text.starts_with("Min:")) return parse_reach(line, text);
  const auto code = text.substr(0, text.find(' '));
  auto parsed = line_of(MarlinLineKind::kSetting, code);
  if (!read_words(text.substr(code.size()), parsed.values, &parsed.travel))
    return bad(line, "a bad number");
  return parsed;
}

Result<MarlinLine> parse_echo(std::string_view line, std::string_view text) {
  constexpr std::string_view kBusy = "busy: ", kHit = "endstops hit:",
                             kStrange = "Unknown command:";
  if (text.starts_with(kBusy)) return line_of(MarlinLineKind::kBusy, text.substr(kBusy.size()));
  if (text.starts_with(kHit))
    return line_of(MarlinLineKind::kSwitchHit, trimmed(text.substr(kHit.size())));
  if (text.starts_with(kStrange))
    return line_of(MarlinLineKind::kUnknown, trimmed(text.substr(kStrange.size())));
  if (is_setting(text)) return parse_setting(line, text);
  return line_of(MarlinLineKind::kEcho, text);
}

Result<MarlinLine> parse_resend(std::string_view line, std::string_view rest) {
  rest = trimmed(rest);
  const auto number = take_number<std::int64_t>(rest);
  if (!number || !rest.empty() || *number < 0) return bad(line, "no line number");
  auto parsed = line_of(MarlinLineKind::kResend);
  parsed.number = *number;
  return parsed;
}

/// "Cap:EMERGENCY_PARSER:1" (gcode/host/M115.cpp).
MarlinLine parse_capability(std::string_view rest) {
  auto parsed = line_of(MarlinLineKind::kCapability, rest.substr(0, rest.rfind(':')));
  parsed.on = rest.ends_with(":1");
  return parsed;
}

/// "z_max: open", "x_min: TRIGGERED" (module/endstops.cpp, report_states()).
std::optional<MarlinLine> parse_switch(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == line.npos) return std::nullopt;
  const auto state = trimmed(line.substr(colon + 1));
  if (state != "open" && state != "TRIGGERED") return std::nullopt;
  auto parsed = line_of(MarlinLineKind::kSwitch, line.substr(0, colon));
  parsed.on = state == "TRIGGERED";
  return parsed;
}

}  // namespace

Result<MarlinLine> parse_marlin_line(std::string_view line) {
  constexpr std::string_view kError = "Error:", kFirmware = "FIRMWARE_NAME:";
  // Text follows with ADVANCED_OK: "ok N12 P15 B3".
  if (line == "ok" || line.starts_with("ok ")) return line_of(MarlinLineKind::kOk);
  if (line == "start") return line_of(MarlinLineKind::kStart);
  for (const std::string_view word : {"Resend:", "rs "})
    if (line.starts_with(word)) return parse_resend(line, line.substr(word.size()));
  if (line.starts_with("echo:")) return parse_echo(line, trimmed(line.substr(5)));
  if (line.starts_with(kError)) {
    const auto text = line.substr(kError.size());
    const bool halted = text.find("kill()") != text.npos;
    return line_of(halted ? MarlinLineKind::kHalted : MarlinLineKind::kError, text);
  }
  if (line.starts_with(kFirmware))
    return line_of(MarlinLineKind::kFirmware, line.substr(kFirmware.size()));
  if (line.starts_with("Cap:")) return parse_capability(line.substr(4));
  if (line.starts_with("X:")) return parse_position(line);
  if (is_setting(line)) return parse_setting(line, line);
  if (const auto one = parse_switch(line)) return *one;
  return line_of(MarlinLineKind::kOther, line);
}

std::uint8_t marlin_checksum(std::string_view text) {
  std::uint8_t sum = 0;
  for (const char c : text) sum = static_cast<std::uint8_t>(sum ^ static_cast<std::uint8_t>(c));
  return sum;
}

std::string numbered_line(std::int64_t number, std::string_view command) {
  const auto text = fmt::format("N{} {}", number, command);
  return fmt::format("{}*{}\n", text, marlin_checksum(text));
}

std::string encode_marlin_move(const StagePosition& target_m, double speed_m_per_s) {
  // Never "-0.0000".
  const auto mm = [](double at_m) { return std::round(m_to_mm(at_m) * 1e4) * 1e-4 + 0.0; };
  return fmt::format("G1 X{:.4f} Y{:.4f} Z{:.4f} F{:.3f}", mm(target_m[0]), mm(target_m[1]),
                     mm(target_m[2]), m_to_mm(speed_m_per_s) * 60);
}

}  // namespace tactelier::devices
