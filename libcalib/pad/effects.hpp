#pragma once
// What the rig, its devices and the room do to a recording, as plain magnitudes, and those of the
// presets (docs/virtual-bench.md 2). Zero switches an effect off. Signs, positions and times of what
// a real rig does not know are drawn by seed (pad.hpp), and so are the magnitudes themselves of a
// preset (drawn_effects.hpp).

#include <optional>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::pad {

struct StageEffects {
  double step_m = 0;                 // one (micro)step: positions are whole multiples
  double microstep_error_m = 0;      // amplitude, sinusoidal over a full step of 16 microsteps
  double microstep_second = 0;       // of that amplitude, twice per full step
  double backlash_m = 0;             // on reversal of each axis
  double acceleration_m_per_s2 = 0;  // limits: for the planner, 0 is none
  double z_speed_m_per_s = 0;
  double xy_speed_m_per_s = 0;
  double report_hz = 0;     // samples of the position; polled when an answer takes time
  double answer_min_s = 0;  // between request and reply
  double answer_max_s = 0;
  // From command to motion: always, and besides where nothing moved before (command_delay.hpp).
  double command_delay_s = 0;
  double late_start_least_s = 0, late_start_most_s = 0;
  // Natural frequency and damping ratio of an axis after a step (magnetic_axis.hpp), each drawn by
  // seed between least and most. 0: the tip is where the steps are, once per millisecond.
  double ring_least_hz = 0;
  double ring_most_hz = 0;
  double ring_damping_least = 0;
  double ring_damping_most = 0;
  double prepared_ahead_s = 0;     // motion that goes on after a stop: for who moves the stage
  double lost_steps_per_hour = 0;  // events per hour of Z motion
  double lost_steps_m = 0;         // one event
};

struct SurfaceEffects {
  double unknown_height_m = 0;  // half-width of the range in which the true height lies
  double tilt_rad = 0;          // in a random direction
  double drift_m_per_s = 0;     // upwards
};

/// Deflection between stage and tip: u(F) = linear F + seating (1 - exp(-F / seating_force)).
struct ComplianceEffects {
  double linear_m_per_N = 0;
  double seating_m = 0;
  double seating_force_N = 0.5;
  double shear_m_per_N = 0;
  double mount_m_per_N = 0;  // under the pad alone, as tape has it: a plate beside it shows none
  double leaf_spring_N_per_m = 0;  // stiffness of the one beside the pad; 0: there is none
};

struct ForceSensorEffects {
  double rate_hz = 1000;
  double noise_N = 0;           // at rest, each axis
  double noise_stepping_N = 0;  // while motors step
  double noise_arm_m = 0;       // torque noise over force noise
  double low_pass_hz = 0;       // first order
  double cross_axis = 0;        // of the normal force into each other axis
  double drift_N_per_s = 0;
  double warm_up_N = 0;  // decays with warm_up_s
  double warm_up_s = 1200;
  double gain_error = 0;  // standard deviation, as in the certificate
  bool axes_differ = false;  // each axis has a gain and a cross-axis share of its own, not one in common
  double resolution_N = 0;
};

struct ReadingEffects {
  double noise_counts = 0;
  double hum_counts = 0;  // amplitude
  double hum_hz = 50;
  double ghosting = 0;               // of the other tactels of row and column
  double ghosting_uneven = 0;        // a row's share more, a column's less, of ghosting; -1 to 1
  double press_scatter = 0;          // factor's standard deviation, new with each press
  double first_cycle_softening = 0;  // force of a press into virgin rubber over later ones, minus 1
  double creep_per_decade = 0;
  double creep_from_s = 1;
  double zero_return = 0;  // of the peak, right after release
  double zero_return_s = 20;
  double hysteresis = 0;  // of full scale, between unloading and loading
  double temperature_per_K = 0;
  double temperature_swing_K = 0;  // amplitude of the room over an hour
  int dead = 0;
  int stuck = 0;
  int noisy = 0;
  double noisy_counts = 0;
  bool row_scan = false;  // the last row is read one frame after the first
  bool quantised = true;
};

struct ClockEffects {
  bool own = false;  // each stream has its own clock; else all are true time
  double crystal_ppm = 0;
  double array_ppm = 0;
  double start_s = 0;      // own clocks read up to this at the start
  int counter_bits = 0;    // microsecond counters wrap; 0: never
  double transport_s = 0;  // shortest way to the host
  double jitter_s = 0;     // mean of the rest, exponential
};

struct FrictionEffects {
  double load_exponent = 0;  // mu ~ N^exponent
  double running_in = 0;     // mu at first over mu run in, minus 1
  double running_in_m = 0.05;
};

struct OperatorEffects {
  double collision_N = 0;
  double remount_shift_m = 0;
  double remount_turn_rad = 0;
  double placing_m = 0;  // standard deviation along each axis, of what is laid on by hand
  double placing_rad = 0;
};

struct Effects {
  StageEffects stage;
  SurfaceEffects surface;
  ComplianceEffects compliance;
  ForceSensorEffects force;
  ReadingEffects reading;
  ClockEffects clock;
  FrictionEffects friction;
  OperatorEffects operator_;
};

/// No effect at all: exact streams, force at 1 kHz, stage at 1 kHz, readings not even rounded.
Effects no_effects();
Effects clean();
Effects lab();
/// As lab(), what spoils a recording twice as large, the force sensor's filter half as wide. What
/// stays is stated elsewhere or a law's: the gain's error (a certificate states it), the load
/// exponent of friction, speeds, accelerations, rates.
Effects rough();
/// Steps that come when they are due, within a millisecond, and ring, as a motor's do.
void let_steps_ring(StageEffects& stage);
/// "clean", "lab" or "rough"; fails with kUsage naming them.
Result<Effects> preset(std::string_view name);

}  // namespace tactelier::pad
