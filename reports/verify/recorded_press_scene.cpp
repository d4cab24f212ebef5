#include "reports/verify/recorded_press_scene.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <sstream>

#include "reports/verify/mjcf_parts.hpp"

namespace tactelier {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kHalfHeight_m = 0.01;  // of what has a flat end, above it
constexpr const char* kBody = "tactelier_indenter";
constexpr const char* kHexagonMesh = "tactelier_hexagon";

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.9g}", text.empty() ? "" : " ", value);
  return text;
}

/// From the indenter's axes to S: turned about z, then tilted so that what was level has the height
/// tan(tilt_x) y - tan(tilt_y) x (PressPose).
Quaterniond turn_of(const PressPose& pose) {
  const Vector3d normal(std::tan(pose.tilt_y_rad), -std::tan(pose.tilt_x_rad), 1);
  return Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal) *
         Quaterniond(Eigen::AngleAxisd(pose.rz_rad, Vector3d::UnitZ()));
}

/// The shapes of one indenter on its body.
class Shapes {
 public:
  Shapes(const MujocoPad& pad, const PressPose& pose, pugi::xml_node body)
      : tip_radius_m_(mujoco_tip_radius_m(pad.places[0])),
        plate_half_m_(mjcf::reach_m(pad) + mjcf::kBesidePad_m),
        turn_(turn_of(pose)),
        body_(body) {}

  Result<void> add(const Indenter& indenter, const Vector3d& offset_m) {
    const double radius_m = indenter.diameter_m / 2, rounder_m = radius_m - tip_radius_m_;
    const Vector3d flat = offset_m + Vector3d(0, 0, kHalfHeight_m);
    switch (indenter.shape) {
      case IndenterShape::kCylinder:
        return put("cylinder", numbers({radius_m, kHalfHeight_m}), flat);
      case IndenterShape::kHexagon:
        return put_hexagon(indenter.across_flats_m, offset_m);
      case IndenterShape::kBox:
        return put("box", numbers({indenter.x_m / 2, indenter.y_m / 2, kHalfHeight_m}), flat);
      case IndenterShape::kEdge:
        return put("box", numbers({indenter.length_m / 2, indenter.width_m / 2, kHalfHeight_m}),
                   flat);
      case IndenterShape::kPlate:
        return put("box", numbers({plate_half_m_, plate_half_m_, kHalfHeight_m}), flat);
      case IndenterShape::kSphere:
        if (!(rounder_m > 0)) break;
        return put("sphere", numbers({rounder_m}), offset_m + Vector3d(0, 0, rounder_m));
      case IndenterShape::kLyingCylinder:
        if (!(rounder_m > 0)) break;
        return put("cylinder", numbers({rounder_m, indenter.length_m / 2}),
                   offset_m + Vector3d(0, 0, rounder_m),
                   Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitX()));
      case IndenterShape::kCompound:
        return put_parts(indenter, offset_m);
      case IndenterShape::kWedge:
      case IndenterShape::kEllipsoid:
      case IndenterShape::kMesh:
        break;
    }
    return fail(ErrorCode::kUnidentifiable,
                "{}: the target has no such shape for tips of {:.3g} mm; ends that are flat, and "
                "balls and rollers larger than the tips, can be pressed there",
                indenter.describe(), 1e3 * tip_radius_m_);
  }

 private:
  Result<void> put(const char* type, const std::string& size, const Vector3d& middle_m,
                   const Quaterniond& lying = Quaterniond::Identity(), const char* mesh = nullptr) {
    auto geom = mjcf::add_shape(body_, type, size);
    const Vector3d at = turn_ * middle_m;
    const Quaterniond turn = turn_ * lying;
    geom.append_attribute("pos").set_value(numbers({at.x(), at.y(), at.z()}).c_str());
    geom.append_attribute("quat").set_value(
        numbers({turn.w(), turn.x(), turn.y(), turn.z()}).c_str());
    if (mesh != nullptr) geom.append_attribute("mesh").set_value(mesh);
    mjcf::make_slippery(geom);
    return {};
  }

  Result<void> put_parts(const Indenter& indenter, const Vector3d& offset_m) {
    for (const auto& part : indenter.parts)
      if (auto put = add(part.indenter, offset_m + Vector3d(part.x_m, part.y_m, part.z_m)); !put)
        return put;
    return {};
  }

  /// A prism; a flat's normal lies along x.
  Result<void> put_hexagon(double across_flats_m, const Vector3d& offset_m) {
    const auto name = fmt::format("{}_{}", kHexagonMesh, meshes_++);
    auto root = body_.root().child("mujoco");
    auto assets = root.child("asset") ? root.child("asset") : root.append_child("asset");
    auto mesh = assets.append_child("mesh");
    std::string corners;
    for (const double z_m : {0.0, 2 * kHalfHeight_m})
      for (int k = 0; k < 6; ++k) {
        const double at = (k + 0.5) * std::numbers::pi / 3;
        const double radius_m = across_flats_m / std::numbers::sqrt3;
        corners += numbers({radius_m * std::cos(at), radius_m * std::sin(at), z_m}) + " ";
      }
    mesh.append_attribute("name").set_value(name.c_str());
    mesh.append_attribute("vertex").set_value(corners.c_str());
    return put("mesh", "", offset_m, Quaterniond::Identity(), name.c_str());
  }

  double tip_radius_m_, plate_half_m_;
  Quaterniond turn_;
  pugi::xml_node body_;
  int meshes_ = 0;
};

}  // namespace

Result<std::string> recorded_press_scene(const std::string& mjcf, const MujocoPad& pad,
                                         const Indenter& indenter, const PressPose& pose) {
  pugi::xml_document document;
  if (auto read = mjcf::read_pad(mjcf, pad, document); !read) return fail(read.error());
  auto body = mjcf::add_body(document.child("mujoco").child("worldbody"), kBody,
                             numbers({pose.x_m, pose.y_m, pad.places[0].position_m[2]}));
  mjcf::add_driven_slide(body, kRecordedPress, "0 0 1");
  if (auto put = Shapes(pad, pose, body).add(indenter, Vector3d::Zero()); !put)
    return fail(put.error());
  std::ostringstream out;
  document.save(out);
  return out.str();
}

}  // namespace tactelier
