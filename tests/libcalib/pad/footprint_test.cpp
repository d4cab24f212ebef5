#include "libcalib/pad/footprint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libcalib/units.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

constexpr double kPi = std::numbers::pi;

Footprint footprint_of(const Indenter& indenter, const Attitude& attitude = {},
                       double depth_m = 5e-3) {
  const std::vector<Polygon> plate{rectangle(20.4e-3, 47.6e-3)};
  return *Footprint::create(indenter, attitude, depth_m, plate);
}

Indenter shaped(IndenterShape shape, double diameter_m, double length_m) {
  Indenter indenter;
  indenter.shape = shape;
  indenter.diameter_m = diameter_m;
  indenter.length_m = length_m;
  return indenter;
}

struct Moments {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0, sum = 0;
};
Moments moments(const Footprint& footprint, double depth_m) {
  std::vector<PressurePoint> points;
  footprint.pressure(depth_m, 0.2e-3, points);
  Moments m;
  for (const auto& p : points) {
    m.sum += p.weight;
    m.x += p.weight * p.x_m;
    m.y += p.weight * p.y_m;
    m.xx += p.weight * p.x_m * p.x_m;
    m.yy += p.weight * p.y_m * p.y_m;
    m.xy += p.weight * p.x_m * p.y_m;
  }
  return m;
}

TEST(Footprint, OverlapVolumesAreThoseOfTheHydroelasticTable) {
  const auto pad = oracle("10_hydro.json")["pad"];
  const double scale = pad["scale_Pa_per_m"];
  Indenter wedge = shaped(IndenterShape::kWedge, 0, 80e-3);
  wedge.half_angle_rad = deg_to_rad(45);
  Indenter flat;
  flat.shape = IndenterShape::kBox;
  flat.x_m = flat.y_m = 50e-3;
  const struct {
    Indenter indenter;
    const char* key;
  } cases[] = {{sphere(20e-3), "sphere_R_10mm_N"},
               {shaped(IndenterShape::kLyingCylinder, 45e-3, 80e-3), "cylinder_R_22p5mm_L_80mm_N"},
               {wedge, "wedge_half_angle_45deg_L_80mm_N"},
               {flat, "flat_50x50mm_N"}};
  for (const auto& c : cases) {
    const auto footprint = footprint_of(c.indenter);
    for (std::size_t i = 0; i < pad["depth_m"].size(); ++i) {
      const double expected_N = pad[c.key][i];
      EXPECT_NEAR(scale * footprint.law(pad["depth_m"][i]).volume_m3, expected_N, 2e-6 * expected_N)
          << c.key << " " << pad["depth_m"][i];
    }
  }
}

TEST(Footprint, ATiltedPunchHasTheToeOfItsClosedForm) {
  const auto tilted = oracle("06_stiffness.json")["tilted_punch"];
  const double radius_m = tilted["R_m"];
  const double slope = std::tan(deg_to_rad(tilted["tilt_deg"]));
  const auto footprint =
      footprint_of(cylinder(2 * radius_m), {0, deg_to_rad(tilted["tilt_deg"]), 0});
  EXPECT_NEAR(footprint.touch_depth_m(), -radius_m * slope, 1e-4 * radius_m * slope);
  for (std::size_t i = 0; i < tilted["F_N"].size(); ++i) {
    const double tip_m = tilted["depth_of_lowest_edge_m"][i].get<double>() - radius_m * slope;
    const double force_N = footprint.law(tip_m).volume_m3 * tilted["K_Pa_per_m"].get<double>();
    EXPECT_NEAR(force_N, tilted["F_N"][i], 2e-3 * tilted["F_N"][i].get<double>());
  }
}

TEST(Footprint, ATiltedEllipsoidOverlapsLikeTheSphericalCapThatItIs) {
  Indenter
      ball;  // three equal axes: the cap cut off by a plane of slope s has height above/sqrt(1+s^2)
  ball.shape = IndenterShape::kEllipsoid;
  ball.x_m = ball.y_m = ball.z_m = 20e-3;
  const double slope = std::tan(0.1);
  const auto footprint = footprint_of(ball, {0, 0, 0.1});
  for (const double above_m : {0.2e-3, 1e-3, 3e-3}) {
    const double cap_m = above_m / std::sqrt(1 + slope * slope);
    const double expected = kPi * cap_m * cap_m * (10e-3 - cap_m / 3);
    EXPECT_NEAR(footprint.law(footprint.touch_depth_m() + above_m).volume_m3, expected,
                1e-3 * expected);
  }
}

TEST(Footprint, ALeaningRollerTouchesFirstAtItsLowEnd) {
  // Tilt about y by +0.02 rad: the end at +x goes down; at depth 0 the lower half is wet.
  const auto footprint =
      footprint_of(shaped(IndenterShape::kLyingCylinder, 10e-3, 20e-3), {0, 0, 0.02});
  EXPECT_NEAR(footprint.touch_depth_m(), -std::tan(0.02) * 10e-3, 1e-9);
  EXPECT_GT(moments(footprint, 0).x, 3e-3);
  EXPECT_NEAR(moments(footprint, 0).y, 0, 1e-9);
}

TEST(Footprint, FlatFacesHaveTheirAreaAndRim) {
  Indenter hexagon_face;
  hexagon_face.shape = IndenterShape::kHexagon;
  hexagon_face.across_flats_m = 12e-3;
  Indenter strip;
  strip.shape = IndenterShape::kEdge;
  strip.length_m = 10e-3;
  strip.width_m = 1e-3;
  const double d = 0.5e-3;
  EXPECT_NEAR(footprint_of(cylinder(1e-3)).law(d).area_m2, kPi * 0.25e-6, 1e-15);
  EXPECT_NEAR(footprint_of(cylinder(1e-3)).law(d).rim_m, kPi * 1e-3, 1e-4 * 1e-3);
  // across flats a: area sqrt(3)/2 a^2, rim 2 sqrt(3) a
  EXPECT_NEAR(footprint_of(hexagon_face).law(d).area_m2, std::sqrt(3) / 2 * 144e-6, 1e-15);
  EXPECT_NEAR(footprint_of(hexagon_face).law(d).rim_m2, d * 2 * std::sqrt(3) * 12e-3, 1e-12);
  EXPECT_NEAR(footprint_of(strip).law(d).area_m2, 10e-6, 1e-15);
  EXPECT_NEAR(footprint_of(strip).law(d).rim_m, 22e-3, 1e-12);
}

TEST(Footprint, TheHexagonCarriesItsLoadAtTheAnalyticDepth) {
  const auto forward = oracle("11_forward.json");
  Indenter hexagon_face;
  hexagon_face.shape = IndenterShape::kHexagon;
  hexagon_face.across_flats_m = 12e-3;
  const double depth_m = forward["check_hexagon"]["analytic_depth_m"];
  EXPECT_NEAR(
      forward["K_f_Pa_per_m"].get<double>() * footprint_of(hexagon_face).law(depth_m).volume_m3,
      4.905, 1e-9);
}

/// The oracle's indenter as the session names it (docs/theory/pressure-field.md 6).
Indenter forward_indenter(const nlohmann::json& json) {
  const std::string kind = json["kind"];
  if (kind == "sphere") return sphere(2 * json["R"].get<double>());
  if (kind == "cylinder")
    return shaped(IndenterShape::kLyingCylinder, 2 * json["R"].get<double>(), json["L"]);
  Indenter indenter = shaped(IndenterShape::kHexagon, 0, 0);
  if (kind == "hexagon") {
    indenter.across_flats_m = json["af"];
    return indenter;
  }
  indenter = shaped(IndenterShape::kWedge, 0, json["L"]);
  indenter.half_angle_rad = json["beta"];
  return indenter;
}

TEST(Footprint, DepthsUnderLoadAreThoseOfTheForwardModelsCellIntegrals) {
  // Model K of the oracle: pressure K_f * depth integrated over each cell. Its midpoints err by up
  // to 0.6 % on flat edges. Only indenters that stay on the array.
  const auto forward = oracle("11_forward.json");
  const double modulus = forward["K_f_Pa_per_m"];
  int compared = 0;
  for (const auto& c : forward["cases"]) {
    const auto& json = c["indenter"];
    const std::string kind = json["kind"];
    const double yaw = json.value("yaw", 0.0);
    if (kind == "punch" || (kind != "hexagon" && kind != "sphere" && yaw < 1.5)) continue;
    const auto footprint = footprint_of(forward_indenter(json), {yaw, 0, 0});
    const double load_N = c["load_N"];
    EXPECT_NEAR(modulus * footprint.law(c["kappassov"]["depth_m"]).volume_m3, load_N,
                0.008 * load_N)
        << c["name"];
    ++compared;
  }
  EXPECT_EQ(compared, 10);
}

TEST(Footprint, PressureHasTheSecondMomentsOfItsShape) {
  const auto disc_moments = moments(footprint_of(cylinder(2e-3)), 1e-3);  // R^2/4
  EXPECT_NEAR(disc_moments.sum, 1, 1e-12);
  EXPECT_NEAR(disc_moments.xx, 0.25e-6, 1e-12);
  EXPECT_NEAR(disc_moments.xy, 0, 1e-15);

  Indenter box;
  box.shape = IndenterShape::kBox;  // w^2/12 per side, turned by 90 degrees
  box.x_m = 6e-3;
  box.y_m = 1e-3;
  const auto box_moments = moments(footprint_of(box, {kPi / 2, 0, 0}), 1e-3);
  EXPECT_NEAR(box_moments.xx, 1e-6 / 12, 1e-12);
  EXPECT_NEAR(box_moments.yy, 36e-6 / 12, 1e-12);

  // A shallow sphere presses with 1 - r^2/a^2, a^2 = 2 R depth: a^2/6 per axis.
  const auto ball = moments(footprint_of(sphere(200e-3)), 0.1e-3);
  EXPECT_NEAR(ball.xx, 2 * 100e-3 * 0.1e-3 / 6, 0.02 * 20e-6 / 6);
}

TEST(Footprint, TurningTurnsTheLongSide) {
  const auto m = moments(
      footprint_of(shaped(IndenterShape::kLyingCylinder, 10e-3, 8e-3), {deg_to_rad(30), 0, 0}),
      0.1e-3);
  EXPECT_NEAR(0.5 * std::atan2(2 * m.xy, m.xx - m.yy), deg_to_rad(30), 1e-3);
}

TEST(Footprint, ACompoundIsTheSumOfItsParts) {
  Indenter dumbbell;
  dumbbell.shape = IndenterShape::kCompound;
  dumbbell.parts = {{sphere(10e-3), 5e-3, 0, 0}, {cylinder(2e-3), -5e-3, 0, 0.5e-3}};
  const auto footprint = footprint_of(dumbbell);
  const double ball = kPi * 1e-6 * (5e-3 - 1e-3 / 3);
  const double punch = kPi * 1e-6 * 0.5e-3;  // its face is 0.5 mm higher
  EXPECT_NEAR(footprint.law(1e-3).volume_m3, ball + punch, 1e-3 * ball);
  EXPECT_NEAR(moments(footprint, 1e-3).x, 5e-3 * (ball - punch) / (ball + punch), 2e-5);
}

TEST(Footprint, APlateCoversTheArrayAndHasNoRim) {
  Indenter plate;
  plate.shape = IndenterShape::kPlate;
  const auto footprint = footprint_of(plate);
  EXPECT_TRUE(footprint.fixed_to_sensor());
  EXPECT_NEAR(footprint.law(1e-3).volume_m3, 20.4e-3 * 47.6e-3 * 1e-3, 1e-15);
  EXPECT_EQ(footprint.law(1e-3).rim_m, 0);
}

TEST(Footprint, MeshesAreRefused) {
  Indenter mesh;
  mesh.shape = IndenterShape::kMesh;
  mesh.mesh_file = "skull.stl";
  const auto footprint = Footprint::create(mesh, {}, 1e-3, {});
  ASSERT_FALSE(footprint);
  EXPECT_NE(footprint.error().message.find("mesh indenters: not simulated"), std::string::npos);
}

}  // namespace
}  // namespace tactelier::pad
