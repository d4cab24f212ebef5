#include "libcalib/sensor/indenter.hpp"

#include <gmock/gmock.h>

#include <array>

namespace tactelier {
namespace {

using testing::HasSubstr;

Indenter parsed(std::string_view text) {
  auto indenter = parse_indenter(text, "indenter");
  EXPECT_TRUE(indenter) << text << indenter.error().message;
  return indenter.value_or(Indenter{});
}

std::string refusal(std::string_view text) {
  const auto indenter = parse_indenter(text, "indenter");
  if (indenter) return "accepted";
  EXPECT_EQ(indenter.error().code, ErrorCode::kInvalidInput);
  return indenter.error().message;
}

struct Case {
  const char* text;
  const char* description;
  std::optional<double> flat_area_m2;
};

// Areas by hand: pi/4 mm2; sqrt(3)/2 * 4^2 mm2; 10 x 4; 20 x 1.5.
const std::array kCases{
    Case{R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1})", "cylinder 1 mm",
         0.7853981633974483e-6},
    Case{R"({"shape": "sphere", "diameter_mm": 12.7})", "sphere 12.7 mm", std::nullopt},
    Case{R"({"shape": "hexagon", "across_flats_mm": 4})", "hexagon 4 mm", 13.856406460551018e-6},
    Case{R"({"shape": "box", "x_mm": 10, "y_mm": 4})", "box 10 x 4 mm", 40e-6},
    Case{R"({"shape": "edge", "length_mm": 20, "width_mm": 1.5})", "edge 20 x 1.5 mm", 30e-6},
    Case{R"({"shape": "wedge", "length_mm": 20, "half_angle_deg": 30})",
         "wedge 20 mm, half angle 30 deg", std::nullopt},
    Case{R"({"shape": "lying_cylinder", "diameter_mm": 5, "length_mm": 20})",
         "lying cylinder 5 x 20 mm", std::nullopt},
    Case{R"({"shape": "ellipsoid", "x_mm": 4, "y_mm": 5, "z_mm": 6})", "ellipsoid 4 x 5 x 6 mm",
         std::nullopt},
    Case{R"({"shape": "plate"})", "plate", std::nullopt},
    Case{R"({"shape": "compound", "parts": [
             {"shape": "cylinder", "diameter_mm": 3, "offset_mm": [-5, 0, 0]},
             {"shape": "cylinder", "diameter_mm": 3, "offset_mm": [5, 0, 0]}]})",
         "compound of 2 parts", std::nullopt},
    Case{R"({"shape": "mesh", "file": "key.stl", "scale_mm": 1})", "mesh key.stl", std::nullopt},
};

TEST(Indenter, ReadsAndDescribesEveryShape) {
  for (const auto& [text, description, area_m2] : kCases) {
    const auto indenter = parsed(text);
    EXPECT_EQ(indenter.describe(), description);
    ASSERT_EQ(indenter.flat_area_m2().has_value(), area_m2.has_value()) << text;
    EXPECT_NEAR(indenter.flat_area_m2().value_or(0), area_m2.value_or(0), 1e-17);
  }
}

TEST(Indenter, ConvertsToSi) {
  EXPECT_EQ(parsed(kCases[0].text).id, "pin1");
  EXPECT_DOUBLE_EQ(*parsed(kCases[0].text).punch_radius_m(), 0.5e-3);
  EXPECT_FALSE(parsed(kCases[1].text).punch_radius_m());
  EXPECT_NEAR(parsed(kCases[5].text).half_angle_rad, 0.5235987755982988, 1e-15);
  const auto compound = parsed(kCases[9].text);
  ASSERT_EQ(compound.parts.size(), 2U);
  EXPECT_DOUBLE_EQ(compound.parts[0].x_m, -5e-3);
  EXPECT_DOUBLE_EQ(compound.parts[1].indenter.diameter_m, 3e-3);
  EXPECT_DOUBLE_EQ(parsed(kCases[10].text).mesh_scale_m, 1e-3);
}

TEST(Indenter, RefusesMissingNegativeAndForeignSizes) {
  EXPECT_EQ(refusal(R"({"shape": "edge", "length_mm": 3})"), "indenter: key 'width_mm' is missing");
  EXPECT_EQ(refusal(R"({"shape": "box", "x_mm": 0, "y_mm": 2})"),
            "indenter: x_mm: must be more than 0, found 0");
  EXPECT_EQ(refusal(R"({"shape": "wedge", "length_mm": 3, "half_angle_deg": 90})"),
            "indenter: half_angle_deg: must be less than 90, found 90");
  EXPECT_EQ(refusal(R"({"shape": "cylinder", "diameter_mm": 1, "length_mm": 3})"),
            "indenter: shape 'cylinder' has no 'length_mm'");
  EXPECT_EQ(refusal(R"({"diameter_mm": 1})"),
            "indenter: key 'shape' is missing (cylinder, hexagon, box and edge have flat ends; "
            "plate covers the whole array)");
  EXPECT_EQ(refusal(R"({"shape": "cylinder", "diameter": 1})"),
            "indenter: unknown key 'diameter' (did you mean 'diameter_mm'?)");
  EXPECT_EQ(refusal(R"({"shape": "compound"})"), "indenter: key 'parts' is missing");
  EXPECT_EQ(refusal(R"({"shape": "compound", "parts": [{"shape": "plate", "parts": []}]})"),
            "indenter: parts[0].parts: expected at least 1 entries, found 0");
  EXPECT_EQ(refusal(R"({"shape": "cylinder", "diameter_mm": 1, "offset_mm": [0, 0, 0]})"),
            "indenter: unknown key 'offset_mm'");
}

TEST(Indenter, BoundsNestedCompounds) {
  const auto nested = [](int levels) {
    std::string text = R"({"shape": "plate"})";
    for (int i = 0; i < levels; ++i) text = R"({"shape": "compound", "parts": [)" + text + "]}";
    return text;
  };
  EXPECT_EQ(refusal(nested(8)), "accepted");
  EXPECT_THAT(refusal(nested(9)), HasSubstr("compounds nested deeper than 8"));
  EXPECT_THAT(refusal(nested(40)), HasSubstr("nested deeper than 64 levels"));
}

}  // namespace
}  // namespace tactelier
