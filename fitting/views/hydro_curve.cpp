#include "fitting/views/hydro_curve.hpp"

#include <cmath>

#include "fitting/hydroelastic/hydro_estimate.hpp"
#include "fitting/hydroelastic/hydro_place.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/forward/foundation_column.hpp"

namespace tactelier {
namespace {

/// As the stage decided for that indenter.
HydroShared shared_by(const HydroEstimate& estimate, const std::string& indenter) {
  for (const auto& one : estimate.indenters)
    if (one.indenter == indenter) return one.shared;
  return {};
}

void add_place(const FitContext& context, const std::string& indenter, const HydroPresses& presses,
               const HydroFit& fit, HydroCurve& curve) {
  std::size_t next = 0;
  for (std::size_t p = 0; p < presses.size(); ++p) {
    const auto& press = *presses[p];
    HydroPressCurve one;
    one.session = press.session;
    one.press = context.sessions[press.session].presses[press.press].number;
    one.indenter = indenter;
    one.site = press.site;
    one.speed_m_per_s = press.speed_m_per_s;
    one.modulus_Pa_per_m = fit.modulus_Pa_per_m;
    for (const auto& row : press.rows) {
      one.points.push_back({fit.depth_m[next], row.force_N, row.force_N + fit.left_over_N[next],
                            row.velocity_m_per_s > 0});
      ++next;
    }
    curve.presses.push_back(std::move(one));
  }
}

std::string why_none(const HydroData& data) {
  for (const auto& press : data.presses)
    if (!press.refusal.empty()) return press.refusal;
  return "No press with a ball, a wedge or a wide flat end: record a ball at several speeds.";
}

}  // namespace

Result<HydroCurve> hydro_curve(std::vector<FitSession> sessions, std::vector<SessionClocks> clocks,
                               const SensorModel& model, const Job& job) {
  auto context = looking_context(std::move(sessions), std::move(clocks), model, job);
  if (!context) return fail(context.error());
  auto curve = hydro_presses_in(*context);
  if (!curve) return fail(curve.error());
  auto spread = psf_curve_in(*context);
  if (!spread && spread.error().code != ErrorCode::kUnidentifiable) return fail(spread.error());
  if (spread)
    curve->spread = std::move(*spread);
  else
    curve->no_spread = spread.error().message;
  return curve;
}

Result<HydroCurve> hydro_presses_in(const FitContext& context) {
  const auto data = load_hydro(context, layer_thickness_m(context.model).value_or(HUGE_VAL));
  if (!data) return fail(data.error());
  const auto estimate = estimate_hydro(*data, {});
  HydroCurve curve;
  for (const auto& [indenter, places] : group_presses(*data).by_indenter)
    for (const auto& [site, presses] : places)
      if (const auto fit = fit_at_place(presses, shared_by(estimate, indenter)))
        add_place(context, indenter, presses, *fit, curve);
  if (curve.presses.empty()) curve.no_presses = why_none(*data);
  return curve;
}

}  // namespace tactelier
