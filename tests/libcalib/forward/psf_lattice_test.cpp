// The fast images against the closed form for a box, and against PsfMethod::press(), which is held
// against an oracle elsewhere.
#include "libcalib/forward/psf_lattice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libcalib/forward/psf_method.hpp"
#include "libcalib/units.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

using testing_models::forward_model;
using testing_models::set;

constexpr double kPitch_m = 3.4e-3, kSigma_m = 1.4e-3;

Indenter box(double x_m, double y_m) {
  Indenter indenter;
  indenter.shape = IndenterShape::kBox;
  indenter.x_m = x_m;
  indenter.y_m = y_m;
  return indenter;
}

/// Integral of the normal distribution function from far left, in units of length.
double climbed(double z_m) {
  const double z = z_m / kSigma_m;
  const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return z_m * below + kSigma_m * density;
}

/// Part of an even pressure over [a, b], spread, that falls into the cell [l, r].
double part_of_cell(double a, double b, double l, double r) {
  return (climbed(r - a) - climbed(r - b) - climbed(l - a) + climbed(l - b)) / (b - a);
}

/// Sum over all tactels of what a box of 2 N is off the closed form, N.
double off_closed_form(const PsfMethod& method, double half_x_m, double half_y_m, double x_m,
                       double y_m) {
  const auto image = method.image(
      {box(2 * half_x_m, 2 * half_y_m), {x_m, y_m, 0, 0, 0}, {PressLoad::By::kForce, 2, 0}});
  EXPECT_TRUE(image);
  double off_N = 0;
  for (int row = 0; row < 14; ++row)
    for (int column = 0; column < 6; ++column) {
      const double left_m = (column - 3) * kPitch_m, low_m = (row - 7) * kPitch_m;
      const double expected =
          2 * part_of_cell(x_m - half_x_m, x_m + half_x_m, left_m, left_m + kPitch_m) *
          part_of_cell(y_m - half_y_m, y_m + half_y_m, low_m, low_m + kPitch_m);
      off_N += std::abs(image->force_N[static_cast<std::size_t>(row * 6 + column)] - expected);
    }
  return off_N;
}

TEST(PsfLattice, ABoxIsSpreadAsTheClosedFormSaysWhereverItsEdgesCutSamples) {
  const auto method = PsfMethod::create(forward_model());
  ASSERT_TRUE(method);
  EXPECT_LT(off_closed_form(*method, 5.1e-3, 1.7e-3, 0.68e-3, -2.04e-3), 3e-4);  // between them
  for (const double x_m : {0.6e-3, 0.63e-3, 0.68e-3, 0.7e-3})
    for (const double y_m : {0.9e-3, 0.95e-3, 0.98e-3})
      EXPECT_LT(off_closed_form(*method, 7e-3, 2e-3, x_m, y_m), 6e-4) << x_m << " " << y_m;
}

struct Case {
  const char* name;
  Indenter indenter;
  PressPose pose;
};

std::vector<Case> cases() {
  Indenter sphere, hexagon, pin;
  sphere.shape = IndenterShape::kSphere;
  sphere.diameter_m = 20e-3;
  hexagon.shape = IndenterShape::kHexagon;
  hexagon.across_flats_m = 12e-3;
  pin.diameter_m = 1e-3;
  return {{"sphere", sphere, {1e-3, -3e-3, 0, 0, 0}},
          {"hexagon", hexagon, {0.4e-3, 5e-3, 0.3, 0, 0}},
          {"tilted", box(12e-3, 4e-3), {0, 0, 0.7, 0.01, -0.005}},
          {"over the border", hexagon, {9e-3, 0, 0, 0, 0}},
          {"pin", pin, {0.9e-3, -2.1e-3, 0, 0, 0}}};
}

void expect_alike(const SensorModel& model) {
  const auto method = PsfMethod::create(model);
  ASSERT_TRUE(method);
  for (const auto& [name, indenter, pose] : cases()) {
    const StaticPress press{indenter, pose, {PressLoad::By::kForce, 5, 0}};
    const auto slow = method->press(press), fast = method->image(press);
    ASSERT_TRUE(slow && fast) << name;
    for (std::size_t i = 0; i < slow->force_N.size(); ++i)
      EXPECT_NEAR(fast->force_N[i], slow->force_N[i], 5e-4) << name << " tactel " << i;
    EXPECT_EQ(fast->depth_m, slow->depth_m);
    EXPECT_EQ(fast->warnings.size(), slow->warnings.size());
  }
}

TEST(PsfLattice, ImagesAreThoseOfTheMethodWithDerivatives) {
  auto model = forward_model();
  expect_alike(model);
  auto& yaw_rad = model.sensor.arrays[0].pose.rpy_rad[2];
  yaw_rad = 0.4;
  expect_alike(model);
  yaw_rad = 0;
  set(model.psf.sigma_y, 1.9e-3);
  set(model.psf.theta, 0);
  model.psf.edge = "renormalised";
  model.quality["psf"].figures["ghosting_percent"] = 1.5;
  expect_alike(model);
}

TEST(PsfLattice, IsNotForASpreadAcrossTheAxes) {
  const auto sensor = forward_model().sensor;
  const auto lattice = [&](const SpreadCovariance& spread, PsfForm form) {
    return PsfLattice::create(sensor, spread, form, PsfEdge::kZero).has_value();
  };
  EXPECT_TRUE(lattice({2e-6, 0, 3e-6}, PsfForm::kIntegrated));
  EXPECT_FALSE(lattice({2e-6, 1e-7, 2e-6}, PsfForm::kIntegrated));
  EXPECT_FALSE(lattice({2e-6, 0, 2e-6}, PsfForm::kSampled));
}

}  // namespace
}  // namespace tactelier
