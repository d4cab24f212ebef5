#pragma once
// Presses at one place along the computed path of the stage, as means over short segments: what a
// stage that answers ten times a second does not show. docs/theory/damping-and-relaxation.md 5.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fitting/damping/rate_data.hpp"
#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/step_edges.hpp"

namespace tactelier {

/// Mean over a segment of a loading. Depths are the computed ones.
struct MotionRow {
  std::size_t press = 0;
  double force_N = 0;
  double sigma_N = 0;
  double depth_m = 0;               // mean of depth,
  double square_m2 = 0;             // of its square,
  double velocity_m_per_s = 0;      // of its rate v,
  double depth_rate_m2_per_s = 0;   // of depth v,
  double square_rate_m3_per_s = 0;  // and of depth^2 v
  std::vector<double> branches_m;   // by branch: h/k of a history of depth,
  std::vector<double> branches_m2;  // and of depth^2
};

/// What rows are computed with.
struct MotionState {
  double surface_m = 0;         // travel at first touch of rested rubber
  double delay_s = 0;           // of force behind the command
  std::vector<double> shift_m;  // by press: farther into the pad than computed; empty: none
  std::vector<double> late_s;   // by press: its line began so much later than others; empty: none
  std::vector<double> tau_s;
};

struct MotionPress {
  double time_s = 0;  // of its begin
  double speed_m_per_s = 0;
};

/// What was pressed at one place of a session, in order of time: presses that show a rate, and all
/// others as the history that rubber remembers.
class ComputedRates {
 public:
  /// The place of most presses among `rates`, from each conditioned press's first touch to where
  /// its line ends. A press deeper than all before it meets virgin rubber and is history alone.
  /// Fails only for damage and cancellation.
  static Result<ComputedRates> load(const FitContext& context, const RateData& rates);

  const std::string& refusal() const { return refusal_; }  // code and words; empty: there are rows
  const StepEdges& edges() const { return edges_; }
  const std::vector<MotionPress>& presses() const { return presses_; }
  double surface_m() const { return surface_m_; }  // of slow presses, roughly
  std::vector<MotionRow> rows(const MotionState& state) const;

 private:
  /// Samples of one press: all of them where rows are made, else few.
  struct Trace {
    std::vector<double> time_s, force_N;  // bias removed
    std::vector<double> bent_m;           // of the rig
    std::vector<PathRows> means;
    std::optional<std::size_t> number;  // among presses_
    double sigma_N = 0;
  };

  Result<bool> find_place(const FitContext& context, const RateData& rates);
  Result<void> add_press(const FitContext& context, std::size_t press, bool shows_rate);
  void count_press(const Press& press, const CommandedPath::Line& line, double deepest_m,
                   PathRows loading, double sigma_N, Trace& trace);
  void add_means(const CommandedPath::Line& line, PathRows rows, Trace& trace) const;
  void add_rows(const Trace& trace, const MotionState& state, class Histories& histories,
                std::vector<MotionRow>& rows) const;
  std::vector<double> travel_m(const std::vector<double>& times_s, double delay_s) const;

  CommandedPath path_;
  StepEdges edges_;
  std::size_t session_ = 0;
  std::vector<std::size_t> shown_, place_;  // indices of presses: that show a rate, all
  double backlash_m_ = 0, surface_m_ = 0, deepest_m_ = -HUGE_VAL;
  std::vector<double> surfaces_m_;
  double slowest_m_per_s_ = HUGE_VAL;
  std::vector<Trace> traces_;
  std::vector<MotionPress> presses_;
  std::string refusal_;
};

}  // namespace tactelier
