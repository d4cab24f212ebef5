#include "libcalib/pad/drawn_effects.hpp"

#include <array>
#include <string>

#include "libcalib/pad/random.hpp"
#include "libcalib/units.hpp"

namespace tactelier::pad {
namespace {

constexpr double kMicro = 1e6;
constexpr double kMilli = 1e3;
constexpr double kPercent = 100;
constexpr double kPerHour = 3600;
const double kDegrees = 1 / deg_to_rad(1);

// "bench": the order of magnitude of the bench's contract, a factor two either way, where no maker
// states it. Sources: docs/virtual-bench.md 2.
const std::array kConstants{
    RigConstant{"backlash_um", kMicro, 5, 40, 2,
                [](Effects& e) -> double& { return e.stage.backlash_m; },
                "stages of anti-backlash nuts to plain lead screws"},
    RigConstant{"microstep_error_um", kMicro, 2, 8, 2,
                [](Effects& e) -> double& { return e.stage.microstep_error_m; },
                "5 to 20 % of a full step"},
    RigConstant{"microstep_second", 1, 0, 0.3, 1,
                [](Effects& e) -> double& { return e.stage.microstep_second; },
                "half-step and detent harmonics: Acarnley 2002"},
    RigConstant{"command_delay_ms", kMilli, 0, 10, 2,
                [](Effects& e) -> double& { return e.stage.command_delay_s; },
                "2.5 ms a line: gnea/grbl issue 1284; serial line and parser besides"},
    RigConstant{"late_start_ms", kMilli, 1, 10, 2,
                [](Effects& e) -> double& { return e.stage.late_start_most_s; },
                "a first line after idle, at most"},
    RigConstant{"lost_steps_per_h", 1, 0, 2, 2,
                [](Effects& e) -> double& { return e.stage.lost_steps_per_hour; }, "bench"},
    RigConstant{"tilt_deg", kDegrees, 0.1, 0.6, 2,
                [](Effects& e) -> double& { return e.surface.tilt_rad; }, "bench"},
    RigConstant{"surface_drift_um_per_h", kMicro * kPerHour, -30, 30, 2,
                [](Effects& e) -> double& { return e.surface.drift_m_per_s; },
                "aluminium: 23 um/m/K over 0.3 m and 2 K"},
    RigConstant{"compliance_um_per_N", kMicro, 5, 20, 2,
                [](Effects& e) -> double& { return e.compliance.linear_m_per_N; }, "bench"},
    RigConstant{"seating_um", kMicro, 2, 8, 2,
                [](Effects& e) -> double& { return e.compliance.seating_m; }, "bench"},
    RigConstant{"shear_compliance_um_per_N", kMicro, 25, 80, 2,
                [](Effects& e) -> double& { return e.compliance.shear_m_per_N; }, "bench"},
    RigConstant{"mount_um_per_N", kMicro, 0, 1, 2,
                [](Effects& e) -> double& { return e.compliance.mount_m_per_N; },
                "1 mm of foam tape of 1 MPa under 48 mm x 20 mm"},
    RigConstant{"force_noise_mN", kMilli, 5, 15, 2,
                [](Effects& e) -> double& { return e.force.noise_N; }, "bench"},
    RigConstant{"force_noise_stepping_mN", kMilli, 15, 50, 2,
                [](Effects& e) -> double& { return e.force.noise_stepping_N; }, "bench"},
    RigConstant{"force_low_pass_Hz", 1, 100, 500, 0.5,
                [](Effects& e) -> double& { return e.force.low_pass_hz; },
                "ATI Net F/T: 35 to 838 Hz"},
    RigConstant{"cross_axis_percent", kPercent, 0.5, 2, 2,
                [](Effects& e) -> double& { return e.force.cross_axis; },
                "ATI: within 2 % of full scale"},
    RigConstant{"force_drift_mN_per_h", kMilli * kPerHour, -40, 40, 2,
                [](Effects& e) -> double& { return e.force.drift_N_per_s; }, "bench"},
    RigConstant{"force_warm_up_mN", kMilli, -40, 40, 2,
                [](Effects& e) -> double& { return e.force.warm_up_N; }, "bench"},
    RigConstant{"reading_noise_counts", 1, 4, 16, 2,
                [](Effects& e) -> double& { return e.reading.noise_counts; }, "bench"},
    RigConstant{"hum_counts", 1, 4, 16, 2,
                [](Effects& e) -> double& { return e.reading.hum_counts; }, "bench"},
    RigConstant{"ghosting_percent", kPercent, 0, 2, 2,
                [](Effects& e) -> double& { return e.reading.ghosting; },
                "Castro et al. 2018: below 3.6 %; Hidalgo-Lopez et al. 2018"},
    RigConstant{"press_scatter_percent", kPercent, 2, 5, 2,
                [](Effects& e) -> double& { return e.reading.press_scatter; },
                "Tekscan FlexiForce: repeatability 2.5 %"},
    RigConstant{"first_cycle_percent", kPercent, 5, 15, 2,
                [](Effects& e) -> double& { return e.reading.first_cycle_softening; },
                "Mullins 1969"},
    RigConstant{"creep_percent_per_decade", kPercent, 1, 5, 2,
                [](Effects& e) -> double& { return e.reading.creep_per_decade; },
                "Tekscan FlexiForce: below 5 %"},
    RigConstant{"zero_return_percent", kPercent, 0.5, 2, 2,
                [](Effects& e) -> double& { return e.reading.zero_return; }, "bench"},
    RigConstant{"hysteresis_percent", kPercent, 4.5, 15, 2,
                [](Effects& e) -> double& { return e.reading.hysteresis; },
                "Tekscan FlexiForce: below 4.5 %; piezoresistive foams more"},
    RigConstant{"temperature_percent_per_K", kPercent, -0.4, -0.1, 2,
                [](Effects& e) -> double& { return e.reading.temperature_per_K; },
                "Tekscan FlexiForce: 0.36 %"},
    RigConstant{"temperature_swing_K", 1, 0.5, 2, 2,
                [](Effects& e) -> double& { return e.reading.temperature_swing_K; }, "bench"},
    RigConstant{"load_exponent", 1, -1.0 / 3, -0.1, 1,
                [](Effects& e) -> double& { return e.friction.load_exponent; },
                "Schallamach 1952: -1/3 for a smooth sphere, nearer to 0 for rough contact"},
    RigConstant{"running_in", 1, 0.05, 0.25, 2,
                [](Effects& e) -> double& { return e.friction.running_in; }, "bench"},
    RigConstant{"running_in_mm", kMilli, 25, 100, 1,
                [](Effects& e) -> double& { return e.friction.running_in_m; }, "bench"},
    RigConstant{"remount_mm", kMilli, 0.1, 0.3, 2,
                [](Effects& e) -> double& { return e.operator_.remount_shift_m; }, "bench"},
    RigConstant{"remount_deg", kDegrees, 0.5, 1.5, 2,
                [](Effects& e) -> double& { return e.operator_.remount_turn_rad; }, "bench"},
    RigConstant{"placing_mm", kMilli, 0.05, 0.2, 2,
                [](Effects& e) -> double& { return e.operator_.placing_m; }, "bench"},
};

double drawn(const RigConstant& constant, std::uint64_t seed) {
  Random random(seed, "rig: " + std::string(constant.name));
  return constant.low > 0 ? random.log_uniform(constant.low, constant.high)
                          : random.uniform(constant.low, constant.high);
}

}  // namespace

std::span<const RigConstant> rig_constants() { return kConstants; }

Result<Effects> drawn_preset(std::string_view name, std::uint64_t seed) {
  auto effects = preset(name);
  if (!effects || name == "clean") return effects;
  const bool rough = name == "rough";
  for (const auto& constant : kConstants)
    constant.in(*effects) = (rough ? constant.rough : 1) * drawn(constant, seed) / constant.per_SI;
  effects->stage.late_start_least_s = 1e-3;
  effects->force.axes_differ = true;
  return effects;
}

}  // namespace tactelier::pad
