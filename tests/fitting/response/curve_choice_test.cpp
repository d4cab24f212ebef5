// Line or curve: what is chosen for readings of known shape, and what the model file then holds.
#include "fitting/response/curve_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "fitting/response/response_model.hpp"
#include "fitting/statistics/random.hpp"
#include "libcalib/models/response/calibration_curve.hpp"

namespace tactelier {
namespace {

using Shape = std::function<double(double)>;  // counts above the offset, force above 0.1 N

double line(double force_N) { return 2000 * force_N; }
double softening(double force_N) { return 2400 * force_N - 400 * force_N * force_N; }
double bends_a_little(double force_N) { return 2000 * force_N - 80 * force_N * force_N; }
double saturating(double force_N) { return 2600 * (1 - std::exp(-3 * force_N)); }

SensorDescription one_tactel() {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

/// Ramps to 1.5 N; each press's rise is another by `scatter`.
TactelFit fit_ramps(const Shape& shape, int presses, double scatter = 0, std::uint64_t seed = 5) {
  RandomSource random(seed);
  TactelData data;
  for (int p = 0; p < presses; ++p) {
    const double scale = 1 + scatter * random.normal();
    const auto reading = [&](double force_N) {
      return std::round(50 + scale * shape(std::max(0.0, force_N - 0.1)) + 4 * random.normal());
    };
    TactelPress press;
    for (int i = 0; i < 100; ++i) press.before.push_back(reading(0));
    for (int i = 1; i <= 400; ++i) {
      press.loading.force_N.push_back(1.5 * i / 400);
      press.loading.counts.push_back(reading(1.5 * i / 400));
    }
    press.peak_force_N = 1.5;
    press.period_s = 0.01;
    data.air.push_back(air_window(press.before, 0));
    data.presses.push_back(std::move(press));
  }
  return fit_tactel(data, one_tactel(), {});
}

CurveChoice choice_of(const Shape& shape, int presses, double scatter = 0) {
  return choose_curve(std::array{fit_ramps(shape, presses, scatter)});
}

TEST(CurveFit, FindsTheCoefficientsOfACurveThatIsOne) {
  // 50 + 2400 (F - 0.1) - 400 (F - 0.1)^2 = -194 + 2480 F - 400 F^2
  const auto fit = fit_ramps(softening, 2);
  ASSERT_TRUE(fit.curves);
  const auto quadratic = curve_coefficients(fit, 1, {});
  ASSERT_EQ(quadratic.size(), 3u);
  const double truth[] = {-194, 2480, -400};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(*quadratic[k].value, truth[k], 4 * *quadratic[k].std);
    EXPECT_LT(*quadratic[k].std, 10);
  }
}

TEST(CurveChoice, KeepsTheLineOnALine) {
  EXPECT_EQ(choice_of(line, 3).law().title(), "line");
  EXPECT_EQ(choice_of(line, 5, 0.04).law().title(), "line");
}

TEST(CurveChoice, TakesAParabolaForReadingsThatSoften) {
  EXPECT_EQ(choice_of(softening, 3).law().title(), "quadratic");
}

TEST(CurveChoice, TakesAMonotoneCurveWhereNoCubicSuffices) {
  EXPECT_EQ(choice_of(saturating, 3).law().title(), "monotone");
}

// The physics of foreign arrays, written down from the circuit: a pressure-sensitive resistor of
// 3 kOhm N under 10 kOhm in a divider of 4000 counts, and such a resistor read in ohms.
double divider(double force_N) {
  if (force_N <= 0) return 0;
  const double sensor_ohm = 3000 / force_N;
  return 4000 * 10000 / (10000 + sensor_ohm);
}
double resistance_drop(double force_N) { return 9000 - 600 / (force_N + 0.1); }
double rough_contact(double force_N) { return 2000 * std::pow(force_N + 0.1, 0.6); }

TEST(CurveChoice, TakesTheLawThatTheReadingsWereMadeBy) {
  EXPECT_EQ(choice_of(divider, 3).law().title(), "conductance");
  EXPECT_EQ(choice_of(resistance_drop, 3).law().title(), "reciprocal");
  EXPECT_EQ(choice_of(rough_contact, 3).law().title(), "power");
}

TEST(CurveFit, FindsTheForceAtWhichADividerIsInItsMiddle) {
  // F0 = 3000 Ohm N/10000 Ohm = 0.3 N, 0.1 N of dead zone before it
  const auto fit = fit_ramps(divider, 3);
  ASSERT_TRUE(fit.curves);
  const auto& fits = fit.curves->fits;
  const auto curve = std::find_if(
      fits.begin(), fits.end(), [](const CurveFit& f) { return f.law->title() == "conductance"; });
  const auto found = curve_coefficients(fit, static_cast<std::size_t>(curve - fits.begin()), {});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(*found[2].value, 0.2, 4 * *found[2].std);
  EXPECT_LT(*found[2].std, 0.01);
}

TEST(CurveChoice, SeesTheBendBehindPressesThatScatterAsAWhole) {
  EXPECT_EQ(choice_of(bends_a_little, 5, 0.06).law().title(), "quadratic");
}

TEST(CurveChoice, KeepsTheLineWhereNoSecondPressCanTestACurve) {
  const auto choice = choice_of(softening, 1);
  EXPECT_EQ(choice.law().title(), "line");
  EXPECT_TRUE(choice.untested);
}

/// One round of `loads` up to 10 N, each read once at rest, as tables are published: volts of a
/// resistor of 80 kOhm N in a divider of 10 kOhm, 0.15 V at rest, 5 V at the rail; 5 mV of noise.
double published_V(double force_N) { return 0.15 + 4.85 * force_N / (force_N + 8); }
TactelFit published_round(int loads, std::uint64_t seed = 3) {
  RandomSource random(seed);
  TactelPress press;
  press.static_readings = true;
  for (int i = 1; i <= loads; ++i) {
    press.loading.force_N.push_back(10.0 * i / loads);
    press.loading.counts.push_back(published_V(10.0 * i / loads) + 0.005 * random.normal());
  }
  press.peak_force_N = 10;
  TactelData data;
  data.presses.push_back(std::move(press));
  return fit_tactel(data, one_tactel(), {});
}

TEST(CurveChoice, IsTestedByLoadsLeftOutWhereARoundOfThemIsAllThereIs) {
  const auto fit = published_round(20);
  const auto choice = choose_curve(std::array{fit});
  EXPECT_EQ(choice.law().title(), "conductance");
  EXPECT_TRUE(choice.one_round);
  const auto found = curve_coefficients(fit, choice.index, {});
  ASSERT_EQ(found.size(), 3u);
  const double truth[] = {0.15, 4.85, 8};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(*found[k].value, truth[k], 3 * *found[k].std);
    EXPECT_LT(*found[k].std, 0.1 * truth[k]);
  }
}

TEST(CurveChoice, IsNotMadeFromFewLoadsOfOneRound) {
  const auto choice = choose_curve(std::array{published_round(7)});
  EXPECT_EQ(choice.law().title(), "line");
}

SensorModel model_of_fit(TactelFit fit) {
  FitContext context;
  context.model = empty_model(one_tactel());
  std::vector<TactelFit> fits{std::move(fit)};
  auto settings = report_settings(fits, context.model.sensor);
  context.response_fits = std::make_shared<ResponseFits>(
      ResponseFits{std::move(fits), std::move(settings), StageQuality{}});
  EXPECT_TRUE(write_response(context));
  return context.model;
}

SensorModel model_of(const Shape& shape) { return model_of_fit(fit_ramps(shape, 3)); }

TEST(CurveInTheModel, SaysWhereASensorRestsThatWasNeverUnloaded) {
  const auto model = model_of_fit(published_round(20));
  ASSERT_EQ(model.response.model, "conductance");
  const auto& offset = model.response.tactels[0].offset;
  ASSERT_TRUE(offset.value && offset.ci95);
  EXPECT_NEAR(*offset.value, 0.15, 0.02);  // the line meets force 0 at 0.6 V
  EXPECT_LT((*offset.ci95)[0], 0.15);
  EXPECT_GT((*offset.ci95)[1], 0.15);
}

TEST(CurveInTheModel, HoldsKnotsFromTheOffsetUpwards) {
  const auto model = model_of(saturating);
  EXPECT_EQ(model.response.model, "monotone");
  const auto& knots = model.response.tactels[0].knots;
  const auto curve = CalibrationCurve::through(knots);
  ASSERT_TRUE(curve);
  EXPECT_NEAR(knots.front()[1], 50, 2);
  for (const double force_N : {0.3, 0.6, 0.9, 1.2})
    EXPECT_NEAR(curve->counts(force_N), 50 + saturating(force_N - 0.1), 0.003 * 2600);
  const auto& warnings = model.quality.at("response").warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                          [](const Warning& w) { return w.code == "CURVED"; }));
}

TEST(CurveInTheModel, IsAbsentOnALine) {
  const auto model = model_of(line);
  EXPECT_EQ(model.response.model, "affine");
  EXPECT_TRUE(model.response.tactels[0].knots.empty());
  EXPECT_TRUE(model.response.tactels[0].coefficients.empty());
}

}  // namespace
}  // namespace tactelier
