// What the Fit page plots of the point spread and the pressure field. Truth is the simulated pad's,
// through formulas written out here.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "fitting/views/hydro_curve.hpp"
#include "fitting/views/preparation.hpp"
#include "fitting/views/psf_curve.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;

constexpr const char* kBallPresses =
    R"({"format": "tactelier/protocol", "version": 1, "name": "part", "description": "x",
        "max_minutes": 60, "indenter": {"id": "ball10", "shape": "sphere", "diameter_mm": 10.0},
        "steps": [{"do": "zero", "time_s": 5},
      {"do": "speeds", "sites": ["centre"], "depth_mm": 0.8, "speeds_mm_s": [0.2, 2], "repeats": 2},
      {"do": "zero", "time_s": 2}]})";

/// A simulated recording, fitted up to a stage.
struct Simulated {
  Simulated(const std::string& protocol, const std::string& stage) {
    SynthRequest synth;
    synth.protocol = protocol;
    if (protocol.starts_with("{")) {
      folder.write("part.json", protocol);
      synth.protocol = (folder / "part.json").string();
    }
    synth.seed = 3;
    synth.target = folder / "pad.tact";
    const auto made = synth_session(synth, {});
    if (!made) throw std::runtime_error(made.error().message);
    FitRequest fit;
    fit.sessions = {made->recording};
    fit.stages = {stage};
    auto fitted = fit_sessions(fit, {});
    auto known = read_model(made->truth);
    auto opened = Session::open(made->recording);
    if (!fitted || !known || !opened) throw std::runtime_error("the fit of a simulated pad");
    model = std::move(fitted->model);
    truth = std::move(*known);
    session = std::make_unique<Session>(std::move(*opened));
    auto listed = presses(session->events(), session->edits(), session->metadata());
    if (!listed) throw std::runtime_error(listed.error().message);
    sessions.push_back({session.get(), std::move(*listed), {}});
    auto found = session_clocks(sessions.front(), {});
    if (!found) throw std::runtime_error(found.error().message);
    clocks = {std::move(*found)};
  }

  TestFolder folder;
  SensorModel model, truth;
  std::unique_ptr<Session> session;
  std::vector<FitSession> sessions;
  std::vector<SessionClocks> clocks;
};

/// Of a Gaussian of the true spread under a pin of 1 mm: the part in a cell of 3.4 mm.
double true_share(double sigma_m, double x_m, double y_m) {
  const double s = std::hypot(sigma_m, 0.5e-3 / 2) * std::numbers::sqrt2;  // disc: r^2/4 per axis
  const auto part = [&](double at) {
    return (std::erf((1.7e-3 - at) / s) - std::erf((-1.7e-3 - at) / s)) / 2;
  };
  return part(x_m) * part(y_m);
}

TEST(FitPsfCurve, SharesAndKernelAreThoseOfTheTrueSpread) {
  const Simulated pad("study", "psf");
  const auto curve = psf_curve(pad.sessions, pad.clocks, pad.model, {});
  ASSERT_TRUE(curve) << curve.error().message;
  const double sigma_m = *pad.truth.psf.sigma.value;
  EXPECT_GE(curve->presses.size(), 25U);
  int compared = 0, silent = 0;
  for (const auto& answer : curve->answers) {
    const double truth = true_share(sigma_m, answer.x_m, answer.y_m);
    EXPECT_NEAR(answer.model, truth, 0.01) << answer.tactel;
    silent += answer.silent ? 1 : 0;
    if (answer.silent) {
      EXPECT_LT(truth, 0.12);  // beyond the threshold's reach
      EXPECT_EQ(answer.share, 0);
      continue;
    }
    ++compared;
    EXPECT_NEAR(answer.share, truth, 0.012)
        << answer.tactel << " at " << answer.x_m << ", " << answer.y_m;
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(silent, 0);
  ASSERT_EQ(curve->at_m.size(), curve->along_y.size());
  for (std::size_t i = 0; i < curve->at_m.size(); ++i) {
    EXPECT_NEAR(curve->along_x[i], true_share(sigma_m, curve->at_m[i], 0), 0.01);
    EXPECT_NEAR(curve->along_y[i], true_share(sigma_m, 0, curve->at_m[i]), 0.01);
  }
  EXPECT_FALSE(curve->alternatives.empty());
}

TEST(FitPsfCurve, TheChosenPressIsShownElseOneOnTheChosenTactel) {
  PsfCurve curve;
  curve.presses = {{0, 4, 10}, {0, 7, 12}, {0, 9, 12}};
  EXPECT_EQ(curve.press_to_show(9, 10), 2U);
  EXPECT_EQ(curve.press_to_show(5, 12), 1U);
  EXPECT_EQ(curve.press_to_show({}, {}), 0U);
}

TEST(FitPsfCurve, ARefusedSpreadSaysWhy) {
  const Simulated pad(kBallPresses, "psf");
  const auto curve = psf_curve(pad.sessions, pad.clocks, pad.model, {});
  ASSERT_FALSE(curve);
  EXPECT_EQ(curve.error().code, ErrorCode::kUnidentifiable);
  EXPECT_THAT(curve.error().message, HasSubstr("only flat ends are fitted"));
}

TEST(FitHydroCurve, BallsFollowTheVolumeTheyTakeUp) {
  const Simulated pad(kBallPresses, "hydroelastic");
  const auto curve = hydro_curve(pad.sessions, pad.clocks, pad.model, {});
  ASSERT_TRUE(curve) << curve.error().message;
  ASSERT_EQ(curve->presses.size(), 3U);  // four, the first into virgin rubber
  const double k = *pad.truth.stiffness.foundation_modulus.value;
  for (const auto& press : curve->presses) {
    EXPECT_EQ(press.indenter, "sphere 10 mm");
    ASSERT_GT(press.points.size(), 50U);
    double squares = 0, most_N = 0;
    for (const auto& point : press.points) {
      squares += std::pow(point.force_N - point.model_N, 2);
      most_N = std::max(most_N, point.force_N);
      if (press.speed_m_per_s > 1e-3 || point.depth_m < 2e-4) continue;
      // F = K pi d^2 (R - d/3), R = 5 mm; a slow press, so hysteresis and place remain.
      const double cap_m3 =
          std::numbers::pi * point.depth_m * point.depth_m * (5e-3 - point.depth_m / 3);
      EXPECT_NEAR(point.model_N, k * cap_m3, 0.1 * k * cap_m3) << point.depth_m;
    }
    EXPECT_LT(std::sqrt(squares / static_cast<double>(press.points.size())), 0.01 * most_N);
  }
  EXPECT_FALSE(curve->spread);
  EXPECT_THAT(curve->no_spread, HasSubstr("only flat ends"));
  // No plate was pressed: the ball tells the pad's modulus.
  EXPECT_EQ(pad.model.stiffness.foundation_modulus.from, "hydroelastic");
  EXPECT_NEAR(pad.model.stiffness.foundation_modulus.value.value_or(0), k, 0.05 * k);
}

TEST(FitHydroCurve, WithoutWideIndentersSaysWhatToRecordAndShowsTheSpread) {
  const Simulated pad("study", "hydroelastic");
  const auto curve = hydro_curve(pad.sessions, pad.clocks, pad.model, {});
  ASSERT_TRUE(curve) << curve.error().message;
  EXPECT_TRUE(curve->presses.empty());
  EXPECT_THAT(curve->no_presses, HasSubstr("ball"));
  EXPECT_EQ(curve->spread.has_value(), pad.model.psf.sigma.value.has_value());
}

}  // namespace
}  // namespace tactelier::test
