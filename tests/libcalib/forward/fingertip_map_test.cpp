// Centres of force on a bent surface, against oracle 12 (NumPy, SciPy) and bodies that unfold.
#include "libcalib/forward/fingertip_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "libcalib/forward/vector3.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using Distance = FingertipMap::Distance;

const json& fingertip_oracle() {
  static const json document = json::parse(std::ifstream(paths::oracles() + "/12_images.json"));
  return document["fingertip_mapping"];
}

/// 4 x 4 tactels, 3.5 mm apart.
SensorArray array() {
  SensorArray made;
  made.rows = made.columns = 4;
  made.pitch_x_m = made.pitch_y_m = fingertip_oracle()["pitch_m"];
  return made;
}
double side_m() { return 3 * array().pitch_x_m; }

using Bend = std::function<Vector3(double s_m, double z_m)>;

/// A square of `steps` by `steps` cells, two triangles each, bent.
TriangleMesh sheet(const Bend& bend, unsigned steps) {
  TriangleMesh mesh;
  const unsigned row = steps + 1;
  for (unsigned i = 0; i < row; ++i)
    for (unsigned j = 0; j < row; ++j)
      mesh.points_m.push_back(bend(side_m() * j / steps, side_m() * i / steps));
  for (unsigned i = 0; i < steps; ++i)
    for (unsigned j = 0; j < steps; ++j) {
      const unsigned at = i * row + j;
      mesh.triangles.push_back({at, at + 1, at + row + 1});
      mesh.triangles.push_back({at, at + row + 1, at + row});
    }
  return mesh;
}

std::array<Vector3, 4> corners(const Bend& bend) {
  return {bend(0, 0), bend(side_m(), 0), bend(0, side_m()), bend(side_m(), side_m())};
}

Vector3 on_cylinder(double s_m, double z_m) {
  const double radius_m = fingertip_oracle()["R_m"];
  const double turn = (s_m - side_m() / 2) / radius_m;
  return {radius_m * std::sin(turn), z_m, radius_m * std::cos(turn)};
}

/// Bent by a right angle along x = 4 mm.
Vector3 folded(double s_m, double z_m) {
  constexpr double kFold_m = 4e-3;
  return s_m < kFold_m ? Vector3{s_m, z_m, 0} : Vector3{kFold_m, z_m, s_m - kFold_m};
}

double apart_m(const Vector3& a, const Vector3& b) {
  const auto between = minus(a, b);
  return std::sqrt(dot(between, between));
}

Vector3 vector(const json& from) { return {from[0], from[1], from[2]}; }

TEST(FingertipMap, CentreInThePlaneIsTheOracles) {
  std::vector<double> image;
  for (const auto& row : fingertip_oracle()["p_rows_are_y"])
    for (const auto& value : row) image.push_back(value);
  const auto centre = centre_in_plane(array(), image);
  ASSERT_TRUE(centre);
  EXPECT_NEAR((*centre)[0], fingertip_oracle()["cof_m"][0].get<double>(), 1e-15);
  EXPECT_NEAR((*centre)[1], fingertip_oracle()["cof_m"][1].get<double>(), 1e-15);
  EXPECT_FALSE(centre_in_plane(array(), std::vector<double>(16, 0.0)));
}

// The mesh's facets lie up to 0.5 um inside the cylinder.
TEST(FingertipMap, AlongTheSurfaceThereIsNoBiasAndByChordsThatOfTheOracle) {
  const auto map = FingertipMap::create(sheet(on_cylinder, 60), corners(on_cylinder), 1e-3);
  ASSERT_TRUE(map) << map.error().message;
  const auto wanted = distances_in_plane(array(), fingertip_oracle()["cof_m"][0], fingertip_oracle()["cof_m"][1]);
  const auto truth_m = vector(fingertip_oracle()["geodesic_truth_m"]);
  const auto own = map->place(wanted, Distance::kGeodesic);
  EXPECT_LT(apart_m(own.at_m, truth_m), 1.5e-6);
  EXPECT_LT(own.miss_m, 1e-6);
  const auto chord = map->place(wanted, Distance::kChord);
  EXPECT_NEAR(apart_m(chord.at_m, truth_m), fingertip_oracle()["error_without_grid_m"].get<double>(), 1.5e-6);
  EXPECT_GT(chord.miss_m, 30e-6);
}

// Nodes alone, as published, on the oracle's grid: its best node.
TEST(FingertipMap, ChordsFindTheOraclesNodeOnItsGrid) {
  const auto map = FingertipMap::create(sheet(on_cylinder, 210), corners(on_cylinder), 1e-3);
  ASSERT_TRUE(map) << map.error().message;
  const auto chord = map->place(
      distances_in_plane(array(), fingertip_oracle()["cof_m"][0], fingertip_oracle()["cof_m"][1]), Distance::kChord);
  EXPECT_LT(apart_m(chord.at_m, vector(fingertip_oracle()["eq8_node_m"])), 40e-6);  // half a cell's diagonal
}

TEST(FingertipMap, AFoldedSheetUnfolds) {
  const auto map = FingertipMap::create(sheet(folded, 21), corners(folded), 1e-3);
  ASSERT_TRUE(map) << map.error().message;
  for (const auto& [x_m, y_m] : {std::pair{2e-3, 3e-3}, {4.7e-3, 6.1e-3}, {9.9e-3, 0.4e-3}}) {
    const auto found = map->place(distances_in_plane(array(), x_m, y_m), Distance::kGeodesic);
    EXPECT_LT(apart_m(found.at_m, folded(x_m, y_m)), 1e-9) << x_m;
  }
}

TEST(FingertipMap, RefusesASurfaceThatTheArrayIsNotOn) {
  const auto beside = FingertipMap::create(sheet(
                                               [](double s, double z) {
                                                 return plus(on_cylinder(s, z), {0, 0, 5e-3});
                                               },
                                               10),
                                           corners(on_cylinder), 1e-3);
  ASSERT_FALSE(beside);
  EXPECT_THAT(beside.error().message, testing::HasSubstr("FW-15"));
  auto torn = sheet(folded, 21);
  std::erase_if(torn.triangles, [&](const auto& t) {  // a strip along the fold
    return torn.points_m[t[0]][0] > 3.9e-3 && torn.points_m[t[0]][2] < 0.1e-3;
  });
  const auto parts = FingertipMap::create(torn, corners(folded), 1e-3);
  ASSERT_FALSE(parts);
  EXPECT_THAT(parts.error().message, testing::HasSubstr("hang together"));
}

TEST(FingertipMap, CornersAreThoseOfABentArray) {
  SensorDescription sensor;
  sensor.arrays.push_back(array());
  EXPECT_EQ(corner_tactels(sensor).error().code, ErrorCode::kUsage);
  for (int i = 0; i < 16; ++i)
    sensor.arrays[0].positions_m.push_back(
        on_cylinder(i % 4 * array().pitch_x_m, i / 4 * array().pitch_y_m));
  const auto found = corner_tactels(sensor);
  ASSERT_TRUE(found) << found.error().message;
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_LT(apart_m((*found)[i], corners(on_cylinder)[i]), 1e-12);
}

}  // namespace
}  // namespace tactelier
