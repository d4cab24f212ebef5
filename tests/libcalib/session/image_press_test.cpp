#include "libcalib/session/image_press.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

Event event(std::string_view t_s, std::string_view name, std::string_view data) {
  return make_event(parse_decimal(t_s).value(), name, data, "events.csv:2").value();
}

TEST(ImagePresses, HoldPlaceShapeAndLoadInSiUnits) {
  const std::vector<Event> events{
      event("10", "image_begin",
            R"({"image": 3, "indenter": {"shape": "hexagon", "across_flats_mm": 12}, "x_mm": 1.5,
                "y_mm": -2, "rz_deg": 90, "tilt_x_deg": 2, "mass_g": 500})"),
      event("15", "image_end", R"({"image": 3})"),
      event("20", "image_begin",
            R"({"image": 4, "indenter": {"shape": "sphere", "diameter_mm": 8}, "force_N": 2})"),
      event("25", "image_end", R"({"image": 4})")};
  const auto found = image_presses(events);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2u);
  const auto& press = found->front();
  EXPECT_EQ(press.number, 3);
  EXPECT_DOUBLE_EQ(press.begin_s, 10);
  EXPECT_DOUBLE_EQ(press.end_s, 15);
  EXPECT_DOUBLE_EQ(press.indenter.across_flats_m, 12e-3);
  EXPECT_DOUBLE_EQ(press.x_m, 1.5e-3);
  EXPECT_DOUBLE_EQ(press.y_m, -2e-3);
  EXPECT_NEAR(press.rz_rad, 1.5707963267948966, 1e-15);
  EXPECT_NEAR(press.tilt_x_rad, 0.03490658503988659, 1e-15);
  EXPECT_DOUBLE_EQ(*press.mass_kg, 0.5);
  EXPECT_FALSE(press.force_N);
  EXPECT_DOUBLE_EQ(*found->back().force_N, 2);
}

TEST(ImagePresses, OneThatNeverEndsIsLeftOut) {
  const std::vector<Event> events{
      event("10", "image_begin",
            R"({"image": 1, "indenter": {"shape": "sphere", "diameter_mm": 8}, "force_N": 2})")};
  const auto found = image_presses(events);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
}

}  // namespace
}  // namespace tactelier
