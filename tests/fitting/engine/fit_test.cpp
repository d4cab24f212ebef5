// Whole fits of recordings made by an independent little rig: truth is recovered within its
// interval, broken tactels are found, and the result does not depend on threads.
#include <gtest/gtest.h>

#include <regex>

#include "libcalib/model_file/model_file.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

using synthetic::Bench;
using synthetic::Recording;
using synthetic::Tactel;

bool covers(const Parameter& parameter, double truth) {
  return parameter.ci95 && (*parameter.ci95)[0] <= truth && truth <= (*parameter.ci95)[1];
}

std::string without_time(const SensorModel& model) {
  return std::regex_replace(to_json(model), std::regex("\"created\": \"[^\"]*\""), "");
}

TEST(Fit, RecoversGainThresholdOffsetAndContactOfEveryTactel) {
  auto bench = Bench::uniform(2, 2, 5);
  bench.tactels[2].gain_N_per_count = 8e-4;
  for (std::size_t i = 0; i < bench.presses.size(); ++i)
    bench.presses[i].gain_factor = 1 + 0.01 * (static_cast<double>(i % 5) - 2);
  const Recording recording(bench);
  const auto model = recording.fit({});
  ASSERT_TRUE(model) << model.error().message;
  for (const auto& tactel : model->response.tactels) {
    const auto& truth = bench.tactels[static_cast<std::size_t>(tactel.index)];
    EXPECT_EQ(tactel.status, TactelStatus::kIdentified) << tactel.press_gain.reason;
    EXPECT_TRUE(covers(tactel.press_gain, truth.gain_N_per_count)) << tactel.index;
    EXPECT_TRUE(covers(tactel.press_threshold, truth.threshold_N)) << tactel.index;
    EXPECT_NEAR(*tactel.press_gain.value, truth.gain_N_per_count, 5e-3 * truth.gain_N_per_count);
    EXPECT_NEAR(*tactel.offset.value, 60, 0.5);
    EXPECT_NEAR(*tactel.noise.value, 4, 0.35);
    EXPECT_NEAR(*tactel.repeatability.value, 1.58, 0.5);  // sd of -2 .. 2 %
    EXPECT_TRUE(tactel.gain.reason.starts_with("PS-01")) << tactel.gain.reason;
    EXPECT_TRUE(tactel.threshold.reason.starts_with("PS-01"));
  }
  ASSERT_EQ(model->presses.size(), 20u);
  int inside = 0;
  for (const auto& press : model->presses) {
    EXPECT_EQ(press.verdict, "good") << press.why;
    EXPECT_NEAR(*press.contact_point.value, 5e-4, 5e-6);
    EXPECT_NEAR(*press.peak_force_N, 1.5, 0.02);
    EXPECT_NEAR(*press.peak_depth_m, 7.5e-4, 1e-5);
    inside += covers(press.contact_point, 5e-4) ? 1 : 0;
  }
  EXPECT_GE(inside, 17);  // 95 % of 20
  EXPECT_NEAR(*model->timing.rate_hz.value, 200, 1e-3);
  EXPECT_EQ(model->covariance.size(), 4u);
  EXPECT_EQ(model->covariance[0].parameters[1], "response.tactels[0].press_gain");
  ASSERT_TRUE(parse_model(to_json(*model), "model.json"));
}

TEST(Fit, FindsTheDeadTheStuckTheSaturatedAndTheUntouched) {
  auto bench = Bench::uniform(2, 3, 1);
  bench.tactels[1].dead = true;
  bench.tactels[2].stuck = 4095;
  bench.tactels[3].ceiling = 1500;
  bench.tactels[4].stuck = 2000;  // nobody presses it, and it rests where no tactel rests
  std::erase_if(bench.presses, [](const auto& press) { return press.tactel >= 4; });
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  const auto& tactels = model->response.tactels;
  EXPECT_EQ(tactels[0].status, TactelStatus::kIdentified);
  EXPECT_EQ(tactels[0].saturation.status, Status::kAssumed);
  EXPECT_EQ(tactels[1].status, TactelStatus::kDead);
  EXPECT_TRUE(tactels[1].press_gain.reason.starts_with("RS-01"));
  EXPECT_EQ(tactels[2].status, TactelStatus::kStuck);
  EXPECT_EQ(tactels[2].gain.reason, tactels[2].press_gain.reason);  // one thing is said of it
  EXPECT_EQ(tactels[2].threshold.reason, tactels[2].press_gain.reason);
  EXPECT_EQ(tactels[3].status, TactelStatus::kIdentified);
  ASSERT_TRUE(tactels[3].saturation.identified());
  EXPECT_EQ(*tactels[3].saturation.value, 1500);
  EXPECT_NEAR(*tactels[3].press_gain.value, 5e-4, 5e-6);
  EXPECT_EQ(tactels[4].status, TactelStatus::kStuck);
  EXPECT_EQ(tactels[5].status, TactelStatus::kNotPressed);
  EXPECT_FALSE(tactels[5].press_gain.value);
  EXPECT_TRUE(tactels[5].offset.identified());
}

TEST(Fit, CountsEveryTactelDeadWhereNoneAnswers) {
  auto bench = Bench::uniform(1, 3, 1);
  for (auto& tactel : bench.tactels) tactel.dead = true;
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->quality.at("response").figures.at("tactels_dead"), 3);
  EXPECT_EQ(model->quality.at("response").figures.at("tactels_not_pressed"), 0);
  const auto& reason = model->response.tactels[0].press_gain.reason;
  EXPECT_NE(reason.find("no tactel answered"), std::string::npos) << reason;
}

TEST(Fit, CensorsReadingsThatAreCutToZero) {
  Tactel tactel;
  tactel.offset = -40;  // below the converter: only the strong half of the line shows
  auto bench = Bench::uniform(1, 2, 3, tactel);
  bench.floor_at_zero = true;
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  for (const auto& response : model->response.tactels) {
    EXPECT_EQ(*response.offset.value, 0);
    EXPECT_NEAR(*response.press_gain.value, 5e-4, 5e-6);
    EXPECT_NEAR(*response.press_threshold.value, 0.2 + 40 * 5e-4, 5e-3);
  }
}

TEST(Fit, KeepsTheSeedsLineWithoutAnyNoise) {
  Tactel tactel{0, 0.2, 1.6 / 3840, 3840, 0, false, {}};
  auto bench = Bench::uniform(1, 1, 1, tactel);
  bench.presses[0].peak_N = 2.2;
  bench.force_noise_N = 1e-6;
  bench.floor_at_zero = true;
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  const auto& response = model->response.tactels[0];
  ASSERT_TRUE(response.press_gain.identified()) << response.press_gain.reason;
  EXPECT_NEAR(*response.press_gain.value, 4.1667e-4, 1e-8);
  EXPECT_NEAR(*response.press_threshold.value, 0.2, 2e-4);
  EXPECT_EQ(*response.saturation.value, 3840);
}

TEST(Fit, MeasuresHysteresisAndSaysWhenThereIsNone) {
  auto bench = Bench::uniform(1, 1, 2);
  bench.hysteresis = 0.08;
  bench.tactels[0].threshold_N = 0.05;
  const auto with = Recording(bench).fit({"response"});
  ASSERT_TRUE(with) << with.error().message;
  ASSERT_TRUE(with->response.tactels[0].hysteresis.identified())
      << with->response.tactels[0].hysteresis.reason;
  // 8 % of peak/gain = 3000 counts, full scale here is the largest reading, 2900.
  EXPECT_NEAR(*with->response.tactels[0].hysteresis.value, 8.0 * 3000 / 2900, 0.3);
  bench.hysteresis = 0;
  const auto without = Recording(bench).fit({"response"});
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_TRUE(without->response.tactels[0].hysteresis.reason.starts_with("RS-06"));
}

TEST(Fit, ReadsAPressAxisThatPointsTheOtherWay) {
  auto bench = Bench::uniform(1, 1, 1);
  bench.press_axis = "-z";
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_NEAR(*model->response.tactels[0].press_gain.value, 5e-4, 5e-6);
}

TEST(Fit, RefusesAPressWhoseForceFallsAndSaysWhatToCheck) {
  auto bench = Bench::uniform(1, 1, 1);
  bench.press_axis = "-z";
  bench.described_axis = "z";
  const auto model = Recording(bench).fit({"contact"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->presses[0].verdict, "unusable");
  EXPECT_TRUE(model->presses[0].why.starts_with("CV-01")) << model->presses[0].why;
}

TEST(Fit, SaysThatNothingWasTouchedWhereNoForceRises) {
  auto bench = Bench::uniform(1, 1, 1);
  bench.described_axis = "x";  // Fx holds nothing but zeros
  const auto model = Recording(bench).fit({"contact"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(model->presses[0].why.starts_with("NO-CONTACT")) << model->presses[0].why;
}

TEST(Fit, TakesTheRigsBendingFromPlatePressesOutOfTheDepth) {
  auto bench = Bench::uniform(1, 1, 2);
  bench.compliance_m_per_N = 3e-5;
  bench.plate_N = 3;
  const auto model = Recording(bench).fit({"contact"});
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_TRUE(model->rig.compliance.value);
  EXPECT_NEAR(*model->rig.compliance.value, 3e-5, 1e-6);
  EXPECT_NEAR(*model->presses[0].peak_depth_m, 7.5e-4, 1e-5);
}

TEST(Fit, TakesAStatedComplianceAsAssumed) {
  auto bench = Bench::uniform(1, 1, 1);
  bench.compliance_m_per_N = 3e-5;
  bench.metadata_extra = R"(, "rig": {"compliance_um_per_N": 30})";
  const auto model = Recording(bench).fit({"contact"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->rig.compliance.status, Status::kAssumed);
  EXPECT_NEAR(*model->presses[0].peak_depth_m, 7.5e-4, 1e-5);
}

TEST(Fit, GivesTheSameModelForAnyNumberOfThreads) {
  auto bench = Bench::uniform(3, 3, 5);
  bench.ramp_s = 0.5;
  const Recording recording(bench);
  FitOptions options;
  options.threads = 1;
  const auto one = recording.fit({}, options);
  options.threads = 4;
  const auto four = recording.fit({}, options);
  ASSERT_TRUE(one && four);
  EXPECT_EQ(without_time(*one), without_time(*four));
}

TEST(Fit, HoldsOutWholePressesAndPredictsThem) {
  auto bench = Bench::uniform(2, 2, 4);
  const Recording recording(bench);
  FitOptions options;
  options.holdout = 0.25;
  const auto model = recording.fit({"response"}, options);
  ASSERT_TRUE(model) << model.error().message;
  const auto& quality = model->quality.at("response");
  ASSERT_TRUE(quality.holdout_ratio);
  EXPECT_NEAR(*quality.holdout_ratio, 1, 0.15);
  const auto held = std::count_if(model->presses.begin(), model->presses.end(), [](const auto& p) {
    return p.why.find("held out") != std::string::npos;
  });
  EXPECT_EQ(held, 4);
}

TEST(Fit, TakesTheGainFromSlowPressesWhereThereAreAny) {
  auto bench = Bench::uniform(1, 2, 2);
  bench.presses[1].kind = "speed";
  bench.presses[1].gain_factor = 1.5;
  bench.presses[2].kind = bench.presses[3].kind = "speed";  // all that tactel 1 has
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_NEAR(*model->response.tactels[0].press_gain.value, 5e-4, 5e-6);
  EXPECT_NEAR(*model->response.tactels[1].press_gain.value, 5e-4, 5e-6);
  EXPECT_NE(model->presses[1].why.find("slower presses"), std::string::npos);
}

TEST(Fit, StopsOnRequest) {
  const Recording recording(Bench::uniform(2, 2, 2));
  std::stop_source source;
  Job job;
  job.stop = source.get_token();
  job.on_progress = [&](const Progress&) { source.request_stop(); };
  const auto model = recording.fit({}, {}, job);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kCancelled);
}

/// The stage that makes k_punch the long-time one runs with it: presses alone are up to a tenth
/// stiffer on rubber that relaxes.
TEST(Fit, AskedForTheStiffnessSettlesIt) {
  const auto chain = stage_chain(std::vector<std::string>{"stiffness"});
  ASSERT_TRUE(chain);
  EXPECT_TRUE(std::any_of(chain->begin(), chain->end(),
                          [](const Stage* stage) { return stage->id == "joint"; }));
}

TEST(Fit, NamesTheStageThatWasMeant) {
  const Recording recording(Bench::uniform(1, 1, 1));
  const auto model = recording.fit({"respons"});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUsage);
  EXPECT_NE(model.error().message.find("did you mean 'response'"), std::string::npos)
      << model.error().message;
}

TEST(Fit, RefusesSessionsOfDifferentSensors) {
  const Recording one(Bench::uniform(1, 1, 1));
  const Recording other(Bench::uniform(1, 2, 1));
  const auto model = fit({one.fit_session(), other.fit_session()}, {}, {}, {});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput);
}

TEST(Fit, RefusesStreamsOnClocksOfTheirOwnWithoutArrivalTimes) {
  auto bench = Bench::uniform(1, 1, 1);
  bench.metadata_extra = R"(, "clocks": {"tactile": "own"})";
  const auto model = Recording(bench).fit({});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->presses[0].verdict, "good");  // force and stage are on one clock
  EXPECT_TRUE(model->presses[0].why.find("TA-08 Stream 'tactile'") != std::string::npos)
      << model->presses[0].why;
  EXPECT_FALSE(model->response.tactels[0].press_gain.value);
}

TEST(Fit, SaysOfEveryParameterWhyItHasNoNumber) {
  const auto model = Recording(Bench::uniform(1, 1, 1)).fit({"contact"});
  ASSERT_TRUE(model) << model.error().message;
  for_each_parameter(*model,
                     [](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (parameter.value) return;
                       EXPECT_FALSE(parameter.reason.empty()) << path;
                       EXPECT_EQ(parameter.reason.find("was not run"), std::string::npos) << path;
                     });
  EXPECT_NE(model->hydroelastic.modulus.reason.find("not asked for"), std::string::npos);
  EXPECT_NE(model->response.tactels[0].press_gain.reason.find("not asked for"), std::string::npos);
}

}  // namespace
}  // namespace tactelier
