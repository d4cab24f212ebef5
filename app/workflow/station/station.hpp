#pragma once
// tactelier station: one sensor after the other for somebody who has only to scan and to clamp.
//
//   scan -> clamp -> surface and registration -> press -> fit -> verdict -> label -> next
//
// Who scans and who moves the rig are interfaces: the order of things is the same at a terminal and
// in the window, and tested without wires (tests/app/fleet/station_test.cpp). Nothing moves before
// somebody has said that hands are off: at the first clamping, and at each.

#include <map>
#include <memory>
#include <set>
#include <string>

#include "app/workflow/rig_process.hpp"
#include "app/workflow/station/judge_recording.hpp"

namespace tactelier {

struct StationSettings {
  RigPlace place;
  std::filesystem::path folder;
  std::string protocol = "check";
  std::string operator_name, notes;
  BatchOptions fit;
  StationLimits limits;
  std::set<std::string> serials;  // that may come; empty: any
  bool known_only = false;        // only such as the catalogue holds
};

/// Where a sensor is on its way.
enum class StationStep {
  kScan,      // somebody scans the code
  kHandsOff,  // somebody says that the tip may go up: before the first sensor
  kTipUp,     // the rig makes room
  kClamp,     // somebody clamps it and says that hands are off
  kMeasure,   // the rig finds surface and registration, and presses
  kRelease,   // the tip goes up, to take it out
  kJudge      // fit, verdict, label
};

/// The rig as the station needs it.
class StationRig {
 public:
  virtual ~StationRig() = default;
  /// The tip up to its switches. What was found of the last pad, its surface and place, is void
  /// then: the next one lies elsewhere.
  virtual Result<void> make_room(const AskPerson& ask, const Job& job) = 0;
  virtual Result<RecordReport> record(const RecordRequest& request, const AskPerson& ask,
                                      const Job& job) = 0;
  /// All of its protocol is in that file, which nobody has taken as whole yet.
  virtual bool complete(const RecordRequest& request) = 0;
  /// Why nothing moves any more until somebody acknowledges it.
  virtual std::optional<std::string> locked() = 0;
};

/// What somebody is asked to do. A line ends it: the code, or (kHandsOff, kClamp) an empty one or
/// the same code again once hands are off.
struct StationPrompt {
  StationStep step = StationStep::kScan;
  std::string serial;       // "" at kScan
  std::string instruction;  // "clamp it"
  std::string remark;       // of this sensor: "it was cut off and goes on"; mostly ""
};
/// On one line, as a terminal shows it: "G1: clamp it. Hands off, then Enter: ".
std::string prompt_text(const StationPrompt& prompt);

/// Who stands there.
class StationOperator {
 public:
  virtual ~StationOperator() = default;
  /// The next line typed or scanned after `prompt`; nothing at the end of input.
  virtual Result<std::optional<std::string>> next_line(const StationPrompt& prompt) = 0;
  /// Rig or program are at work.
  virtual void begins(StationStep step, const std::string& serial) = 0;
  virtual void tell(const std::string& line) = 0;
  /// The tip goes up, and the next one is asked for.
  virtual void not_measured(const std::string& serial, const std::string& why) = 0;
  virtual void judged(const StationLabel& label) = 0;
  /// What the rig process asks meanwhile.
  virtual Result<std::optional<double>> answer(const std::string& text, const std::string& key) = 0;
};

/// How many got which verdict.
using StationTally = std::map<std::string, int>;

/// Before anybody scans: files, protocol and reach make sense, and the fleet has its limits.
/// Returns the name of the sensor description that the rig is set up for.
Result<std::string> check_station(const StationSettings& settings);

/// First what an earlier run left unfinished, then sensor after sensor until the input ends or
/// somebody types "end". A sensor that can't be measured is told and the next one asked for. Fails
/// when the rig is locked, with kCancelled when stopped, or when nothing can be written; what was
/// recorded is kept, and the next run goes on.
Result<StationTally> run_station(const StationSettings& settings, const std::string& sensor,
                                 StationRig& rig, StationOperator& who, const Job& job);

/// The line that ends a station at a prompt.
inline constexpr const char* kStationEnd = "end";

/// The rig process of a place. `start`: one is started when it isn't there; else it fails with
/// kDeviceFault and nothing moves, for a window that watches one rig and stops no other.
std::unique_ptr<StationRig> station_rig(const RigPlace& place, bool start = true);

}  // namespace tactelier
