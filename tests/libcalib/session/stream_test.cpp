#include "libcalib/session/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ColumnChunk, BringsValuesToTheSmallestExponent) {
  const std::vector<Decimal> values{{15, -1}, {125, -2}, {3, 0}, {kMissing, 0}};
  const auto column = column_chunk(values);
  EXPECT_EQ(column.exponent, -2);
  EXPECT_THAT(column.mantissas, ElementsAre(150, 125, 300, kMissing));
  EXPECT_THAT(column.exponents, IsEmpty());
  EXPECT_EQ(column.at(0).text(), "1.50");
}

TEST(ColumnChunk, KeepsEachExponentWhereOneWouldOverflow) {
  const std::vector<Decimal> values{{999999999999999999, 0}, {1, -5}, {kMissing, 0}};
  const auto column = column_chunk(values);
  EXPECT_THAT(column.mantissas, ElementsAre(999999999999999999, 1, kMissing));
  EXPECT_THAT(column.exponents, ElementsAre(0, -5, 0));
  EXPECT_EQ(column.at(1), (Decimal{1, -5}));
}

TEST(ColumnChunk, AllMissingIsFine) {
  const std::vector<Decimal> values{{kMissing, 0}, {kMissing, 0}};
  const auto column = column_chunk(values);
  EXPECT_EQ(column.exponent, 0);
  EXPECT_TRUE(std::isnan(column.si(1, 1.0)));
}

TEST(ColumnInfo, FactorToSiIsScaleTimesUnit) {
  EXPECT_EQ((ColumnInfo{"x", "mm", 1.0}.to_si()), 1e-3);
  EXPECT_EQ((ColumnInfo{"Fz", "N", 1.0 / 64}.to_si()), 1.0 / 64);
  EXPECT_EQ((ColumnInfo{"14", "", 1.0}.to_si()), 1.0);
  ColumnChunk column;
  column.mantissas = {-12345};
  column.exponent = -3;
  EXPECT_DOUBLE_EQ(column.si(0, 1e-3), -0.012345);
}

TEST(StreamInfo, FindsColumnsByName) {
  const StreamInfo stream{StreamKind::kForce, {{"t", "s", 1.0}, {"Fz", "N", 1.0}}};
  EXPECT_EQ(stream.find("Fz"), 1);
  EXPECT_EQ(stream.find("Fx"), -1);
  EXPECT_EQ(to_string(StreamKind::kTactile), "tactile");
}

}  // namespace
}  // namespace tactelier
