// tactelier synth --until: the closed loop of choosing, pressing and fitting on a simulated pad.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

double half_width(const json& parameter) {
  return (parameter["ci95"][1].get<double>() - parameter["ci95"][0].get<double>()) / 2 /
         parameter["value"].get<double>();
}

/// `standard` takes 87 minutes for this; a raster of all centres alone 10.
TEST(SynthUntil, AllGainsAndTheSpreadOfACleanPadInAQuarterOfAnHour) {
  const TestFolder folder;
  const auto made = run_cli(folder.path(), {"synth", "--until", "gain 2 %, sigma 1 %, k 2 %", "-o",
                                            "a.tact", "--seed", "43"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("Ended: all targets are met."));
  EXPECT_THAT(made.out, HasSubstr("gain: 84 of 84 within 2 %"));
  EXPECT_THAT(made.err, HasSubstr("min left"));
  const auto info = run_cli(folder.path(), {"info", "a.tact", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  const auto fitted = run_cli(
      folder.path(),
      {"fit", "a.tact", "--stages", "response,psf,stiffness,relaxation,joint", "-o", "m.json"});
  ASSERT_EQ(fitted.status, 0) << fitted.err;
  const auto model = json::parse(folder.read("m.json"));
  const auto truth = json::parse(folder.read("a.truth.json"));
  ASSERT_EQ(model["psf"]["sigma"]["status"], "identified");
  EXPECT_LT(half_width(model["psf"]["sigma"]), 0.01);
  EXPECT_LT(half_width(model["stiffness"]["k_punch"]), 0.02);
  int held = 0;
  double mean = 0, square = 0;
  for (std::size_t t = 0; t < 84; ++t) {
    const auto& gain = model["response"]["tactels"][t]["gain"];
    ASSERT_EQ(gain["status"], "identified") << t;
    EXPECT_LT(half_width(gain), 0.02) << t;
    const double error = gain["value"].get<double>() /
                             truth["response"]["tactels"][t]["gain"]["value"].get<double>() -
                         1;
    held += std::abs(error) < half_width(gain) ? 1 : 0;
    mean += error / 84;
    square += error * error / 84;
  }
  EXPECT_GE(held, 76);  // of 84: their spread is common to all
  EXPECT_LT(std::sqrt(square), 0.01);
  EXPECT_LT(std::abs(mean), 0.01);
  const auto seconds = json::parse(info.out)["result"]["sessions"][0]["duration_s"].get<double>();
  EXPECT_LT(seconds, 15 * 60);
}

TEST(SynthUntil, ItsTimeEndsItAndItSaysWhatIsMissing) {
  const TestFolder folder;
  const auto made = run_cli(folder.path(), {"synth", "--until", "gain 0.05 %", "--minutes", "3",
                                            "-o", "a.tact", "--seed", "43"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("its 3 minutes are over"));
  EXPECT_THAT(made.out, HasSubstr("gain: 0 of 84 within 0.05 %"));
}

TEST(SynthUntil, WhatCannotBeMeantIsRefused) {
  const TestFolder folder;
  const auto both = run_cli(
      folder.path(), {"synth", "--until", "gain 2 %", "--protocol", "quick", "-o", "a.tact"});
  EXPECT_EQ(both.status, 2);
  const auto unknown = run_cli(folder.path(), {"synth", "--until", "gian 2 %", "-o", "a.tact"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'gain'"));
  const auto neither = run_cli(folder.path(), {"synth", "-o", "a.tact"});
  EXPECT_EQ(neither.status, 2);
  EXPECT_THAT(neither.err, HasSubstr("--until"));
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace tactelier::test
