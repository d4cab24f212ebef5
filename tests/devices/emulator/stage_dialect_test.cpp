#include "devices/emulator/stage_dialect.hpp"

#include <gmock/gmock.h>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

TEST(StageDialect, HasAWordForEachFirmware) {
  using Kind = StageDialect::Kind;
  EXPECT_EQ(parse_stage_dialect("marlin")->kind, Kind::kMarlin);
  EXPECT_EQ(parse_stage_dialect("zaber")->kind, Kind::kZaber);
  EXPECT_EQ(parse_stage_dialect("grbl")->kind, Kind::kGrbl);
  EXPECT_EQ(parse_stage_dialect("fluidnc")->grbl, GrblDialect::kFluidNc);
  EXPECT_THAT(parse_stage_dialect("grblhall").error().message, HasSubstr("grblhal"));
  EXPECT_THAT(parse_stage_dialect("marlyn").error().message, HasSubstr("marlin"));
}

}  // namespace
}  // namespace tactelier::devices
