#pragma once
// Samples of one slide: friction along its direction, load and motion on the force's times.

#include <array>
#include <string>
#include <vector>

#include "fitting/friction/slide_events.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Bias of the three forces, from free air before the indenter came down or after it was lifted.
struct SlideTare {
  std::array<double, 3> bias_N{};  // press axis, side x, side y
  std::array<double, 3> u_N{};     // standard uncertainty
  double at_s = 0;                 // middle of that air
  double until_s = 0;              // and its end
};

struct SlideRun {
  SlideEvent event;
  std::size_t session = 0;
  std::string where;  // "pad.tact slide 3"
  int contact = 0;    // runs between one lowering of the indenter and the next lift share it
  std::array<double, 2> direction{1, 0};  // sensor frame; of a slide back it is turned round, so
                                          // that to and fro share one axis
  double period_s = 0;
  std::vector<double> time_s;
  std::vector<double> velocity_m_per_s;  // along direction, within the step that ends there
  std::vector<double> friction_N;        // on the pad, along direction
  std::vector<double> normal_N;          // mean over 20 ms
  double sigma_N = 0;                    // white noise of one sample of friction_N
  double mean_normal_N = 0;
  double u_normal_N = 0;         // standard uncertainty of the load's zero
  double normal_variation = 0;   // (largest - least) / mean of the smoothed load
  double stage_period_s = 0;     // 0: the stage was not recorded
  double ramp_s = 0;             // speeding up takes this long, slowing down too
  bool motion_measured = false;  // velocity_m_per_s is the stage's; else what was commanded
  double stage_step_m = 0;       // all positions that the stage reported are multiples of it
  std::array<double, 2>
      full_swing_s{};       // an oscillation's full amplitude, from when to when, by the
                            // stage's record; 0, 0: between the fades of a protocol
  SlideTare tare;           // from the free air before
  bool as_written = false;  // no free air in a table: its forces are taken as they stand
  std::string refusal;      // why the run can't be used: code and words

  bool usable() const { return refusal.empty(); }
};

/// All slides of one session. Fails only for damage and cancellation; what can't be used says why.
Result<std::vector<SlideRun>> load_slides(const FitContext& context, std::size_t session);

}  // namespace tactelier
