#include "fitting/friction/friction.hpp"

#include <algorithm>

#include "fitting/friction/friction_report.hpp"
#include "fitting/friction/friction_tactels.hpp"
#include "fitting/friction/shear_strokes.hpp"
#include "fitting/friction/side_compliance.hpp"
#include "fitting/friction/slide_data.hpp"
#include "fitting/friction/slide_estimate.hpp"
#include "fitting/friction/slide_tracks.hpp"
#include "fitting/friction/table_friction.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/statistics/parallel.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

/// Relative standard uncertainty of the force sensors' gain: the largest stated; none when one
/// session doesn't state it.
std::optional<double> force_gain(const FitContext& context) {
  const auto certificate = force_certificate(context);
  if (!certificate.complete) return std::nullopt;
  return certificate.gain_share();
}

/// Of each session as strokes along its plate show it, else as it is stated; the largest, none when
/// one session tells nothing. Strokes that tell nothing are named.
Result<std::optional<SideCompliance>> side_compliance(const FitContext& context,
                                                      Warnings& warnings) {
  SideCompliance largest;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    auto measured = find_shear(context, s);
    if (!measured && measured.error().code != ErrorCode::kUnidentifiable)
      return fail(measured.error());
    if (!measured) {
      warnings.push_back({"FR-SERIES",
                          "Strokes along the plate not used: " + measured.error().message,
                          context.sessions[s].session->file().filename().string()});
      measured = std::nullopt;
    }
    const auto stated = stated_side_compliance(context.sessions[s].session->metadata().document);
    if (!*measured && !stated) return std::nullopt;
    const auto rig = *measured ? SideCompliance{(*measured)->value, (*measured)->std, true}
                               : stated_compliance(*stated);
    if (rig.m_per_N >= largest.m_per_N) largest = rig;
  }
  return largest;
}

/// Slides along which the stage was too seldom asked where it is.
bool motion_missing(std::span<const SlideRun> runs) {
  return std::any_of(runs.begin(), runs.end(), [](const auto& run) {
    return run.usable() && !run.event.oscillation && !run.motion_measured;
  });
}

/// Computes the motion that was not measured, where the stage's moves are known.
Result<void> compute_motion(const FitContext& context, std::span<const SlideRun> runs,
                            const std::optional<SideCompliance>& rig, FrictionEstimate& estimate) {
  if (!motion_missing(runs)) return {};
  auto tracks = slide_tracks(context, runs);
  if (!tracks) return fail(tracks.error());
  if (rig) tracks->side_m_per_N = rig->m_per_N;
  if (!tracks->why_not.empty()) {
    estimate.warnings.push_back(warning_of(tracks->why_not, "friction"));
    return {};
  }
  const auto found = search_slides(*tracks, context.job, thread_count(context.options.threads));
  if (!found) return fail(found.error());
  take_whole_slides(*found, estimate);
  return {};
}

}  // namespace

Result<void> run_friction(FitContext& context) {
  context.model.quality["friction"] = {};
  std::vector<SlideRun> runs;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    context.job.progress("friction", static_cast<double>(s),
                         static_cast<double>(context.sessions.size()));
    auto loaded = load_slides(context, s);
    if (!loaded) return fail(loaded.error());
    for (auto& run : *loaded) runs.push_back(std::move(run));
  }
  if (runs.empty()) {
    auto rows = friction_rows(context);
    if (!rows) return fail(rows.error());
    if (!rows->empty()) {
      report_friction(estimate_rows(std::move(*rows)), {force_gain(context), {}, {}},
                      context.model);
      return {};
    }
  }
  Warnings told;
  const auto rig = side_compliance(context, told);
  if (!rig) return fail(rig.error());
  // Of slides alone steady parts are fitted, in which C F stands still, with bristles that settle at
  // once: those would answer to the noise of F in the motion.
  const bool swings = std::any_of(runs.begin(), runs.end(),
                                  [](const SlideRun& run) { return run.event.oscillation; });
  if (*rig && swings)
    for (auto& run : runs) take_rig_out(**rig, run);
  auto estimate = estimate_friction(runs, context.job);
  if (!estimate) return fail(estimate.error());
  if (auto done = compute_motion(context, runs, *rig, *estimate); !done) return fail(done.error());
  estimate->warnings.insert(estimate->warnings.end(), told.begin(), told.end());
  FrictionCircumstances around{force_gain(context), {}, *rig};
  if (estimate->reference_N > 0) {
    const auto count = tactels_in_contact(context, runs, estimate->reference_N);
    if (!count) return fail(count.error());
    around.tactels_in_contact = *count;
  }
  report_friction(*estimate, around, context.model);
  return {};
}

}  // namespace tactelier
