#pragma once
// The simulated pad on its rig: a stage presses an indenter on a tactile array under a force
// sensor, and everything that the laboratory does to the recording happens to it too. Its truth is
// known, so fits can be tested against it; its physics is its own and shares nothing with what is
// fitted (tests/structure).
//
// Drive it with the stage's path, one small step after another, and collect the samples that fall
// due. Memory is bounded: samples go to the caller's PadOutput, which is cleared and used again.
//
//   auto pad = Pad::create(truth, clean(), mount, seed);
//   pad->set_indenter(pin, {});
//   for (...) { pad->advance(1e-3, path_m, output); write(output); output.clear(); }

#include <memory>
#include <optional>
#include <string>

#include "libcalib/pad/device_clock.hpp"
#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/footprint.hpp"
#include "libcalib/pad/force_sensor.hpp"
#include "libcalib/pad/pad_truth.hpp"

namespace tactelier::pad {

/// How rig, sensor and force sensor are put together: what a session's metadata state. The stage
/// frame's tip position p maps to the sensor frame as R(rz) M p + (x, y), M = diag(-1, 1) when
/// mirrored; it touches at z0 above the array's centre, on a surface of right-handed tilts.
struct Mount {
  double x_m = 0;
  double y_m = 0;
  double rz_rad = 0;
  bool mirror = false;
  double z0_m = 0;
  double tilt_x_rad = 0;
  double tilt_y_rad = 0;
  double press_sign = 1;  // of Fz when pressing: -1 for press_axis "-z"
  double force_rz_rad = 0;
  Vector3 tip_m{0, 0, 0};  // in the force sensor's frame
};

struct ForceSample {
  Stamp stamp;
  Wrench wrench;  // force sensor's frame
};

/// Stage frame; polled positions carry the midpoint of request and reply.
struct StageSample {
  Stamp stamp;
  Vector3 position_m;
};

struct TemperatureSample {
  Stamp stamp;
  double temperature_degC;
};

struct PadOutput {
  std::vector<ForceSample> force;
  std::vector<StageSample> stage;
  std::vector<Stamp> frames;
  std::vector<double> counts;  // frames x tactels
  std::vector<TemperatureSample> temperature;

  void clear();
};

/// What is true at the end of the last step.
struct PadState {
  double t_s = 0;
  Vector3 tip_m{0, 0, 0};   // sensor frame; z: height above the undeformed surface
  double depth_m = 0;       // indentation, after deflection; negative in air
  double force_N = 0;       // normal, compression
  Point friction_N;         // on the pad, sensor frame
  Point pressure_centre_m;  // of the contact, sensor frame
  double surface_m = 0;     // true height of the surface under the tip, stage frame
  double carriage_m = 0;    // where the stage's z truly is, stage frame
};

/// What was drawn for this rig, so that it can be written beside a recording.
struct RigDraws {
  double surface_error_m = 0;  // true height of touch minus the mount's z0
  double tilt_x_rad = 0;       // true, the mount's included
  double tilt_y_rad = 0;
  double force_gain = 1;  // of Fz
  Wrench force_gains{};   // of each axis
  double force_skew = 0, stage_skew = 0, tactile_skew = 0;
  double shift_x_m = 0, shift_y_m = 0, shift_rz_rad = 0;  // where the sensor was put back to
  std::vector<double> ring_hz, ring_damping;              // of x, y, z; empty: steps don't ring
  std::vector<TactelTruth> tactels;                       // with the faults
};

/// Stiff against any frame, soft enough that one step of a stage doesn't overload the force sensor.
constexpr double kPlateStiffness_N_per_m = 5e6;

enum class Target {
  kPad,
  kRigidPlate,    // beside the pad: kPlateStiffness_N_per_m, and the rig gives way
  kReferencePad,  // beside the pad: a spring of 10 N/mm that never changes
  kLeafSpring,    // beside the pad: ComplianceEffects::leaf_spring_N_per_m
  kGround,        // what the pad lies on, where it is bare: rigid, a thickness below its face
  kNothing,
};

/// A dead weight on the pad, put there by hand.
struct Resting {
  Indenter indenter;
  Attitude attitude;
  double x_m = 0;  // sensor frame
  double y_m = 0;
  double mass_kg = 0;
};

class Pad {
 public:
  /// Fails with kInvalidInput on what is not simulated (curved arrays, several channels) and on
  /// truths without stiffness, rate or one TactelTruth per tactel.
  static Result<Pad> create(const PadTruth& truth, const Effects& effects, const Mount& mount,
                            std::uint64_t seed);
  Pad(Pad&&) noexcept;
  Pad& operator=(Pad&&) noexcept;
  ~Pad();

  /// Changed in air. Fails with kInvalidInput for meshes.
  Result<void> set_indenter(const Indenter& indenter, const Attitude& attitude);
  /// `top_m`: stage-frame height at which plate or reference pad are touched; the pad's when left
  /// out, of the ground a thickness below that.
  void set_target(Target target, std::optional<double> top_m = {});
  /// A weight hung on the force sensor: pulls, so it reads against the pressing direction. 0: none.
  void hang(double force_N);
  /// Puts a weight on (returns the compression [m] under it) or takes it off.
  Result<double> rest(const Resting& weight);
  void lift_weight();

  /// The next `dt_s` (1 ms is fine); `stage_m`: where the path is at its end, stage frame. Appends
  /// every sample that falls due.
  void advance(double dt_s, const Vector3& stage_m, PadOutput& output);

  /// Somebody knocks against the table.
  void bump();
  /// The sensor is taken off and put back, a little elsewhere.
  void remount();

  const PadState& state() const;
  const RigDraws& draws() const;
  /// The present contact's share of force by tactel; all zero in air.
  std::span<const double> shares() const;

 private:
  struct Impl;
  explicit Pad(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Share of the calibration indenter's force that a tactel gets when pressed on its centre: what
/// turns gain and threshold into press_gain and press_threshold. With `reading`'s ghosting: the
/// part of what lies on other tactels as well, which readings of such a press hold.
Result<std::vector<double>> centre_shares(const PadTruth& truth,
                                          const ReadingEffects& reading = {});

}  // namespace tactelier::pad
