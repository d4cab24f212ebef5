// Contact and image of method psf against oracle 11 and numbers worked by hand.
#include "libcalib/forward/psf_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libcalib/units.hpp"
#include "tests/libcalib/forward/forward_model.hpp"
#include "tests/libcalib/forward/forward_oracle.hpp"

namespace tactelier {
namespace {

using forward_oracle::indenter_of;
using forward_oracle::metres;
using forward_oracle::newtons;
using forward_oracle::oracle;
using forward_oracle::pin;
using forward_oracle::pose_of;
using forward_oracle::sphere;
using forward_oracle::sum;
using testing::HasSubstr;
using testing_models::forward_model;
using testing_models::sampled_model;

TEST(FoundationContact, DepthAndCellForcesMatchTheOracle) {
  const auto model = forward_model();
  const double modulus = oracle()["K_f_Pa_per_m"];
  for (const auto& press : oracle()["cases"]) {
    const auto surface = IndenterSurface::create(indenter_of(press["indenter"]));
    ASSERT_TRUE(surface);
    const FoundationContact contact(model.sensor, *surface, pose_of(press["indenter"]), 20);
    const auto& expected = press["kappassov"];
    const double depth_m = contact.depth_at_m(press["load_N"].get<double>() / modulus);
    if (expected["depth_m"].is_null()) {  // a pin: the oracle stops looking
      EXPECT_GT(depth_m, oracle()["search_depth_m"].get<double>()) << press["name"];
      continue;
    }
    ASSERT_NEAR(depth_m / expected["depth_m"].get<double>(), 1, 1e-9) << press["name"];
    const auto volumes = contact.cell_volumes_m3(depth_m);
    for (std::size_t i = 0; i < volumes.size(); ++i)
      EXPECT_NEAR(modulus * volumes[i], expected["cell_force_N"][i / 6][i % 6].get<double>(), 1e-9)
          << press["name"] << " tactel " << i;
  }
}

// The oracle's kernel is cut off at 3 x 3 and not normalised: it is ours times (sum of exp(-2 a^2)
// / (0.5 sqrt(2 pi)))^2, apart from exp(-8) two tactels away.
TEST(PsfMethod, ImagesOfTheSampledKernelMatchTheOracle) {
  const auto method = PsfMethod::create(sampled_model());
  ASSERT_TRUE(method) << method.error().message;
  const double unit =
      (1 + 2 * (std::exp(-2.0) + std::exp(-8.0))) / (0.5 * std::sqrt(2 * std::numbers::pi));
  for (const auto& press : oracle()["cases"]) {
    if (press["kappassov"]["depth_m"].is_null()) continue;
    const double load_N = press["load_N"];
    const auto image = method->press(
        {indenter_of(press["indenter"]), pose_of(press["indenter"]), newtons(load_N)});
    ASSERT_TRUE(image) << image.error().message;
    for (std::size_t i = 0; i < image->force_N.size(); ++i)
      EXPECT_NEAR(image->force_N[i] * unit * unit,
                  press["kappassov"]["image_N"][i / 6][i % 6].get<double>(), 1.5e-3 * load_N)
          << press["name"] << " tactel " << i;
  }
}

TEST(PsfMethod, ASphereSinksAsItsCapsVolumeSays) {
  const auto method = PsfMethod::create(forward_model());
  ASSERT_TRUE(method);
  const auto image = method->press({sphere(0.04), {}, newtons(4.905)});
  ASSERT_TRUE(image);
  const double d = *image->depth_m;
  EXPECT_NEAR(2e8 * std::numbers::pi * d * d * (0.02 - d / 3), 4.905, 1e-3);
  EXPECT_NEAR(sum(image->force_N), 4.905, 1e-3);  // the rest lies beyond the border
  const auto by_depth = method->press({sphere(0.04), {}, {PressLoad::By::kDepth, 0, d}});
  ASSERT_TRUE(by_depth);
  EXPECT_NEAR(by_depth->load_N, 4.905, 1e-9);
}

TEST(PsfMethod, APinIsSharedOutAsTheFitSharesItOut) {
  auto model = forward_model();
  testing_models::set(model.psf.sigma_y, 2.0e-3);
  testing_models::set(model.psf.theta, 0.4);
  const auto method = PsfMethod::create(model);
  const auto layout = PsfLayout::create(model.sensor);
  ASSERT_TRUE(method && layout);
  std::vector<Share> expected(layout->tactels());
  layout->shares(0.9e-3, -2.1e-3, *press_footprint(pin(1e-3), layout->pitch_m()),
                 spread_covariance(SpreadAxes{1.4e-3, 2.0e-3, 0.4}), PsfForm::kIntegrated,
                 PsfEdge::kZero, expected);
  const auto image = method->press({pin(1e-3), {0.9e-3, -2.1e-3, 0, 0, 0}, newtons(2)});
  ASSERT_TRUE(image);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(image->force_N[i], 2 * expected[i].value, 1e-3) << i;
}

TEST(PsfMethod, ALevelFaceNeedsNoStiffnessUnderAForce) {
  auto model = forward_model();
  model.stiffness.foundation_modulus = unidentifiable("Pa/m", "ST-04 no plate");
  const auto method = PsfMethod::create(model);
  ASSERT_TRUE(method);
  const auto flat = method->press({pin(8e-3), {}, newtons(1)});
  ASSERT_TRUE(flat);
  EXPECT_FALSE(flat->depth_m);
  EXPECT_NEAR(sum(flat->force_N), 1, 1e-4);
  const auto round = method->press({sphere(8e-3), {}, newtons(1)});
  ASSERT_FALSE(round);
  EXPECT_EQ(round.error().code, ErrorCode::kUnidentifiable);
  EXPECT_THAT(round.error().message, HasSubstr("FW-05"));
}

/// A box of 10.2 x 6.8 mm, whose edges no sample is cut by, that leans by `lean` about y under 10
/// N, wholly in contact.
StaticPress leaning(double lean) {
  Indenter box;
  box.shape = IndenterShape::kBox;
  box.x_m = 10.2e-3;
  box.y_m = 6.8e-3;
  return {box, {0, 0, 0, 0, std::atan(lean)}, newtons(10)};
}

double centre_x_m(const PressImage& image, const SensorModel& model) {
  double moment = 0;
  for (std::size_t i = 0; i < image.force_N.size(); ++i)
    moment += image.force_N[i] * model.sensor.position_m(static_cast<int>(i))[0];
  return moment / sum(image.force_N);
}

// The punch of 4 mm: 3015.93 = 2e8 * 1.25664e-5 + 4e4 Pa * 12.5664 mm. The box: 2e8 * 6.936e-5 +
// 4e4 * 34e-3 = 15232 N/m, so 0.65651 mm deep and, leaning, off centre by 0.05 L^2/12 / depth.
TEST(PsfMethod, ALeaningFlatEndSinksAsItsRimLetsIt) {
  auto model = forward_model();
  testing_models::set(model.stiffness.k_punch,
                      2e8 * std::numbers::pi * 4e-6 + 4e4 * std::numbers::pi * 4e-3);
  model.stiffness.indenter = "cylinder 4 mm";
  const auto method = PsfMethod::create(model);
  ASSERT_TRUE(method);
  const auto image = method->press(leaning(0.05));
  ASSERT_TRUE(image) << image.error().message;
  const double depth_m = 10 / 15232.0;
  EXPECT_NEAR(*image->depth_m, depth_m, 1e-9);
  EXPECT_NEAR(centre_x_m(*image, model), 0.05 * 10.2e-3 * 10.2e-3 / 12 / depth_m, 2e-6);
  EXPECT_TRUE(image->warnings.empty());
  auto by_depth = leaning(0.05);
  by_depth.load = metres(depth_m);
  EXPECT_NEAR(method->press(by_depth)->load_N, 10, 1e-5);
  EXPECT_NEAR(*method->press(leaning(0))->depth_m, depth_m, 1e-9);
}

// Without a punch the foundation alone carries it: 10 N over 13872 N/m.
TEST(PsfMethod, ALeaningFlatEndWithoutAKnownRimIsToldOf) {
  const auto model = forward_model();
  const auto method = PsfMethod::create(model);
  ASSERT_TRUE(method);
  const auto image = method->press(leaning(0.05));
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_NEAR(centre_x_m(*image, model), 0.05 * 10.2e-3 * 10.2e-3 / 12 / (10 / 13872.0), 2e-6);
  ASSERT_EQ(image->warnings.size(), 1U);
  EXPECT_EQ(image->warnings[0].code, "FW-14");
  EXPECT_TRUE(method->press(leaning(0))->warnings.empty());
  auto ball = leaning(0.05);
  ball.indenter = sphere(8e-3);
  EXPECT_TRUE(method->press(ball)->warnings.empty());
}

TEST(PsfMethod, TheCalibrationIndenterIsAsStiffAsTheRigFoundIt) {
  auto model = forward_model();
  testing_models::set(model.stiffness.k_punch, 2000);
  model.stiffness.indenter = "cylinder 1 mm";
  const auto method = PsfMethod::create(model);
  ASSERT_TRUE(method);
  const auto image = method->press({pin(1e-3), {}, {PressLoad::By::kDepth, 0, 0.5e-3}});
  ASSERT_TRUE(image);
  EXPECT_DOUBLE_EQ(image->load_N, 1.0);
}

// p = K_f (d - t y) over a disc: the centre of pressure lies at y = -t R^2 / (4 d).
TEST(FoundationContact, ATiltedDiscPressesOffItsCentre) {
  const auto model = forward_model();
  const auto surface = IndenterSurface::create(pin(10e-3));
  const double tilt_rad = 0.02, depth_m = 2e-4;
  const FoundationContact contact(model.sensor, *surface, {0, 0, 0.3, tilt_rad, 0}, 60);
  double x_m = 0, y_m = 0;
  for (const auto& point : contact.footprint(depth_m, 10).points) {
    x_m += point.weight * point.x_m;
    y_m += point.weight * point.y_m;
  }
  EXPECT_NEAR(y_m, -std::tan(tilt_rad) * 25e-6 / (4 * depth_m), 5e-6);
  EXPECT_NEAR(x_m, 0, 5e-6);
}

// Second moments: box a^2/12 along its side; the points leave out what their moments hold.
TEST(FoundationContact, AFootprintKeepsItsSecondMoments) {
  const auto model = forward_model();
  Indenter box;
  box.shape = IndenterShape::kBox;
  box.x_m = 13.6e-3;
  box.y_m = 6.8e-3;
  const auto surface = IndenterSurface::create(box);
  const FoundationContact contact(model.sensor, *surface, {}, 20);
  const auto print = contact.footprint(1e-4, 10);
  double xx_m2 = print.moment_xx_m2, yy_m2 = print.moment_yy_m2;
  for (const auto& point : print.points) {
    xx_m2 += point.weight * point.x_m * point.x_m;
    yy_m2 += point.weight * point.y_m * point.y_m;
  }
  EXPECT_NEAR(xx_m2, box.x_m * box.x_m / 12, 1e-12);
  EXPECT_NEAR(yy_m2, box.y_m * box.y_m / 12, 1e-12);
}

TEST(PsfMethod, APlateLoadsAllCellsAlike) {
  auto model = sampled_model();
  testing_models::set(model.psf.kernel_sampled.s, 0.2);
  const auto method = PsfMethod::create(model);
  Indenter plate;
  plate.shape = IndenterShape::kPlate;
  const auto image = method->press({plate, {}, newtons(8.4)});
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_NEAR(image->force_N[3 * 6 + 2], 0.1, 1e-6);
  EXPECT_NEAR(*image->depth_m, 8.4 / (2e8 * 84 * 3.4e-3 * 3.4e-3), 1e-12);
  EXPECT_TRUE(image->warnings.empty());
}

TEST(PsfMethod, ADumbbellLoadsBothEnds) {
  Indenter dumbbell;
  dumbbell.shape = IndenterShape::kCompound;
  dumbbell.parts = {{pin(4e-3), -8e-3, 0, 0}, {pin(4e-3), 8e-3, 0, 0}};
  const auto method = PsfMethod::create(forward_model());
  const auto image = method->press({dumbbell, {0, 0, deg_to_rad(90), 0, 0}, newtons(2)});
  ASSERT_TRUE(image);
  double upper_N = 0;
  for (std::size_t i = 42; i < 84; ++i) upper_N += image->force_N[i];
  EXPECT_NEAR(upper_N, 1, 1e-6);
  EXPECT_LT(image->force_N[6 * 6 + 2], 0.02);
}

TEST(PsfMethod, GhostingAddsAPartOfRowAndColumn) {
  auto model = forward_model();
  const auto plain = PsfMethod::create(model)->press({pin(1e-3), {}, newtons(1)});
  model.quality["psf"].figures["ghosting_percent"] = 2;
  const auto ghosted = PsfMethod::create(model)->press({pin(1e-3), {}, newtons(1)});
  ASSERT_TRUE(plain && ghosted);
  double others_N = -2 * plain->force_N[38];
  for (std::size_t k = 0; k < 6; ++k) others_N += plain->force_N[36 + k];
  for (std::size_t k = 0; k < 14; ++k) others_N += plain->force_N[6 * k + 2];
  EXPECT_NEAR(ghosted->force_N[38], plain->force_N[38] + 0.02 * others_N, 1e-12);
}

TEST(PsfMethod, SaysWhatItCanNotSimulate) {
  const auto method = PsfMethod::create(forward_model());
  const auto refusal = [&](const PressPose& pose, const PressLoad& load) {
    const auto image = method->press({pin(1e-3), pose, load});
    return image ? std::string("no refusal") : image.error().message;
  };
  EXPECT_THAT(refusal({0.1, 0, 0, 0, 0}, newtons(1)), HasSubstr("FW-01"));
  EXPECT_THAT(refusal({std::nan(""), 0, 0, 0, 0}, newtons(1)), HasSubstr("FW-07"));
  EXPECT_THAT(refusal({}, newtons(-1)), HasSubstr("FW-07"));
  EXPECT_THAT(refusal({}, newtons(HUGE_VAL)), HasSubstr("positive"));
  EXPECT_THAT(refusal({}, newtons(1e6)), HasSubstr("FW-06"));  // 6.4 km by K_f
  EXPECT_THAT(refusal({}, metres(11e-3)), HasSubstr("FW-06"));
  auto moving = newtons(1);
  moving.approach_m_per_s = 1e-3;
  EXPECT_THAT(refusal({}, moving), HasSubstr("no speed"));
  Indenter mesh;
  mesh.shape = IndenterShape::kMesh;
  EXPECT_FALSE(method->press({mesh, {}, newtons(1)}));
}

TEST(PsfMethod, WarnsOfAFootprintBesideTheArrayAndOfTooDeepAPress) {
  auto model = forward_model();
  model.sensor.thickness_m = 5e-4;
  const auto method = PsfMethod::create(model);
  const auto image = method->press({pin(8e-3), {10.2e-3, 0, 0, 0, 0}, newtons(4)});
  ASSERT_TRUE(image);
  ASSERT_EQ(image->warnings.size(), 2u);
  EXPECT_EQ(image->warnings[0].code, "FW-02");
  EXPECT_THAT(image->warnings[0].text, HasSubstr("50 %"));
  EXPECT_EQ(image->warnings[1].code, "FW-03");
}

TEST(PsfMethod, NeedsASpread) {
  auto model = forward_model();
  model.psf.sigma_x = unidentifiable("m", "PS-03 Presses lie on isolated centres.");
  const auto method = PsfMethod::create(model);
  ASSERT_FALSE(method);
  EXPECT_THAT(method.error().message, HasSubstr("PS-03"));
}

}  // namespace
}  // namespace tactelier
