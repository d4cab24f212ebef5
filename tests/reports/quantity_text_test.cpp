#include "reports/quantity_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

std::string shown(std::optional<double> value, std::optional<double> uncertainty,
                  std::string_view unit) {
  const auto text = quantity_text(value, uncertainty, unit);
  return text.value + " ± " + text.uncertainty + " " + text.unit;
}

TEST(QuantityText, RoundsUncertaintyToTwoDigitsAndTheValueToTheSamePlace) {
  EXPECT_EQ(shown(2012.4, 24.0, "N/m"), "2012 ± 24 N/m");
  EXPECT_EQ(shown(58.392857, 0.31415, "N/m"), "58.39 ± 0.31 N/m");
  EXPECT_EQ(shown(2012.4, 1.0, "N/m"), "2012.4 ± 1.0 N/m");
  EXPECT_EQ(shown(2012.4, 246.0, "N/m"), "2010 ± 250 N/m");
  EXPECT_EQ(shown(1.0, 0.0996, "counts"), "1.00 ± 0.10 counts");  // 0.0996 is 0.10
  EXPECT_EQ(shown(1.0, 0.0994, "counts"), "1.000 ± 0.099 counts");
  EXPECT_EQ(shown(-0.001, 0.1, "rad"), "0.00 ± 0.10 rad");  // no "-0.00"
  EXPECT_EQ(shown(3840, 3.0, "counts"), "3840.0 ± 3.0 counts");
}

TEST(QuantityText, ShowsNoDigitsThatRoundingAloneMade) {
  EXPECT_EQ(shown(100, 3e-15, "N"), "100 ± 3e-15 N");
  EXPECT_EQ(shown(1.0 / 3, 1e-12, "N"), "0.333333333333 ± 1e-12 N");
  EXPECT_EQ(shown(1763978000.123456, 2e-6, "s"), "1.76397800012 ± 2e-15 Gs");
  EXPECT_EQ(shown(1234.5678901, 1e-7, "N"), "1234.56789010 ± 0.00000010 N");
}

TEST(QuantityText, TakesAPrefixWhereThePlainUnitIsUnhandy) {
  EXPECT_EQ(shown(4.1667e-4, 3.1e-6, "N/count"), "416.7 ± 3.1 µN/count");
  EXPECT_EQ(shown(1.4e-3, 1.44e-5, "m"), "1.400 ± 0.014 mm");
  EXPECT_EQ(shown(3.333e6, 1e5, "Pa/m"), "3.33 ± 0.10 MPa/m");
  EXPECT_EQ(shown(99999, std::nullopt, "N/m"), "99999 ±  N/m");
  EXPECT_EQ(shown(1e5, std::nullopt, "N/m"), "100 ±  kN/m");
  EXPECT_EQ(shown(0.1, std::nullopt, "s"), "0.1 ±  s");
  EXPECT_EQ(shown(0, 2e-6, "m"), "0.0 ± 2.0 µm");  // the uncertainty chooses
  EXPECT_EQ(shown(0, std::nullopt, "m"), "0 ±  m");
}

TEST(QuantityText, LeavesCountsPercentAndRatiosAlone) {
  EXPECT_EQ(shown(1e-3, std::nullopt, "counts"), "0.001 ±  counts");
  EXPECT_EQ(shown(2e5, std::nullopt, ""), "2e+05 ±  ");
  EXPECT_EQ(shown(0.05, std::nullopt, "%/decade"), "0.05 ±  %/decade");
}

TEST(QuantityText, ShowsADashForWhatIsNotKnown) {
  EXPECT_EQ(shown(std::nullopt, std::nullopt, "N/m"), "- ±  N/m");
  EXPECT_EQ(shown(std::nan(""), 1.0, "N/m"), "- ±  N/m");
  EXPECT_EQ(shown(5.0, std::nan(""), "N/m"), "5 ±  N/m");
}

TEST(ExpandedUncertainty, PrefersTheTotalThenTheIntervalThenTheStandardError) {
  Parameter parameter;
  EXPECT_FALSE(expanded_uncertainty(parameter));
  parameter.std = 10;
  EXPECT_DOUBLE_EQ(*expanded_uncertainty(parameter), 19.6);
  parameter.ci95 = {{90, 106}};
  EXPECT_DOUBLE_EQ(*expanded_uncertainty(parameter), 8);
  parameter.u_total = 12;
  EXPECT_DOUBLE_EQ(*expanded_uncertainty(parameter), 12);
}

}  // namespace
}  // namespace tactelier
