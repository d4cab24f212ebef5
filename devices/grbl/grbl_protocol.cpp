#include "devices/grbl/grbl_protocol.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kLongestLine = 1024;
constexpr double kMost_mm = 1e6;  // nothing that a stage reports is further away

template <class... Args>
tl::unexpected<Error> bad(std::string_view line, fmt::format_string<Args...> why, Args&&... args) {
  return fail(ErrorCode::kProtocol, "GRBL: {} in '{}'",
              fmt::format(why, std::forward<Args>(args)...), line.substr(0, 120));
}

template <class T>
std::optional<T> number_in(std::string_view text) {
  T number{};
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

/// Cuts off and gives what stands before the first `mark`.
std::string_view take_until(std::string_view& text, char mark) {
  const auto end = std::min(text.find(mark), text.size());
  const auto part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<StagePosition> position_in(std::string_view text) {
  StagePosition position_m{};
  for (auto& axis_m : position_m) {
    const auto axis_mm = number_in<double>(take_until(text, ','));
    if (!axis_mm || !(std::abs(*axis_mm) <= kMost_mm)) return std::nullopt;
    axis_m = mm_to_m(*axis_mm);
  }
  return position_m;  // machines with more axes report them after x, y, z
}

std::optional<StageState> state_in(std::string_view text) {
  const auto name = take_until(text, ':');
  if (name == "Hold") return text == "0" ? StageState::kHold : StageState::kHolding;
  constexpr std::array<std::pair<std::string_view, StageState>, 8> kNames{{
      {"Idle", StageState::kIdle},
      {"Run", StageState::kRun},
      {"Jog", StageState::kJog},
      {"Alarm", StageState::kAlarm},
      {"Door", StageState::kDoor},
      {"Check", StageState::kCheck},
      {"Home", StageState::kHome},
      {"Sleep", StageState::kSleep},
  }};
  for (const auto& [known, state] : kNames)
    if (known == name) return state;
  return std::nullopt;
}

bool read_field(std::string_view field, GrblReport& report) {
  const auto name = take_until(field, ':');
  if (name == "MPos") return (report.machine_m = position_in(field)).has_value();
  if (name == "WPos") return (report.work_m = position_in(field)).has_value();
  if (name == "WCO") return (report.work_offset_m = position_in(field)).has_value();
  if (name == "Pn") report.pins = field;
  if (name == "FS" || name == "F") {
    const auto feed = number_in<double>(take_until(field, ','));
    if (!feed || !(std::abs(*feed) <= kMost_mm)) return false;
    report.speed_m_per_s = mm_to_m(*feed) / 60;
  }
  if (name == "Bf") {
    report.free_blocks = number_in<int>(take_until(field, ','));
    report.free_bytes = number_in<int>(field);
    return report.free_blocks && report.free_bytes;
  }
  return true;
}

Result<GrblLine> parse_report(std::string_view line) {
  if (!line.ends_with('>')) return bad(line, "a report without end");
  auto rest = line.substr(1, line.size() - 2);
  GrblLine parsed{GrblLineKind::kReport, 0, 0, {}, {}, {}};
  const auto state = state_in(take_until(rest, '|'));
  if (!state) return bad(line, "an unknown state");
  parsed.report.state = *state;
  while (!rest.empty()) {
    const auto field = take_until(rest, '|');
    if (!read_field(field, parsed.report)) return bad(line, "a bad number");
  }
  if (!parsed.report.machine_m && !parsed.report.work_m) return bad(line, "no position");
  return parsed;
}

Result<GrblLine> parse_numbered(std::string_view line, std::string_view prefix, GrblLineKind kind) {
  const auto number = number_in<int>(line.substr(prefix.size()));
  if (!number) return bad(line, "no code");
  return GrblLine{kind, *number, 0, {}, {}, {}};
}

Result<GrblLine> parse_setting(std::string_view line) {
  auto rest = line.substr(1);
  // Some firmware explains: "$110=500.000 (x max rate, mm/min)".
  const auto number = number_in<int>(take_until(rest, '='));
  if (!number) return GrblLine{GrblLineKind::kOther, 0, 0, {}, {}, std::string(line)};
  GrblLine parsed{GrblLineKind::kSetting, *number, 0, {}, {}, std::string(rest)};
  // Settings of relatives may be texts; those keep the value 0 beside the text.
  if (const auto value = number_in<double>(rest.substr(0, rest.find(' '))))
    if (std::isfinite(*value)) parsed.value = *value;
  return parsed;
}

std::optional<GrblDialect> banner_dialect(std::string_view line) {
  if (line.starts_with("GrblHAL ")) return GrblDialect::kGrblHal;
  if (!line.starts_with("Grbl ") || line.size() < 6) return std::nullopt;
  return line.find("FluidNC") != line.npos ? GrblDialect::kFluidNc : GrblDialect::kGrbl;
}

std::string axes_text(const StagePosition& by_m) {
  return fmt::format("X{:.3f} Y{:.3f} Z{:.3f}", m_to_mm(by_m[0]), m_to_mm(by_m[1]),
                     m_to_mm(by_m[2]));
}

double to_feed(double speed_m_per_s) { return m_to_mm(speed_m_per_s) * 60; }

}  // namespace

Result<GrblLine> parse_grbl_line(std::string_view line) {
  if (line == "ok" || line.starts_with("ok ")) return GrblLine{};
  if (line.starts_with('<')) return parse_report(line);
  if (line.starts_with("error:")) return parse_numbered(line, "error:", GrblLineKind::kError);
  if (line.starts_with("ALARM:")) return parse_numbered(line, "ALARM:", GrblLineKind::kAlarm);
  if (line.starts_with('$')) return parse_setting(line);
  if (line.starts_with('[') && line.ends_with(']'))
    return GrblLine{
        GrblLineKind::kMessage, 0, 0, {}, {}, std::string(line.substr(1, line.size() - 2))};
  if (const auto dialect = banner_dialect(line))
    return GrblLine{GrblLineKind::kBanner, 0, 0, *dialect, {}, std::string(line)};
  return GrblLine{GrblLineKind::kOther, 0, 0, {}, {}, std::string(line)};
}

void GrblLineSplitter::add(ByteView bytes) {
  for (const auto byte : bytes) {
    if (byte == '\r') continue;
    if (byte != '\n') {
      rest_.push_back(static_cast<char>(byte));
      if (rest_.size() > kLongestLine) rest_.clear();
      continue;
    }
    const auto begin = rest_.find('<');
    const auto end = rest_.find('>', begin == rest_.npos ? 0 : begin);
    if (begin != rest_.npos && begin > 0 && end != rest_.npos && rest_.front() != '[') {
      lines_.insert(lines_.begin(), rest_.substr(begin, end + 1 - begin));
      rest_.erase(begin, end + 1 - begin);
    }
    if (!rest_.empty()) lines_.insert(lines_.begin(), std::move(rest_));
    rest_.clear();
  }
}

std::optional<std::string> GrblLineSplitter::next() {
  if (lines_.empty()) return std::nullopt;
  auto line = std::move(lines_.back());
  lines_.pop_back();
  return line;
}

void GrblLineSplitter::clear() {
  rest_.clear();
  lines_.clear();
}

std::string encode_move(const StagePosition& target_m, double speed_m_per_s) {
  return fmt::format("G90 G21 G53 G1 {} F{:.1f}\n", axes_text(target_m), to_feed(speed_m_per_s));
}

std::string encode_jog(const StagePosition& by_m, double speed_m_per_s) {
  return fmt::format("$J=G91 G21 {} F{:.1f}\n", axes_text(by_m), to_feed(speed_m_per_s));
}

std::string encode_raise(double by_m, double speed_m_per_s) {
  return fmt::format("G91 G21 G1 Z{:.3f} F{:.1f}\n", m_to_mm(by_m), to_feed(speed_m_per_s));
}

}  // namespace tactelier::devices
