#pragma once
// One function per command: calls app/workflow, prints, and returns the exit status.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "app/workflow/check_calibration.hpp"
#include "app/workflow/cluster/slurm.hpp"
#include "app/workflow/export_model.hpp"
#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/import_session.hpp"
#include "app/workflow/learn_device.hpp"
#include "app/workflow/live_newtons.hpp"
#include "app/workflow/measure_plate.hpp"
#include "app/workflow/plan_recording.hpp"
#include "app/workflow/rig_control.hpp"
#include "app/workflow/start_bench.hpp"
#include "app/workflow/synth_session.hpp"
#include "app/workflow/verify_export.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {

int run_sensors_list(Console& console);
int run_sensors_show(Console& console, const std::string& name);
int run_sensors_check(Console& console, const std::string& file);

struct ImportArguments {
  ImportRequest request;
  bool guess = false;        // look at the table, write its map
  bool then_import = false;  // and go on with it
  bool each = false;         // every table of the folder is a recording of its own
  GuessAnswers answers;
};
int run_import(Console& console, ImportArguments arguments);
int run_unpack(Console& console, const std::string& session, const std::string& folder);
/// One file: .h5, .mat or .mcap.
int run_unpack_table(Console& console, const std::string& session, const std::string& file);
int run_info(Console& console, const std::vector<std::string>& sessions);
int run_repack(Console& console, const std::vector<std::string>& files);

struct EditArguments {
  std::string session;
  std::vector<std::string> exclude;  // "7", "1-3,7"
  std::vector<std::string> include;
  std::vector<std::string> contact;  // "PRESS=SECONDS"
  std::vector<std::string> notes;
};
int run_edit(Console& console, const EditArguments& arguments);

int run_fit(Console& console, const FitRequest& request, const std::string& output);

struct ShowArguments {
  std::string model;
  bool tactels = false;
  bool presses = false;
};
int run_show(Console& console, const ShowArguments& arguments);

int run_apply(Console& console, const std::string& model, const std::string& input,
              const std::string& output);
/// `udp`: HOST:PORT, or empty for lines on standard output.
int run_apply_live(Console& console, const LiveRequest& request, const std::string& udp);

struct ExportArguments {
  ExportRequest request;
  DrawRequest draws;  // of none: the model itself
  std::string output;
  bool losses_only = false;
  bool replace = false;
};
int run_export(Console& console, const ExportArguments& arguments);
int run_export_list(Console& console);

struct VerifyArguments {
  VerifyRequest request;
  std::string record;  // a file, or empty
  std::string script;  // a file to write instead of pressing, or empty
  bool replace = false;
};
int run_verify_export(Console& console, const VerifyArguments& arguments);

/// Every row when `code` is empty; `markdown`: as docs/codes.md.
int run_codes(Console& console, const std::string& code, bool markdown);
struct ReportArguments {
  std::string model;
  std::vector<std::string> files;    // recordings, other models, verification records
  std::vector<std::string> outputs;  // .html or .pdf; may be empty with `kit`
  std::string data;                  // .json; may be empty
  std::string kit;                   // folder of the paper kit; may be empty
  std::string paper = "a4";          // or letter
  bool replace = false;
};
int run_report(Console& console, const ReportArguments& arguments);

struct PackArguments {
  std::string model;
  std::vector<std::string> sessions, added;
  std::string output;  // .zip
  std::string verify;  // an archive; the others are empty then
  bool replace = false;
};
int run_pack(Console& console, const PackArguments& arguments);
int run_diff(Console& console, const std::string& before, const std::string& after);
int run_check(Console& console, const std::string& model, const std::string& session,
              const CheckSettings& settings);
/// `tolerance`: relative change of a gain that matters.
int run_refresh(Console& console, const std::string& model, const std::string& session,
                const std::string& output, double tolerance);

/// A body that lies free on the sensor, in time.
struct FreeObjectArguments {
  bool free = false;
  double height_mm = 0, drop_mm = 0;
  double slope_x_deg = 0, slope_y_deg = 0;
  double gravity_m_s2 = kStandardGravity_m_per_s2;
  double duration_s = 2, step_ms = 0.1;
  std::string course;
};

struct SimulateArguments {
  std::string model, indenter, output;
  FreeObjectArguments object;
  struct {
    double x_mm = 0, y_mm = 0, rz_deg = 0, tilt_x_deg = 0, tilt_y_deg = 0;
  } pose;
  std::optional<double> force_N, mass_g, depth_mm;
  double approach_mm_per_s = 0;
  std::string method = "psf";
  bool method_given = false;
  bool counts = false, noise = false;
  std::uint64_t seed = 1;
  std::string batch, shard;  // table of presses, "I/N"
  int threads = 0;
  int shards = 0;  // with `slurm`
  bool slurm = false, dry_run = false, join = false;
  SlurmSettings settings;
  bool overwrite = false;
  std::vector<double> contour_percents;
  std::string fingertip;  // a mesh
};
int run_simulate(Console& console, const SimulateArguments& arguments);
int run_free_object(Console& console, const SimulateArguments& arguments);

struct CompareArguments {
  std::string model;
  std::vector<std::string> sessions;
  std::vector<std::string> methods{"psf"};
  std::vector<std::string> images;  // a folder, or two images
  std::optional<double> pitch_mm, full_scale;
  std::string map;                      // of the first of two images
  std::vector<std::string> fail_above;  // "METRIC=VALUE"
  std::string required_record;          // its name
  bool registered = false;
  std::uint64_t seed = 1;
  std::vector<double> contour_percents;  // of two images
  std::string fingertip;
};
int run_compare(Console& console, const CompareArguments& arguments);

int run_synth(Console& console, const SynthRequest& request);
int run_synth_until(Console& console, const SynthRequest& request, const AdaptiveWish& wish);
int run_synth_dry(Console& console, const SynthRequest& request);

int run_bench(Console& console, const BenchRequest& request);

int run_record(Console& console, const RecordRequest& request, bool yes);
/// Limits, and with `plan_too` the plan: no device is touched.
/// What a dry run prints beside its limits, and the same for programs.
void print_planned(Console& console, const PlannedRecording& planned);
nlohmann::json planned_json(const PlannedRecording& planned);
int run_protocol_list(Console& console, const RecordingPlanRequest& request);
int run_protocol_show(Console& console, const RecordingPlanRequest& request);

int run_record_preview(Console& console, const RecordRequest& request, bool plan_too);
int run_plate(Console& console, const PlateRequest& request, bool yes);
/// kSurface or kRegister.
int run_rig_set_up(Console& console, const RigPlace& place, rig::messages::TaskKind kind, bool yes);
int run_rig_serve(Console& console, const RigPlace& place, double idle_exit_s);
int run_rig_status(Console& console, const RigChoice& choice);
/// Motion stops now; exit status 4 when it does not stand then.
int run_rig_stop(Console& console, const RigChoice& choice);
/// kHome or kRetract.
int run_rig_move(Console& console, const RigChoice& choice, rig::messages::TaskKind kind, bool yes);
int run_rig_weigh(Console& console, const RigChoice& choice, double mass_kg);
int run_rig_jog(Console& console, const RigChoice& choice, const rig::JogWay& way, bool yes);
int run_rig_quit(Console& console, const RigChoice& choice);
/// What is answered at once; `done` says what it means.
int run_rig_request(Console& console, const RigChoice& choice, const nlohmann::json& request,
                    std::string_view done);

int run_devices_list(Console& console);
int run_devices_test(Console& console, const std::string& file, double seconds);
int run_devices_learn(Console& console, const LearnRequest& request);
struct DoctorArguments {
  std::string file;           // a device file, or empty
  RecordingPlanRequest plan;  // of its rig, where one is given, what would help most
  bool fix = false, yes = false;
};
int run_doctor(Console& console, const DoctorArguments& arguments);

}  // namespace tactelier::cli
