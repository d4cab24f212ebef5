#include "fitting/contact/contact_session.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/contact/contact_press.hpp"
#include "fitting/recording/press_data.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kDriftShare = 0.1;  // RC-04: of the largest depth

/// Intervals of `reference` events that touch the pad.
std::vector<Interval> pad_touches(std::span<const Event> events) {
  std::vector<Interval> touches;
  bool open = false;
  double begin_s = 0;
  for (const auto& event : events) {
    if (event.name == "reference_begin") {
      const auto data = nlohmann::json::parse(event.data, nullptr, false);
      open = data.is_object() && data.value("what", "") == "pad";
      begin_s = event.t_s.value();
    } else if (event.name == "reference_end" && open) {
      touches.push_back({begin_s, event.t_s.value()});
      open = false;
    }
  }
  return touches;
}

bool same_tip(const Press& press, const SessionMetadata& metadata) {
  return !press.indenter || !metadata.indenter ||
         press.indenter->describe() == metadata.indenter->describe();
}

}  // namespace

std::vector<SurfacePoint> surface_points(const FitContext& context, std::size_t session) {
  const auto& from = context.sessions[session];
  const auto& metadata = from.session->metadata();
  std::vector<SurfacePoint> points;
  for (const auto& contact : context.contacts) {
    if (contact.session != session || !contact.ok || !contact.tared) continue;
    const auto& press = from.presses[contact.press];
    if (press.kind == PressKind::kArea || !same_tip(press, metadata)) continue;
    SurfacePoint point{0, 0, contact.time_s, -contact.z0_m};
    if (press.x_m && press.y_m) {
      point.x_m = *press.x_m;
      point.y_m = *press.y_m;
    } else if (press.tactel) {
      const auto at = context.model.sensor.position_m(*press.tactel);
      point.x_m = at[0];
      point.y_m = at[1];
    } else {
      continue;
    }
    points.push_back(point);
  }
  return points;
}

Result<SurfaceFit> find_surface(const FitContext& context, std::size_t session) {
  return fit_surface(surface_points(context, session));
}

Result<ReferenceTouches> find_reference_touches(const FitContext& context, std::size_t session) {
  const Session& file = *context.sessions[session].session;
  ReferenceTouches touches;
  for (const auto& touch : pad_touches(file.events())) {
    const auto data = load_interval(context, session, {touch.begin_s, touch.end_s});
    if (!data && data.error().code != ErrorCode::kUnidentifiable)
      return fail(data.error(), file.file().filename().string());
    if (!data || !data->has_force() || !data->has_travel() || data->rows() == 0) continue;
    ContactSettings settings;
    settings.compliance = context.compliance[session];
    const auto finding = analyse_contact(*data, settings);
    if (!finding.contact.ok) continue;
    touches.time_s.push_back(finding.contact.time_s);
    touches.z0_m.push_back(finding.contact.z0_m);
  }
  if (touches.z0_m.size() < 2) return touches;
  touches.drift_m = touches.z0_m.back() - touches.z0_m.front();
  const double span_s = touches.time_s.back() - touches.time_s.front();
  double squares = 0;
  for (std::size_t i = 1; i + 1 < touches.z0_m.size(); ++i) {
    const double share = span_s > 0 ? (touches.time_s[i] - touches.time_s.front()) / span_s : 0;
    const double off = touches.z0_m[i] - touches.z0_m.front() - share * touches.drift_m;
    squares += off * off;
  }
  if (touches.z0_m.size() > 2)
    touches.residual_m = std::sqrt(squares / static_cast<double>(touches.z0_m.size() - 2));
  return touches;
}

Result<void> report_surface(FitContext& context, std::size_t s, StageQuality& quality) {
  const auto& file = *context.sessions[s].session;
  const auto where = file.file().filename().string();
  auto& tilt = context.model.rig.tilt;
  const auto surface = find_surface(context, s);
  // Of the first session that shows it; else of the first that states it.
  const bool shown = surface && !tilt.identified();
  if (shown || !tilt.usable()) {
    const auto& stated = file.metadata().surface;
    if (surface)
      tilt = identified(surface->tilt_rad, "rad", "contact");
    else if (stated)
      tilt = assumed(std::hypot(stated->tilt_x_rad, stated->tilt_y_rad), "rad",
                     "session.json surface");
    else if (s == 0)
      tilt = unidentifiable("rad", surface.error().message, "contact");
  }
  if (shown) {
    auto& figures = quality.figures;
    figures["surface_z0_mm"] = m_to_mm(surface->z0_m.value);
    figures["surface_tilt_x_deg"] = rad_to_deg(surface->tilt_x_rad.value);
    figures["surface_tilt_y_deg"] = rad_to_deg(surface->tilt_y_rad.value);
    figures["surface_rms_um"] = 1e6 * surface->rms_m;
    figures["surface_points_far_off"] = static_cast<double>(surface->downweighted);
    if (surface->drift_m_per_s) {
      figures["surface_drift_um_per_h"] = 3.6e9 * surface->drift_m_per_s->value;
      figures["surface_drift_u95_um_per_h"] =
          3.6e9 * coverage_95(surface->drift_m_per_s->dof) * surface->drift_m_per_s->std;
    }
  }
  const auto touches = find_reference_touches(context, s);
  if (!touches) return fail(touches.error());
  if (touches->z0_m.size() < 2) return {};
  quality.figures["reference_touches"] += static_cast<double>(touches->z0_m.size());
  quality.figures["reference_drift_um"] = 1e6 * touches->drift_m;
  if (touches->z0_m.size() > 2)
    quality.figures["reference_residual_um"] = 1e6 * touches->residual_m;
  double deepest = 0;
  for (const auto& row : context.model.presses)
    deepest = std::max(deepest, row.peak_depth_m.value_or(0));
  if (std::abs(touches->drift_m) > kDriftShare * deepest && deepest > 0)
    quality.warnings.push_back(
        {"RC-04",
         fmt::format("Contact point moved {:.0f} um during these recordings, as the reference pad "
                     "shows; depths before {:.1f} s are not comparable.",
                     1e6 * touches->drift_m, touches->time_s.back()),
         where});
  return {};
}

}  // namespace tactelier
