#include "libcalib/pad/footprint.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::pad {
namespace {

constexpr int kKnots = 256;
constexpr int kMaxNested = 8;
constexpr double kJustAfter = 1e-9;  // of the table's span

/// Value and slope at `x` in [0, 1] of the cubic through two knots `step` apart.
struct Cubic {
  double value, slope;
};
Cubic hermite(double x, double step, double y0, double s0, double y1, double s1) {
  const double y = y1 - y0;
  const double a = s0 * step - y;
  const double b = y - s1 * step;
  const double bend = a + (b - a) * x;
  return {y0 + x * y + x * (1 - x) * bend, (y + (1 - 2 * x) * bend + x * (1 - x) * (b - a)) / step};
}

RoundBody round_body(const Indenter& indenter) {
  RoundBody body;
  body.shape = indenter.shape;
  body.radius_m = indenter.diameter_m / 2;
  body.length_m = indenter.length_m;
  if (indenter.shape == IndenterShape::kWedge)
    body.cot_half_angle = 1 / std::tan(indenter.half_angle_rad);
  body.semi_axes_m[0] = indenter.x_m / 2;
  body.semi_axes_m[1] = indenter.y_m / 2;
  body.semi_axes_m[2] = indenter.z_m / 2;
  return body;
}

/// Empty for shapes without a flat face.
Polygon flat_face(const Indenter& indenter) {
  switch (indenter.shape) {
    case IndenterShape::kCylinder:
      return disc(indenter.diameter_m / 2);
    case IndenterShape::kHexagon:
      return hexagon(indenter.across_flats_m);
    case IndenterShape::kBox:
      return rectangle(indenter.x_m, indenter.y_m);
    case IndenterShape::kEdge:
      return rectangle(indenter.length_m, indenter.width_m);
    default:
      return {};
  }
}

}  // namespace

Result<Footprint> Footprint::create(const Indenter& indenter, const Attitude& attitude,
                                    double max_depth_m, std::span<const Polygon> plate) {
  Footprint footprint;
  footprint.slope_x_ = -std::tan(attitude.tilt_y_rad);
  footprint.slope_y_ = std::tan(attitude.tilt_x_rad);
  if (const auto added = footprint.add(indenter, attitude, {0, 0}, 0, plate, 0); !added)
    return fail(added.error());
  footprint.tabulate(max_depth_m);
  return footprint;
}

Result<void> Footprint::add(const Indenter& indenter, const Attitude& attitude, Point at,
                            double height_m, std::span<const Polygon> plate, int nesting) {
  if (indenter.shape == IndenterShape::kMesh)
    return fail(ErrorCode::kInvalidInput,
                "mesh indenters: not simulated; describe '{}' as a compound of simple shapes",
                indenter.mesh_file);
  const double c = std::cos(attitude.rz_rad);
  const double s = std::sin(attitude.rz_rad);
  if (indenter.shape == IndenterShape::kCompound) {
    if (indenter.parts.empty() || nesting >= kMaxNested)
      return fail(ErrorCode::kInvalidInput, "indenter '{}': a compound without parts or nested {}",
                  indenter.id, nesting);
    for (const auto& part : indenter.parts) {
      const Point offset{at.x_m + c * part.x_m - s * part.y_m,
                         at.y_m + s * part.x_m + c * part.y_m};
      if (const auto added =
              add(part.indenter, attitude, offset, height_m + part.z_m, plate, nesting + 1);
          !added)
        return added;
    }
    return {};
  }
  Part part;
  part.centre = at;
  part.rz_rad = attitude.rz_rad;
  part.height_m = height_m + slope_x_ * at.x_m + slope_y_ * at.y_m;
  if (indenter.shape == IndenterShape::kPlate) {
    plate_ = true;
    part.rim = false;
    part.height_m = height_m;
    for (const auto& outline : plate) {
      part.face = outline;
      parts_.push_back(part);
    }
  } else if (auto face = flat_face(indenter); !face.empty()) {
    if (indenter.shape == IndenterShape::kCylinder) part.radius_m = indenter.diameter_m / 2;
    part.face = turned(face, attitude.rz_rad, at);
    part.height_m = height_m;
    parts_.push_back(part);
  } else {
    part.body = {round_body(indenter), c * slope_x_ + s * slope_y_, -s * slope_x_ + c * slope_y_};
    grows_ = true;
    parts_.push_back(part);
  }
  if (slope_x_ != 0 || slope_y_ != 0 || nesting > 0) grows_ = true;
  return {};
}

LinearDepth Footprint::face_depth(const Part& part, double depth_m) const {
  return {depth_m - part.height_m, -slope_x_, -slope_y_};
}

double Footprint::touch_of(const Part& part) const {
  if (part.face.empty()) return part.height_m + part.body.lowest_m();
  const LinearDepth depth = face_depth(part, 0);
  double deepest = depth.at(part.face.front());
  for (const auto& corner : part.face) deepest = std::max(deepest, depth.at(corner));
  return -deepest;
}

Footprint::Law Footprint::part_law(const Part& part, double depth_m) const {
  if (part.face.empty()) {
    const double above = depth_m - part.height_m - part.body.lowest_m();
    return {part.body.volume_m3(above), part.body.level() ? part.body.area_m2(above) : -1, 0, 0};
  }
  const LinearDepth depth = face_depth(part, depth_m);
  const Polygon pressed = pressed_part(part.face, depth);
  if (pressed.size() < 3) return {};
  Law law;
  law.area_m2 = pad::area_m2(pressed);
  if (law.area_m2 > 0) law.volume_m3 = law.area_m2 * depth.at(centroid(pressed));
  if (part.rim) {
    const auto rim = rim_integral(part.face, depth);
    law.rim_m2 = rim.depth_m2;
    law.rim_m = rim.length_m;
  }
  return law;
}

void Footprint::tabulate(double max_depth_m) {
  touch_m_ = touch_of(parts_.front());
  for (const auto& part : parts_) touch_m_ = std::min(touch_m_, touch_of(part));
  span_m_ = max_depth_m - touch_m_;
  bool slopes_known = true;
  for (int i = 0; i < kKnots; ++i) {
    const double x = static_cast<double>(i) / (kKnots - 1);
    Knot knot{touch_m_ + span_m_ * x * x, {}};
    // A level face meets the pad with all of its area: the first knot takes the slopes just after.
    const double depth_m = i == 0 ? touch_m_ + kJustAfter * span_m_ : knot.depth_m;
    for (const auto& part : parts_) {
      Law law = part_law(part, depth_m);
      if (i == 0) law.volume_m3 = law.rim_m2 = 0;
      knot.law.volume_m3 += law.volume_m3;
      knot.law.area_m2 += law.area_m2;
      knot.law.rim_m2 += law.rim_m2;
      knot.law.rim_m += law.rim_m;
      slopes_known = slopes_known && law.area_m2 >= 0;
    }
    knots_.push_back(knot);
  }
  if (slopes_known) return;
  for (std::size_t i = 0; i < knots_.size(); ++i) {  // parabola through three neighbours
    const std::size_t m = std::clamp<std::size_t>(i, 1, knots_.size() - 2);
    const double h0 = knots_[m].depth_m - knots_[m - 1].depth_m;
    const double h1 = knots_[m + 1].depth_m - knots_[m].depth_m;
    const double d0 = (knots_[m].law.volume_m3 - knots_[m - 1].law.volume_m3) / h0;
    const double d1 = (knots_[m + 1].law.volume_m3 - knots_[m].law.volume_m3) / h1;
    const double bend = (d1 - d0) / (h0 + h1);
    const double from_middle = knots_[i].depth_m - knots_[m].depth_m;
    knots_[i].law.area_m2 = std::max(0.0, d0 + bend * h0 + 2 * bend * from_middle);
  }
}

Footprint::Law Footprint::law(double depth_m) const {
  const double above = depth_m - touch_m_;
  if (above <= 0) return {};
  if (depth_m >= knots_.back().depth_m) {
    Law law = knots_.back().law;
    const double beyond = depth_m - knots_.back().depth_m;
    law.volume_m3 += beyond * law.area_m2;
    law.rim_m2 += beyond * law.rim_m;
    return law;
  }
  const double position = std::sqrt(above / span_m_) * (kKnots - 1);
  const auto i = std::min(static_cast<std::size_t>(position), knots_.size() - 2);
  const Knot& a = knots_[i];
  const Knot& b = knots_[i + 1];
  const double step = b.depth_m - a.depth_m;
  const double x = (depth_m - a.depth_m) / step;
  const Cubic volume =
      hermite(x, step, a.law.volume_m3, a.law.area_m2, b.law.volume_m3, b.law.area_m2);
  const Cubic rim = hermite(x, step, a.law.rim_m2, a.law.rim_m, b.law.rim_m2, b.law.rim_m);
  return {volume.value, volume.slope, rim.value, rim.slope};
}

}  // namespace tactelier::pad
