#include "devices/emulator/stage_dialect.hpp"

#include <gmock/gmock.h>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

TEST(StageDialect, HasAWordForEachFirmware) {
  EXPECT_TRUE(parse_stage_dialect("marlin")->marlin);
  EXPECT_FALSE(parse_stage_dialect("grbl")->marlin);
  EXPECT_EQ(parse_stage_dialect("fluidnc")->grbl, GrblDialect::kFluidNc);
  EXPECT_THAT(parse_stage_dialect("grblhall").error().message, HasSubstr("grblhal"));
  EXPECT_THAT(parse_stage_dialect("marlyn").error().message, HasSubstr("marlin"));
}

}  // namespace
}  // namespace tactelier::devices
