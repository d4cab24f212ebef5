#pragma once
// The lines of Marlin 2 (firmware of 3D printers), text <-> structs. ASCII; both sides end lines
// with LF. Source: MarlinFirmware/Marlin 2.1.2, files below Marlin/src; tried on that firmware's
// own code where docs/devices.md says so.
//
//   host     "N12 G1 X10.0000 F60.00*87"  line number and checksum (gcode/queue.cpp,
//            get_serial_commands()): the XOR of all bytes before "*"
//   device   exactly one "ok" for each line that is not empty, once it was carried out (of a move:
//            once it is planned); of a damaged one three lines:
//              "Error:checksum mismatch, Last Line: 11", "Resend: 12", "ok"
//   by itself "start" after power-up, "echo:busy: processing" during a long command,
//            "echo:endstops hit:  Z:3.20", "Error:Printer halted. kill() called!"
//
// Only M108, M112 and M410 are seen before their turn, and only by a firmware that was built with
// EMERGENCY_PARSER (feature/e_parser.h), which says "Cap:EMERGENCY_PARSER:1" to M115.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

namespace marlin {
/// Stops dead and forgets all planned moves. Two line ends before it: a line that was cut off in
/// the middle of "M41" leaves the parser in a state in which the first one only makes it wait for
/// the next (feature/e_parser.h, update(), EP_M to EP_M41). An empty line gets no answer.
constexpr std::string_view kQuickStop = "\n\nM410\n";
/// Halts the printer until its reset button is pressed. What is planned goes on for 0.6 s
/// (MarlinCore.cpp, minkill()), and its motors lose power: only to end a homing.
constexpr std::string_view kKill = "\n\nM112\n";
}  // namespace marlin

using StepCounts = std::array<std::int64_t, 3>;
using AxisValues = std::array<std::optional<double>, 3>;  // of words X, Y, Z

enum class MarlinLineKind {
  kOk,
  kResend,      // number: of the line that is wanted
  kStart,       // it has been switched on or reset
  kBusy,        // text: "processing", "paused for user"
  kPosition,    // steps
  kFirmware,    // text: what stands behind FIRMWARE_NAME:
  kCapability,  // text and on
  kSetting,     // text: "M92"; values: X, Y, Z as they are printed, and travel: T
  kReach,       // values and most: soft end stops [mm]
  kSwitch,      // text: "z_max"; on: pressed
  kSwitchHit,   // text: where
  kHalted,      // kill(): heeds nothing but its reset button
  kError,       // text behind "Error:"
  kUnknown,     // text: the command that it doesn't know
  kEcho,        // text: other lines behind "echo:"
  kOther,
};

struct MarlinLine {
  MarlinLineKind kind{};
  std::int64_t number = 0;
  bool on = false;
  StepCounts steps{};
  AxisValues values, most;
  std::optional<double> travel;  // T of an M204: acceleration of moves [mm/s^2]
  std::string text;
};

/// One line without its end. Fails with kProtocol, quoting it, on a position, a request to send
/// again or a setting that is damaged; text that is none of these is kOther.
Result<MarlinLine> parse_marlin_line(std::string_view line);

/// XOR of all bytes.
std::uint8_t marlin_checksum(std::string_view text);
/// "N12 M114 R*47\n".
std::string numbered_line(std::int64_t number, std::string_view command);
/// "G1 X1.0000 Y-2.5000 Z-0.1250 F120.000": absolute, in the machine's coordinates (G90 and G21
/// are said once). Feed in mm/min.
std::string encode_marlin_move(const StagePosition& target_m, double speed_m_per_s);

}  // namespace tactelier::devices
