// What an emulated Marlin does with a line of its queue.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "devices/emulator/marlin_emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr double kPullOff_mm = 5;  // HOMING_BUMP_MM: a second, slow approach

std::int64_t s_to_ns(double time_s) { return std::llround(time_s * 1e9); }

/// Without line number and checksum.
std::string_view order_in(std::string_view line) {
  if (line.starts_with('N')) {
    line.remove_prefix(std::min(line.find_first_not_of("0123456789-", 1), line.size()));
    line = line.substr(0, line.rfind('*'));
  }
  while (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

}  // namespace

/// "G1 X10 F60": the code, and what stands behind its letters.
struct MarlinEmulator::Words {
  std::string code;
  std::map<char, std::optional<double>> values;

  explicit Words(std::string_view order) {
    const auto end = std::min(order.find_first_of(" XYZFS"), order.size());
    code = order.substr(0, end);
    order.remove_prefix(end);
    while (!order.empty()) {
      const char letter = order.front();
      order.remove_prefix(1);
      if (letter == ' ') continue;
      double value = 0;
      const auto [stop, error] = std::from_chars(order.data(), order.data() + order.size(), value);
      values[letter] = error == std::errc{} ? std::optional(value) : std::nullopt;
      if (error == std::errc{}) order.remove_prefix(static_cast<std::size_t>(stop - order.data()));
    }
  }
  bool has(char letter) const { return values.contains(letter); }
  std::optional<double> of(char letter) const {
    const auto found = values.find(letter);
    return found != values.end() ? found->second : std::nullopt;
  }
};

bool MarlinEmulator::execute(const std::string& line, std::int64_t now_ns) {
  const auto order = order_in(line);
  const Words words(order);
  const auto& code = words.code;
  if (code == "G0" || code == "G1") {
    if (!move(words, now_ns)) return false;
  } else if (code == "G28") {
    begin_homing(words, now_ns);
    return true;  // its "ok" comes at the end
  } else if (code == "G90" || code == "G91") {
    absolute_ = code == "G90";
  } else if (code == "M114") {
    report_position(words.has('R'), now_ns);
  } else if (code == "M115") {
    report_firmware(now_ns);
  } else if (code == "M119") {
    report_switches(now_ns);
  } else if (code == "M503" || code == "M92" || code == "M201" || code == "M203" ||
             code == "M204" || code == "M211") {
    report_settings(code, now_ns);
  } else if (code == "M113") {
    busy_s_ = std::max(1.0, words.of('S').value_or(busy_s_));
  } else if (code == "M84" || code == "M18") {
    motors_off_s_ = words.of('S').value_or(motors_off_s_);
    rests_ns_ = now_ns;
  } else if (code == "M118") {
    say(order.substr(std::min<std::size_t>(5, order.size())), now_ns);
  } else if (code != "G21" && code != "M110" && code != "M410" && code != "M112" &&
             code != "M108" && code != "M420") {
    say(fmt::format("echo:Unknown command: \"{}\"", order), now_ns);
  }
  if (!board_.emergency_parser && code == "M410") quick_stop(now_ns);
  if (!board_.emergency_parser && code == "M112") {
    kill("M112 Shutdown", now_ns);
    return true;
  }
  say("ok", now_ns);
  return true;
}

/// module/motion.cpp, apply_motion_limits(): clipped without a word, once homed. Moves of fewer
/// steps than MIN_STEPS_PER_SEGMENT are dropped (module/planner.cpp, _populate_block()).
bool MarlinEmulator::move(const Words& words, std::int64_t now_ns) {
  if (machine_.free_blocks() <= first_.size()) return false;
  if (const auto feed = words.of('F'); feed && *feed > 0) feed_mm_per_s_ = *feed / 60;
  constexpr std::array kLetters{'X', 'Y', 'Z'};
  auto target_mm = current_mm_;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (const auto value = words.of(kLetters[axis]))
      target_mm[axis] = *value + (absolute_ ? 0 : current_mm_[axis]);
    if (soft_limits_ && homed_[axis])
      target_mm[axis] = std::clamp(target_mm[axis], 0.0, board_.travel_mm[axis]);
  }
  current_mm_ = target_mm;
  const auto from = steps(planned_mm_), to = steps(target_mm);
  const auto end_mm = whole_steps(target_mm);
  long long most_steps = 0;
  double way_mm = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    most_steps = std::max(most_steps, std::abs(to[axis] - from[axis]));
    way_mm = std::hypot(way_mm, end_mm[axis] - planned_mm_[axis]);
  }
  if (most_steps < board_.least_steps) return true;
  double speed_mm_per_s = feed_mm_per_s_;
  double acceleration_mm_per_s2 = board_.travel_acceleration_mm_per_s2;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double share = std::abs(end_mm[axis] - planned_mm_[axis]) / way_mm;
    if (share < 1e-9) continue;
    speed_mm_per_s = std::min(speed_mm_per_s, board_.most_mm_per_s[axis] / share);
    acceleration_mm_per_s2 =
        std::min(acceleration_mm_per_s2, board_.acceleration_mm_per_s2[axis] / share);
  }
  planned_mm_ = end_mm;
  const MachineBlock block{end_mm, speed_mm_per_s, acceleration_mm_per_s2, 0, false};
  if (!machine_.empty()) {
    machine_.add(block);
    return true;
  }
  if (first_.empty()) begin_ns_ = now_ns + 100'000'000;
  first_.push_back(block);
  deliver_first(now_ns);
  return true;
}

/// Without R, or built without M114_REALTIME, it tells where the planned moves end.
void MarlinEmulator::report_position(bool asked_real, std::int64_t now_ns) {
  const bool real = asked_real && board_.realtime;
  const auto at_mm = real ? machine_.position_mm() : current_mm_;
  const auto count = steps(real ? machine_.position_mm() : planned_mm_);
  say(fmt::format("X:{:.2f} Y:{:.2f} Z:{:.2f} E:0.00 Count {}:{} {}:{} Z:{}", at_mm[0], at_mm[1],
                  at_mm[2], board_.corexy ? "A" : "X", count[0], board_.corexy ? "B" : "Y",
                  count[1], count[2]),
      now_ns);
}

void MarlinEmulator::report_firmware(std::int64_t now_ns) {
  say("FIRMWARE_NAME:Marlin 2.1.2.1 (Jul  1 2023 19:19:17) "
      "SOURCE_CODE_URL:github.com/MarlinFirmware"
      "/Marlin PROTOCOL_VERSION:1.0 MACHINE_TYPE:3D Printer EXTRUDER_COUNT:1 "
      "UUID:cede2a2f-41a2-4748-9b12-c55c62f367ff",
      now_ns);
  for (const auto* line : {"Cap:EEPROM:0", "Cap:AUTOREPORT_POS:0", "Cap:AUTOLEVEL:0",
                           "Cap:Z_PROBE:0", "Cap:LEVELING_DATA:0"})
    say(line, now_ns);
  say(fmt::format("Cap:EMERGENCY_PARSER:{}", board_.emergency_parser ? 1 : 0), now_ns);
}

void MarlinEmulator::report_switches(std::int64_t now_ns) {
  say("Reporting endstop status", now_ns);
  for (const auto* name : {"x_min", "y_min", board_.homes_down ? "z_min" : "z_max"})
    say(fmt::format("{}: open", name), now_ns);
}

void MarlinEmulator::report_settings(std::string_view code, std::int64_t now_ns) {
  const bool all = code == "M503";
  const auto axes = [&](std::string_view name, const Axes_mm& values, double extruder) {
    if (all || code == name)
      say(fmt::format("{}  {} X{:.2f} Y{:.2f} Z{:.2f} E{:.2f}", all ? "echo:" : "", name, values[0],
                      values[1], values[2], extruder),
          now_ns);
  };
  if (all) say("echo:; Steps per unit:", now_ns);
  axes("M92", board_.steps_per_mm, 500);
  if (all) say("echo:; Max feedrates (units/s):", now_ns);
  axes("M203", board_.most_mm_per_s, 25);
  if (all) say("echo:; Max Acceleration (units/s2):", now_ns);
  axes("M201", board_.acceleration_mm_per_s2, 10000);
  if (all || code == "M204")
    say(fmt::format("{0}  M204 P{1:.2f} R{1:.2f} T{1:.2f}", all ? "echo:" : "",
                    board_.travel_acceleration_mm_per_s2),
        now_ns);
  if (code != "M211") return;
  say("  M211 S1 ; ON", now_ns);
  say(fmt::format("  Min:  X0.00 Y0.00 Z0.00   Max:  X{:.2f} Y{:.2f} Z{:.2f}", board_.travel_mm[0],
                  board_.travel_mm[1], board_.travel_mm[2]),
      now_ns);
}

void MarlinEmulator::begin_homing(const Words& words, std::int64_t now_ns) {
  const bool all = !words.has('X') && !words.has('Y') && !words.has('Z');
  homing_axes_ = {all || words.has('X'), all || words.has('Y'), all || words.has('Z')};
  const auto real_mm = true_position_mm();
  double time_s = 0.2;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!homing_axes_[axis]) continue;
    const bool up = axis == 2 && !board_.homes_down;
    const double way_mm = up ? board_.travel_mm[2] - real_mm[2] : real_mm[axis];
    const double speed_mm_per_s = axis == 2 ? board_.home_mm_per_s : 10 * board_.home_mm_per_s;
    time_s += (std::abs(way_mm) + 4 * kPullOff_mm) / speed_mm_per_s;
  }
  homed_ns_ = now_ns + s_to_ns(time_s);
  busy_ns_ = now_ns + s_to_ns(busy_s_);
}

/// It ends with a report of where its planned moves end (gcode/calibrate/G28.cpp).
void MarlinEmulator::finish_homing(std::int64_t now_ns) {
  homed_ns_ = busy_ns_ = kNever;
  if (board_.switch_missing || homing_fails_) return kill("Homing Failed", now_ns);
  const Axes_mm home_mm{0, 0, board_.homes_down ? 0 : board_.travel_mm[2]};
  auto at_mm = machine_.position_mm();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!homing_axes_[axis]) continue;
    at_mm[axis] = home_mm[axis];
    real_minus_reported_mm_[axis] = 0;
    homed_[axis] = true;
  }
  machine_.place(at_mm);
  current_mm_ = planned_mm_ = at_mm;
  rests_ns_ = now_ns;
  report_position(false, now_ns);
  say("ok", now_ns);
}

}  // namespace tactelier::devices
