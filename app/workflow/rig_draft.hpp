#pragma once
// `tactelier rig new`: a first rig file, of what a person said and of what the devices say of
// themselves, and beside it a text that tells what each key means and where its number came from.

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "devices/registry/device_file.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier {

/// What the devices tell; nothing has moved.
struct RigFindings {
  devices::StageTravel travel;
  std::array<std::optional<double>, 3> step_m;  // of a stage that tells its steps per mm
  double position_rate_hz = 10;
  std::string force_model;
  devices::ForceScale force;
  double force_rate_hz = 0;
  std::array<double, 3> force_noise_N{};  // standard deviation over a second at rest, each axis
  SensorDescription sensor;
};

/// Connects to all three, settings left alone, and listens for a second. Fails as the drivers do,
/// naming the role.
Result<RigFindings> look_at_rig(const devices::DeviceFile& file);

/// What only a person knows.
struct RigAnswers {
  std::string name = "rig";
  bool emergency_stop = false;
  double max_force_N = 0, max_depth_m = 0, safe_height_m = 2e-3;
  std::string press_axis = "-z";
  std::optional<double> tip_length_m;  // from the force sensor's origin
  std::string indenter;                // JSON
  std::optional<double> gain_u_percent;
  std::optional<double> check_mass_kg;
  std::optional<Vector3> pad_m;  // about where the tip touches the middle of the array
  std::optional<Vector3> plate_m, park_m;
  std::optional<std::array<double, 2>> ground_m;  // bare, beside the pad: x, y
  /// Keys of the file that nobody was heard about: they hold what is usual, and say so.
  std::set<std::string> usual;  // "/limits/max_depth_mm"
};

/// Proposals for what a person may not know: half the force sensor's range along an axis, three
/// fifths of the pad's thickness (1.5 mm where none is stated).
double usual_force_N(const RigFindings& findings, const std::string& press_axis);
double usual_depth_m(const RigFindings& findings);

/// One key, for people.
struct RigKey {
  std::string key, value, source, meaning;
};

struct RigDraft {
  nlohmann::ordered_json document;
  std::vector<RigKey> keys;
};

RigDraft draft_rig(const RigAnswers& answers, const RigFindings& findings);

/// The draft makes sense with these devices; fails as parse_rig() and check_plausible().
Result<void> check_draft(const RigDraft& draft, const RigFindings& findings,
                         const std::string& where);

/// "rig.notes.md" for "rig.json".
std::filesystem::path notes_of(const std::filesystem::path& rig_file);
/// Markdown: each key of the draft, and those that a person may add.
std::string notes_text(const RigDraft& draft, const std::filesystem::path& rig_file);

/// Draws the file up, checks it, and writes it and its notes; fails as check_draft().
Result<RigDraft> write_rig(const RigAnswers& answers, const RigFindings& findings,
                           const std::filesystem::path& rig_file);

}  // namespace tactelier
