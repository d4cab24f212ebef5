// A skin of a few cells pressed anywhere: nobody knows the tactel of a press, and yet the newtons
// on the whole of it come out as a plain regression gives them, with an error that is counted on
// presses left out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <sstream>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;

struct Skin {
  std::string csv;
  Eigen::MatrixXd readings;  // with a column of ones
  Eigen::VectorXd force_N;
};

/// Twelve presses of 2 s at 100 rows per second, each on a place of its own; `sign` -1: readings
/// fall under load.
Skin pressed_anywhere(double sign) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> part(0.2, 1);
  constexpr int kPresses = 12, kRows = 200;
  Skin skin{"time,fz,s0,s1,s2\n", {kPresses * kRows, 4}, Eigen::VectorXd(kPresses * kRows)};
  for (int p = 0; p < kPresses; ++p) {
    const Eigen::Vector3d seen(part(random), part(random), part(random));
    const double scatter = 1 + 0.01 * normal(random), peak_N = 1 + p % 3;
    for (int i = 0; i < kRows; ++i) {
      const int row = p * kRows + i;
      const double force_N = peak_N * std::max(0.0, std::sin(M_PI * (i - 60) / 80.0)) * (i < 140);
      skin.force_N(row) = force_N + 0.003 * normal(random);
      std::ostringstream line;
      line << row * 0.01 << ',' << skin.force_N(row);
      for (int s = 0; s < 3; ++s) {
        const double gain = 300.0 + 100 * s;  // counts/N
        const double counts = std::round(
            2000 + sign * scatter * force_N * gain * seen(s) / seen.sum() + 2 * normal(random));
        skin.readings(row, s) = counts;
        line << ',' << counts;
      }
      skin.readings(row, 3) = 1;
      skin.csv += line.str() + '\n';
    }
  }
  return skin;
}

/// Cells of a table that `apply` wrote, by the column's name.
std::vector<double> column_of(const std::string& csv, const std::string& name) {
  std::istringstream file(csv);
  std::string line, cell;
  std::getline(file, line);
  std::size_t at = 0, wanted = 1000;
  for (std::istringstream header(line); std::getline(header, cell, ','); ++at)
    if (cell == name) wanted = at;
  EXPECT_NE(wanted, 1000U) << line;
  std::vector<double> values;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; i <= wanted; ++i) std::getline(cells, cell, ',');
    values.push_back(cell.empty() ? std::nan("") : std::stod(cell));
  }
  return values;
}

class ArrayForce : public testing::TestWithParam<double> {};

TEST_P(ArrayForce, OfPressesAnywhereIsWhatARegressionSays) {
  const TestFolder folder;
  const auto skin = pressed_anywhere(GetParam());
  folder.write("skin.csv", skin.csv);
  const auto run = [&](const std::vector<std::string>& arguments) {
    auto result = run_cli(folder.path(), arguments);
    EXPECT_EQ(result.status, 0) << arguments[0] << "\n" << result.out << result.err;
    return result;
  };
  EXPECT_THAT(run({"import", "skin.csv", "--guess", "--import", "-o", "skin.tact"}).out,
              HasSubstr("the force on the whole array"));
  run({"fit", "skin.tact", "-o", "skin.json", "--require", "array"});
  run({"apply", "skin.json", "skin.tact", "-o", "newtons.csv"});
  const auto newtons = folder.read("newtons.csv");
  const auto total_N = column_of(newtons, "total[N]");
  const auto u95_N = column_of(newtons, "total.u95[N]");
  ASSERT_EQ(total_N.size(), static_cast<std::size_t>(skin.force_N.size()));
  const Eigen::VectorXd regression_N =
      skin.readings * skin.readings.colPivHouseholderQr().solve(skin.force_N);
  int held = 0;
  for (Eigen::Index i = 0; i < regression_N.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    EXPECT_NEAR(total_N[row], regression_N(i), std::max(0.005 * regression_N(i), 0.15 * u95_N[row]))
        << "row " << i;
    held += std::abs(total_N[row] - skin.force_N(i)) <= u95_N[row];
  }
  EXPECT_GT(held, 0.9 * static_cast<double>(regression_N.size()));
}

INSTANTIATE_TEST_SUITE_P(RisingAndFalling, ArrayForce, testing::Values(1.0, -1.0));

}  // namespace
}  // namespace tactelier::test
