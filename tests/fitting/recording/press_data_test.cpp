// One time base, one sign: hand-made numbers.
#include "fitting/recording/press_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "libcalib/model_file/model_file.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Vector = std::vector<double>;

TEST(Interpolate, DrawsStraightLinesAndNeverLeavesTheData) {
  const Vector x{1, 2, 4}, y{10, 20, 0}, at{0.5, 1, 1.25, 3, 4, 4.5};
  const auto values = interpolate(x, y, at, 10);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 10);
  EXPECT_NEAR(values[2], 12.5, 1e-12);
  EXPECT_NEAR(values[3], 10, 1e-12);
  EXPECT_EQ(values[4], 0);
  EXPECT_TRUE(std::isnan(values[5]));
}

TEST(Interpolate, LeavesGapsOpenButKeepsTheirEnds) {
  const Vector x{1, 2, 5}, y{10, 20, 50}, at{2, 2.5, 5};
  const auto values = interpolate(x, y, at, 2.5);
  EXPECT_EQ(values[0], 20);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 50);
}

TEST(Interpolate, BridgesAMissingCellOnlyWhereTheGapIsShort) {
  const Vector x{1, 2, 3}, y{10, kNaN, 30}, at{1.5, 2, 2.5};
  const auto bridged = interpolate(x, y, at, 2.5);
  EXPECT_NEAR(bridged[0], 15, 1e-12);
  EXPECT_NEAR(bridged[1], 20, 1e-12);
  EXPECT_NEAR(bridged[2], 25, 1e-12);
  EXPECT_TRUE(std::isnan(interpolate(x, y, at, 1.5)[1]));
}

TEST(FallingReadings, AreTurnedAboutTheConvertersRange) {
  SensorDescription sensor;
  sensor.falling = true;
  Vector counts{4000, 100};
  turn_falling(counts, sensor);
  EXPECT_EQ(counts, (Vector{-4000, -100}));
  sensor.adc = {12, 0, 4095};
  counts = {4000, 100};
  turn_falling(counts, sensor);
  EXPECT_EQ(counts, (Vector{95, 3995}));
  sensor.falling = false;
  turn_falling(counts, sensor);
  EXPECT_EQ(counts, (Vector{95, 3995}));
}

TEST(MedianInterval, IgnoresAGap) {
  EXPECT_NEAR(median_interval(Vector{0, 0.1, 0.2, 5.0, 5.1}), 0.1, 1e-12);
  EXPECT_EQ(median_interval(Vector{1}), 0);
}

struct Loaded {
  synthetic::Recording recording;
  FitContext context;

  explicit Loaded(const synthetic::Bench& bench) : recording(bench) {
    context.sessions = {recording.fit_session()};
    context.model = empty_model(recording.session().metadata().sensor);
  }
};

TEST(LoadPress, GivesTravelDownwardsAndCompressionPositive) {
  auto bench = synthetic::Bench::uniform(1, 2, 1);
  bench.press_axis = "-z";
  const Loaded loaded(bench);
  const auto data = load_press(loaded.context, 0, 1, std::array{0, 1});
  ASSERT_TRUE(data) << data.error().message;
  ASSERT_EQ(data->counts.size(), 2u);
  EXPECT_NEAR(data->period_s, 1 / bench.rate_hz, 1e-9);
  EXPECT_NEAR(data->force_N[data->peak], 1.55, 0.02);  // bias 0.05 is still in it
  EXPECT_NEAR(data->travel_m[data->peak], 5e-4 + 7.5e-4, 1e-5);
  EXPECT_NEAR(data->counts[1][data->peak], 60 + 1.3 / 5e-4, 30);
  EXPECT_NEAR(data->counts[0][data->peak], 60, 25);  // press 2 is on tactel 1
  EXPECT_EQ(data->rows_left_out, 0u);
}

TEST(LoadPress, LeavesTheReadingsOutOnTheForcesTimes) {
  const Loaded loaded(synthetic::Bench::uniform(1, 1, 1));
  const auto data = load_press(loaded.context, 0, 0, std::array{0}, PressBase::kForce);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_TRUE(data->counts.empty());
  EXPECT_TRUE(data->has_force() && data->has_travel());
}

TEST(LoadPress, RefusesATactelThatIsNotInTheStream) {
  const Loaded loaded(synthetic::Bench::uniform(1, 1, 1));
  const auto data = load_press(loaded.context, 0, 0, std::array{7});
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::kUnidentifiable);
}

}  // namespace
}  // namespace tactelier
