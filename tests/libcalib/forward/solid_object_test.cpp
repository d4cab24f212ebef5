// Mass, centre and moments of solids against textbook formulae and a mesh of the same shape.
#include "libcalib/forward/solid_object.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier {
namespace {

using testing::HasSubstr;

Indenter shaped(const std::string& text) { return *parse_indenter(text, "test"); }

void expect_moments(const RigidObject& object, double centre_z_m, const Vector3& inertia_kg_m2) {
  EXPECT_NEAR(object.centre_m[2], centre_z_m, 1e-12);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(object.inertia_kg_m2[i] / inertia_kg_m2[i], 1, 1e-9) << i;
}

TEST(SolidObject, HasTheMomentsOfTheTextbook) {
  // m = 2 kg; ball R = 10 mm: 2/5 m R^2.
  expect_moments(*solid_object(shaped(R"({"shape": "sphere", "diameter_mm": 20})"), 2, 0), 10e-3,
                 {8e-5, 8e-5, 8e-5});
  // Upright cylinder r = 10, h = 30 mm: m (3 r^2 + h^2)/12, m r^2/2.
  expect_moments(*solid_object(shaped(R"({"shape": "cylinder", "diameter_mm": 20})"), 2, 30e-3),
                 15e-3, {2e-4, 2e-4, 1e-4});
  // Lying cylinder r = 10, L = 30 mm along x.
  expect_moments(
      *solid_object(shaped(R"({"shape": "lying_cylinder", "diameter_mm": 20, "length_mm": 30})"), 2,
                    0),
      10e-3, {1e-4, 2e-4, 2e-4});
  // Hexagonal prism, side a = 10 mm: 5/12 m a^2 about its axis, h = 12 mm.
  expect_moments(
      *solid_object(shaped(R"({"shape": "hexagon", "across_flats_mm": 17.320508075688775})"), 2,
                    12e-3),
      6e-3, {2 * (5e-4 / 24 + 1.44e-4 / 12), 2 * (5e-4 / 24 + 1.44e-4 / 12), 2 * 5e-4 / 12});
}

// Two cubes of 10 mm, 30 mm apart, 1 kg each: m a^2/6 each, and m d^2 with d = 15 mm.
TEST(SolidObject, PartsOfACompoundAreMovedToTheCommonCentre) {
  const auto dumbbell = shaped(R"({"shape": "compound", "parts": [
    {"shape": "box", "x_mm": 10, "y_mm": 10, "offset_mm": [-15, 0, 0]},
    {"shape": "box", "x_mm": 10, "y_mm": 10, "offset_mm": [15, 0, 0]}]})");
  const double own = 2 * 1e-4 / 6, apart = 2 * 2.25e-4;
  expect_moments(*solid_object(dumbbell, 2, 10e-3), 5e-3, {own, own + apart, own + apart});
}

TEST(SolidObject, SaysWhatItCanNotKnow) {
  EXPECT_THAT(solid_object(shaped(R"({"shape": "plate"})"), 1, 0).error().message,
              HasSubstr("FW-07"));
  EXPECT_THAT(
      solid_object(shaped(R"({"shape": "cylinder", "diameter_mm": 20})"), 1, 0).error().message,
      HasSubstr("how tall"));
  EXPECT_THAT(
      solid_object(shaped(R"({"shape": "sphere", "diameter_mm": 20})"), 0, 0).error().message,
      HasSubstr("positive"));
}

}  // namespace
}  // namespace tactelier
