// Many small recordings made here, with erf and a press scatter of their own: intervals hold the
// truth as often as they say, and the rank test sees what presses leave open.

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/psf/psf_report.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kPitch_m = 3.4e-3, kSigma_m = 1.5e-3;

SensorDescription patch(int rows, int columns) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  return sensor;
}

double below(double x_m) { return 0.5 * (1 + std::erf(x_m / (std::sqrt(2.0) * kSigma_m))); }

double share(int index, int rows, int columns, double x_m, double y_m) {
  const double cx = (index % columns - 0.5 * (columns - 1)) * kPitch_m - x_m;
  const double cy = (index / columns - 0.5 * (rows - 1)) * kPitch_m - y_m;
  const double h = kPitch_m / 2;
  return (below(cx + h) - below(cx - h)) * (below(cy + h) - below(cy - h));
}

struct Place {
  double x_m, y_m;
};

/// Ramps of 20 rows to 2 N; `scatter`: of each tactel's reading in each press.
PsfProblem record(const std::vector<Place>& places, double scatter, std::uint64_t seed,
                  std::vector<double>& slopes) {
  constexpr int kRows = 4, kColumns = 4;
  RandomSource random(seed);
  PsfProblem problem{
      PsfLayout::create(patch(kRows, kColumns)).value(), {PressFootprint{}}, {}, {}, 1, 1};
  slopes.clear();
  for (int t = 0; t < kRows * kColumns; ++t) {
    slopes.push_back(5000 * std::exp(0.1 * random.normal()));
    problem.tactels.push_back({t, {}, {}, true});
  }
  for (const auto& place : places) problem.presses.push_back({place.x_m, place.y_m, 0, 0, true});
  for (std::size_t t = 0; t < slopes.size(); ++t)
    for (std::uint32_t k = 0; k < places.size(); ++k) {
      auto& tactel = problem.tactels[t];
      const double w = share(static_cast<int>(t), kRows, kColumns, places[k].x_m, places[k].y_m);
      const double own = 1 + scatter * random.normal();
      const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
      for (int i = 1; i <= 20; ++i) {
        const double force_N = 0.1 * i;
        const double counts = own * slopes[t] * std::max(0.0, w * force_N - 0.05);
        tactel.rows.push_back({force_N, 0, counts + 3 * random.normal(),
                               1 / (9 + scatter * scatter * counts * counts),
                               PsfRowKind::kFloored});
      }
      tactel.groups.push_back({k, begin, begin + 20});
    }
  return problem;
}

std::vector<Place> raster() {
  std::vector<Place> places;
  for (int i = -3; i <= 3; ++i)
    for (int k = -3; k <= 3; ++k) places.push_back({i * kPitch_m / 2, k * kPitch_m / 2});
  return places;
}

TEST(PsfIntervals, HoldTheTruthAsOftenAsTheySayWhenPressesScatter) {
  const PsfModel model;
  int sigma_inside = 0, gain_inside = 0, gains = 0;
  constexpr int kRepeats = 60;
  for (std::uint64_t seed = 1; seed <= kRepeats; ++seed) {
    std::vector<double> slopes;
    const auto problem = record(raster(), 0.03, seed, slopes);
    const auto fit = fit_psf(problem, model, psf_start(problem, model)).value();
    const auto uncertainty = psf_uncertainty(problem, fit, {200, seed}).value();
    ASSERT_GT(uncertainty.covariance.size(), 0);
    EXPECT_NEAR(uncertainty.scatter, 0.03, 0.01);
    const double u_sigma = std::sqrt(uncertainty.covariance(0, 0)) / 2;
    sigma_inside += std::abs(fit.state.spread.m / 2 - std::log(kSigma_m)) < 1.96 * u_sigma ? 1 : 0;
    for (std::size_t t = 0; t < slopes.size(); ++t) {
      const auto at = slope_column(fit, t);
      const double u = std::sqrt(uncertainty.covariance(at, at));
      gain_inside += std::abs(fit.state.slope[t] - slopes[t]) < 1.96 * u ? 1 : 0;
      ++gains;
    }
  }
  EXPECT_GE(sigma_inside, 0.9 * kRepeats);
  EXPECT_GE(gain_inside, 0.9 * gains);
  EXPECT_LE(gain_inside, 0.99 * gains);
}

TEST(PsfIntervals, SeeTailsThatTheGaussianLacksAndNoneWhereThereAreNone) {
  const PsfModel model;
  std::vector<double> slopes;
  auto problem = record(raster(), 0, 7, slopes);
  const auto fit = fit_psf(problem, model, psf_start(problem, model)).value();
  EXPECT_LT(std::abs(psf_tails(problem, fit).z), 4);
  for (auto& tactel : problem.tactels)  // 2 % of the force goes everywhere alike
    for (auto& row : tactel.rows)
      row.counts += slopes[static_cast<std::size_t>(tactel.index)] * 0.02 / 16 * row.force_N;
  const auto tailed = fit_psf(problem, model, psf_start(problem, model)).value();
  EXPECT_GT(psf_tails(problem, tailed).z, 5);
}

TEST(PsfRank, IsLostOnIsolatedCentresAndRegainedByPressesBetweenThem) {
  const PsfModel model;
  std::vector<double> slopes;
  const double h = kPitch_m / 2;
  const std::vector<Place> isolated{{-3 * h, -3 * h}, {3 * h, 3 * h}};
  auto problem = record(isolated, 0, 3, slopes);
  std::erase_if(problem.tactels, [](const PsfTactel& tactel) {
    return std::none_of(tactel.rows.begin(), tactel.rows.end(),
                        [](const PsfRow& row) { return row.counts > 30; });
  });
  const auto fit = fit_psf(problem, model, psf_start(problem, model)).value();
  const auto uncertainty = psf_uncertainty(problem, fit, {}).value();
  EXPECT_GT(uncertainty.condition.number, 1e6);
  EXPECT_TRUE(isolated_centres(problem, patch(4, 4)));
  const auto whole = record(raster(), 0, 3, slopes);
  const auto good = fit_psf(whole, model, psf_start(whole, model)).value();
  EXPECT_LT(psf_uncertainty(whole, good, {}).value().condition.number, 1e3);
  EXPECT_FALSE(isolated_centres(whole, patch(4, 4)));
}

TEST(PsfChoiceTest, KeepsTheRoundSpreadAndTheEdgeThatLoses) {
  std::vector<double> slopes;
  auto problem = record(raster(), 0, 5, slopes);
  const PsfModel simplest;
  auto base = fit_psf(problem, simplest, psf_start(problem, simplest)).value();
  const auto choice = choose_psf(problem, std::move(base), 1).value();
  EXPECT_EQ(choice.fit.model.shape, PsfShape::kIsotropic);
  EXPECT_EQ(choice.fit.model.edge, PsfEdge::kZero);
  EXPECT_EQ(choice.fit.model.form, PsfForm::kIntegrated);
  EXPECT_FALSE(choice.fit.model.ghosting);
  EXPECT_TRUE(choice.edge_tested);
  EXPECT_NEAR(choice.holdout.ratio(), 1, 0.2);
}

TEST(PsfChoiceTest, TakesTheEdgeThatLosesNothingWhereTheFoilEnds) {
  std::vector<double> slopes;
  auto problem = record(raster(), 0, 5, slopes);
  for (auto& press : problem.presses) {  // put back what fell beyond the border
    double sum = 0;
    for (int t = 0; t < 16; ++t) sum += share(t, 4, 4, press.x_m, press.y_m);
    const auto k = static_cast<std::uint32_t>(&press - problem.presses.data());
    for (auto& tactel : problem.tactels) {
      const double w = share(tactel.index, 4, 4, press.x_m, press.y_m) / sum;
      const auto& group = tactel.groups[k];
      for (std::size_t i = group.begin; i < group.end; ++i)
        tactel.rows[i].counts = slopes[static_cast<std::size_t>(tactel.index)] *
                                std::max(0.0, w * tactel.rows[i].force_N - 0.05);
    }
  }
  const PsfModel simplest;
  auto base = fit_psf(problem, simplest, psf_start(problem, simplest)).value();
  const auto choice = choose_psf(problem, std::move(base), 1).value();
  EXPECT_EQ(choice.fit.model.edge, PsfEdge::kRenormalised);
  EXPECT_NEAR(std::exp(choice.fit.state.spread.m / 2) / kSigma_m, 1, 1e-4);
}

TEST(PsfChoiceTest, SeesWhatAMatrixAddsOfTheSameRowAndColumn) {
  constexpr double kGhosting = 0.015;
  std::vector<double> slopes;
  auto problem = record(raster(), 0, 5, slopes);
  for (std::uint32_t k = 0; k < problem.presses.size(); ++k) {
    const auto own = [&](int t) {
      return share(t, 4, 4, problem.presses[k].x_m, problem.presses[k].y_m);
    };
    for (auto& tactel : problem.tactels) {
      double w = own(tactel.index);
      for (int other = 0; other < 16; ++other)
        if (other != tactel.index &&
            (other / 4 == tactel.index / 4 || other % 4 == tactel.index % 4))
          w += kGhosting * own(other);
      const auto& group = tactel.groups[k];
      for (std::size_t i = group.begin; i < group.end; ++i)
        tactel.rows[i].counts = slopes[static_cast<std::size_t>(tactel.index)] *
                                std::max(0.0, w * tactel.rows[i].force_N - 0.05);
    }
  }
  const PsfModel simplest;
  auto base = fit_psf(problem, simplest, psf_start(problem, simplest)).value();
  EXPECT_GT(std::exp(base.state.spread.m / 2) / kSigma_m, 1.005);  // taken for a wider spread
  const auto choice = choose_psf(problem, std::move(base), 1).value();
  ASSERT_TRUE(choice.fit.model.ghosting);
  EXPECT_NEAR(choice.fit.state.ghosting, kGhosting, 1e-5);
  EXPECT_NEAR(std::exp(choice.fit.state.spread.m / 2) / kSigma_m, 1, 1e-4);
}

TEST(PsfObjections, NameAnArrayThatLiesElsewhere) {
  PsfData data;
  std::vector<double> slopes;
  data.problem = record(raster(), 0, 1, slopes);
  data.most_answering = 4;
  data.centroid_error_m = {2.1e-3, 1.9e-3, 2.0e-3};
  EXPECT_TRUE(psf_objection(data).starts_with("PS-05 Array appears shifted by 2 mm"))
      << psf_objection(data);
  data.centroid_error_m = {0.3e-3, 0.1e-3, 2.0e-3};
  EXPECT_EQ(psf_objection(data), "");
  data.most_answering = 1;
  EXPECT_TRUE(psf_objection(data).starts_with("PS-01 No neighbour above trigger"));
}

}  // namespace
}  // namespace tactelier
