// Exported SDFormat as libsdformat reads it, where an element or a value that it doesn't know is an
// error.
#include <gtest/gtest.h>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"

#ifdef TACTELIER_SDFORMAT
#include <sdf/sdf.hh>
#endif

namespace tactelier {
namespace {

using namespace testing_models;

#ifdef TACTELIER_SDFORMAT

::sdf::Root read_strictly(const std::string& text) {
  ::sdf::ParserConfig strict;
  strict.SetWarningsPolicy(::sdf::EnforcementPolicy::ERR);
  strict.SetUnrecognizedElementsPolicy(::sdf::EnforcementPolicy::ERR);
  ::sdf::Root root;
  for (const auto& error : root.LoadSdfString(text, strict)) ADD_FAILURE() << error.Message();
  return root;
}

Exported exported_sdf(const char* format, const SensorModel& model) {
  auto written = (*exporter(format))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

std::vector<SensorModel> pads() {
  auto odd = turned_mujoco_model();
  odd.sensor.vendor = "a<b>&\"c\"\x01--";
  auto bare = mujoco_model();
  bare.friction.mu_d = unidentifiable("", "FR-04", "friction");
  return {mujoco_model(), turned_mujoco_model(), odd, bare, image_model()};
}

TEST(SdfRead, TakesEveryElementOfEveryPad) {
  for (const auto* format : {"sdf", "sdf-ode"})
    for (const auto& model : pads()) {
      const auto written = exported_sdf(format, model);
      const auto root = read_strictly(written.text);
      ASSERT_NE(root.Model(), nullptr) << format;
      const auto tactels = static_cast<std::uint64_t>(model.sensor.tactels());
      const bool joints = std::string(format) == "sdf";
      EXPECT_EQ(root.Model()->LinkCount(), joints ? tactels + 1 : 1);
      EXPECT_EQ(root.Model()->JointCount(), joints ? tactels : 0);
      for (const auto& sidecar : written.sidecars) {
        const auto world = read_strictly(sidecar.text);
        ASSERT_EQ(world.WorldCount(), 1U);
        EXPECT_EQ(world.WorldByIndex(0)->ModelCount(), 2U);
      }
    }
}

TEST(SdfRead, FindsSpringsSensorsAndLimits) {
  const auto root = read_strictly(exported_sdf("sdf", mujoco_model()).text);
  ASSERT_NE(root.Model(), nullptr);
  const auto* axis = root.Model()->JointByName("t5_a0_r1_c2_spring")->Axis();
  EXPECT_NEAR(axis->SpringStiffness(), 62.1216948, 1e-6);
  EXPECT_NEAR(axis->Damping(), 0.0556971435, 1e-9);
  EXPECT_DOUBLE_EQ(axis->Lower(), -0.006);
  const auto* link = root.Model()->LinkByName("t5_a0_r1_c2");
  ASSERT_EQ(link->SensorCount(), 1U);
  EXPECT_EQ(link->SensorByIndex(0)->Type(), ::sdf::SensorType::CONTACT);
  EXPECT_DOUBLE_EQ(link->Inertial().MassMatrix().Mass(), 1e-4);
  EXPECT_TRUE(link->Inertial().MassMatrix().IsValid());
}

TEST(SdfRead, FindsTactelsWhereTheyAreAndTurnedIntoTheirNormals) {
  const auto root = read_strictly(exported_sdf("sdf", turned_mujoco_model()).text);
  ASSERT_NE(root.Model(), nullptr);
  // (5, 0, 1) mm turned by 0.5 rad about y (mujoco_exporter_test.cpp), which turns z to (sin, 0,
  // cos).
  const auto& pose = root.Model()->LinkByName("t8_a1_r0_c2")->RawPose();
  EXPECT_NEAR(pose.Pos().X(), 4.867338e-3, 1e-9);
  EXPECT_NEAR(pose.Pos().Z(), -1.519545e-3, 1e-9);
  const auto normal = pose.Rot().RotateVector({0, 0, 1});
  EXPECT_NEAR(normal.X(), 0.479425539, 1e-8);
  EXPECT_NEAR(normal.Z(), 0.877582562, 1e-8);

  auto round = mujoco_model();
  round.sensor.arrays[0].positions_m.assign(6, Vector3{0, 0, 0});
  round.sensor.arrays[0].normals.assign(6, Vector3{0, 2, 0});
  round.sensor.arrays[0].normals[1] = {1, 2, -2};
  const auto curved = read_strictly(exported_sdf("sdf", round).text);
  const auto of = [&](const char* name) {
    return curved.Model()->LinkByName(name)->RawPose().Rot().RotateVector({0, 0, 1});
  };
  EXPECT_NEAR(of("t3_a0_r1_c0").Y(), 1, 1e-8);
  EXPECT_NEAR(of("t1_a0_r0_c1").X(), 1.0 / 3, 1e-8);
  EXPECT_NEAR(of("t1_a0_r0_c1").Y(), 2.0 / 3, 1e-8);
  EXPECT_NEAR(of("t1_a0_r0_c1").Z(), -2.0 / 3, 1e-8);
}

TEST(SdfRead, TakesEveryElementOfWhatIsForDrake) {
  auto models = pads();
  models.push_back(with(wts_model(), {"stiffness.k=58.5", "sensor.thickness_m=0.006"}));
  std::size_t boxes = 0;
  for (const auto& model : models) {
    const auto written = exported_sdf("drake", model);
    const auto root = read_strictly(written.text);
    ASSERT_NE(root.Model(), nullptr);
    const auto* link = root.Model()->LinkByName("pad");
    EXPECT_EQ(link->CollisionCount(), static_cast<std::uint64_t>(model.sensor.tactels()));
    const auto properties =
        link->CollisionByIndex(0)->Element()->FindElement("drake:proximity_properties");
    ASSERT_NE(properties, nullptr);
    EXPECT_GT(properties->Get<double>("drake:point_contact_stiffness"), 0);
    for (const auto& sidecar : written.sidecars) {
      const auto box = read_strictly(sidecar.text);
      boxes += box.Model()->LinkByName("pad")->CollisionCount();
    }
  }
  EXPECT_EQ(boxes, 1U);  // the others are too narrow, not flat, or of unknown thickness
}

#else

TEST(SdfRead, NeedsLibsdformat) { GTEST_SKIP() << "libsdformat-dev is not installed"; }

#endif

}  // namespace
}  // namespace tactelier
