// Numbers: docs/wire-formats.md 2, from the public copy of FT8577.cal (SI-25-0.25).
#include "devices/ati/cal_file.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

constexpr std::string_view kHead =
    R"(<FTSensor Serial="FT8577" BodyStyle="Nano17" NumGages="6" CalFileVersion="1.1">
<Calibration PartNumber="SI-25-0.25" CalDate="1/1/2010" ForceUnits="N" TorqueUnits="N-mm" DistUnits="mm">
)";
constexpr std::string_view kAxes =
    R"(<Axis Name="Fx" values="-0.06744 -0.06253 0.34834 37.34247 1.90538 -37.39899" max="25" scale="11.3650042049178"/>
<Axis Name="Fy" values="0.55821 -45.57953 -0.51071 22.00831 -0.39426 21.28868" max="25" scale="11.3650042049178"/>
<Axis Name="Fz" values="22.07572 0.66524 22.64229 0.15088 21.81132 -0.64550" max="35" scale="5.89341666193018"/>
<Axis Name="Tx" values="0.25495 0.07335 38.61586 0.30585 -38.71584 1.08341" max="250" scale="1.82292883446332"/>
<Axis Name="Ty" values="-43.12768 -1.34402 23.17737 0.13073 21.67933 -0.58572" max="250" scale="1.82292883446332"/>
<Axis Name="Tz" values="0.23141 -23.28809 -0.53681 -22.47927 1.56779 -22.44391" max="250" scale="1.57420173377595"/>
<BasicTransform Dx="0" Dy="0" Dz="6.096" Rx="0" Ry="0" Rz="0"/>
)";
constexpr std::string_view kUserAxes =
    R"(<UserAxis Name="Fx" values="-0.00593 -0.00550 0.03065 3.28574 0.16765 -3.29072" max="25"/>
<UserAxis Name="Fy" values="0.04912 -4.01052 -0.04494 1.93650 -0.03469 1.87318" max="25"/>
<UserAxis Name="Fz" values="3.74583 0.11288 3.84196 0.02560 3.70096 -0.10953" max="35"/>
<UserAxis Name="Tx" values="0.43927 -24.40787 20.90948 11.97267 -21.44973 12.01322" max="250"/>
<UserAxis Name="Ty" values="-23.62228 -0.70375 12.52751 -19.95816 10.87057 19.73889" max="250"/>
<UserAxis Name="Tz" values="0.14700 -14.79358 -0.34100 -14.27979 0.99593 -14.25733" max="250"/>
)";
constexpr std::string_view kTail = "</Calibration></FTSensor>";

std::string file(std::string_view a, std::string_view b = "") {
  return fmt::format("{}{}{}{}", kHead, a, b, kTail);
}

std::string refusal(std::string_view text) {
  const auto cal = parse_cal_file(text, "x.cal");
  if (cal) return "accepted";
  EXPECT_EQ(cal.error().code, ErrorCode::kInvalidInput);
  return cal.error().message;
}

TEST(CalFile, TurnsGageVoltsIntoAWrench) {
  const auto cal = parse_cal_file(file(kAxes, kUserAxes), "FT8577.cal");
  ASSERT_TRUE(cal) << cal.error().message;
  EXPECT_EQ(cal->serial, "FT8577");
  EXPECT_EQ(cal->part_number, "SI-25-0.25");
  EXPECT_DOUBLE_EQ(cal->full_scale_SI[2], 35);
  EXPECT_DOUBLE_EQ(cal->full_scale_SI[4], 0.25);
  const auto w = cal->wrench_SI({0.5, -0.25, 0.1, 0, 0.2, -0.3}, {0.1, 0, -0.05, 0.02, 0, 0.01});
  const std::array<double, 6> expected{0.991539,    0.389183,      2.820040,
                                       1.160600e-3, -10.939627e-3, 8.610599e-3};
  for (std::size_t axis = 0; axis < 6; ++axis)
    EXPECT_NEAR(w[axis], expected[axis], axis < 3 ? 1e-6 : 1e-9);
}

TEST(CalFile, ComputesTheMatrixOfAFileWithoutUserAxes) {
  const auto with = parse_cal_file(file(kAxes, kUserAxes), "a");
  const auto without = parse_cal_file(file(kAxes), "b");
  ASSERT_TRUE(with && without);
  for (std::size_t axis = 0; axis < 6; ++axis)
    for (std::size_t gage = 0; gage < 6; ++gage)
      EXPECT_NEAR(without->matrix_SI_per_V[axis][gage], with->matrix_SI_per_V[axis][gage],
                  axis < 3 ? 1e-5 : 1e-8);  // the file's own rounding
}

TEST(CalFile, SaysWhatIsMissing) {
  EXPECT_THAT(refusal("<a/>"), HasSubstr("is this a .cal file"));
  EXPECT_THAT(refusal("not xml"), HasSubstr("x.cal: "));
  EXPECT_THAT(refusal(file("")), HasSubstr("no Axis 'Fx'"));
  EXPECT_THAT(refusal(file(kUserAxes.substr(0, 90))), HasSubstr("x.cal: "));
  auto text = file(kAxes);
  EXPECT_THAT(refusal(text.replace(text.find("N-mm"), 4, "N-cm")), HasSubstr("TorqueUnits 'N-cm'"));
  text = file(kAxes);
  EXPECT_THAT(refusal(text.replace(text.find("scale=\"11"), 9, "scale=\"x1")), HasSubstr("scale"));
  text = file(kAxes);
  EXPECT_THAT(refusal(text.replace(text.find("-0.06744 "), 9, "")), HasSubstr("six numbers"));
  text = file(kAxes);
  EXPECT_THAT(refusal(text.replace(text.find("Rx=\"0\""), 6, "Rx=\"9\"")), HasSubstr("rotations"));
}

RC_GTEST_PROP(CalFile, SurvivesAnyText, (const std::string& text)) {
  parse_cal_file(text, "x");
  parse_cal_file(file(text), "x");
}

}  // namespace
}  // namespace tactelier::devices
