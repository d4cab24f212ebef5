#pragma once
// The lines of GRBL 1.1 and its relatives, text <-> structs. Everything is ASCII; the device ends
// lines with CR LF, the host with LF alone (CR LF would be answered twice). Source: gnea/grbl 1.1h,
// doc/markdown/interface.md, commands.md, settings.md and doc/csv; grblHAL/core; bdring/FluidNC.
//
//   every line sent       exactly one "ok" or "error:N", in order; a real-time byte gets none
//   "?"                   <Run|MPos:0.128,0.000,0.000|Bf:14,128|FS:120,0|WCO:0.000,0.000,0.000>
//   by themselves         "ALARM:N", "[MSG:...]", "[PRB:x,y,z:1]", the banner after every reset

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

/// Real-time bytes: picked out of the stream anywhere, also in the middle of a line.
namespace grbl {
constexpr std::uint8_t kSoftReset = 0x18;
constexpr std::uint8_t kStatus = '?';
constexpr std::uint8_t kHold = '!';
constexpr std::uint8_t kResume = '~';
constexpr std::uint8_t kJogCancel = 0x85;
/// What stops every dialect, in one write: grblHAL ignores "!" in a jog, 0x85 does nothing to other
/// motion and misses a jog that Grbl has not planned yet. In this order, since 0x85 empties
/// grblHAL's buffer: a "!" that it took for a part of a line is thrown away with it.
constexpr std::array<std::uint8_t, 2> kStop{kHold, kJogCancel};
}  // namespace grbl

enum class GrblDialect { kGrbl, kGrblHal, kFluidNc };

/// A status report. Fields come and go: parsed by name, unknown ones skipped.
struct GrblReport {
  StageState state{};
  std::optional<StagePosition> machine_m, work_m, work_offset_m;  // MPos, WPos, WCO
  std::optional<double> speed_m_per_s;                            // FS or F
  std::optional<int> free_blocks, free_bytes;                     // Bf
  std::string pins;                                               // Pn
};

enum class GrblLineKind {
  kOk,
  kError,    // number
  kAlarm,    // number
  kBanner,   // dialect
  kReport,   // report
  kSetting,  // "$110=500.000": number and value
  kMessage,  // "[MSG:...]" and other bracketed lines: text without brackets
  kOther,
};

struct GrblLine {
  GrblLineKind kind{};
  int number = 0;
  double value = 0;
  GrblDialect dialect{};
  GrblReport report;
  std::string text;
};

/// One line without its end. Fails with kProtocol, quoting the line, on a report, setting, error or
/// alarm that is damaged; text that is none of these is kOther.
Result<GrblLine> parse_grbl_line(std::string_view line);

/// Bytes into lines. A status report that was printed into another line (some firmware does) comes
/// out as a line of its own; a line longer than 1 KiB is noise and dropped.
class GrblLineSplitter {
 public:
  void add(ByteView bytes);
  /// The next whole line without its end, empty ones left out.
  std::optional<std::string> next();
  void clear();

 private:
  std::string rest_;
  std::vector<std::string> lines_;  // newest first
};

/// "G90 G21 G53 G1 X1.000 Y-2.500 Z-0.125 F120.0\n": straight to a place of the machine's frame.
std::string encode_move(const StagePosition& target_m, double speed_m_per_s);
/// "$J=G91 G21 X.. Y.. Z.. F..\n": relative, cancelled by 0x85.
std::string encode_jog(const StagePosition& by_m, double speed_m_per_s);
/// "G91 G21 G1 Z5.000 F600.0\n": up or down from wherever it is.
std::string encode_raise(double by_m, double speed_m_per_s);

/// "feed rate undefined", "error 77" when the dialect has no text for it.
std::string describe_grbl_error(int number, GrblDialect dialect);
std::string describe_grbl_alarm(int number, GrblDialect dialect);

/// Whether the position is still right after that alarm. Unknown alarms: no.
bool grbl_alarm_keeps_position(int number, GrblDialect dialect);

}  // namespace tactelier::devices
