#include "libcalib/models/hayes_table.hpp"
#include "tests/paths/paths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

namespace tactelier {
namespace {

TEST(HayesTable, GivesTheOraclesOwnPointsBack) {
  std::ifstream file(paths::oracles() + "/06_hayes.csv");
  std::string line;
  std::getline(file, line);
  int points = 0;
  while (std::getline(file, line)) {
    std::istringstream row(line);
    row.imbue(std::locale::classic());
    double nu = 0;
    double radius = 0;
    double kappa = 0;
    char comma = 0;
    row >> nu >> comma >> radius >> comma >> kappa;
    EXPECT_NEAR(hayes_factor(radius, nu).value(), kappa, 1e-9 * kappa) << line;
    ++points;
  }
  EXPECT_EQ(points, 60);
}

TEST(HayesTable, StaysWithinItsToleranceBetweenThem) {
  // {a/h, nu, kappa}: the integral equation of docs/theory/contact-and-stiffness.md 9 solved by
  // Gauss quadrature.
  constexpr double kSolved[][3] = {
      {0.07, 0.05, 1.0575491810622404}, {0.3, 0.2, 1.3074294209181563},
      {0.7, 0.35, 2.023057243039868},   {2.5, 0.42, 7.15662625510183},
      {1.2, 0.45, 3.6906139254078276},  {0.5, 0.48, 1.8752979438213424},
      {2.5, 0.49, 11.6125527841277},
  };
  for (const auto& [radius, nu, kappa] : kSolved)
    EXPECT_NEAR(hayes_factor(radius, nu).value() / kappa, 1, hayes_tolerance(nu))
        << radius << " " << nu;
}

TEST(HayesTable, FindsTheModulusOfThePapersRubber) {
  // Oracle example: 2000 N/m with a 1 mm punch on 3 mm, nu 0.45: kappa 1.203756, E 1.325019 MPa.
  EXPECT_NEAR(modulus_from_punch_Pa(2000, 0.5e-3, 3e-3, 0.45).value(), 1325018.9772212398,
              0.007 * 1.325e6);
}

TEST(HayesTable, GoesOverIntoDeepRubber) {
  // kappa(0.05, 0.3) = 1.0457627828, and 1 on a half-space.
  EXPECT_NEAR(hayes_factor(0.01, 0.3).value(), 1 + 0.0457627828 / 5, 1e-9);
  EXPECT_NEAR(hayes_factor(1e-9, 0.5).value(), 1, 1e-8);
}

TEST(HayesTable, SaysNothingOutsideItsRange) {
  EXPECT_EQ(hayes_factor(0, 0.3).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(hayes_factor(3.01, 0.3).error().message,
            "punch radius over layer thickness is 3.01, the bonded-layer table ends at 3");
  EXPECT_FALSE(hayes_factor(1, 0.51).has_value());
  EXPECT_FALSE(hayes_factor(std::nan(""), 0.3).has_value());
}

}  // namespace
}  // namespace tactelier
