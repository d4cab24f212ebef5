// Truth: oracles/05_response.json (SciPy's PchipInterpolator and BSpline).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "libcalib/models/ispline.hpp"
#include "libcalib/models/pchip.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using Vector = std::vector<double>;

nlohmann::json response_oracle() {
  std::ifstream file(paths::oracles() + "/05_response.json");
  return nlohmann::json::parse(file);
}

void expect_values(const Pchip& curve, const nlohmann::json& expected) {
  for (std::size_t i = 0; i < expected["x"].size(); ++i)
    EXPECT_NEAR(curve.slopes()[i], expected["slopes"][i].get<double>(), 1e-10) << i;
  for (std::size_t i = 0; i < expected["x_eval"].size(); ++i)
    EXPECT_NEAR(curve(expected["x_eval"][i]), expected["y_eval"][i].get<double>(), 1e-9) << i;
}

TEST(Pchip, MatchesTheOraclesSlopesAndValues) {
  const auto expected = response_oracle()["pchip"];
  const Pchip curve(expected["x"].get<Vector>(), expected["y"].get<Vector>());
  expect_values(curve, expected);
  for (std::size_t i = 0; i < expected["x_eval"].size(); ++i)
    EXPECT_NEAR(curve.slope(expected["x_eval"][i]), expected["dy_eval"][i].get<double>(), 1e-9);
}

TEST(Pchip, StaysFlatWhereThePointsTurn) {
  const auto expected = response_oracle()["pchip"]["nonmonotone"];
  expect_values(Pchip(expected["x"].get<Vector>(), expected["y"].get<Vector>()), expected);
}

TEST(Pchip, FindsItsWayBackFromAValue) {
  const Pchip curve({0, 1, 3, 4}, {0, 2, 5, 9});
  const auto [low, high] = curve.inverse(3.7);
  EXPECT_NEAR(curve(low), 3.7, 1e-12);
  EXPECT_NEAR(high, low, 1e-12);
}

TEST(Pchip, GivesTheIntervalOfAFlatStretch) {
  const Pchip curve({0, 1, 2, 3}, {0, 1, 1, 3});
  const auto [low, high] = curve.inverse(1);
  EXPECT_NEAR(low, 1, 1e-7);  // the cubic leaves the flat as x^2
  EXPECT_NEAR(high, 2, 1e-7);
}

TEST(ISpline, MatchesTheOraclesTable) {
  const auto expected = response_oracle()["ispline"];
  const ISpline basis(expected["order_k"], expected["inner_knots"].get<Vector>(), 0, 2);
  ASSERT_EQ(basis.size(), expected["n_basis"].get<std::size_t>());
  for (std::size_t row = 0; row < expected["x"].size(); ++row) {
    const auto values = basis(expected["x"][row]);
    for (std::size_t i = 0; i < basis.size(); ++i)
      EXPECT_NEAR(values[i], expected["I"][row][i].get<double>(), 1e-12) << row << ' ' << i;
  }
}

}  // namespace
}  // namespace tactelier
