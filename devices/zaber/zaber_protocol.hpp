#pragma once
// The lines of Zaber's ASCII protocol, text <-> structs. Source: Zaber Technologies, "ASCII
// Protocol Manual" (zaber.com/protocol-manual, firmware 7; Manuals/ASCII_Protocol_Manual of its
// wiki, firmware 6), by section; and the maker's open drivers where docs/rigs/zaber.md names them.
//
//   host     "/1 2 7 move abs 10000 153600 205:19\n"   device, axis, message id, command, checksum
//   device   "@01 2 07 OK BUSY -- 0:E1\r\n"            one reply of each device that was addressed
//   by itself  "!01 1 IDLE --"                         an alert: a motion has ended (comm.alert 1)
//            "#01 0 text"                              info, behind a reply
//
// Device 0 is every one of the chain, axis 0 all axes of a device ("Message Format"). Each reply
// says whether the command was taken, whether anything moves (BUSY, IDLE) and the warning flag of
// the highest priority ("Warning Flags"). A device that finds a wrong checksum does nothing and
// says nothing ("Checksumming"). Another controller that takes lines needs what stands here, and
// the stage beside it nothing else.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier::devices {

enum class ZaberLineKind { kReply, kAlert, kInfo };

struct ZaberLine {
  ZaberLineKind kind{};
  int device = 0, axis = 0;
  std::optional<int> id;
  bool accepted = false;  // of a reply: OK, not RJ
  bool busy = false;      // of replies and alerts, as is the flag
  std::string flag;       // "--": none
  std::string data;       // of a refusal: why
  bool checked = false;   // it carried a checksum, and the right one
};

/// One line without its end. Fails with kProtocol, quoting it, on a wrong checksum and on whatever
/// is no line of the protocol.
Result<ZaberLine> parse_zaber_line(std::string_view line);

/// Message ids are 0 to 99 ("Message Format").
std::string encode_zaber(int device, int axis, int id, std::string_view command);

/// "Checksumming": the longitudinal redundancy check of what stands between the first character
/// and the colon: the two's complement of the sum of its bytes.
std::uint8_t zaber_checksum(std::string_view text);

/// Values of several axes, "1200 NA -35"; empty where one is not available or no number.
std::vector<std::optional<double>> zaber_values(std::string_view data);

// "maxspeed", "accel": speed [microsteps/s] = data / 1.6384, acceleration [microsteps/s^2] =
// data * 10000 / 1.6384. At least 1, which is the slowest.
std::int64_t zaber_speed(double steps_per_s);
std::int64_t zaber_acceleration(double steps_per_s2);
double steps_per_s_of(double speed_data);
/// The least speed that can be told and isn't below this one.
double told_steps_per_s(double steps_per_s);
double steps_per_s2_of(double acceleration_data);

enum class ZaberFlagKind {
  kNone,         // nothing, or a notice that changes nothing
  kNoReference,  // where the axis is nobody knows until it is homed
  kTrouble,      // something has happened to it
};
struct ZaberFlag {
  ZaberFlagKind kind{};
  std::string_view words;
};
/// "Warning Flags". What the manual doesn't name is trouble, unless it begins with N (a notice).
ZaberFlag zaber_flag(std::string_view flag);

/// "Reply Flag": why a command was refused, in words; the device's own where they aren't known.
std::string zaber_refusal(std::string_view data);

}  // namespace tactelier::devices
