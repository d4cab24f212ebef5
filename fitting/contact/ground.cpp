#include "fitting/contact/ground.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/contact/contact_rig.hpp"
#include "fitting/contact/contact_session.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSoft_m_per_N = 50e-6;  // beyond the rig's own give: rubber, or something loose
constexpr double kSteps_m = 5e-6;        // microsteps and screw: the ground is met at one height
constexpr double kWedge = 1e-3;          // by how much the faces of a layer may lean

/// Where, when, and at what height of the stage the ground was met.
struct Ground {
  double x_m = 0, y_m = 0, time_s = 0;
  Estimate height_m;
  double give_m_per_N = 0;  // beside the rig's
};

/// Place and mean time of the session's touches. Nothing without one.
std::optional<Ground> place_of(const Session& file) {
  Ground ground;
  int touches = 0;
  for (const auto& event : file.events()) {
    if (event.name != "ground_begin") continue;
    const auto data = nlohmann::json::parse(event.data, nullptr, false);
    if (!data.is_object()) continue;
    ground.x_m = mm_to_m(get_number(data, "x_mm").value_or(0));
    ground.y_m = mm_to_m(get_number(data, "y_mm").value_or(0));
    ground.time_s += event.t_s.value();
    ++touches;
  }
  if (touches == 0) return std::nullopt;
  ground.time_s /= touches;
  return ground;
}

/// On the way in alone: there the stage's play is taken up, as where it meets the pad.
std::vector<PlatePress> ways_in(const std::vector<PlatePress>& touches) {
  const auto ways = plate_ways(touches);
  if (ways.empty()) return touches;
  std::vector<PlatePress> in;
  for (std::size_t i = 0; i < ways.size(); i += 2) in.push_back(ways[i]);
  return in;
}

/// Fills height and give; fails with kUnidentifiable where nothing rigid was felt.
Result<void> measure(std::vector<PlatePress> touches, const RigCompliance& rig, Ground& ground) {
  for (auto& touch : touches)
    for (std::size_t i = 0; i < touch.travel_m.size(); ++i)
      touch.travel_m[i] -= rig.deflection_m(touch.force_N[i]);
  const auto line = fit_plate_line(touches, 0);
  if (!line) return fail(line.error());
  auto mean = press_spread(line->z0_m);
  const double n = static_cast<double>(line->z0_m.size());
  if (mean.dof < 1) mean = {line->z0_m.front(), 0, kManyDegrees};
  ground.height_m = {-mean.value, std::max(mean.std, line->u_z0_m / std::sqrt(n)), mean.dof};
  ground.give_m_per_N = line->compliance.c1_m_per_N;
  return {};
}

/// The pad's face, continued to the ground's place and time.
struct Face {
  Estimate height_m;
  double tilt_rad = 0;
};
Result<Face> face_at(std::vector<SurfacePoint> points, const Ground& ground) {
  for (auto& point : points) {
    point.x_m -= ground.x_m;
    point.y_m -= ground.y_m;
  }
  const auto plane = fit_surface(points);
  if (!plane) return fail(plane.error());
  Face face{plane->z0_m, plane->tilt_rad.value};
  if (!plane->drift_m_per_s) return face;
  const auto [first, last] = std::minmax_element(
      points.begin(), points.end(),
      [](const SurfacePoint& a, const SurfacePoint& b) { return a.time_s < b.time_s; });
  const double later_s = ground.time_s - (first->time_s + last->time_s) / 2;
  face.height_m.value += plane->drift_m_per_s->value * later_s;
  face.height_m.std = std::hypot(face.height_m.std, plane->drift_m_per_s->std * later_s);
  return face;
}

Result<LayerThickness> thickness_in(const FitContext& context, std::size_t session) {
  const Session& file = *context.sessions[session].session;
  LayerThickness found;
  found.where = file.file().filename().string();
  auto ground = place_of(file);
  if (!ground) return found;
  auto touches = rigid_presses(context, session, "ground");
  if (!touches) return fail(touches.error());
  const auto& rig = context.compliance[session];
  const auto measured = measure(ways_in(*touches), rig, *ground);
  if (!measured) {
    found.refusal =
        "GROUND-MISSED The touches of the ground beside the pad felt nothing rigid there: " +
        measured.error().message;
    return found;
  }
  if (ground->give_m_per_N > kSoft_m_per_N) {
    found.refusal = fmt::format(
        "GROUND-SOFT What was touched as ground gives {:.0f} um/N beside the rig: rubber, or "
        "something loose, and not what the pad lies on.",
        1e6 * ground->give_m_per_N);
    return found;
  }
  found.ground_m = ground->height_m.value;
  const auto face = face_at(surface_points(context, session), *ground);
  if (!face) {
    found.refusal =
        "GROUND-NO-FACE The ground's height is known, the pad's face beside it is not: press the "
        "pad at four places that don't lie in a line, in the same recording.";
    return found;
  }
  const double along_z_m = face->height_m.value - ground->height_m.value;
  if (!(along_z_m > 0)) {
    found.refusal = fmt::format(
        "GROUND-HIGH The ground lies {:.3f} mm above the pad's face there: that is not what the "
        "pad lies on.",
        -m_to_mm(along_z_m));
    return found;
  }
  const double u_m = std::hypot(face->height_m.std, ground->height_m.std);
  found.thickness_m = Estimate{along_z_m * std::cos(face->tilt_rad), u_m,
                               std::min(face->height_m.dof, ground->height_m.dof)};
  found.systematic = {
      {"stage's steps", u_rectangular(kSteps_m)},
      {"faces not parallel", u_rectangular(kWedge * std::hypot(ground->x_m, ground->y_m))}};
  return found;
}

double u_of(const LayerThickness& found) {
  double squares = std::pow(found.thickness_m->std, 2);
  for (const auto& part : found.systematic) squares += part.u * part.u;
  return std::sqrt(squares);
}

}  // namespace

Result<LayerThickness> find_thickness(const FitContext& context) {
  LayerThickness best;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    auto found = thickness_in(context, s);
    if (!found) return fail(found.error());
    const bool better = found->thickness_m && (!best.thickness_m || u_of(*found) < u_of(best));
    const bool tells = !best.thickness_m && best.refusal.empty() && !found->refusal.empty();
    if (better || tells) best = std::move(*found);
  }
  return best;
}

}  // namespace tactelier
