#include "libcalib/pad/effects.hpp"

#include "libcalib/units.hpp"

namespace tactelier::pad {
namespace {

constexpr double kHour_s = 3600;

StageEffects lab_stage() {
  StageEffects stage;
  stage.step_m = 2.5e-6;
  stage.microstep_error_m = 5e-6;
  stage.backlash_m = 20e-6;
  stage.acceleration_m_per_s2 = 0.1;
  stage.z_speed_m_per_s = 8e-3;
  stage.xy_speed_m_per_s = 25e-3;
  stage.report_hz = 10;
  stage.answer_min_s = 5e-3;
  stage.answer_max_s = 20e-3;
  stage.prepared_ahead_s = 50e-3;
  stage.lost_steps_per_hour = 2;
  stage.lost_steps_m = 16 * 2.5e-6;
  return stage;
}

ForceSensorEffects lab_force() {
  ForceSensorEffects force;
  force.noise_N = 10e-3;
  force.noise_stepping_N = 30e-3;
  force.noise_arm_m = 10e-3;
  force.low_pass_hz = 200;
  force.cross_axis = 0.01;
  force.drift_N_per_s = 20e-3 / kHour_s;
  force.warm_up_N = 20e-3;
  force.gain_error = 0.01;
  force.resolution_N = 1.0 / 160;  // ATI Nano17, calibration SI-25-0.25
  return force;
}

ReadingEffects lab_reading() {
  ReadingEffects reading;
  reading.noise_counts = 8;
  reading.hum_counts = 8;
  reading.ghosting = 0.01;
  reading.press_scatter = 0.04;
  reading.first_cycle_softening = 0.1;
  reading.creep_per_decade = 0.02;
  reading.zero_return = 0.01;
  reading.hysteresis = 0.1;
  reading.temperature_per_K = -0.003;
  reading.temperature_swing_K = 1.5;
  reading.dead = 1;
  reading.stuck = 1;
  reading.noisy = 1;
  reading.noisy_counts = 80;
  reading.row_scan = true;
  return reading;
}

}  // namespace

Effects no_effects() {
  Effects effects;
  effects.stage.report_hz = 1000;
  effects.reading.quantised = false;
  return effects;
}

Effects clean() {
  Effects effects = no_effects();
  effects.stage.step_m = 1e-6;
  effects.force.noise_N = 5e-3;
  effects.force.noise_arm_m = 10e-3;
  effects.reading.noise_counts = 2;
  effects.reading.quantised = true;
  return effects;
}

Effects lab() {
  Effects effects;
  effects.stage = lab_stage();
  effects.surface = {0.2e-3, deg_to_rad(0.4), 15e-6 / kHour_s};
  effects.compliance = {12e-6, 4e-6, 0.5, 50e-6};
  effects.force = lab_force();
  effects.reading = lab_reading();
  effects.clock = {true, 50, 2000, 1000, 32, 1e-3, 1e-3};
  effects.friction = {-1.0 / 3, 0.15, 0.05};
  effects.operator_ = {1, 0.2e-3, deg_to_rad(1), 0.1e-3, deg_to_rad(0.5)};
  return effects;
}

Effects rough() {
  auto effects = lab();
  auto& [stage, surface, compliance, force, reading, clock, friction, operator_] = effects;
  for (double* value :
       {&stage.step_m, &stage.microstep_error_m, &stage.backlash_m, &stage.answer_min_s,
        &stage.answer_max_s, &stage.lost_steps_per_hour, &stage.lost_steps_m,
        &surface.unknown_height_m, &surface.tilt_rad, &surface.drift_m_per_s,
        &compliance.linear_m_per_N, &compliance.seating_m, &compliance.shear_m_per_N, &force.noise_N,
        &force.noise_stepping_N, &force.cross_axis, &force.drift_N_per_s, &force.warm_up_N,
        &force.resolution_N, &reading.noise_counts, &reading.hum_counts, &reading.ghosting,
        &reading.press_scatter, &reading.first_cycle_softening, &reading.creep_per_decade,
        &reading.zero_return, &reading.hysteresis, &reading.temperature_per_K,
        &reading.temperature_swing_K, &reading.noisy_counts, &clock.crystal_ppm, &clock.array_ppm,
        &clock.transport_s, &clock.jitter_s, &friction.running_in, &operator_.collision_N,
        &operator_.remount_shift_m, &operator_.remount_turn_rad, &operator_.placing_m,
        &operator_.placing_rad})
    *value *= 2;
  force.low_pass_hz /= 2;
  for (int* count : {&reading.dead, &reading.stuck, &reading.noisy}) *count *= 2;
  return effects;
}

void let_steps_ring(StageEffects& stage) {
  stage.ring_least_hz = 50;
  stage.ring_most_hz = 200;
  stage.ring_damping_least = 0.05;
  stage.ring_damping_most = 0.3;
}

Result<Effects> preset(std::string_view name) {
  if (name == "clean") return clean();
  if (name == "lab") return lab();
  if (name == "rough") return rough();
  return fail(ErrorCode::kUsage, "preset '{}': there are 'clean', 'lab' and 'rough'", name);
}

}  // namespace tactelier::pad
