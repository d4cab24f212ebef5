#include "libcalib/sensor/press_axis.hpp"

#include <gmock/gmock.h>

namespace tactelier {
namespace {

PressAxis parsed(std::string_view name) { return parse_press_axis(name, "rig").value(); }

TEST(PressAxis, IsALetterWithOrWithoutASign) {
  EXPECT_EQ(parsed("x"), (PressAxis{0, 1}));
  EXPECT_EQ(parsed("+y"), (PressAxis{1, 1}));
  EXPECT_EQ(parsed("-z"), (PressAxis{2, -1}));
  EXPECT_EQ(parsed("-z").column(), "Fz");
  EXPECT_EQ(parsed("x").column(), "Fx");
}

TEST(PressAxis, AnythingElseIsRefusedByItsPlace) {
  for (const auto* name : {"", "-", "w", "zz", "- z", "Z", "--z"}) {
    const auto axis = parse_press_axis(name, "my-rig.json: force_sensor.press_axis");
    ASSERT_FALSE(axis) << name;
    EXPECT_EQ(axis.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(axis.error().message, testing::HasSubstr("my-rig.json: force_sensor.press_axis"));
  }
}

}  // namespace
}  // namespace tactelier
