#include "fitting/friction/friction_runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/friction/presliding.hpp"
#include "fitting/friction/steady_slides.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kStepTakes_s = 1e-3;  // a motor's step is over in about this

/// First reason of many, and how many there are.
class Reasons {
 public:
  void add(const std::string& reason) {
    if (first_.empty()) first_ = reason;
    auto& kind = kinds_[reason_of(reason).code];
    if (kind.count++ == 0) kind.first = reason;
  }
  const std::string& first() const { return first_; }
  bool any() const { return !first_.empty(); }
  /// One warning per code: a protocol has dozens of runs, and what spoils one spoils many.
  void warn(Warnings& warnings) const;

 private:
  struct Kind {
    std::string first;
    std::size_t count = 0;
  };
  std::string first_;
  std::map<std::string, Kind> kinds_;
};

void Reasons::warn(Warnings& warnings) const {
  for (const auto& [code, kind] : kinds_) {
    warnings.push_back(warning_of(kind.first, "friction"));
    if (kind.count > 1) warnings.back().text += fmt::format(" ({} more like it)", kind.count - 1);
  }
}

std::string not_settled(const SteadyRun& steady) { return "NOT-SETTLED " + steady.refusal; }

void choose(std::span<const SlideRun> runs, ChosenRuns& chosen, Reasons& left_out,
            Warnings& warnings) {
  Reasons as_written;
  for (const auto& run : runs) {
    if (run.usable() && run.as_written)
      as_written.add(fmt::format(
          "NO-TARE {}: no free air before it: its forces are taken as the table has them, and a "
          "bias of the side force is part of friction that was recorded one way only.",
          run.where));
    if (run.usable() && !run.event.oscillation)
      chosen.attempted.push_back(
          {run.direction[0] * run.event.vx_m_per_s + run.direction[1] * run.event.vy_m_per_s});
    std::string why = run.refusal;
    if (why.empty() && run.normal_variation > kMaxLoadVariation)
      why = fmt::format("FR-05 {}: normal force varied {:.0f} %; normalise or repeat.", run.where,
                        100 * run.normal_variation);
    const double jerk_m_per_s = run.stage_step_m / kStepTakes_s;
    if (why.empty() && !run.event.oscillation && !run.motion_measured &&
        run.event.speed_m_per_s() < jerk_m_per_s)
      why = fmt::format(
          "FR-02 {}: stage steps of {:.2g} µm make {:.2g} mm/s a row of jerks at {:.2g} mm/s or "
          "more; slide faster, or sample the stage at ≥ 400 Hz.",
          run.where, 1e6 * run.stage_step_m, 1e3 * run.event.speed_m_per_s(), 1e3 * jerk_m_per_s);
    if (why.empty() && !run.event.oscillation) {
      const auto steady = steady_run(run);
      if (steady.too_short && run.motion_measured) {
        chosen.brief.push_back(&run);
        continue;
      }
      if (!steady.refusal.empty()) why = not_settled(steady);
    }
    if (!why.empty()) {
      left_out.add(why);
      continue;
    }
    (run.event.oscillation ? chosen.swings : chosen.slides).push_back(&run);
  }
  as_written.warn(warnings);
}

/// Of the swings those that show bristles.
void look_at_swings(std::span<const SlideRun> runs, ChosenRuns& chosen, Warnings& warnings) {
  if (chosen.swings.empty()) {
    chosen.no_swings =
        "FR-04 σ0 and σ1 do not appear in steady sliding: not identified. Record presliding "
        "(P10).";
    for (const auto& run : runs)
      if (run.event.oscillation && !run.usable()) chosen.no_swings = run.refusal;
    return;
  }
  std::vector<const SlideRun*> kept;
  Reasons refused;
  std::vector<double> stiffness;
  for (const auto* run : chosen.swings) {
    const auto found = presliding(*run);
    if (auto why = cannot_preslide(*run, found); !why.empty()) {
      refused.add(why);
      continue;
    }
    kept.push_back(run);
    stiffness.push_back(std::abs(found.stiffness_N_per_m.real()));
    chosen.top_frequency_hz = std::max(chosen.top_frequency_hz, run->event.frequency_hz);
  }
  refused.warn(warnings);
  chosen.swings = kept;
  if (kept.empty()) {
    chosen.no_swings = refused.first();
    return;
  }
  std::sort(stiffness.begin(), stiffness.end());
  chosen.stiffness_N_per_m = stiffness[stiffness.size() / 2];
}

}  // namespace

ChosenRuns choose_runs(std::span<const SlideRun> runs, Warnings& warnings) {
  ChosenRuns chosen;
  Reasons left_out;
  choose(runs, chosen, left_out, warnings);
  look_at_swings(runs, chosen, warnings);
  if (chosen.swings.empty()) {
    for (const auto* run : chosen.brief) left_out.add(not_settled(steady_run(*run)));
    chosen.brief.clear();
  }
  left_out.warn(warnings);
  chosen.why_left_out = left_out.first();
  return chosen;
}

}  // namespace tactelier
