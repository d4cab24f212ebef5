// catalogue accept: the decision by hand, and a model against a fleet.

#include "app/workflow/catalogue/accept_sensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(AcceptValue, KeepsItsUncertaintyOffTheLimits) {
  const auto decided = [](double value, double u95) { return accept_value(value, u95, 90, 110); };
  EXPECT_EQ(decided(100, 10), Acceptance::kAccept);
  EXPECT_EQ(decided(109, 1), Acceptance::kAccept);
  EXPECT_EQ(decided(109, 1.01), Acceptance::kUnclear);
  EXPECT_EQ(decided(111, 1), Acceptance::kUnclear);
  EXPECT_EQ(decided(111.01, 1), Acceptance::kReject);
  EXPECT_EQ(decided(88.9, 1), Acceptance::kReject);
  EXPECT_EQ(decided(100, 10.01), Acceptance::kUnclear);
}

class AcceptSensor : public testing::Test {
 protected:
  /// 960, 970 ... 1040 N/m: median 1000, MAD 20, so the limits are 1000 -+ 3 * 29.652.
  void fill(int sensors) const {
    auto catalogue = Catalogue::open(folder_ / "fleet.sqlite");
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    for (int i = 0; i < sensors; ++i) {
      CatalogueFit fit;
      fit.key = fmt::format("{}", i);
      fit.sensor = "Pad 2x3";
      fit.serial = fmt::format("S{}", i);
      fit.state = "identified";
      CatalogueValue row;
      row.path = "stiffness.k_punch";
      row.value = 960 + 10 * i;
      row.unit = "N/m";
      row.status = "identified";
      fit.values = {row};
      ASSERT_TRUE(catalogue->add(fit));
    }
  }
  CliResult accept(double k_punch, double u95) const {
    auto model = testing_models::mujoco_model();
    model.serial = "NEW1";
    auto& parameter = model.stiffness.k_punch;
    parameter.value = k_punch;
    parameter.u_total = u95;
    parameter.unit = "N/m";
    parameter.status = Status::kIdentified;
    const auto written = write_model(model, folder_ / "new.json");
    EXPECT_TRUE(written) << written.error().message;
    return run_cli(folder_.path(), {"catalogue", "accept", "fleet.sqlite", "new.json",
                                    "--parameter", "stiffness.k_punch", "--json"});
  }

  TestFolder folder_;
};

TEST_F(AcceptSensor, HoldsAModelAgainstTheFleetsLimits) {
  fill(9);
  const auto good = accept(1080, 8);
  ASSERT_EQ(good.status, 0) << good.err;
  const auto document = json::parse(good.out);
  const auto valid = check_schema(document, "cli-catalogue", "catalogue --json");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_EQ(document["result"]["serial"], "NEW1");
  EXPECT_NEAR(document["result"]["values"][0]["high"].get<double>(), 1088.956, 1e-3);
  EXPECT_THAT(accept(1080, 10).out, HasSubstr("\"acceptance\": \"unclear\""));
  const auto bad = accept(1100, 10);
  EXPECT_EQ(bad.status, 5);
  EXPECT_THAT(bad.out, HasSubstr("\"acceptance\": \"reject\""));
}

TEST_F(AcceptSensor, ASmallFleetHasNoLimits) {
  fill(7);
  const auto refused = accept(1000, 1);
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("7 sensors of 'Pad 2x3' have it, limits take 8"));
}

}  // namespace
}  // namespace tactelier::test
