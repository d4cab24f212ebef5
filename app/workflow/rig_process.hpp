#pragma once
// Commands that move a rig are clients of its rig process (devices/server/rig_server.hpp), which is
// started when it isn't there. So a window that crashes, or a terminal that is closed, leaves the
// rig in order and the recording whole.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/workflow/adaptive_recording.hpp"
#include "app/workflow/rig_follow.hpp"
#include "devices/acquisition/resume_point.hpp"
#include "libcalib/protocol/plan_table.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier {

struct RigPlace {
  std::filesystem::path devices, rig;
};

/// Both files can be read and make sense; connects to nothing.
Result<void> check_place(const RigPlace& place);

/// In this process, until `stop`, a request, or idle_exit_s without a client. `ready` is called
/// once clients may come.
Result<void> serve_rig(const RigPlace& place, double idle_exit_s, const std::stop_token& stop,
                       const std::function<void(const std::filesystem::path&)>& ready);

/// Connects; starts a rig process first (of `program`, else of the one beside this program) when
/// there is none, which ends by itself ten minutes after its last client has gone. Fails with what
/// the process said when it does not come up.
Result<rig::RigClient> reach_rig(const RigPlace& place, const Job& job,
                                 const std::filesystem::path& program = {});

/// Where the rig process of a device file listens; without one, the only one of this user. Fails
/// with kIo when there is none.
Result<std::filesystem::path> running_socket(
    const std::optional<std::filesystem::path>& device_file);
/// Connected with it.
Result<rig::RigClient> running_rig(const std::optional<std::filesystem::path>& devices);

struct RecordRequest {
  RigPlace place;
  std::string protocol;  // name or file; "" for the one that the recording was begun with
  /// Instead of a protocol, or of the targets that its protocol states.
  std::optional<AdaptiveWish> adaptive;
  std::filesystem::path target;
  bool resume = false;                             // goes on with `target`
  std::optional<double> reference_spring_N_per_m;  // lies in the rigid plate's place
  std::string sensor_serial, mount, operator_name, notes;
  std::optional<double> temperature_degC;      // of the room
  std::vector<std::optional<double>> answers;  // to questions, in their order, instead of asking
};

/// Reads a file of answers: a JSON list of numbers, null where nothing is to be read off.
Result<std::vector<std::optional<double>>> load_answers(const std::filesystem::path& file);

struct RecordPreview {
  RigFile rig;
  Plan plan;
  std::vector<std::vector<std::string>> limits;  // limit, value, action, expected overshoot
  double time_scale = 1;
  double lasts_s = 0;   // by the clock on the wall: what is left of the plan, on a usual stage
  double set_up_s = 0;  // homing, surface and registration, where all of them are void
  std::optional<rig::ResumePoint> from;  // of a recording that goes on
  std::optional<AdaptiveWish> adaptive;  // its presses are chosen
};

/// What a recording would do, without any device: plan, reach, limits.
Result<RecordPreview> preview_recording(const RecordRequest& request);

/// Chooses the presses of such a recording, from its beginning or from where it was cut off;
/// nothing where its protocol is whole.
Result<std::optional<AdaptiveRecording>> adaptive_recording(
    const RecordRequest& request, std::function<void(const AdaptiveNews&)> on_news);

struct RecordReport {
  std::filesystem::path file;
  int presses = 0, aborted = 0, repeated = 0;
  bool complete = true;
  double peak_force_N = 0, duration_s = 0;
  Warnings warnings;
};

/// Who sits beside a recording; either may be empty.
struct Attendant {
  std::function<void(rig::RigClient&)> meanwhile;  // twenty times a second: what it has to say
  /// Instead of the job's progress: with the time that is left.
  std::function<void(const rig::messages::Progress&)> on_progress;
  std::function<void(const AdaptiveNews&)> on_choice;  // of presses; from a thread of its own
};

Result<RecordReport> record_session(const RecordRequest& request, const AskPerson& ask,
                                    const Job& job, const Attendant& attendant = {});

/// kHome, kSurface or kRegister: what the rig found, as JSON; the rig file has it then.
Result<nlohmann::json> run_set_up(const RigPlace& place, rig::messages::TaskKind kind,
                                  const AskPerson& ask, Warnings& warnings, const Job& job);

}  // namespace tactelier
