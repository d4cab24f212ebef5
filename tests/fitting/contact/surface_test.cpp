// Planes worked by hand.
#include "fitting/contact/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// 5 x 5 places 5 mm apart, one every 20 s: z0 0.1 mm, tilts 0.005 and -0.003, 10 um/h upwards.
std::vector<SurfacePoint> plane(double noise_m) {
  RandomSource random(4);
  std::vector<SurfacePoint> points;
  for (int i = 0; i < 25; ++i) {
    SurfacePoint point{5e-3 * (i * 7 % 5 - 2), 5e-3 * (i * 3 % 25 / 5 - 2), 20.0 * i, 0};
    point.height_m = 1e-4 + std::tan(0.005) * point.y_m - std::tan(-0.003) * point.x_m +
                     10e-6 / 3600 * (point.time_s - 240) + noise_m * random.normal();
    points.push_back(point);
  }
  return points;
}

TEST(Surface, IsFoundWithItsTiltsAndDrift) {
  const auto fit = fit_surface(plane(2e-6));
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_LT(std::abs(fit->z0_m.value - 1e-4), 2 * fit->z0_m.std);
  EXPECT_LT(std::abs(fit->tilt_x_rad.value - 0.005), 2.1 * fit->tilt_x_rad.std);
  EXPECT_LT(std::abs(fit->tilt_y_rad.value + 0.003), 2.1 * fit->tilt_y_rad.std);
  EXPECT_NEAR(fit->tilt_rad.value, std::hypot(0.005, 0.003), 2.1 * fit->tilt_rad.std);
  EXPECT_LT(fit->tilt_rad.std, 1e-4);
  ASSERT_TRUE(fit->drift_m_per_s);
  EXPECT_LT(std::abs(fit->drift_m_per_s->value - 10e-6 / 3600), 2.1 * fit->drift_m_per_s->std);
}

TEST(Surface, IsNotTurnedByLostSteps) {
  auto points = plane(1e-6);
  for (const std::size_t i : {3u, 17u}) points[i].height_m += 40e-6;
  const auto fit = fit_surface(points);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->tilt_x_rad.value, 0.005, 2e-4);
  EXPECT_NEAR(fit->tilt_y_rad.value, -0.003, 2e-4);
  EXPECT_GE(fit->downweighted, 2u);
}

TEST(Surface, RefusesPlacesOnOneLine) {
  std::vector<SurfacePoint> points;
  for (int i = 0; i < 10; ++i) points.push_back({1e-3 * i, 2e-3 * i, 10.0 * i, 1e-6 * i});
  const auto fit = fit_surface(points);
  ASSERT_FALSE(fit);
  EXPECT_TRUE(fit.error().message.starts_with("ID-01")) << fit.error().message;
  EXPECT_FALSE(fit_surface(std::span(points).first(2)));
}

}  // namespace
}  // namespace tactelier
