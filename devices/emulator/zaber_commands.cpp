// What an emulated Zaber device does with a command.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "devices/emulator/zaber_emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr const char* kBadCommand = "BADCOMMAND";
constexpr const char* kBadData = "BADDATA";

std::optional<double> value_of(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0' && std::isfinite(value) ? std::optional(value)
                                                               : std::nullopt;
}

}  // namespace

double ZaberEmulator::number(std::size_t axis, const std::string& name) const {
  return value_of(axes_[axis].settings.at(name)).value_or(0);
}

ZaberEmulator::Answer ZaberEmulator::get(const std::string& name, int device, int axis) const {
  if (const auto own = settings_.find(name); own != settings_.end())
    return axis == 0 ? Answer{true, own->second} : Answer{false, "DEVICEONLY"};
  std::vector<std::string> values;
  for (const auto i : axes_of(device, axis)) {
    const auto& machine = axes_[i].machine;
    const auto& settings = axes_[i].settings;
    if (name == "pos")
      values.push_back(fmt::format("{}", std::llround(machine.position())));
    else if (name == "encoder.pos" && board_.encoders)
      values.push_back(
          fmt::format("{}", std::llround(machine.position() + axes_[i].real_minus_counted)));
    else if (settings.contains(name))
      values.push_back(settings.at(name));
    else
      return {false, kBadCommand};
  }
  return {true, fmt::format("{}", fmt::join(values, " "))};
}

ZaberEmulator::Answer ZaberEmulator::set(const std::string& name, const std::string& value,
                                         int device, int axis) {
  if (!value_of(value)) return {false, kBadData};
  if (const auto own = settings_.find(name); own != settings_.end()) {
    if (axis != 0) return {false, "DEVICEONLY"};
    if (!name.starts_with("comm.")) return {false, kBadCommand};
    own->second = value;
    return {};
  }
  for (const auto i : axes_of(device, axis)) {
    auto& settings = axes_[i].settings;
    if (!settings.contains(name)) return {false, kBadCommand};
    settings[name] = value;
    if (name == "accel") settings["motion.accelonly"] = settings["motion.decelonly"] = value;
  }
  return {};
}

/// "move abs 1000 [maxspeed [accel]]", "move rel ...": out of limit.min to limit.max it is refused;
/// "move vel 5000 [accel]" ends there. Without a reference position only "move rel" goes here: what
/// a device does is not documented where we could read it.
ZaberEmulator::Answer ZaberEmulator::move(const Message& message, std::size_t i) {
  auto& axis = axes_[i];
  const auto& words = message.words;
  const bool absolute = words[1] == "abs", on = words[1] == "vel";
  if ((!absolute && !on && words[1] != "rel") || words.size() > 5) return {false, kBadCommand};
  const auto word = [&](std::size_t at, double otherwise) {
    return words.size() > at ? value_of(words[at]).value_or(std::nan("")) : otherwise;
  };
  const double by = word(2, 0), speed = on ? std::abs(by) : word(3, number(i, "maxspeed"));
  const double acceleration = word(on ? 3 : 4, number(i, "accel"));
  if (!std::isfinite(by) || !(speed >= 1) || !(acceleration >= 1) || speed > number(i, "maxspeed"))
    return {false, kBadData};
  const bool referenced = !axis.flags.contains("WR");
  const double end = number(i, by < 0 ? "limit.min" : "limit.max");
  const double target = on ? end : std::round(absolute ? by : axis.machine.position() + by);
  const bool inside = target >= number(i, "limit.min") && target <= number(i, "limit.max");
  if (referenced ? !inside : absolute) return {false, kBadData};
  axis.flags.erase("NI");
  if (axis.machine.moving()) axis.flags.insert("NI");
  axis.homing = false;
  axis.machine.go(target, speed / 1.6384, acceleration / 1.6384e-4);
  return {};
}

/// Towards the home sensor, which lies where the count of 0 is to be.
void ZaberEmulator::home(std::size_t i) {
  auto& axis = axes_[i];
  axis.flags.erase("NI");
  axis.homing = true;
  const double beyond = board_.switch_missing ? -1000 : 0;
  axis.machine.go(beyond - axis.real_minus_counted, number(i, "limit.approach.maxspeed") / 1.6384,
                  number(i, "accel") / 1.6384e-4);
}

void ZaberEmulator::end_homing(std::size_t i) {
  auto& axis = axes_[i];
  axis.homing = false;
  if (board_.switch_missing) {
    axis.flags.insert("FE");
    return;
  }
  if (std::llround(axis.machine.position() + axis.real_minus_counted) != 0) return;  // stopped
  axis.machine.place(0);
  axis.real_minus_counted = 0;
  axis.flags.erase("WR");
  axis.flags.erase("WH");
}

ZaberEmulator::Answer ZaberEmulator::execute(const Message& message, int device,
                                             std::int64_t now_ns) {
  const auto& words = message.words;
  if (message.axis > 0 && axes_of(device, message.axis).empty()) return {false, "BADAXIS"};
  if (words.empty()) return {};
  done_.push_back(fmt::format("{}", fmt::join(words, " ")));
  const auto axes = axes_of(device, message.axis);
  const auto& word = words[0];
  if (word == "get" && words.size() == 2) return get(words[1], device, message.axis);
  if (word == "set" && words.size() == 3) return set(words[1], words[2], device, message.axis);
  if (word == "tools" && words.size() > 1 && words[1] == "echo")
    return {true, words.size() > 2
                      ? fmt::format("{}", fmt::join(words.begin() + 2, words.end(), " "))
                      : std::string("0")};
  if (word == "warnings") {
    if (words.size() > 1 && words[1] == "clear")
      for (const auto axis : axes)
        for (const auto* flag : {"FQ", "FS", "FE", "WL", "WM", "NC", "NI"})
          axes_[axis].flags.erase(flag);
    std::set<std::string> flags;
    for (const auto axis : axes) flags.insert(axes_[axis].flags.begin(), axes_[axis].flags.end());
    auto data = fmt::format("{:02d}", flags.size());
    for (const auto& flag : flags) data += " " + flag;
    return {true, data};
  }
  if (word == "move" && words.size() > 2) {
    for (const auto axis : axes)
      if (const auto answer = move(message, axis); !answer.accepted) return answer;
    return {};
  }
  if (word == "home" || word == "stop" || word == "estop") {
    for (const auto axis : axes) {
      auto& machine = axes_[axis].machine;
      if (word != "home" && machine.moving()) axes_[axis].flags.insert("NI");
      if (word == "home") home(axis);
      if (word == "stop" && machine.moving())
        machine.stop(number(axis, "motion.decelonly") / 1.6384e-4);
      if (word == "estop") {
        machine.halt();
        machine.place(std::round(machine.position()));
        axes_[axis].homing = false;
      }
    }
    return {};
  }
  if (word == "system" && words.size() == 2 && words[1] == "reset") {
    boot(now_ns);
    return {};
  }
  return {false, kBadCommand};
}

}  // namespace tactelier::devices
