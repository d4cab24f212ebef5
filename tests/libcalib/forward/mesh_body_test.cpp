// Indenters from mesh files, against bodies whose shape, volume and images are known otherwise.
#include "libcalib/forward/mesh_body.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/vector3.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;
using testing_models::forward_model;

/// Corners and outward triangles of a block from `least` to `most`.
TriangleMesh block(const Vector3& least, const Vector3& most) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points_m.push_back(
        {(i & 1 ? most : least)[0], (i & 2 ? most : least)[1], (i & 4 ? most : least)[2]});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

/// A ball of radius 1 about the origin, `rings` from pole to pole.
TriangleMesh ball(unsigned rings) {
  TriangleMesh mesh;
  const unsigned around = 2 * rings;
  mesh.points_m.push_back({0, 0, -1});
  for (unsigned i = 1; i < rings; ++i)
    for (unsigned j = 0; j < around; ++j) {
      const double down = std::numbers::pi * i / rings, turn = 2 * std::numbers::pi * j / around;
      mesh.points_m.push_back(
          {std::sin(down) * std::cos(turn), std::sin(down) * std::sin(turn), -std::cos(down)});
    }
  mesh.points_m.push_back({0, 0, 1});
  const auto at = [&](unsigned i, unsigned j) { return 1 + (i - 1) * around + j % around; };
  const auto top = static_cast<unsigned>(mesh.points_m.size() - 1);
  for (unsigned j = 0; j < around; ++j) {
    mesh.triangles.push_back({0, at(1, j + 1), at(1, j)});
    mesh.triangles.push_back({top, at(rings - 1, j), at(rings - 1, j + 1)});
    for (unsigned i = 1; i + 1 < rings; ++i) {
      mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      mesh.triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    }
  }
  return mesh;
}

class MeshBodyTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return testing::TempDir() + "mesh_" + name; }

  /// As an OBJ file; lengths in millimetres, scaled by `mm`.
  std::string write(const std::string& name, const TriangleMesh& mesh, double mm = 1e3) const {
    std::ofstream file(path(name));
    file.precision(17);
    for (const auto& p : mesh.points_m)
      file << "v " << mm * p[0] << ' ' << mm * p[1] << ' ' << mm * p[2] << '\n';
    for (const auto& t : mesh.triangles)
      file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    return path(name);
  }

  static Indenter indenter(const std::string& file, double scale_mm = 1) {
    return *parse_indenter(
        fmt::format(R"({{"shape": "mesh", "file": "{}", "scale_mm": {}}})", file, scale_mm), "");
  }

  static PressImage pressed(const std::string& method, const Indenter& shape, const PressPose& pose,
                            const SensorModel& model = forward_model()) {
    const auto made = (*find_forward_method(method))->create(model);
    auto image = (*made)->press({shape, pose, {PressLoad::By::kForce, 4.905, 0}});
    EXPECT_TRUE(image) << image.error().message;
    return image ? *image : PressImage{};
  }

  static void expect_alike(const PressImage& a, const PressImage& b, double most_N) {
    ASSERT_EQ(a.force_N.size(), b.force_N.size());
    for (std::size_t i = 0; i < a.force_N.size(); ++i)
      EXPECT_NEAR(a.force_N[i], b.force_N[i], most_N) << i;
  }
};

// A box of 3 x 4 x 12 mm and 1 kg/m^3: V = 144 mm^3, I_x = m (4^2 + 12^2)/12.
TEST_F(MeshBodyTest, KnowsVolumeCentreAndInertiaOfABlock) {
  const auto solid = solid_moments(block({10, -2, 5}, {13, 2, 17}));
  EXPECT_NEAR(solid.volume_m3, 144, 1e-10);
  EXPECT_NEAR(solid.centre_m[0], 11.5, 1e-12);
  EXPECT_NEAR(solid.centre_m[1], 0, 1e-12);
  EXPECT_NEAR(solid.centre_m[2], 11, 1e-12);
  EXPECT_NEAR(solid.inertia_m5[0], 144.0 * 160 / 12, 1e-9);
  EXPECT_NEAR(solid.inertia_m5[1], 144.0 * 153 / 12, 1e-9);
  EXPECT_NEAR(solid.inertia_m5[2], 144.0 * 25 / 12, 1e-9);
}

TEST_F(MeshBodyTest, ABlockFromAFilePressesAsTheBoxOfTheSession) {
  const auto file = write("block.obj", block({-7e-3, -2e-3, 3e-3}, {7e-3, 2e-3, 20e-3}));
  Indenter box;
  box.shape = IndenterShape::kBox;
  box.x_m = 14e-3;
  box.y_m = 4e-3;
  for (const auto& pose : {PressPose{0.6e-3, 0.9e-3, 0.5, 0, 0}, {0, 2e-3, 1.2, 0.02, -0.01}})
    for (const std::string method : {"psf", "soft-contact"})
      expect_alike(pressed(method, indenter(file), pose), pressed(method, box, pose), 2e-6);
}

// Metres in the file, and a ball about its own centre: the tip is the lowest point. Chords of 1.5
// degrees lie R (1 - cos 0.75 deg) = 0.9 um under the arc.
TEST_F(MeshBodyTest, ABallFromAFilePressesAsTheSphereOfTheSession) {
  const auto file = write("ball.obj", ball(120), 0.02);
  Indenter sphere;
  sphere.shape = IndenterShape::kSphere;
  sphere.diameter_m = 40e-3;
  const PressPose pose{0.6e-3, 0.9e-3, 0, 0, 0};
  const auto of_mesh = pressed("psf", indenter(file, 1e3), pose);
  const auto of_formula = pressed("psf", sphere, pose);
  EXPECT_NEAR(*of_mesh.depth_m, *of_formula.depth_m, 3e-6);
  expect_alike(of_mesh, of_formula, 0.01);
}

// On a fingertip rays slant: the mesh is met exactly, the formula by steps and halving.
TEST_F(MeshBodyTest, SlantingRaysMeetAMeshWhereTheyMeetTheFormula) {
  const auto file = write("fine.obj", ball(240), 20);
  MeshFiles files({});
  auto mesh = indenter(file);
  ASSERT_TRUE(files.load(mesh));
  for (const double slant : {0.1, 0.5, 0.9})
    for (const double x_m : {-6e-3, 0.0, 3e-3}) {
      const Vector3 along{std::sin(slant), 0, -std::cos(slant)};
      const Vector3 from_m{x_m, 1e-3, 5e-3};
      // |from + t along - c| = R, c = (0, 0, R)
      const auto apart = minus(from_m, {0, 0, 20e-3});
      const double b = dot(along, apart), c = dot(apart, apart) - 4e-4;
      const double root = b * b - c > 0 ? -b + std::sqrt(b * b - c) : 0;
      const double expected = std::clamp(root, 0.0, 10e-3);
      EXPECT_NEAR(mesh.mesh->depth_along_m(from_m, along, 10e-3), expected, 5e-6)
          << slant << " " << x_m;
    }
}

TEST_F(MeshBodyTest, TrianglesThatFaceInwardsAreTurned) {
  auto inside_out = block({0, 0, 0}, {1e-3, 1e-3, 1e-3});
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  const auto read = read_mesh(write("inside_out.obj", inside_out), 1e-3);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_NEAR(solid_moments(*read).volume_m3, 1e-9, 1e-15);
}

// STL has no shared corners: joined by place, the surface is closed.
TEST_F(MeshBodyTest, ReadsStl) {
  const auto mesh = block({0, 0, 0}, {10, 10, 10});
  {
    std::ofstream file(path("block.stl"));
    file << "solid block\n";
    for (const auto& t : mesh.triangles) {
      file << "facet normal 0 0 0\nouter loop\n";
      for (const auto corner : t) {
        const auto& p = mesh.points_m[corner];
        file << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
      }
      file << "endloop\nendfacet\n";
    }
    file << "endsolid block\n";
  }
  const auto read = read_mesh(path("block.stl"), 1e-3);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->points_m.size(), 8U);
  EXPECT_NEAR(solid_moments(*read).volume_m3, 1e-6, 1e-12);
}

TEST_F(MeshBodyTest, RefusesOpenAndEmptySurfacesByCode) {
  auto open = block({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  const auto hole = read_mesh(write("open.obj", open), 1e-3);
  ASSERT_FALSE(hole);
  EXPECT_THAT(hole.error().message, HasSubstr("FW-08 mesh_open.obj"));
  EXPECT_THAT(hole.error().message, HasSubstr("at 3 of its edges"));
  // A sheet seen from both sides is closed, and flat.
  TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  const auto flat = read_mesh(write("sheet.obj", sheet), 1e-3);
  ASSERT_FALSE(flat);
  EXPECT_THAT(flat.error().message, HasSubstr("FW-09"));
}

TEST_F(MeshBodyTest, SaysWhatIsNoMeshFile) {
  const auto missing = read_mesh(path("missing.stl"), 1e-3);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_THAT(missing.error().message, HasSubstr("FW-13"));
  EXPECT_THAT(missing.error().message, HasSubstr("missing.stl"));
  std::ofstream(path("text.obj")) << "nothing of a mesh\n";
  EXPECT_FALSE(read_mesh(path("text.obj"), 1e-3));
  std::ofstream(path("nan.obj")) << "v nan 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                    "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  EXPECT_FALSE(read_mesh(path("nan.obj"), 1e-3));
  EXPECT_THAT(read_mesh(path("text.ply"), 1e-3).error().message, HasSubstr(".stl and .obj"));
  std::ofstream(path("cut.stl")) << "solid cut\nfacet normal 0 0 1\nouter loop\nvertex 0 0";
  EXPECT_FALSE(read_mesh(path("cut.stl"), 1e-3));
  EXPECT_FALSE(read_mesh(testing::TempDir(), 1e-3));
}

}  // namespace
}  // namespace tactelier
