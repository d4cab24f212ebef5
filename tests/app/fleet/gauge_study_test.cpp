// Gauge R&R: against NumPy (tests/oracles/gen_16_gauge.py), on AIAG's worked example and on drawn
// data. Of the example all 90 readings agree with two independent public copies, and the table of
// variances with what Minitab prints for its sample file GAGEAIAG.MTW, as such a copy quotes it.

#include "app/workflow/catalogue/gauge_study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/workflow/catalogue/gauge_of_catalogue.hpp"
#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json gauge_oracle(const char* which) {
  return json::parse(std::ifstream(paths::oracles() + "/16_gauge.json")).at(which);
}

GaugeStudy study_of(const json& oracle) {
  const auto study = gauge_study(oracle.at("values").get<GaugeTable>());
  EXPECT_TRUE(study) << study.error().message;
  return study ? *study : GaugeStudy{};
}

/// The estimate exactly; the interval within what the draws of either side scatter.
void expect_estimate(const GaugeEstimate& estimate, const json& oracle, const char* name) {
  const auto wanted = oracle.at("estimates").at(name).get<std::array<double, 3>>();
  EXPECT_NEAR(estimate.value, wanted[0], 1e-9 * wanted[0]) << name;
  EXPECT_NEAR(estimate.low, wanted[1], 0.02 * wanted[1]) << name;
  EXPECT_NEAR(estimate.high, wanted[2], 0.05 * wanted[2]) << name;
}

void expect_oracle(const GaugeStudy& study, const json& oracle) {
  const auto& squares = oracle.at("sum_of_squares");
  const auto near = [&](const VarianceSource& source, const char* name) {
    const double wanted = squares.at(name).get<double>();
    EXPECT_NEAR(source.sum_of_squares, wanted, 1e-9 * wanted) << name;
  };
  near(study.part, "part");
  near(study.who, "who");
  near(study.interaction, "interaction");
  near(study.repeat, "repeat");
  EXPECT_EQ(study.pooled, oracle.at("pooled").get<bool>());
  expect_estimate(study.repeatability, oracle, "repeatability");
  expect_estimate(study.reproducibility, oracle, "reproducibility");
  expect_estimate(study.gauge, oracle, "gauge");
  expect_estimate(study.part_to_part, oracle, "part_to_part");
  expect_estimate(study.total, oracle, "total");
  expect_estimate(study.percent_of_total, oracle, "percent_of_total");
}

TEST(GaugeStudy, GivesTheTablesOfAiagsWorkedExample) {
  const auto study = study_of(gauge_oracle("aiag"));
  // Measurement Systems Analysis, 4th ed.: table of variances and of the study's deviations.
  EXPECT_NEAR(study.who.mean_square(), 1.58363, 5e-6);
  EXPECT_NEAR(study.part.mean_square(), 9.81799, 5e-6);
  EXPECT_NEAR(study.interaction.mean_square(), 0.01994, 5e-6);
  EXPECT_NEAR(study.repeat.mean_square(), 0.04598, 5e-6);
  // Minitab's GAGEAIAG.MTW: sums of squares, p of the interaction, shares of the variance.
  EXPECT_NEAR(study.part.sum_of_squares, 88.3619, 5e-5);
  EXPECT_NEAR(study.who.sum_of_squares, 3.1673, 5e-5);
  EXPECT_NEAR(study.interaction.sum_of_squares, 0.3590, 5e-5);
  EXPECT_NEAR(study.repeat.sum_of_squares, 2.7589, 5e-5);
  EXPECT_NEAR(study.interaction_p, 0.974, 5e-4);
  const auto share = [&](const GaugeEstimate& part) {
    return 100 * std::pow(part.value / study.total.value, 2);
  };
  EXPECT_NEAR(share(study.gauge), 7.76, 5e-3);
  EXPECT_NEAR(share(study.repeatability), 3.39, 5e-3);
  EXPECT_NEAR(share(study.reproducibility), 4.37, 5e-3);
  EXPECT_NEAR(share(study.part_to_part), 92.24, 5e-3);
  EXPECT_TRUE(study.pooled);
  EXPECT_NEAR(study.repeatability.value, 0.199933, 5e-7);
  EXPECT_NEAR(study.reproducibility.value, 0.226838, 5e-7);
  EXPECT_NEAR(study.gauge.value, 0.302373, 2e-6);
  EXPECT_NEAR(study.part_to_part.value, 1.042327, 1e-6);
  EXPECT_NEAR(study.percent_of_total.value, 27.86, 5e-3);
  EXPECT_EQ(study.distinct_categories, 4);
  EXPECT_EQ(gauge_verdict(study), "may be acceptable");
  expect_oracle(study, gauge_oracle("aiag"));
}

TEST(GaugeStudy, AnInteractionIsKeptApartFromTheRepeats) {
  const auto study = study_of(gauge_oracle("crossed"));
  expect_oracle(study, gauge_oracle("crossed"));
  EXPECT_LT(study.interaction_p, 0.001);
  EXPECT_EQ(gauge_verdict(study), "not acceptable");
}

TEST(GaugeStudy, ATableThatIsNotWholeIsRefused) {
  EXPECT_FALSE(gauge_study({{{1, 2}, {1, 2}}}));
  EXPECT_FALSE(gauge_study({{{1, 2}, {1, 2}}, {{1, 2}, {1}}}));
  EXPECT_FALSE(gauge_study({{{1, 1}, {1, 1}}, {{2, 2}, {2, 2}}}));
  EXPECT_TRUE(gauge_study({{{1, 2}, {1, 3}}, {{4, 6}, {5, 5}}}));
}

class GaugeOfFleet : public testing::Test {
 protected:
  /// AIAG's example as fits, the last trial of appraiser C and part 10 only when `whole`.
  void fill(bool whole) const {
    const auto values = gauge_oracle("aiag").at("values").get<GaugeTable>();
    auto catalogue = Catalogue::open(folder_ / "study.sqlite");
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    for (std::size_t part = 0; part < 10; ++part)
      for (std::size_t who = 0; who < 3; ++who)
        for (std::size_t trial = 0; trial < 3; ++trial)
          if (whole || part < 9 || who < 2 || trial < 2) {
            ASSERT_TRUE(catalogue->add(fit_of(part, who, trial, values[part][who][trial])));
          }
    ASSERT_TRUE(catalogue->add(fit_of(0, 3, 0, 99)));
  }
  CliResult rr(const std::string& path) const {
    return run_cli(folder_.path(),
                   {"catalogue", "rr", "study.sqlite", "--parameter", path, "--json"});
  }

  TestFolder folder_;

 private:
  static CatalogueFit fit_of(std::size_t part, std::size_t who, std::size_t trial, double value) {
    CatalogueFit fit;
    fit.key = fmt::format("{} {} {}", part, who, trial);
    fit.sensor = "pad";
    fit.serial = fmt::format("P{:02}", part + 1);
    fit.state = "identified";
    fit.recorded = fmt::format("2026-11-{:02}T10:00:00Z", trial + 1);
    fit.who = std::array{"Ada", "Bob", "Cleo", ""}[who];
    CatalogueValue row;
    row.path = "stiffness.k_punch";
    row.value = value;
    row.unit = "N/m";
    row.status = "identified";
    fit.values = {row};
    return fit;
  }
};

TEST_F(GaugeOfFleet, IsTheStudyOfTheFitsThatNameWhoRecorded) {
  fill(true);
  const auto told = rr("stiffness.k_punch");
  ASSERT_EQ(told.status, 0) << told.err;
  const auto document = json::parse(told.out);
  const auto valid = check_schema(document, "cli-catalogue", "catalogue --json");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto& result = document.at("result");
  EXPECT_NEAR(result["percent_of_total"]["value"].get<double>(), 27.86, 5e-3);
  EXPECT_EQ(result["distinct_categories"], 4);
  EXPECT_EQ(result["left_out"], 1);
  EXPECT_THAT(result["operators"].get<std::vector<std::string>>(),
              ElementsAre("Ada", "Bob", "Cleo"));
  EXPECT_EQ(rr("stiffness.nothing").status, 2);
}

TEST_F(GaugeOfFleet, NamesTheSensorAndOperatorWhoAreShortOfTrials) {
  fill(false);
  const auto told = rr("stiffness.k_punch");
  EXPECT_EQ(told.status, 3);
  EXPECT_THAT(told.err, HasSubstr("sensor P10 has 2 identified trials by Cleo, others have 3"));
}

TEST_F(GaugeOfFleet, ACatalogueOfTheFirstVersionIsBroughtUpWhenItIsWritten) {
  fill(true);
  {
    auto old = Database::open(folder_ / "study.sqlite", Database::Access::kWrite);
    ASSERT_TRUE(old) << old.error().message;
    ASSERT_TRUE(
        old->execute("ALTER TABLE fit DROP COLUMN who; ALTER TABLE fit DROP COLUMN verdict; "
                     "ALTER TABLE fit DROP COLUMN why; PRAGMA user_version=1"));
  }
  EXPECT_THAT(rr("stiffness.k_punch").err, HasSubstr("a catalogue of version 1"));
  ASSERT_TRUE(Catalogue::open(folder_ / "study.sqlite"));
  EXPECT_THAT(rr("stiffness.k_punch").err, HasSubstr("says who made it"));
}

}  // namespace
}  // namespace tactelier::test
