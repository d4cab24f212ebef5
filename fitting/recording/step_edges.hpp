#pragma once
// How late force follows the command, from the rigid plate (docs/theory/clocks.md 8). On a plate
// every step of the motor is an edge of the force, and a line says when each step was due:
//   lag(place)(t - delay) = a0 + a1 F + a2 F^2 + a3 F^3
//   place = g + A sin(2 pi g / lambda + phi),  g = q round(s(t)/q)
// lag is a first order of some rise time, sensor, step and amplifier together, behind the axis'
// ringing where that shows (rung_edges.hpp). What counts is the mean delay of command to force,
// delay + rise time + 2 zeta/w: behind a ramp all are one number.

#include <span>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/virtual_encoder.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// One way into the plate at constant speed; equal lengths, bias removed.
struct PlateLoading {
  std::vector<double> time_s;
  std::vector<double> force_N;
};

/// How force follows one step.
struct EdgeShape {
  double span_s = 0;   // a step goes on for so long about its time
  double rise_s = 0;   // of the first order behind it
  double ring_hz = 0;  // 0: it does not ring; else the axis' natural frequency after a step
  double ring_damping = 0;

  /// By how much force comes late on average: that of a ramp.
  double mean_s() const;
};

struct StepDelay {
  double delay_s = 0;     // mean, that of the shape included
  double u_s = 0;         // standard uncertainty from within the press
  double u_locked_s = 0;  // of all presses alike: steps in time with the samples
  EdgeShape shape;
  std::array<double, 2> sine_m{};  // of the microstep error: sine, cosine
  double rms_m = 0;                // of what is left
};

/// Of one press whose microstep error has this period. Fails with kUnidentifiable where the steps
/// don't show: they follow one another too fast, or the axis has none. `like`: how force follows in
/// another press of the axis.
Result<StepDelay> fit_step_delay(const CommandedPath& path, const PlateLoading& press,
                                 double step_m, double period_m, const EdgeShape* like = nullptr);

/// Of the lines into the plate that which leads furthest once the frame is seated, until it ends or
/// is cut short: a rig goes in by several, each as long as what it has felt so far allows.
/// `bias_N`: force in air.
PlateLoading longest_loading(const CommandedPath& path, const PressData& data, double bias_N);

/// What a session's plate presses say of its z axis.
struct StepEdges {
  Estimate delay_s;      // mean over the presses; so much and some whole step_s as well
  double scatter_s = 0;  // standard deviation from line to line, beyond what the fits explain
  double step_m = 0;
  double step_s = 0;  // from one step to the next
  AxisDrive::Harmonic microstep;
  std::optional<AxisRing> ring;  // of its steps, where they do
  std::string refusal;           // code and words; nothing else is filled then
};

/// From the presses' own fits; the period is the one of powers of two of a step that fits best.
/// Presses on whose way too few steps were made are passed over where two others are left.
StepEdges step_edges_of(const CommandedPath& path, std::span<const PlateLoading> presses,
                        double step_m);

/// Of an axis (0 x, 1 y, 2 z), as the rig file or the stage's settings have it; empty where neither
/// does. Positions alone mislead where they are reported with fewer digits than steps have.
std::optional<double> stated_step_m(const Session& session, std::size_t axis);

/// Of an axis: as the rig file states it, else what all its positions are multiples of; 0: they
/// have none. Fails for damage and cancellation.
Result<double> stage_step_m(const FitContext& context, std::size_t session, std::size_t axis = 2);

/// Fails only for damage and cancellation.
Result<StepEdges> find_step_edges(const FitContext& context, std::size_t session,
                                  const CommandedPath& path);

}  // namespace tactelier
