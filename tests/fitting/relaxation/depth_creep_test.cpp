// Creep of steel under an indenter and of a soft sample under an AFM (data/examples/indent-creep).

#include "fitting/relaxation/depth_creep.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

struct HeldRows {
  std::vector<double> since_s, depth;
};

HeldRows between(const char* file, const char* column, double from_s, double to_s, double begin_s) {
  auto table = oracle::table(paths::source_dir() + "/data/examples/indent-creep/" + file);
  HeldRows held;
  for (std::size_t i = 0; i < table["time_s"].size(); ++i) {
    const double t = table["time_s"][i];
    if (t < from_s || t > to_s) continue;
    held.since_s.push_back(t - begin_s);
    held.depth.push_back(table[column][i]);
  }
  return held;
}

TEST(DepthCreep, OfSteelIsThreeNanometres) {
  const auto held = between("steel_load_hold_unload.csv", "depth_nm", 12.2, 16.8, 12.0);
  const auto creep = depth_creep(held.since_s, held.depth);
  ASSERT_TRUE(creep);
  EXPECT_NEAR(creep->total, 3.3, 0.2);
  EXPECT_GT(creep->per_decade, 5 * creep->u_per_decade);
}

TEST(DepthCreep, OfASoftSampleIsAQuarterOfAMicrometre) {
  // Height falls while the probe goes in.
  const auto held = between("afm_soft_creep.csv", "height_um", 3.0001, 5.9999, 3.0);
  const auto creep = depth_creep(held.since_s, held.depth);
  ASSERT_TRUE(creep);
  EXPECT_NEAR(creep->total, -0.25, 0.01);
  EXPECT_LT(creep->per_decade, -5 * creep->u_per_decade);
}

TEST(DepthCreep, OfALogarithmIsItsSlope) {
  std::vector<double> since_s, depth;
  for (int i = 1; i <= 200; ++i) {
    since_s.push_back(0.1 * i);
    depth.push_back(7 + 0.3 * std::log10(0.1 * i));
  }
  const auto creep = depth_creep(since_s, depth);
  ASSERT_TRUE(creep);
  EXPECT_NEAR(creep->per_decade, 0.3, 1e-12);
  EXPECT_FALSE(depth_creep({since_s.data(), 20}, {depth.data(), 20}));
}

}  // namespace
}  // namespace tactelier
