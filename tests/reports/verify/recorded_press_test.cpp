// An exported pad of 5 x 5 springs in MuJoCo under indenters as recordings have them. What each
// tactel must carry follows by hand: equal shares of what lies flat on some, a slope of what is
// tilted. Rims run beside the tactels' middles, farther than the 0.17 mm of a tip.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "libcalib/forward/soft_contact_method.hpp"
#include "reports/export/exporter.hpp"
#include "reports/verify/libmujoco_engine.hpp"
#include "reports/verify/pad_method.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

constexpr double kPitch_m = 3.4e-3;
constexpr int kSide = 5;

SensorModel square_model() {
  SensorDescription sensor;
  sensor.vendor = "Acme";
  sensor.model = "Pad 5x5";
  sensor.arrays = {SensorArray{kSide, kSide, kPitch_m, kPitch_m, {}, {}, {}, {}}};
  auto model = empty_model(sensor);
  model.validity.force_N = {{0.0, 0.2}};
  return with(model, {"sensor.thickness_m=0.006", "stiffness.k=58.5", "damping.c_n=0.0583",
                      "friction.mu_s=0.435", "friction.mu_d=0.23"});
}

Indenter shaped(IndenterShape shape, double diameter_m = 0) {
  Indenter indenter;
  indenter.shape = shape;
  indenter.diameter_m = diameter_m;
  return indenter;
}
Indenter box_of(double x_m, double y_m) {
  auto box = shaped(IndenterShape::kBox);
  box.x_m = x_m;
  box.y_m = y_m;
  return box;
}

class RecordedPress : public testing::Test {
 protected:
  void SetUp() override {
    const auto contents = fill_slots(model_, mujoco_slots(), "MuJoCo");
    ASSERT_TRUE(contents) << contents.error().message;
    method_.emplace((*exporter("mujoco"))->write(model_).value().text,
                    mujoco_pad(model_, *contents).value(), libmujoco_engine, folder_.path());
    const auto plate = press(shaped(IndenterShape::kPlate), {}, 0.25);
    if (!plate && plate.error().message.find("libmujoco-dev") != std::string::npos)
      GTEST_SKIP() << plate.error().message;
  }

  Result<PressImage> press(const Indenter& indenter, const PressPose& pose, double load_N) const {
    return method_->press({indenter, pose, {PressLoad::By::kForce, load_N, 0}});
  }
  std::vector<double> forces(const Indenter& indenter, const PressPose& pose, double load_N) const {
    const auto image = press(indenter, pose, load_N);
    EXPECT_TRUE(image) << image.error().message;
    return image ? image->force_N : std::vector<double>(kSide * kSide, NAN);
  }
  /// Row and column of a tactel, from the middle.
  static std::array<int, 2> place(std::size_t tactel) {
    const auto i = static_cast<int>(tactel);
    return {i / kSide - kSide / 2, i % kSide - kSide / 2};
  }

  SensorModel model_ = square_model();
  test::TemporaryFolder folder_;
  std::optional<PadMethod> method_;
};

TEST_F(RecordedPress, WhatIsFlatIsCarriedInEqualSharesByWhatItCovers) {
  const auto box = box_of(3 * kPitch_m, kPitch_m);
  const auto along_x = forces(box, {kPitch_m, 0, 0, 0, 0}, 0.06);
  const auto along_y = forces(box, {0, kPitch_m, std::numbers::pi / 2, 0, 0}, 0.06);
  for (std::size_t i = 0; i < along_x.size(); ++i) {
    const auto [row, column] = place(i);
    EXPECT_NEAR(along_x[i], row == 0 && column >= 0 ? 0.02 : 0, 2e-4) << "tactel " << i;
    EXPECT_NEAR(along_y[i], column == 0 && row >= 0 ? 0.02 : 0, 2e-4) << "tactel " << i;
  }
}

// MuJoCo finds how deep a ball is in a prism to a quarter of a micrometre, of 68.
TEST_F(RecordedPress, AHexagonCoversNineAndADiscFive) {
  auto six_sided = shaped(IndenterShape::kHexagon);
  six_sided.across_flats_m = 10.6e-3;
  const auto hexagon = forces(six_sided, {}, 0.036);
  const auto disc = forces(shaped(IndenterShape::kCylinder, 8.2e-3), {}, 0.02);
  for (std::size_t i = 0; i < hexagon.size(); ++i) {
    const auto [row, column] = place(i);
    EXPECT_NEAR(hexagon[i], std::max(std::abs(row), std::abs(column)) <= 1 ? 4e-3 : 0, 4e-5) << i;
    EXPECT_NEAR(disc[i], std::abs(row) + std::abs(column) <= 1 ? 4e-3 : 0, 4e-5) << i;
  }
}

TEST_F(RecordedPress, ATiltedPlateLeansOnOneSide) {
  const double tilt_rad = 5e-3;
  const auto plate = shaped(IndenterShape::kPlate);
  const auto about_y = forces(plate, {0, 0, 0, 0, tilt_rad}, 2.5);
  const auto about_x = forces(plate, {0, 0, 0, tilt_rad, 0}, 2.5);
  // A mean of 0.1 N, and k times what the plate is lower there: tan(tilt_y) x - tan(tilt_x) y.
  const double step_N = 58.5 * std::tan(tilt_rad) * kPitch_m;
  for (std::size_t i = 0; i < about_y.size(); ++i) {
    const auto [row, column] = place(i);
    EXPECT_NEAR(about_y[i], 0.1 + step_N * column, 3e-4) << "tactel " << i;
    EXPECT_NEAR(about_x[i], 0.1 - step_N * row, 3e-4) << "tactel " << i;
  }
}

TEST_F(RecordedPress, PartsStandWhereTheTurnPutsThem) {
  const auto foot = box_of(kPitch_m, kPitch_m);
  auto both = shaped(IndenterShape::kCompound);
  both.parts = {{foot, 0, 0, 0}, {foot, 2 * kPitch_m, 0, 0}};
  const auto seen = forces(both, {0, 0, std::numbers::pi / 2, 0, 0}, 0.04);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto [row, column] = place(i);
    EXPECT_NEAR(seen[i], column == 0 && (row == 0 || row == 2) ? 0.02 : 0, 2e-4) << "tactel " << i;
  }
}

TEST_F(RecordedPress, BallsAndRollersPressAsOurOwnModelHasIt) {
  const auto ours = SoftContactMethod::create(model_).value();
  const auto ball = shaped(IndenterShape::kSphere, 0.2);
  auto roller = shaped(IndenterShape::kLyingCylinder, 0.2);
  roller.length_m = 3 * kPitch_m;
  for (const auto& [indenter, pose] : {std::pair{ball, PressPose{0.4e-3, -0.7e-3, 0, 0, 0}},
                                       std::pair{roller, PressPose{0, 0.3e-3, 0, 0, 0}}}) {
    const auto wanted = ours.press({indenter, pose, {PressLoad::By::kForce, 0.5, 0}});
    ASSERT_TRUE(wanted) << wanted.error().message;
    const auto seen = forces(indenter, pose, 0.5);
    double apart_N = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) apart_N += std::abs(seen[i] - wanted->force_N[i]);
    EXPECT_LT(apart_N / 0.5, 0.02) << indenter.describe();
  }
}

// As protocol `images` lays them down. Tips as wide as tactels miss these by 65 to 120 %.
TEST_F(RecordedPress, BarsInAnyTurnPressAsOurOwnModelHasIt) {
  const auto ours = SoftContactMethod::create(model_).value();
  auto bar = shaped(IndenterShape::kEdge);
  bar.length_m = 14e-3;
  bar.width_m = 4e-3;
  for (const double turn_deg : {0.0, 45.0, 90.0}) {
    const PressPose pose{0.6e-3, 0.9e-3, turn_deg * std::numbers::pi / 180, 0, 0};
    const auto wanted = ours.press({bar, pose, {PressLoad::By::kForce, 0.1, 0}});
    ASSERT_TRUE(wanted) << wanted.error().message;
    const auto seen = forces(bar, pose, 0.1);
    double apart_N = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) apart_N += std::abs(seen[i] - wanted->force_N[i]);
    EXPECT_LT(apart_N / 0.1, 0.01) << turn_deg;
  }
}

TEST_F(RecordedPress, WhatTheTargetHasNoShapeForIsRefused) {
  auto wedge = shaped(IndenterShape::kWedge);
  wedge.length_m = 0.01;
  wedge.half_angle_rad = 0.5;
  for (const auto& indenter : {wedge, shaped(IndenterShape::kSphere, 0.3e-3)}) {
    const auto refused = press(indenter, {}, 0.1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnidentifiable);
    EXPECT_THAT(refused.error().message, HasSubstr("larger than the tips"));
  }
}

}  // namespace
}  // namespace tactelier
