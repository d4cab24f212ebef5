#include "libcalib/session/decimal.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <string>

#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

void expect_read(std::string_view text, std::int64_t mantissa, int exponent) {
  const auto number = parse_decimal(text);
  ASSERT_TRUE(number) << text;
  EXPECT_EQ(number->mantissa, mantissa) << text;
  EXPECT_EQ(number->exponent, exponent) << text;
}

TEST(Decimal, KeepsTheDigitsAsWritten) {
  expect_read("-1.25", -125, -2);
  expect_read("3", 3, 0);
  expect_read("+.5", 5, -1);
  expect_read("5.", 5, 0);
  expect_read("1e-3", 1, -3);
  expect_read("1.50", 150, -2);
  expect_read("007", 7, 0);
  expect_read("0.000", 0, -3);
  expect_read("-0.0125", -125, -4);
  expect_read("1.5e3", 1500, 0);
  expect_read("1.5E+3", 1500, 0);
  expect_read("0e7", 0, 0);
  expect_read("999999999999999999", 999999999999999999, 0);
  expect_read("1e20", 100000000000000000, 3);
  expect_read("1e-99", 1, -99);
}

TEST(Decimal, RefusesEverythingThatIsNoPlainNumber) {
  for (const char* text : {"",
                           "-",
                           "+",
                           ".",
                           "-.",
                           "1,5",
                           "0x1A",
                           "nan",
                           "inf",
                           "-inf",
                           "1e",
                           "1e+",
                           "1e+-3",
                           "1 ",
                           " 1",
                           "1.2.3",
                           "--1",
                           "1e5.0",
                           "1f",
                           "NaN",
                           "one",
                           "1_000",
                           "1e-100",
                           "1e400",
                           "1e99999999",
                           "1234567890123456789",
                           "0.1234567890123456789",
                           "１"})
    EXPECT_FALSE(parse_decimal(text)) << text;
  EXPECT_FALSE(parse_decimal(std::string_view("1\0", 2)));
}

TEST(Decimal, WritesPlainDigitsThatReadBackAsTheSamePair) {
  EXPECT_EQ((Decimal{-125, -4}.text()), "-0.0125");
  EXPECT_EQ((Decimal{150, -2}.text()), "1.50");
  EXPECT_EQ((Decimal{0, -3}.text()), "0.000");
  EXPECT_EQ((Decimal{7, 0}.text()), "7");
  EXPECT_EQ((Decimal{7, -25}.text()), "0.0000000000000000000000007");
  EXPECT_EQ((Decimal{7, -26}.text()), "7e-26");
  EXPECT_EQ((Decimal{100000000000000000, 3}.text()), "100000000000000000e3");
  EXPECT_EQ((Decimal{kMissing, 0}.text()), "");
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto digits = static_cast<int>(random() % 18) + 1;
    const auto limit = static_cast<std::uint64_t>(std::pow(10.0, digits));
    auto mantissa = static_cast<std::int64_t>(random() % limit);
    if (random() % 2 == 0) mantissa = -mantissa;
    const Decimal number{mantissa, -static_cast<int>(random() % 100)};
    EXPECT_EQ(parse_decimal(number.text()), number) << number.text();
  }
}

TEST(Decimal, ValueIsTheNearestDouble) {
  // strtod of the C library is the judge, in the C locale of this process.
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    auto mantissa = static_cast<std::int64_t>(random() % 1'000'000'000'000'000'000U);
    if (random() % 2 == 0) mantissa >>= random() % 60;
    const Decimal number{mantissa, static_cast<int>(random() % 150) - 99};
    const std::string text =
        std::to_string(number.mantissa) + "e" + std::to_string(number.exponent);
    EXPECT_EQ(number.value(), std::strtod(text.c_str(), nullptr)) << text;
  }
  EXPECT_TRUE(std::isnan(Decimal{kMissing}.value()));
}

TEST(Decimal, ShortestDecimalReadsBackAsTheSameDouble) {
  EXPECT_EQ(decimal_from(0.1), (Decimal{1, -1}));
  EXPECT_EQ(decimal_from(1500), (Decimal{1500, 0}));
  EXPECT_EQ(decimal_from(-0.0125), (Decimal{-125, -4}));
  EXPECT_EQ(decimal_from(0), (Decimal{0, 0}));
  std::mt19937_64 random(13);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(static_cast<double>(random() >> 11) * 0x1p-53,
                                    static_cast<int>(random() % 200) - 100);
    EXPECT_EQ(decimal_from(value).value(), value);
  }
  EXPECT_EQ(decimal_from(std::numeric_limits<double>::quiet_NaN()).mantissa, kMissing);
  EXPECT_EQ(decimal_from(std::numeric_limits<double>::infinity()).mantissa, kMissing);
  EXPECT_EQ(decimal_from(1e300).mantissa, kMissing);
}

/// A locale that is installed, or made in `folder` by the C library's own tool.
const char* locale_with_comma(const std::filesystem::path& folder) {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
    if (const char* chosen = std::setlocale(LC_ALL, name)) return chosen;
  const std::string command =
      "localedef -i de_DE -f UTF-8 " + (folder / "de_DE.UTF-8").string() + " 2>/dev/null";
  if (std::system(command.c_str()) != 0) return nullptr;
  ::setenv("LOCPATH", folder.c_str(), 1);
  return std::setlocale(LC_ALL, "de_DE.UTF-8");
}

TEST(Decimal, IgnoresALocaleWithADecimalComma) {
  const test::TemporaryFolder folder;
  if (locale_with_comma(folder.path()) == nullptr)
    GTEST_SKIP() << "no locale with a decimal comma, and none can be made here";
  EXPECT_STREQ(std::localeconv()->decimal_point, ",");
  expect_read("-1.25", -125, -2);
  EXPECT_FALSE(parse_decimal("1,25"));
  EXPECT_EQ((Decimal{-125, -2}.text()), "-1.25");
  EXPECT_EQ((Decimal{123456789012345678, -30}.value()), 1.23456789012345678e-13);
  EXPECT_EQ(decimal_from(0.5), (Decimal{5, -1}));
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace tactelier
