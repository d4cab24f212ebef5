#pragma once
// A protocol worked out for one sensor and one stage: which way the tip goes, when, what is
// recorded as having happened, and what that will cost in time and force. Nothing moves here; a
// plan can be followed by the simulated rig and the real one alike (plan_run.hpp).
//
// All positions are the tip's, in the sensor frame S, over the surface as it is believed to be: z
// is the surface's height plus clearance, depth = surface_z - z. Where a step ends by force or
// saturation nobody can know the end beforehand: the segment then carries the condition, the
// farthest point that it may go to, and the end expected from ExpectedPad. Times after such a
// segment are predictions.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/protocol/expected_pad.hpp"
#include "libcalib/protocol/motion.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// What the stage can do (docs/virtual-bench.md 2, preset lab).
struct StageLimits {
  double acceleration_m_per_s2 = 0.1;
  double xy_speed_m_per_s = 25e-3;
  double z_speed_m_per_s = 8e-3;
  double safe_height_m = 1e-3;  // XY moves only at or above this height over the surface
  double air_gap_m = 0.2e-3;    // between the end of the fast descent and the surface
};

/// What must never be exceeded. At least one limit of the force must come from here or from the
/// sensor description.
struct Limits {
  std::optional<double> max_force_N;  // of the force sensor
  std::optional<double> max_torque_Nm;
  std::optional<double> max_pressure_Pa;
  std::optional<double> max_depth_m;
};

/// Bare ground beside the pad. In the frame of whoever holds it.
struct GroundPlace {
  double x_m = 0, y_m = 0;
  std::optional<double> z_m;  // nobody has touched it yet where empty
};

/// A leaf spring of known stiffness, pressed to check force, depth and compliance end to end.
struct LeafSpring {
  Vector3 top_m{};  // where it is touched, in the frame of whoever holds it
  double stiffness_N_per_m = 0;
  double u_percent = 1;  // of the stiffness, expanded (k = 2)
  std::optional<double> max_force_N;
};

struct PlanSetup {
  StageLimits stage;
  Limits limits;
  ExpectedPad expected;
  std::optional<MountedIndenter> indenter;    // on the rig; else the protocol's own
  double tip_lever_m = 25e-3;                 // tip from the force sensor's origin
  double tip_offset_m = 0;                    // tip from the pressing axis through that origin
  Vector3 plate_m{60e-3, 0, 0};               // top of the rigid plate
  Vector3 reference_m{60e-3, 20e-3, 0};       // top of the reference pad
  Vector3 park_m{0, 60e-3, 10e-3};            // where people can reach the pad
  std::optional<GroundPlace> ground;          // beside the pad
  std::optional<LeafSpring> spring;           // beside the pad
  double ground_search_m = 10e-3;             // below the pad's face, where its height is not known
  double plate_compliance_m_per_N = 0;        // of the plate itself; a reference spring's
  double plate_speed_limit_m_per_s = 0.1e-3;  // guarded descent on something rigid
  double press_speed_m_per_s = 1e-3;          // where a step names none
  double free_air_before_s = 1;               // at rest before each press
  double free_air_after_s = 0.3;              // at rest after each press,
  double long_press_s = 10;  // after longer ones as long as before: drift needs both
  double settle_s = 1;       // after a load is reached, before sliding or oscillating
  double prompt_s = 20;      // what an operator takes to answer
  double reference_force_N = 1;
};

/// The virtual bench's stage with an ATI Nano17 SI-25-0.25 (25 N, 0.25 N m) and 2 mm as the
/// greatest depth.
PlanSetup bench_setup();

enum class Phase {
  kTravel,     // in free air
  kWait,       // at rest in free air
  kLoad,       // down, until a depth or a condition
  kHold,       // at rest or at constant force in contact
  kUnload,     // up, back into free air
  kSlide,      // along the surface under load
  kOscillate,  // about a point in contact
  kPrompt,     // the operator acts; lasts until answered
};

enum class Touch { kAir, kPad, kPlate, kReference, kGround, kSpring };
constexpr bool is_rigid(Touch touch) { return touch == Touch::kPlate || touch == Touch::kGround; }

struct PlannedEvent {
  std::string name;
  std::string data;        // canonical JSON object
  std::string answer_key;  // the last prompt's answer is put under this key, "" for none

  bool operator==(const PlannedEvent&) const = default;
};

/// What the operator has put on the pad (or, for a reference weight, hung on the force sensor)
/// while a segment lasts; the tip is parked meanwhile.
struct ByHand {
  double mass_kg = 0;
  double area_m2 = 0;                       // of a dead weight; 0 for a shape
  std::optional<MountedIndenter> indenter;  // the shape of an image press
  double x_m = 0;
  double y_m = 0;
  double rz_rad = 0;
  double tilt_x_rad = 0, tilt_y_rad = 0;
  bool on_force_sensor = false;
};

/// What a wait in the air is for: until the force's zero, and the temperature where one is told,
/// stand still (drift_watch.hpp). It lasts no longer than its motion.
struct StillGate {
  double drift_N_per_s = 0;
  double temperature_K_per_s = 0;
  bool required = false;  // the run ends where they don't
};

struct Segment {
  Phase phase = Phase::kWait;
  Touch touch = Touch::kAir;
  std::size_t step = 0;  // row of Plan::steps
  Motion motion;         // to the farthest point, were there no condition
  double begin_s = 0;    // predicted
  double duration_s = 0;
  Vector3 end_m{};                        // predicted
  double surface_z_m = 0;                 // depth = surface_z_m - z
  std::optional<int> tactel;              // whose reading `saturated` watches
  std::optional<double> aim_N;            // the force a ramp is for; then the next segment follows
  Until until;                            // ends this segment early; then after_until follows
  bool starts_clock = false;              // until.time_s counts from the begin of this segment
  std::size_t after_until = 0;            // the segment that follows an early end
  bool keeps_displacement = false;        // from where the tip really is, by the same vector
  std::optional<double> regulate_N;       // hold this force by moving along z
  std::optional<std::size_t> rest_after;  // lasts until rest_s after the end of that segment
  double rest_s = 0;
  double speed_m_per_s = 0;        // of a line, to plan it again
  std::optional<StillGate> still;  // ends as soon as they do; duration_s is for a warm rig
  bool ends_spring = false;  // the last of a step's: what was found of the leaf spring is told
  std::optional<ByHand> by_hand;
  double rz_rad = 0;                        // how the mounted indenter is turned
  std::optional<MountedIndenter> indenter;  // prompt: what is on the tip from here on
  std::string prompt;
  std::string answer_key;  // what the operator is asked to read, "compression_mm"
  std::vector<PlannedEvent> at_begin;
  std::vector<PlannedEvent> at_end;

  double end_s() const { return begin_s + duration_s; }
};

/// One step of the protocol; a step inside a repeat appears once, with everything summed up.
struct PlannedStep {
  std::string label;     // "4", "6.2"
  std::string name;      // "scan"
  std::string protocol;  // of docs/theory/conventions.md 6: "P2"; "" for none
  std::string what;      // "84 tactels, 1 pass at 0.5 mm/s"
  double begin_s = 0;    // first time
  double duration_s = 0;
  double by_hand_s = 0;  // thereof waiting for the operator
  int presses = 0;
  int slides = 0;
  int images = 0;
  double path_m = 0;
  double peak_force_N = 0;       // expected
  double worst_force_N = 0;      // stiff end of the expected interval, conditions working
  double unguarded_force_N = 0;  // stiff end, at the end of the queued move: conditions not working
  double peak_pressure_Pa = 0;
  double peak_torque_Nm = 0;
  double peak_depth_m = 0;
  std::optional<double> constant_speed_share;  // of the loading ramps' depth; the least
};

struct Plan {
  std::string name;
  std::vector<Segment> segments;
  std::vector<PlannedStep> steps;
  double duration_s = 0;
  double by_hand_s = 0;
  int presses = 0;
  int slides = 0;
  int images = 0;
  double path_m = 0;
  double peak_force_N = 0;
  double worst_force_N = 0;
  double acceleration_m_per_s2 = 0;         // of the stage: for braking
  Vector3 start_m{};                        // where the tip is taken to be at the beginning
  std::optional<MountedIndenter> indenter;  // at the beginning: what session.json names
  Warnings warnings;
};

/// Fails with kInvalidInput, naming protocol, step and value: speeds and frequencies that the stage
/// can't do, places off the array, depths beyond the layer, forces beyond a limit, no limit at all,
/// no indenter, slides with a sharp edge.
Result<Plan> plan_protocol(const Protocol& protocol, const SensorDescription& sensor,
                           const PlanSetup& setup);

/// `longer` begins with all of `plan`, segment by segment: whoever follows that can go on with it.
bool begins_with(const Plan& longer, const Plan& plan);

}  // namespace tactelier
