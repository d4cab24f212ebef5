#include "fitting/friction/friction.hpp"

#include <algorithm>

#include "fitting/friction/friction_report.hpp"
#include "fitting/friction/friction_tactels.hpp"
#include "fitting/friction/side_compliance.hpp"
#include "fitting/friction/slide_data.hpp"

namespace tactelier {
namespace {

/// Relative standard uncertainty of the force sensors' gain: the largest stated; none when one
/// session doesn't state it.
std::optional<double> force_gain(const FitContext& context) {
  double largest = 0;
  for (const auto& session : context.sessions) {
    const auto& sensor = session.session->metadata().force_sensor;
    if (!sensor || !sensor->gain_u_percent) return std::nullopt;
    largest = std::max(largest, *sensor->gain_u_percent / 100);
  }
  return largest;
}

/// The largest stated; none when one session doesn't state it.
std::optional<double> side_compliance(const FitContext& context) {
  double largest = 0;
  for (const auto& session : context.sessions) {
    const auto stated = stated_side_compliance(session.session->metadata().document);
    if (!stated) return std::nullopt;
    largest = std::max(largest, *stated);
  }
  return largest;
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
  const auto estimate = estimate_friction(runs, context.job);
  if (!estimate) return fail(estimate.error());
  FrictionCircumstances around{force_gain(context), {}, side_compliance(context)};
  if (estimate->reference_N > 0) {
    const auto count = tactels_in_contact(context, runs, estimate->reference_N);
    if (!count) return fail(count.error());
    around.tactels_in_contact = *count;
  }
  report_friction(*estimate, around, context.model);
  return {};
}

}  // namespace tactelier
