#include "libcalib/units.hpp"

#include <gmock/gmock.h>

#include <array>
#include <string_view>

namespace tactelier {
namespace {

using testing::HasSubstr;

struct Known {
  std::string_view symbol;
  Quantity quantity;
  double to_si;
};

// NIST SP 811, appendix B; the SI definitions.
constexpr std::array kKnown{
    Known{"s", Quantity::kTime, 1},
    Known{"ms", Quantity::kTime, 1e-3},
    Known{"us", Quantity::kTime, 1e-6},
    Known{"ns", Quantity::kTime, 1e-9},
    Known{"m", Quantity::kLength, 1},
    Known{"mm", Quantity::kLength, 1e-3},
    Known{"um", Quantity::kLength, 1e-6},
    Known{"nm", Quantity::kLength, 1e-9},
    Known{"N", Quantity::kForce, 1},
    Known{"mN", Quantity::kForce, 1e-3},
    Known{"kgf", Quantity::kForce, 9.80665},
    Known{"gf", Quantity::kForce, 0.00980665},
    Known{"lbf", Quantity::kForce, 4.4482216152605},
    Known{"N*m", Quantity::kTorque, 1},
    Known{"N*mm", Quantity::kTorque, 1e-3},
    Known{"Pa", Quantity::kPressure, 1},
    Known{"kPa", Quantity::kPressure, 1e3},
    Known{"bar", Quantity::kPressure, 1e5},
    Known{"degC", Quantity::kTemperature, 1},
    Known{"V", Quantity::kVoltage, 1},
    Known{"mV", Quantity::kVoltage, 1e-3},
    Known{"rad", Quantity::kAngle, 1},
    Known{"mrad", Quantity::kAngle, 1e-3},
    Known{"deg", Quantity::kAngle, 3.14159265358979323846 / 180},
    Known{"rad/s", Quantity::kAngularSpeed, 1},
    Known{"deg/s", Quantity::kAngularSpeed, 3.14159265358979323846 / 180},
    Known{"rpm", Quantity::kAngularSpeed, 2 * 3.14159265358979323846 / 60},
    Known{"counts", Quantity::kCounts, 1},
};

TEST(Units, HaveTheirExactFactors) {
  for (const auto& [symbol, quantity, to_si] : kKnown) {
    const auto unit = parse_unit(symbol);
    ASSERT_TRUE(unit) << symbol;
    EXPECT_EQ(unit->quantity, quantity) << symbol;
    EXPECT_DOUBLE_EQ(unit->to_si, to_si) << symbol;
  }
}

TEST(Units, AreCaseSensitiveAndNamedWhenUnknown) {
  for (const auto* symbol : {"MM", "n", "", " mm", "inch", "psi"}) {
    const auto unit = parse_unit(symbol);
    ASSERT_FALSE(unit) << symbol;
    EXPECT_EQ(unit.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(unit.error().message, HasSubstr(fmt::format("unknown unit '{}'", symbol)));
    EXPECT_THAT(unit.error().message, HasSubstr("mm, um, nm"));
  }
}

TEST(Units, ListTheSymbolsOfAQuantity) {
  EXPECT_EQ(unit_symbols(Quantity::kTime), "s, ms, us, ns");
  EXPECT_EQ(unit_symbols(Quantity::kTemperature), "degC");
}

TEST(Units, ConvertByName) {
  EXPECT_DOUBLE_EQ(mm_to_m(3.4), 0.0034);
  EXPECT_DOUBLE_EQ(m_to_mm(0.0034), 3.4);
  EXPECT_DOUBLE_EQ(mm2_to_m2(804.25), 0.00080425);
  EXPECT_DOUBLE_EQ(m2_to_mm2(0.00125), 1250);
  EXPECT_DOUBLE_EQ(g_to_kg(304.15), 0.30415);
  EXPECT_DOUBLE_EQ(MPa_to_Pa(0.25), 250000);
  EXPECT_NEAR(deg_to_rad(180), 3.141592653589793, 1e-15);
  // 304.15 g on 804.25 mm2 is 3708.66 Pa (oracle 01_errata), not the 9810 Pa of the paper.
  EXPECT_NEAR(g_to_kg(304.15) * kStandardGravity_m_per_s2 / mm2_to_m2(804.25), 3708.6634721790483,
              1e-9);
}

}  // namespace
}  // namespace tactelier
