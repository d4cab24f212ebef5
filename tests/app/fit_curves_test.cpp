// What the Fit page plots: the data behind the numbers. Truth is the synthetic bench's.

#include "fitting/views/fitted_press_curves.hpp"
#include "fitting/views/response_curve.hpp"
#include "reports/fit_verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/engine/facts.hpp"
#include "fitting/views/preparation.hpp"
#include "reports/fit_results.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

using synthetic::Bench;
using synthetic::Recording;

struct Fitted {
  explicit Fitted(const Bench& bench)
      : recording(bench),
        model(*recording.fit({})),
        clocks(*session_clocks(recording.fit_session(), {})) {}
  Recording recording;
  SensorModel model;
  SessionClocks clocks;
};

Bench four_tactels() { return Bench::uniform(2, 2, 2); }

TEST(FitResponseCurve, ShowsTheModelsCurveInsteadOfItsLine) {
  Fitted fitted(four_tactels());
  fitted.model.response.model = "monotone";
  fitted.model.response.tactels[3].knots = {{0.1, 60}, {0.5, 460}, {1.5, 960}};
  const auto curve =
      response_curve({fitted.recording.fit_session()}, {fitted.clocks}, fitted.model, 3, {});
  ASSERT_TRUE(curve) << curve.error().message;
  EXPECT_DOUBLE_EQ(curve->counts(1.0), 710);
  ASSERT_TRUE(curve->line);
  EXPECT_NE(curve->line->counts(1.0), 710);
}

TEST(FitResponseCurve, LineAndReadingsAgreeWithTheTruth) {
  const Fitted fitted(four_tactels());
  const auto curve =
      response_curve({fitted.recording.fit_session()}, {fitted.clocks}, fitted.model, 3, {});
  ASSERT_TRUE(curve) << curve.error().message;
  ASSERT_EQ(curve->traces.size(), 2U);
  EXPECT_TRUE(curve->traces[0].used && curve->traces[1].used);
  ASSERT_TRUE(curve->line);
  // offset 60, threshold 0.2 N, 2000 counts/N: at 1 N 60 + 0.8 * 2000.
  EXPECT_NEAR(curve->line->counts(1.0), 1660, 5);
  EXPECT_FALSE(curve->height_from_data);
  double sum = 0;
  for (std::size_t i = 0; i < curve->traces[0].loading_N.size(); ++i)
    sum += curve->traces[0].loading_counts[i] - curve->line->counts(curve->traces[0].loading_N[i]);
  EXPECT_NEAR(sum / static_cast<double>(curve->traces[0].loading_N.size()), 0, 3);
  EXPECT_NEAR(curve->largest_force_N, 1.5, 0.02);
}

TEST(FitResponseCurve, APressLeftOutStaysInSightWithItsReason) {
  const Fitted fitted(four_tactels());
  auto session = fitted.recording.fit_session();
  ASSERT_EQ(session.presses[0].tactel, 0);
  session.presses[0].excluded = true;
  const auto curve = response_curve({session}, {fitted.clocks}, fitted.model, 0, {});
  ASSERT_TRUE(curve);
  ASSERT_EQ(curve->traces.size(), 2U);
  EXPECT_FALSE(curve->traces[0].used);
  EXPECT_EQ(curve->traces[0].why, "left out by an edit");
  EXPECT_GT(curve->traces[0].loading_N.size(), 50U);
  EXPECT_TRUE(curve->traces[1].used);
}

TEST(FitResponseCurve, ATactelThatNobodyPressedIsRefused) {
  auto bench = four_tactels();
  std::erase_if(bench.presses, [](const auto& press) { return press.tactel == 2; });
  const Fitted fitted(bench);
  const auto curve =
      response_curve({fitted.recording.fit_session()}, {fitted.clocks}, fitted.model, 2, {});
  ASSERT_FALSE(curve);
  EXPECT_EQ(curve.error().code, ErrorCode::kUnidentifiable);
}

TEST(FitResponseCurve, ARecordingOfAnotherSensorIsRefused) {
  const Fitted small(four_tactels());
  const Fitted large(Bench::uniform(2, 3, 1));
  const auto curve =
      response_curve({large.recording.fit_session()}, {large.clocks}, small.model, 0, {});
  ASSERT_FALSE(curve);
  EXPECT_NE(curve.error().message.find("6 tactels, the model has 4"), std::string::npos)
      << curve.error().message;
}

TEST(FitContactCurve, TheLawPassesThroughTheSamplesAndTouchesAtZero) {
  const Fitted fitted(four_tactels());
  const auto session = fitted.recording.fit_session();
  const auto curve = contact_curve(session, fitted.clocks, session.presses[1].number, {});
  ASSERT_TRUE(curve) << curve.error().message;
  EXPECT_TRUE(curve->from_contact);
  ASSERT_TRUE(curve->u_z0_m);
  EXPECT_LT(*curve->u_z0_m, 5e-6);
  ASSERT_FALSE(curve->fitted.empty());
  for (const auto& [depth_m, force_N] : curve->fitted)
    EXPECT_NEAR(force_N, depth_m > 0 ? 2000 * depth_m : 0, 0.01) << depth_m;
  ASSERT_GT(curve->residuals.size(), 20U);
  double squares = 0;
  for (const auto& [depth_m, residual_N] : curve->residuals) squares += residual_N * residual_N;
  // The force's noise is 2 mN.
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(curve->residuals.size())), 2e-3, 6e-4);
}

TEST(FitStiffnessCurve, BothLinesHaveTheSlopeOfTheTruth) {
  const Fitted fitted(four_tactels());
  const auto session = fitted.recording.fit_session();
  const auto curve = stiffness_curve(session, fitted.clocks, session.presses[0].number, {});
  ASSERT_TRUE(curve) << curve.error().message;
  ASSERT_TRUE(curve->loading) << curve->no_loading;
  EXPECT_NEAR(curve->loading->k_affine.value, 2000, 10);
  ASSERT_TRUE(curve->loading->k_punch);
  EXPECT_NEAR(curve->loading->k_punch->value, 2000, 10);
  ASSERT_TRUE(curve->unloading_fit) << curve->no_unloading;
  EXPECT_NEAR(curve->unloading_fit->slope.value, 2000, 60);
  EXPECT_EQ(curve->residuals.size(), curve->readings.size());
}

TEST(FitPressCurves, APressThatIsNotThereIsNamed) {
  const Fitted fitted(four_tactels());
  const auto curve = contact_curve(fitted.recording.fit_session(), fitted.clocks, 99, {});
  ASSERT_FALSE(curve);
  EXPECT_EQ(curve.error().message, "there is no press 99");
}

TEST(FitResults, TheMeanOverTactelsKeepsATactelsOwnUncertainty) {
  const Fitted fitted(four_tactels());
  for (const auto& group : array_results(fitted.model)) {
    for (const auto& row : group.rows) {
      if (row.path != "response.tactels[].press_gain") continue;
      EXPECT_EQ(group.id, "response");
      EXPECT_EQ(row.spread.have, 4);
      EXPECT_EQ(row.spread.of, 4);
      double sum = 0, u = 0;
      for (const auto& tactel : fitted.model.response.tactels) {
        sum += *tactel.press_gain.value / 4;
        u += *tactel.press_gain.u_total / 4;
      }
      EXPECT_NEAR(*row.parameter.value, sum, 1e-12);
      EXPECT_NEAR(*row.parameter.u_total, u, 1e-12);
      EXPECT_LE(row.spread.least, row.spread.median);
      EXPECT_LE(row.spread.median, row.spread.greatest);
      return;
    }
  }
  FAIL() << "no row of the gains";
}

TEST(FitResults, OneParameterOverTheArrayHasOneEntryPerTactel) {
  const Fitted fitted(four_tactels());
  const auto names = array_parameters(fitted.model);
  EXPECT_NE(std::find(names.begin(), names.end(), "response.tactels[].press_gain"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "stiffness.k_punch_tactel[]"), names.end());
  for (const auto& name : names) EXPECT_EQ(over_array(fitted.model, name).size(), 4U) << name;
  EXPECT_TRUE(over_array(fitted.model, "response.tactels[].nonsense").empty());
}

TEST(FitVerdict, ASilentTactelIsCountedAndARefusalNamesItsProtocol) {
  auto bench = four_tactels();
  bench.tactels[2].dead = true;
  const Fitted fitted(bench);
  const auto verdict = judge_fit(fitted.model);
  EXPECT_EQ(verdict.calibrated, 3);
  EXPECT_EQ(verdict.tactels, 4);
  const auto missing = [&](const char* path) {
    for (const auto& number : verdict.missing)
      if (number.path == path) return number.protocol;
    return std::string("not missing");
  };
  EXPECT_EQ(missing("stiffness.foundation_modulus"), "P4");  // nobody pressed a plate
  EXPECT_EQ(missing("stiffness.k_punch"), "not missing");
}

TEST(FitVerdict, AModulusIsMissedOnlyWherePoissonsRatioIsStated) {
  auto model = Fitted(four_tactels()).model;
  const auto misses = [&] {
    return std::ranges::count(judge_fit(model).missing, "stiffness.youngs_modulus",
                              &MissingNumber::path);
  };
  EXPECT_EQ(misses(), 0);
  model.sensor.poisson_ratio = 0.48;
  EXPECT_EQ(misses(), 1);
  model.sensor.poisson_ratio.reset();
  model.provenance.options["stages"] = "layer";
  EXPECT_EQ(misses(), 1);
}

TEST(FitVerdict, NamesWhatAFitIsRunForBeforeWhatItTellsBesides) {
  const Fitted fitted(four_tactels());
  const auto verdict = judge_fit(fitted.model);
  const auto at = [&](const char* path) {
    const auto& all = verdict.identified;
    return std::find(all.begin(), all.end(), path) - all.begin();
  };
  EXPECT_LT(at("stiffness.k_punch"), at("response.resolution"));
  EXPECT_LT(at("response.resolution"), std::ssize(verdict.identified));
}

TEST(FitVerdict, AModelWithoutNumbersIsNothing) {
  const Fitted fitted(four_tactels());
  SensorModel empty = fitted.model;
  for (auto& tactel : empty.response.tactels) tactel = {};
  empty.stiffness = {};
  empty.array = {};
  EXPECT_EQ(judge_fit(empty).level, FitVerdict::Level::kNothing);
}

TEST(FitAdvice, CodesAreTakenFromTheReasonAndNameTheProtocol) {
  const auto repeat = advice_for("RP-01 one press only: press this tactel at least twice", "x");
  EXPECT_EQ(repeat.code, "RP-01");
  EXPECT_EQ(repeat.words, "one press only: press this tactel at least twice");
  EXPECT_EQ(repeat.action(), "add P2: too few repeats");
  EXPECT_EQ(advice_for("ST-01 No plate press", "stiffness.k").protocol, "P4");
  EXPECT_EQ(advice_for("ST-01 Depths 0.1: too few", "stiffness.k_punch").protocol, "P3");
  EXPECT_EQ(advice_for("something in words", "x").code, "");
  EXPECT_EQ(advice_for("ID-02 k = 3: interval wider", "x").action(),
            "interval wider than the value");
}

TEST(Fit, AStopKeepsTheStagesThatHaveEndedWhenAskedTo) {
  const Recording recording(four_tactels());
  std::stop_source stop;
  FitOptions options;
  options.keep_when_stopped = true;
  options.on_stage = [&](std::string_view stage, const FitContext&) {
    if (stage == "contact") stop.request_stop();
  };
  Job job;
  job.stop = stop.get_token();
  const auto kept = recording.fit({}, options, job);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->presses.front().contact_point.usable());
  EXPECT_EQ(kept->response.tactels[0].press_gain.reason,
            "NOT-FITTED stopped before the stage 'response'");
  // What contact alone gives, to the last digit.
  const auto alone = recording.fit({"contact"});
  ASSERT_TRUE(alone);
  EXPECT_EQ(kept->presses.front().contact_point, alone->presses.front().contact_point);
  options.keep_when_stopped = false;
  const auto lost = recording.fit({}, options, job);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kCancelled);
}

TEST(Fit, AStopInTheMiddleOfAStageLeavesNothingOfIt) {
  auto bench = four_tactels();
  bench.presses.push_back({0, 1.5, 1, 0, "speed"});  // the response stage notes why it is left out
  const Recording recording(bench);
  std::stop_source stop;
  FitOptions options;
  options.keep_when_stopped = true;
  Job job;
  job.stop = stop.get_token();
  job.on_progress = [&](const Progress& progress) {
    if (progress.what == "response") stop.request_stop();
  };
  const auto kept = recording.fit({}, options, job);
  const auto alone = recording.fit({"contact"});
  ASSERT_TRUE(kept && alone);
  EXPECT_FALSE(kept->quality.contains("response"));
  EXPECT_EQ(kept->presses.back().why, alone->presses.back().why);
}

}  // namespace
}  // namespace tactelier
