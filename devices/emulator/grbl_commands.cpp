// What an emulated GRBL does with a line: '$' commands, settings, straight moves.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "devices/emulator/grbl_emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kLongestLine = 79;
constexpr double kSlowest_mm_min = 1;
constexpr double kInch_mm = 25.4;
constexpr double kRounding_mm = 1e-6;

struct Word {
  char letter;
  double value;
};

/// Upper case, without blanks, control characters and comments.
std::string stripped(std::string_view line) {
  std::string text;
  bool comment = false;
  for (const char c : line) {
    if (c == ';') break;
    if (c == '(') comment = true;
    if (!comment && c > ' ' && c != '/') text.push_back(c >= 'a' && c <= 'z' ? char(c - 32) : c);
    if (c == ')') comment = false;
  }
  return text;
}

/// Words of a line; the error's number when it isn't made of letters and numbers.
int words_of(std::string_view line, std::vector<Word>& words) {
  while (!line.empty()) {
    const char letter = line.front();
    if (letter < 'A' || letter > 'Z') return 1;
    line.remove_prefix(1);
    if (line.starts_with('+')) line.remove_prefix(1);
    double value = 0;
    const auto [stop, error] =
        std::from_chars(line.data(), line.data() + line.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !(std::abs(value) < 1e6)) return 2;
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
    words.push_back({letter, value});
  }
  return 0;
}

std::string error_line(int number) { return fmt::format("error:{}", number); }

/// G, M and F words of a line, as modes of this line.
struct LineModes {
  bool machine = false, move = false, dwell = false;
  std::optional<double> feed, dwell_s;
  std::array<std::optional<double>, 3> axes;
};

}  // namespace

void GrblEmulator::execute(const std::string& line, std::int64_t now_ns) {
  if (line.size() > kLongestLine) return say(error_line(11), now_ns);
  const auto text = stripped(line);
  if (text.empty()) return say("ok", now_ns);
  std::string answer;
  if (text.starts_with("$J=")) {
    answer = phase_ == Phase::kReady && (machine_.empty() || machine_.jogging())
                 ? motion(std::string_view(text).substr(3), true)
                 : error_line(8);
  } else if (text.starts_with('$')) {
    answer = system_command(text, now_ns);
  } else if (phase_ == Phase::kAlarm || machine_.jogging()) {
    answer = error_line(9);
  } else {
    answer = motion(text, false);
  }
  if (!answer.empty()) say(answer, now_ns);
}

std::string GrblEmulator::system_command(const std::string& line, std::int64_t now_ns) {
  const bool idle = phase_ == Phase::kAlarm || (phase_ == Phase::kReady && machine_.empty());
  const bool hal = board_.dialect == GrblDialect::kGrblHal;
  if (line == "$$") return print_settings(now_ns), "ok";
  if (line == "$") {
    say("[HLP:$$ $# $G $I $N $x=val $Nx=line $J=line $SLP $C $X $H ~ ! ? ctrl-x]", now_ns);
    return "ok";
  }
  if (line == "$G") return say("[GC:G0 G54 G17 G21 G90 G94 M5 M9 T0 F0 S0]", now_ns), "ok";
  if (!idle) return error_line(8);
  if (line == "$I") {
    say("[VER:1.1h.20190830:]", now_ns);
    say(hal ? "[OPT:VN,100,1024]" : "[OPT:V,15,128]", now_ns);
    return "ok";
  }
  if (line == "$#") return print_offsets(now_ns), "ok";
  if (line == "$N") return say("$N0=", now_ns), say("$N1=", now_ns), "ok";
  if (line == "$X") {
    if (phase_ == Phase::kAlarm) say("[MSG:Caution: Unlocked]", now_ns);
    phase_ = Phase::kReady;
    return "ok";
  }
  if (line == "$H") {
    if (setting(22) == 0) return error_line(5);
    begin_homing(now_ns);
    return "";
  }
  if (line.find('=') != std::string::npos) return store(std::string_view(line).substr(1));
  return error_line(2);  // parsed as a number, which it isn't
}

std::string GrblEmulator::store(std::string_view assignment) {
  if (board_.dialect == GrblDialect::kFluidNc) return error_line(5);
  const auto equals = assignment.find('=');
  int number = 0;
  double value = 0;
  const auto left = assignment.substr(0, equals), right = assignment.substr(equals + 1);
  const auto [stop, bad] = std::from_chars(left.data(), left.data() + left.size(), number);
  if (bad != std::errc{} || stop != left.data() + left.size()) return error_line(2);
  const auto [end, wrong] = std::from_chars(right.data(), right.data() + right.size(), value);
  if (wrong != std::errc{} || end != right.data() + right.size()) return error_line(2);
  if (!settings_.contains(number)) return error_line(3);
  if (value < 0) return error_line(4);
  if (number == 0 && value < 3) return error_line(6);
  if (number == 20 && value != 0 && setting(22) == 0) return error_line(10);
  settings_[number] = value;
  if (number == 22 && value == 0) settings_[20] = 0;
  return "ok";
}

/// It has no work coordinates and no probe: all of them stay where they are at power-up.
void GrblEmulator::print_offsets(std::int64_t now_ns) {
  for (const auto* name : {"G54", "G55", "G56", "G57", "G58", "G59", "G28", "G30", "G92"})
    say(fmt::format("[{}:0.000,0.000,0.000]", name), now_ns);
  say("[TLO:0.000]", now_ns);
  say("[PRB:0.000,0.000,0.000:0]", now_ns);
}

void GrblEmulator::print_settings(std::int64_t now_ns) {
  for (const auto& [number, value] : settings_) {
    const bool whole = number < 100 && (number < 11 || number > 12) && (number < 24 || number > 27);
    const bool decimals = !whole && number != 26;
    say(decimals ? fmt::format("${}={:.3f}", number, value)
                 : fmt::format("${}={:.0f}", number, value),
        now_ns);
  }
}

bool GrblEmulator::outside_travel(const Axes_mm& target_mm) const {
  if (setting(20) == 0) return false;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (target_mm[axis] > kRounding_mm ||
        target_mm[axis] < -setting(130 + static_cast<int>(axis)) - kRounding_mm)
      return true;
  return false;
}

namespace {

/// Fills `modes`; the error's number, or 0.
int read_modes(const std::vector<Word>& words, bool jog, bool& absolute, bool& inches, bool& rapid,
               LineModes& modes) {
  bool feed_motion = !rapid;
  for (const auto& [letter, value] : words) {
    if (letter == 'X' || letter == 'Y' || letter == 'Z') {
      auto& axis = modes.axes[static_cast<std::size_t>(letter - 'X')];
      if (axis) return 25;
      axis = value;
      modes.move = true;
    } else if (letter == 'F') {
      if (value < 0) return 4;
      modes.feed = value;
    } else if (letter == 'P') {
      modes.dwell_s = value;
    } else if (letter == 'G') {
      if (value == 90 || value == 91)
        absolute = value == 90;
      else if (value == 20 || value == 21)
        inches = value == 20;
      else if (value == 53)
        modes.machine = true;
      else if (jog)
        return 16;
      else if (value == 0 || value == 1)
        feed_motion = value == 1;
      else if (value == 4)
        modes.dwell = true;
      else
        return 20;
    } else {
      return jog ? 16 : 20;
    }
  }
  rapid = !feed_motion;
  return 0;
}

}  // namespace

std::string GrblEmulator::motion(std::string_view line, bool jog) {
  std::vector<Word> words;
  if (const int error = words_of(line, words); error != 0) return error_line(error);
  LineModes modes;
  bool absolute = absolute_, inches = inches_, rapid = rapid_;
  if (const int error = read_modes(words, jog, absolute, inches, rapid, modes); error != 0)
    return error_line(error);
  if (jog && (!modes.feed || *modes.feed == 0)) return error_line(22);
  if (jog && !modes.move) return error_line(26);
  const double to_mm = inches ? kInch_mm : 1;
  const double feed_mm_min = modes.feed ? *modes.feed * to_mm : feed_mm_min_;
  if (modes.move && !modes.dwell && !rapid && !jog && feed_mm_min == 0) return error_line(22);
  if (modes.dwell && !modes.dwell_s) return error_line(28);
  auto target_mm = line_from_mm();
  const auto from_mm = machine_.planned_mm();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (modes.axes[axis])
      target_mm[axis] =
          *modes.axes[axis] * to_mm + (absolute || modes.machine ? 0 : target_mm[axis]);
  if (jog && outside_travel(target_mm)) return error_line(15);
  if (!jog) {
    absolute_ = absolute;
    inches_ = inches;
    rapid_ = rapid;
    feed_mm_min_ = feed_mm_min;
  }
  if (modes.dwell) {
    machine_.add({from_mm, 0, 0, std::max(*modes.dwell_s, 1e-3), false});
    dwelling_ = true;
    return "";
  }
  if (!modes.move) return "ok";
  if (outside_travel(target_mm)) {
    machine_.hold();
    soft_limit_hit_ = true;
    return "";
  }
  double way_mm = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    way_mm = std::hypot(way_mm, target_mm[axis] - from_mm[axis]);
  if (way_mm < 1e-9) return "ok";
  double speed_mm_per_s = rapid && !jog ? 1e9 : std::max(feed_mm_min, kSlowest_mm_min) / 60;
  double acceleration_mm_per_s2 = 1e9;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double share = std::abs(target_mm[axis] - from_mm[axis]) / way_mm;
    if (share < 1e-9) continue;
    const int number = static_cast<int>(axis);
    speed_mm_per_s = std::min(speed_mm_per_s, setting(110 + number) / 60 / share);
    acceleration_mm_per_s2 = std::min(acceleration_mm_per_s2, setting(120 + number) / share);
  }
  machine_.add({target_mm, speed_mm_per_s, acceleration_mm_per_s2, 0, jog});
  return "ok";
}

void GrblEmulator::begin_homing(std::int64_t now_ns) {
  phase_ = Phase::kHoming;
  report_ns_ = kNever;
  const auto real_mm = true_position_mm();
  // Z first, then X and Y together; the slow second approach goes twice the pull-off.
  const double search_mm_per_s = setting(25) / 60;
  const double pull_off_s = 2 * setting(27) / (setting(24) / 60);
  const double way_mm = std::abs(real_mm[2]) + std::max(std::abs(real_mm[0]), std::abs(real_mm[1]));
  homed_ns_ = now_ns + static_cast<std::int64_t>((way_mm / search_mm_per_s + 2 * pull_off_s) * 1e9);
}

void GrblEmulator::finish_homing(std::int64_t now_ns) {
  homed_ns_ = kNever;
  if (board_.switch_missing) {  // limits.c: system_set_exec_alarm(), mc_reset()
    machine_.halt();
    forget_lines();
    phase_ = Phase::kAlarm;
    say("ALARM:9", now_ns);
    return banner(now_ns + 100'000'000);
  }
  Axes_mm home_mm{};
  const auto to_minus = static_cast<unsigned>(setting(23));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double travel_mm = setting(130 + static_cast<int>(axis));
    home_mm[axis] = (to_minus >> axis & 1U) != 0 ? setting(27) - travel_mm : -setting(27);
  }
  machine_.halt();
  machine_.place(home_mm);
  real_minus_reported_mm_ = {};
  phase_ = Phase::kReady;
  say("ok", now_ns);
}

}  // namespace tactelier::devices
