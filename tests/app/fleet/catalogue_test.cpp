// The catalogue as a file: what goes in comes out, once; what the fleet's report finds in it.

#include "app/workflow/catalogue/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "app/workflow/catalogue/fleet_report.hpp"
#include "app/workflow/catalogue/randomize_fleet.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier {
namespace {

using test::TestFolder;
using testing::HasSubstr;

CatalogueValue value_of(const std::string& path, double value, double std, const char* unit) {
  CatalogueValue row;
  row.path = path;
  row.value = value;
  row.std = std;
  row.u95 = 2 * std;
  row.unit = unit;
  row.status = "identified";
  return row;
}

CatalogueFit sensor_fit(int i, double stiffness_N_per_m, const std::string& recorded) {
  CatalogueFit fit;
  fit.key = fmt::format("key {} {}", i, recorded);
  fit.sensor = "weiss-wts0614";
  fit.serial = fmt::format("S{:03}", i);
  fit.state = "identified";
  fit.recorded = recorded;
  fit.sessions = {{"a.tact", "hash a", recorded}, {"b.tact", "hash b", recorded}};
  fit.values = {value_of("stiffness.k", stiffness_N_per_m, 5, "N/m")};
  fit.quality = {{"stiffness", "r2", 0.999}};
  return fit;
}

std::string day_text(int day) {
  return fmt::format("2026-{:02}-{:02}T10:00:00Z", 1 + day / 28, 1 + day % 28);
}

class Cataloguing : public testing::Test {
 protected:
  /// Forty sensors, one a day, 1000 N/m with a sigma of 20; `shift` per day.
  void fill(double shift_per_day, int odd = -1) {
    auto catalogue = Catalogue::open(file_);
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    std::mt19937 engine(7);
    std::normal_distribution<double> scatter(0, 20);
    for (int i = 0; i < 40; ++i) {
      const double k = 1000 + scatter(engine) + shift_per_day * i + (i == odd ? 300 : 0);
      const auto added = catalogue->add(sensor_fit(i, k, day_text(i)));
      ASSERT_TRUE(added) << added.error().message;
    }
  }
  FleetReport report() const {
    const auto catalogue = Catalogue::read(file_);
    auto found = report_fleet(*catalogue, {});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : FleetReport{};
  }

  TestFolder folder_;
  std::filesystem::path file_ = folder_ / "fleet.sqlite";
};

TEST_F(Cataloguing, WhatGoesInComesOutAndASecondTimeChangesNothing) {
  auto catalogue = Catalogue::open(file_);
  ASSERT_TRUE(catalogue) << catalogue.error().message;
  const auto fit = sensor_fit(1, 1000, day_text(0));
  ASSERT_TRUE(catalogue->add(fit));
  ASSERT_TRUE(catalogue->add(fit));
  const auto keys = catalogue->keys();
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->size(), 1U);
  const auto known = catalogue->fit(fit.key);
  ASSERT_TRUE(known && *known);
  EXPECT_EQ((*known)->serial, "S001");
  EXPECT_EQ((*known)->sessions.size(), 2U);
  ASSERT_EQ((*known)->values.size(), 1U);
  EXPECT_EQ((*known)->values[0].value, 1000);
  EXPECT_EQ((*known)->values[0].unit, "N/m");
  EXPECT_EQ((*known)->quality.at(0).name, "r2");
}

TEST_F(Cataloguing, ACatalogueOfTheSecondVersionTakesVerdictsOnceItIsWritten) {
  ASSERT_TRUE(Catalogue::open(file_)->add(sensor_fit(1, 1000, day_text(0))));
  {
    auto old = Database::open(file_, Database::Access::kWrite);
    ASSERT_TRUE(old) << old.error().message;
    ASSERT_TRUE(old->execute(
        "ALTER TABLE fit DROP COLUMN verdict; ALTER TABLE fit DROP COLUMN why; "
        "PRAGMA user_version=2"));
  }
  EXPECT_FALSE(Catalogue::read(file_));
  auto catalogue = Catalogue::open(file_);
  ASSERT_TRUE(catalogue) << catalogue.error().message;
  auto judged = sensor_fit(2, 1300, day_text(1));
  judged.verdict = "reject";
  judged.why = "stiffness.k 1300 N/m, limits 940 to 1060";
  ASSERT_TRUE(catalogue->add(judged));
  EXPECT_EQ((*catalogue->fit(judged.key).value()).why, judged.why);
  EXPECT_EQ((*catalogue->fit(sensor_fit(1, 1000, day_text(0)).key).value()).verdict, "");
  EXPECT_EQ(catalogue->sensors_of("S002").value(), std::vector<std::string>{"weiss-wts0614"});
}

TEST_F(Cataloguing, AFileThatIsNoCatalogueIsRefusedAndLeftAsItIs) {
  folder_.write("other.sqlite",
                "not a database, but long enough to be looked at as if it were one");
  EXPECT_FALSE(Catalogue::open(folder_ / "other.sqlite"));
  EXPECT_FALSE(Catalogue::read(folder_ / "none.sqlite"));
  EXPECT_EQ(folder_.read("other.sqlite").substr(0, 14), "not a database");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.sqlite"));
}

TEST_F(Cataloguing, OfASensorTheLatestRecordingCountsWhateverWasAddedLast) {
  auto catalogue = Catalogue::open(file_);
  ASSERT_TRUE(catalogue->add(sensor_fit(1, 1200, day_text(9))));
  ASSERT_TRUE(catalogue->add(sensor_fit(1, 1000, day_text(2))));
  const auto latest = query_catalogue(*catalogue, {});
  ASSERT_TRUE(latest);
  ASSERT_EQ(latest->size(), 1U);
  EXPECT_EQ(latest->front().value.value, 1200);
  CatalogueFilter all;
  all.history = true;
  EXPECT_EQ(query_catalogue(*catalogue, all)->size(), 2U);
  // |1200 - 1000| / hypot(10, 10)
  const auto report = report_fleet(*catalogue, {});
  ASSERT_EQ(report->moved.size(), 1U);
  EXPECT_NEAR(report->moved[0].e_n, 200 / std::sqrt(200.0), 1e-12);
}

TEST_F(Cataloguing, AQueryOfAnUnknownParameterSaysWhatIsMeant) {
  fill(0);
  const auto catalogue = Catalogue::read(file_);
  CatalogueFilter filter;
  filter.paths = {"stiffness.kk"};
  const auto rows = query_catalogue(*catalogue, filter);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::kUsage);
  EXPECT_THAT(rows.error().message, HasSubstr("did you mean 'stiffness.k'"));
}

TEST_F(Cataloguing, AFleetWithoutFaultsHasNeitherOutlierNorDrift) {
  fill(0);
  const auto found = report();
  ASSERT_EQ(found.parameters.size(), 1U);
  const auto& k = found.parameters[0];
  EXPECT_EQ(k.count, 40U);
  EXPECT_NEAR(k.spread.median, 1000, 4 * 20 / std::sqrt(40.0));
  EXPECT_GT(k.spread.sigma, 10);
  EXPECT_LT(k.spread.sigma, 35);
  EXPECT_TRUE(k.outliers.empty());
  EXPECT_FALSE(k.drifts);
}

TEST_F(Cataloguing, AnOddSensorIsFoundByItsSerialNumber) {
  fill(0, 23);
  const auto found = report();
  ASSERT_EQ(found.parameters.at(0).outliers.size(), 1U);
  EXPECT_EQ(found.parameters[0].outliers[0].serial, "S023");
  EXPECT_GT(found.parameters[0].outliers[0].z, 5);
}

TEST_F(Cataloguing, ADriftOfTheFleetIsFoundWithItsSlope) {
  fill(2);  // 80 N/m over the forty days
  const auto& k = report().parameters.at(0);
  EXPECT_TRUE(k.drifts);
  ASSERT_TRUE(k.drift);
  EXPECT_NEAR(k.drift->per_day, 2, 0.7);
}

TEST_F(Cataloguing, AFleetsDistributionGivesBackTheCovarianceThatItsSensorsWereDrawnFrom) {
  auto catalogue = Catalogue::open(file_);
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 400; ++i) {
    // log k and log g with sigmas 0.2 and 0.1, correlation 0.8
    const double a = normal(engine), b = 0.8 * a + 0.6 * normal(engine);
    auto fit = sensor_fit(i, 1000 * std::exp(0.2 * a), day_text(0));
    fit.values.push_back(value_of("response.gain", 5e-4 * std::exp(0.1 * b), 1e-6, "N/count"));
    ASSERT_TRUE(catalogue->add(fit));
  }
  const auto fleet = fleet_distribution(*catalogue, {"stiffness.k", "response.gain"});
  ASSERT_TRUE(fleet) << fleet.error().message;
  EXPECT_EQ(fleet->sensors, 400U);
  EXPECT_TRUE(fleet->logarithmic[0] && fleet->logarithmic[1]);
  EXPECT_NEAR(fleet->mean[0], std::log(1000), 4 * 0.2 / 20);
  // The standard error of a variance is variance * sqrt(2 / 399).
  EXPECT_NEAR(fleet->covariance[0], 0.04, 4 * 0.04 * std::sqrt(2.0 / 399));
  EXPECT_NEAR(fleet->covariance[3], 0.01, 4 * 0.01 * std::sqrt(2.0 / 399));
  EXPECT_NEAR(fleet->covariance[1], 0.016, 4 * 0.0256 * std::sqrt(1.0 / 399));
  EXPECT_EQ(fleet->covariance[1], fleet->covariance[2]);
  const auto draws = draw_sensors(*fleet, 4000, 5);
  EXPECT_EQ(draws, draw_sensors(*fleet, 4000, 5));
  double sum = 0;
  for (const auto& drawn : draws) {
    EXPECT_GT(drawn[0], 0);
    sum += (std::log(drawn[0]) - fleet->mean[0]) * (std::log(drawn[1]) - fleet->mean[1]);
  }
  EXPECT_NEAR(sum / 4000, fleet->covariance[1], 4 * 0.0256 * std::sqrt(1.0 / 4000));
}

TEST_F(Cataloguing, AFewSensorsAreNoDistribution) {
  auto catalogue = Catalogue::open(file_);
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(catalogue->add(sensor_fit(i, 1000 + i, day_text(0))));
  const auto fleet = fleet_distribution(*catalogue, {"stiffness.k"});
  ASSERT_FALSE(fleet);
  EXPECT_EQ(fleet.error().code, ErrorCode::kUnidentifiable);
}

TEST_F(Cataloguing, ADrawnModelHasTheDrawnValuesAndSaysWhereTheyAreFrom) {
  auto base = empty_model(*load_sensor("weiss-wts0614"));
  for (int i : {3, 4})
    base.response.tactels[static_cast<std::size_t>(i)].press_gain = {
        (i == 3 ? 4e-4 : 6e-4), "N/count", {}, {}, {}, Status::kIdentified, {}, "response"};
  FleetDistribution fleet;
  fleet.paths = {"stiffness.k", "response.tactels[].press_gain"};
  const auto model = drawn_model(base, fleet, {1234, 1e-3});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->stiffness.k.value, 1234);
  EXPECT_EQ(model->stiffness.k.status, Status::kAssumed);
  EXPECT_EQ(model->stiffness.k.from, "catalogue");
  // The median of the two is 5e-4: both are doubled.
  EXPECT_NEAR(*model->response.tactels[3].press_gain.value, 8e-4, 1e-12);
  EXPECT_NEAR(*model->response.tactels[4].press_gain.value, 12e-4, 1e-12);
  EXPECT_FALSE(model->response.tactels[5].press_gain.value);
}

TEST(CataloguedModel, TactelsAreOneRowWithTheirMedianAndSpread) {
  auto model = empty_model(*load_sensor("weiss-wts0614"));
  const std::array gains{1e-4, 2e-4, 3e-4, 4e-4, 9e-4};
  for (std::size_t i = 0; i < gains.size(); ++i)
    model.response.tactels[i].press_gain = {gains[i], "N/count",           1e-6, {},
                                            {},       Status::kIdentified, {},   "response"};
  model.presses.resize(2);
  const auto fit = catalogued(model);
  const auto find = [&](std::string_view path) {
    return std::find_if(fit.values.begin(), fit.values.end(),
                        [&](const CatalogueValue& v) { return v.path == path; });
  };
  const auto gain = find("response.tactels[].press_gain");
  ASSERT_NE(gain, fit.values.end());
  EXPECT_DOUBLE_EQ(*gain->value, 3e-4);
  EXPECT_NEAR(*gain->spread, 1.4826e-4, 1e-8);  // deviations 2 1 0 1 6
  EXPECT_EQ(gain->count, 5);
  EXPECT_EQ(gain->of, 84);
  EXPECT_EQ(find("stiffness.k")->value, std::nullopt);
  EXPECT_EQ(find("presses[].contact_point"), fit.values.end());
}

}  // namespace
}  // namespace tactelier
