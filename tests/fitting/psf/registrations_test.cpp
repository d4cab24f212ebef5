// Places stated in two registrations: which press belongs to which, and that the fit finds how they
// lie to each other instead of taking their difference for scatter.

#include "fitting/psf/registrations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fitting/psf/psf_report.hpp"
#include "libcalib/session/session_writer.hpp"
#include "psf_recording.hpp"

namespace tactelier {
namespace {

constexpr double kOff_x_m = 0.12e-3, kOff_y_m = -0.08e-3;

/// A raster, the later part of its presses stated off by these.
PsfProblem cut_off(std::size_t from, std::uint64_t seed, std::vector<double>& slopes) {
  auto made = test::record(test::raster(), {.press = 0.02}, seed);
  slopes = made.slopes;
  auto& presses = made.problem.presses;
  for (std::size_t k = from; k < presses.size(); ++k) {
    presses[k].x_m -= kOff_x_m;
    presses[k].y_m -= kOff_y_m;
    presses[k].frame = 1;
  }
  made.problem.frames = 2;
  made.problem.ties = {{0, 1, 0.1 * test::kPitch_m, 0.02}};
  return made.problem;
}

double median_gain_interval(const PsfProblem& problem, const PsfFit& fit, std::uint64_t seed) {
  const auto uncertainty = psf_uncertainty(problem, fit, {200, seed}).value();
  std::vector<double> relative;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto at = slope_column(fit, t);
    relative.push_back(std::sqrt(uncertainty.covariance(at, at)) / fit.state.slope[t]);
  }
  std::sort(relative.begin(), relative.end());
  return relative[relative.size() / 2];
}

TEST(Registrations, OfARecordingThatWentOnAreFoundApart) {
  int held = 0, gains = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<double> slopes;
    auto problem = cut_off(25, seed, slopes);
    const PsfModel model;
    auto start = psf_start(problem, model);
    problem.press_scatter = 0.02;
    const auto fit = fit_psf(problem, model, std::move(start)).value();
    EXPECT_NEAR(fit.state.frames[1].x_m - fit.state.frames[0].x_m, kOff_x_m, 20e-6);
    EXPECT_NEAR(fit.state.frames[1].y_m - fit.state.frames[0].y_m, kOff_y_m, 20e-6);
    EXPECT_NEAR(std::exp(fit.state.spread.m / 2), test::kSigma_m, 0.01 * test::kSigma_m);
    const auto uncertainty = psf_uncertainty(problem, fit, {200, seed}).value();
    for (std::size_t t = 0; t < slopes.size(); ++t, ++gains) {
      const auto at = slope_column(fit, t);
      const double u = std::sqrt(uncertainty.covariance(at, at));
      held += std::abs(fit.state.slope[t] - slopes[t]) < 1.96 * u ? 1 : 0;
    }
  }
  EXPECT_GE(held, 0.9 * gains);
}

TEST(Registrations, TakenForOneWidenEveryGain) {
  std::vector<double> slopes;
  const auto apart = cut_off(25, 7, slopes);
  auto one = apart;
  one.frames = 1;
  one.ties.clear();
  for (auto& press : one.presses) press.frame = 0;
  const PsfModel model;
  const auto apart_fit = fit_psf(apart, model, psf_start(apart, model)).value();
  const auto one_fit = fit_psf(one, model, psf_start(one, model)).value();
  EXPECT_GT(median_gain_interval(one, one_fit, 7), 1.5 * median_gain_interval(apart, apart_fit, 7));
}

TEST(Registrations, ASinglePressInOneIsHeldByItsTie) {
  std::vector<double> slopes;
  auto problem = cut_off(test::raster().size() - 1, 3, slopes);
  const PsfModel model;
  const auto fit = fit_psf(problem, model, psf_start(problem, model)).value();
  const auto uncertainty = psf_uncertainty(problem, fit, {100, 3}).value();
  ASSERT_GT(uncertainty.covariance.size(), 0);
  EXPECT_TRUE(uncertainty.covariance.allFinite());
  EXPECT_LT(std::abs(fit.state.frames[1].turn_rad), 0.02);
  for (std::size_t t = 0; t < slopes.size(); ++t)
    EXPECT_NEAR(fit.state.slope[t] / slopes[t], 1, 0.1) << t;
}

/// With the events of a recording that was gone on with after its stage was homed.
Session session_with(const std::filesystem::path& file, const std::string& mount,
                     const std::vector<std::pair<double, const char*>>& events) {
  const auto metadata =
      parse_session_metadata(R"({"format": "tactelier/session", "version": 1,
        "created": "2026-01-02T03:04:05Z", "sensor": "weiss-wts0614", "mount": ")" +
                                 mount + R"(", "stage_to_sensor": {"x_mm": 1, "y_mm": 2}})",
                             "test")
          .value();
  std::filesystem::remove(file);
  auto writer = SessionWriter::create(file, metadata).value();
  for (const auto& [at_s, data] : events) {
    const auto event = make_event(decimal_from(at_s), "register", data, "test").value();
    EXPECT_TRUE(writer.add_event(event));
  }
  EXPECT_TRUE(writer.finish());
  return Session::open(file).value();
}

TEST(Registrations, ChangeWithEachNewOneOfAMounting) {
  const std::filesystem::path folder(::testing::TempDir());
  const auto first = session_with(folder / "registered_a.tact", "A",
                                  {{10, R"({"x_mm": 1, "y_mm": 2})"},
                                   {50, R"({"x_mm": 1.1, "y_mm": 1.95, "rz_deg": 0.2})"}});
  const auto second = session_with(folder / "registered_b.tact", "A", {});
  const auto other = session_with(folder / "registered_c.tact", "B", {});
  Registrations registrations(3.4e-3);
  EXPECT_EQ(registrations.at(first, 5), 0U);
  EXPECT_EQ(registrations.at(first, 20), 0U);  // the same again
  EXPECT_EQ(registrations.at(first, 60), 1U);
  EXPECT_EQ(registrations.at(second, 60), 0U);  // what its session states
  EXPECT_EQ(registrations.at(other, 60), 2U);
  const auto ties = registrations.ties();
  ASSERT_EQ(ties.size(), 1U);  // another mounting lies anywhere
  EXPECT_EQ(ties[0].one, 0U);
  EXPECT_EQ(ties[0].other, 1U);
  EXPECT_NEAR(ties[0].u_shift_m, 0.34e-3, 1e-9);
}

}  // namespace
}  // namespace tactelier
