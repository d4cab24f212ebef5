// The joint fit against the oracle, its derivatives, and what it makes of a dead zone.

#include "fitting/psf/psf_fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "../statistics/oracle_files.hpp"
#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kPitch_m = 3.4e-3;

SensorDescription square_array(int rows, int columns) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  return sensor;
}

/// The oracle's 17 presses on a 5 x 5 patch; `dead_counts` are cut off every reading.
PsfProblem oracle_problem(double dead_counts) {
  const auto table = oracle::csv("08_psf_fit.csv");
  PsfProblem problem{
      PsfLayout::create(square_array(5, 5)).value(), {PressFootprint{}}, {}, {}, 1, 1};
  problem.tactels.resize(25);
  for (std::size_t i = 0; i < table.at("press").size(); ++i) {
    const auto press = static_cast<std::uint32_t>(table.at("press")[i]);
    if (press == problem.presses.size())
      problem.presses.push_back({table.at("x_m")[i], table.at("y_m")[i], 0, 0, true});
    const auto t = static_cast<std::size_t>(5 * table.at("row")[i] + table.at("col")[i]);
    auto& tactel = problem.tactels[t];
    tactel.index = static_cast<int>(t);
    tactel.threshold_free = false;
    const auto row = static_cast<std::uint32_t>(tactel.rows.size());
    double counts = table.at("count")[i];
    if (dead_counts > 0) counts = std::max(0.0, counts - dead_counts);
    tactel.rows.push_back({table.at("F_N")[i], 0, counts, 1.0 / 36, PsfRowKind::kLine});
    tactel.groups.push_back({press, row, row + 1});
  }
  return problem;
}

PsfModel without_turn() { return {.free_turn = false}; }

/// Whole information matrix, shared parameters first; slopes only (no thresholds in the oracle).
Eigen::MatrixXd information(const PsfFit& fit, const PsfProblem& problem) {
  const auto shared = fit.normal.shared.rows();
  const auto n = shared + static_cast<Eigen::Index>(problem.tactels.size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n, n);
  all.topLeftCorner(shared, shared) = fit.normal.shared;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto k = shared + static_cast<Eigen::Index>(t);
    all(k, k) = fit.normal.locals[t].own(0, 0);
    all.col(k).head(shared) = fit.normal.locals[t].shared.row(0).transpose();
    all.row(k).head(shared) = fit.normal.locals[t].shared.row(0);
  }
  return all;
}

TEST(PsfFitTest, ReproducesTheOraclesJointFit) {
  const auto expected = oracle::json("08_psf.json")["joint_fit"]["expected"];
  const auto problem = oracle_problem(0);
  const auto fit = fit_psf(problem, without_turn(), psf_start(problem, without_turn())).value();
  const double sigma_m = std::exp(fit.state.spread.m / 2);
  EXPECT_NEAR(sigma_m / expected["sigma_m"].get<double>(), 1, 1e-8);
  EXPECT_NEAR(fit.state.frames[0].x_m, expected["offset_m"][0].get<double>(), 1e-11);
  EXPECT_NEAR(fit.state.frames[0].y_m, expected["offset_m"][1].get<double>(), 1e-11);
  EXPECT_NEAR(2 * fit.cost, expected["chi2"].get<double>(), 1e-7);
  for (std::size_t t = 0; t < 25; ++t)
    EXPECT_NEAR(fit.state.slope[t] / 2400, expected["gains"][t / 5][t % 5].get<double>(), 1e-7);
  const auto all = information(fit, problem);
  const Eigen::MatrixXd covariance = all.inverse();
  EXPECT_NEAR(std::sqrt(covariance(0, 0)) / 2, expected["u_log_sigma"].get<double>(), 1e-8);
  EXPECT_NEAR(std::sqrt(covariance(1, 1)), expected["u_offset_m"][0].get<double>(), 1e-11);
  const Eigen::MatrixXd root = all.llt().matrixU();
  EXPECT_NEAR(condition(root).number, expected["cond_scaled"].get<double>(), 1e-4);
}

TEST(PsfFitTest, IsPulledDownByADeadZoneThatItIgnoresAsTheOracleSays) {
  const auto expected = oracle::json("08_psf.json")["joint_fit"]["dead_zone_ignored"];
  const auto problem = oracle_problem(480);
  const auto fit = fit_psf(problem, without_turn(), psf_start(problem, without_turn())).value();
  EXPECT_NEAR(std::exp(fit.state.spread.m / 2) / expected["sigma_m"].get<double>(), 1, 1e-5);
  EXPECT_NEAR(2 * fit.cost / expected["chi2"].get<double>(), 1, 1e-5);
}

TEST(PsfFitTest, FindsTheSameFromAnyStart) {
  const auto problem = oracle_problem(0);
  for (const double sigma : {0.2, 1.0, 2.0}) {
    PsfState start;
    start.frames.resize(1);
    start.spread.m = 2 * std::log(sigma * kPitch_m);
    start_responses(problem, without_turn(), start);
    const auto fit = fit_psf(problem, without_turn(), start).value();
    EXPECT_NEAR(2 * fit.cost, 425.55669962522734, 1e-6) << sigma;
  }
}

/// Rows of every kind, on several tactels.
PsfProblem mixed_problem() {
  PsfProblem problem{
      PsfLayout::create(square_array(3, 3)).value(), {PressFootprint{}}, {}, {}, 2, 1};
  RandomSource random(5);
  for (std::uint32_t k = 0; k < 12; ++k)
    problem.presses.push_back(
        {(random.uniform() - 0.5) * 6e-3, (random.uniform() - 0.5) * 6e-3, k % 2, 0, true});
  for (int t = 0; t < 9; ++t) {
    PsfTactel tactel{t, {}, {}, true};
    for (std::uint32_t k = 0; k < 12; ++k) {
      const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
      for (int i = 0; i < 6; ++i)
        tactel.rows.push_back({0.3 * i, 0.15, 900 * random.uniform(), 0.01 + random.uniform(),
                               static_cast<PsfRowKind>((t + i) % 4)});
      tactel.groups.push_back({k, begin, begin + 6});
    }
    problem.tactels.push_back(std::move(tactel));
  }
  return problem;
}

TEST(PsfFitTest, HasTheGradientThatDifferencesGiveForEveryKindOfRow) {
  auto problem = mixed_problem();
  problem.press_scatter = 0.04;
  problem.ties = {{0, 1, 3.4e-4, 0.02}};
  for (auto& tactel : problem.tactels)
    for (auto& group : tactel.groups) group.rest_N = 0.01 * (group.press % 3);
  const PsfModel model{.shape = PsfShape::kAnisotropic, .ghosting = true};
  PsfState state;
  for (int press = 0; press < 12; ++press) state.log_scale.push_back(0.01 * (press - 5));
  state.ghosting = 0.02;
  state.spread = {2 * std::log(1.6e-3), 0.1, -0.15};
  state.frames = {{1e-4, -2e-4, 0.02}, {-3e-4, 1e-4, -0.01}};
  state.slope.assign(9, 2300);
  state.intercept.assign(9, 150);
  const auto cost = [&](const PsfState& s) {
    return psf_cost(problem, s, psf_shares(problem, model, s, false));
  };
  const auto normal = psf_normal(problem, state, psf_shares(problem, model, state, true));
  EXPECT_NEAR(normal.cost / cost(state), 1, 1e-14);
  const auto slope = [&](double& parameter, double h) {
    const double before = parameter;
    parameter = before + h;
    const double up = cost(state);
    parameter = before - h;
    const double down = cost(state);
    parameter = before;
    return (up - down) / (2 * h);
  };
  const auto expect = [&](double score, double difference, const char* what) {
    EXPECT_NEAR(-score / difference, 1, 1e-5) << what;
  };
  expect(normal.shared_score(0), slope(state.spread.m, 1e-6), "m");
  expect(normal.shared_score(1), slope(state.spread.e1, 1e-6), "e1");
  expect(normal.shared_score(2), slope(state.spread.e2, 1e-6), "e2");
  expect(normal.shared_score(9), slope(state.ghosting, 1e-6), "ghosting");
  for (int f = 0; f < 2; ++f) {
    auto& frame = state.frames[static_cast<std::size_t>(f)];
    expect(normal.shared_score(3 + 3 * f), slope(frame.x_m, 1e-9), "x");
    expect(normal.shared_score(4 + 3 * f), slope(frame.y_m, 1e-9), "y");
    expect(normal.shared_score(5 + 3 * f), slope(frame.turn_rad, 1e-7), "turn");
  }
  for (std::size_t t = 0; t < 9; ++t) {
    expect(normal.locals[t].score(0), slope(state.slope[t], 1e-3), "slope");
    expect(normal.locals[t].score(1), slope(state.intercept[t], 1e-3), "intercept");
  }
  for (std::size_t press = 0; press < 12; ++press)
    expect(normal.presses[press].score, slope(state.log_scale[press], 1e-6), "scale");
}

TEST(PsfFitTest, IsTheSameOnSeveralThreads) {
  auto problem = mixed_problem();
  for (auto& tactel : problem.tactels) {  // enough rows for threads to start
    const auto rows = tactel.rows;
    tactel.groups.clear();
    for (std::uint32_t k = 0; k < 12; ++k) {
      const auto begin = static_cast<std::uint32_t>(6000 * k);
      tactel.groups.push_back({k, begin, begin + 6000});
    }
    tactel.rows.clear();
    for (std::size_t k = 0; k < 12; ++k)
      for (int i = 0; i < 1000; ++i)
        for (std::size_t r = 0; r < 6; ++r) tactel.rows.push_back(rows[6 * k + r]);
  }
  const PsfModel model;
  PsfState state;
  state.frames.resize(2);
  state.spread.m = 2 * std::log(1.6e-3);
  state.slope.assign(9, 2300);
  state.intercept.assign(9, 150);
  const auto shares = psf_shares(problem, model, state, true);
  const auto one = psf_normal(problem, state, shares);
  problem.threads = 3;
  const auto three = psf_normal(problem, state, shares);
  EXPECT_EQ(one.cost, three.cost);
  EXPECT_EQ(one.shared, three.shared);
  EXPECT_EQ(one.shared_score, three.shared_score);
  problem.footprints[0].points.assign(300, {0.1e-3, 0, 1.0 / 300});  // of a wide tip
  const auto wide = psf_shares(problem, model, state, true);
  problem.threads = 1;
  const auto alone = psf_shares(problem, model, state, true);
  EXPECT_EQ(wide.value, alone.value);
  EXPECT_EQ(wide.gradient, alone.gradient);
}

}  // namespace
}  // namespace tactelier
