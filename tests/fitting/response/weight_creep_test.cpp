// Readings that creep, on a bench of this file's own arithmetic (tests/fitting/support).
#include "fitting/response/weight_creep.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

constexpr double kCreep = 0.04;

/// 3 x 8 tactels, each pressed twice; two weights then lie on the left half, one after the other.
synthetic::Bench bench_with_weights() {
  auto bench = synthetic::Bench::uniform(3, 8, 2);
  bench.creep = kCreep;
  std::vector<int> left;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) left.push_back(8 * row + column);
  for (int i = 0; i < 2; ++i) bench.weights.push_back({left, 0.6, 25, {.tactel = 15}});
  return bench;
}

double mean_gain(const SensorModel& model) {
  double sum = 0, n = 0;
  for (const auto& tactel : model.response.tactels)
    if (tactel.press_gain.identified()) {
      sum += *tactel.press_gain.value;
      ++n;
    }
  EXPECT_EQ(n, 24);
  return sum / n;
}

// A ramp of 1.5 s reads ((2.5 ln 2.5 - 1.5)/ln 10)/1.5 = 0.229 decades of creep at its end: gains
// would be 0.9 % too small.
TEST(WeightCreep, IsTakenOutOfTheGains) {
  const synthetic::Recording recording(bench_with_weights());
  const auto model = recording.fit({"contact", "response", "relaxation"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_NEAR(mean_gain(*model), 5e-4, 0.0015 * 5e-4);
  const auto& under = model->response.tactels[9].creep;
  ASSERT_TRUE(under.identified()) << under.reason;
  EXPECT_NEAR(*under.value, 100 * kCreep, 0.1);
  EXPECT_LT(*under.u_total, 1);
  EXPECT_TRUE(model->response.tactels[14].creep.reason.starts_with("RS-CREEP"));
}

// As when somebody moves the bar on without lifting it off for long.
TEST(WeightCreep, IsNotToldByAWeightThatTakesThePlaceOfAnother) {
  auto bench = bench_with_weights();
  bench.weights[1].after_s = 0;
  const synthetic::Recording recording(bench);
  const auto model = recording.fit({"contact", "response", "relaxation"});
  ASSERT_TRUE(model) << model.error().message;
  const auto& under = model->response.tactels[1].creep;
  ASSERT_TRUE(under.identified()) << under.reason;
  EXPECT_NEAR(*under.value, 100 * kCreep, 0.1);
}

TEST(WeightCreep, StaysInTheGainsWhereNoWeightWasSeen) {
  auto bench = bench_with_weights();
  bench.weights.clear();
  const synthetic::Recording recording(bench);
  const auto model = recording.fit({"contact", "response"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_LT(mean_gain(*model), (1 - 0.006) * 5e-4);
}

TEST(WeightCreep, IsNoneWhereReadingsStay) {
  auto bench = bench_with_weights();
  bench.creep = 0;
  const synthetic::Recording recording(bench);
  const auto model = recording.fit({"contact", "response"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_NEAR(mean_gain(*model), 5e-4, 0.0015 * 5e-4);
}

TEST(WeightCreep, IsNotToldByAWeightThatLayThereBefore) {
  auto bench = bench_with_weights();
  bench.weights.resize(1);
  bench.weights[0].rest_s = 5;  // too short
  const synthetic::Recording recording(bench);
  const auto model = recording.fit({"contact", "response", "relaxation"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_FALSE(model->response.tactels[9].creep.identified());
}

}  // namespace
}  // namespace tactelier
