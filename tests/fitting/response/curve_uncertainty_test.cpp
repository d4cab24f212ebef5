// Forces read off curves: are the stated intervals met? Many arrays of three tactels, whose curves
// are known, each pressed a few times; each press differs from the others as a whole.
#include "fitting/response/curve_uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/response/curve_choice.hpp"
#include "fitting/response/law_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

struct Physics {
  double (*counts)(double force_N);  // above the offset
  const char* law;                   // that describes it
  double reach_N = 1.5;
};

double divider(double f) { return 4000 * f / (f + 0.5); }
double rough_contact(double f) { return 2000 * std::pow(f, 0.6); }
// No law here has this form: two processes, one of which is soon over.
double two_processes(double f) { return 900 * (1 - std::exp(-6 * f)) + 1200 * f; }

SensorDescription three_tactels() {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 3, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

TactelFit press_tactel(const Physics& physics, int tactel, int presses, double stretch,
                       double shift_N, RandomSource& random) {
  TactelData data;
  data.tactel = tactel;
  for (int p = 0; p < presses; ++p) {
    const double of_force = 1 + stretch * random.normal(), moved_N = shift_N * random.normal();
    const auto reading = [&](double force_N) {
      const double felt_N = force_N > 0 ? std::max(0.0, of_force * force_N + moved_N) : 0;
      return std::round(200 + physics.counts(felt_N) + 4 * random.normal());
    };
    TactelPress press;
    for (int i = 0; i < 100; ++i) press.before.push_back(reading(0));
    for (int i = 1; i <= 300; ++i) {
      press.loading.force_N.push_back(physics.reach_N * i / 300);
      press.loading.counts.push_back(reading(physics.reach_N * i / 300));
    }
    press.peak_force_N = physics.reach_N;
    press.period_s = 0.01;
    data.air.push_back(air_window(press.before, 0));
    data.presses.push_back(std::move(press));
  }
  return fit_tactel(data, three_tactels(), {});
}

std::vector<TactelFit> press_array(const Physics& physics, int presses, double stretch,
                                   double shift_N, RandomSource& random) {
  std::vector<TactelFit> fits;
  for (int tactel = 0; tactel < 3; ++tactel)
    fits.push_back(press_tactel(physics, tactel, presses, stretch, shift_N, random));
  return fits;
}

std::size_t index_of(std::string_view name) {
  const auto laws = response_laws();
  return static_cast<std::size_t>(
      std::find_if(laws.begin(), laws.end(), [&](auto* l) { return l->name() == name; }) -
      laws.begin());
}

struct Count {
  int held = 0, all = 0;
  double widest = 0;
  double percent() const { return 100.0 * held / all; }
};

/// Of forces at a few places of the curve, the one that the curve makes of the true counts.
Count count_forces(const Physics& physics, int presses, double stretch, double shift_N) {
  RandomSource random(7);
  Count count;
  const auto law = index_of(physics.law);
  for (int array = 0; array < 120; ++array) {
    const auto fits = press_array(physics, presses, stretch, shift_N, random);
    const CurveSettings settings{curve_scatter(fits, law), 0};
    const auto& fit = fits[0];  // tactels of one array share their scatter: one of them counts
    for (const auto& [force_N, u_N] : curve_u95(fit, law, settings)) {
      const auto at = slope_at(fit.curves->fits[law], fit.curves->data.range(), force_N);
      const double error_N = (200 + physics.counts(force_N) - at.counts) / at.counts_per_N;
      count.held += std::abs(error_N) <= u_N ? 1 : 0;
      count.widest = std::max(count.widest, u_N);
      ++count.all;
    }
  }
  return count;
}

TEST(CurveUncertainty, HoldsForPressesThatScatterAsAWhole) {
  for (const Physics& physics : {Physics{divider, "conductance"}, Physics{rough_contact, "power"}})
    for (const int presses : {2, 5}) {
      const auto count = count_forces(physics, presses, 0.02, 0.003);
      EXPECT_GE(count.percent(), 91) << physics.law << ", presses: " << presses;
      EXPECT_LE(count.percent(), 98.5) << physics.law << ", presses: " << presses;
    }
}

TEST(CurveUncertainty, HoldsForACurveThatNoLawDescribes) {
  const Physics physics{two_processes, "monotone"};
  EXPECT_GE(count_forces(physics, 3, 0.02, 0.003).percent(), 91);
  // By the wrong law, too: what it misses widens its interval.
  const Physics wrong{two_processes, "power"};
  EXPECT_GE(count_forces(wrong, 3, 0.005, 0.0).percent(), 85);
}

TEST(CurveUncertainty, IsThatOfTheCurveAndNotOfALineThroughIt) {
  // 2 % of scatter between 5 presses and some in the pooled estimate: about 2.2 % of 1.5 N at most.
  EXPECT_LT(count_forces({divider, "conductance"}, 5, 0.02, 0).widest, 0.08);
}

TEST(CurveUncertainty, GivesCoefficientsTheScatterOfPresses) {
  RandomSource random(3);
  const auto law = index_of("conductance");
  int held = 0;
  double mean_N = 0, squares = 0;
  constexpr int kArrays = 100;
  for (int array = 0; array < kArrays; ++array) {
    const auto fits = press_array({divider, "conductance"}, 5, 0.02, 0, random);
    const auto found = curve_coefficients(fits[0], law, {curve_scatter(fits, law), 0});
    const auto& half_force = found[2];
    held += half_force.ci95->at(0) <= 0.5 && 0.5 <= half_force.ci95->at(1) ? 1 : 0;
    mean_N += *half_force.std / kArrays;
    squares += std::pow(*half_force.value - 0.5, 2) / kArrays;
  }
  EXPECT_GE(held, 90);
  // As far off as they are, and not much farther.
  EXPECT_GT(mean_N, 0.8 * std::sqrt(squares));
  EXPECT_LT(mean_N, 1.5 * std::sqrt(squares));
}

TEST(CurveUncertainty, AddsTheForceSensorsOwn) {
  RandomSource random(3);
  const auto law = index_of("conductance");
  const auto fits = press_array({divider, "conductance"}, 5, 0, 0, random);
  const auto without = curve_u95(fits[0], law, {curve_scatter(fits, law), 0});
  const auto with = curve_u95(fits[0], law, {curve_scatter(fits, law), 1});
  // 1 % standard of 1.5 N, expanded
  EXPECT_NEAR(std::hypot(without.back()[1], 1.96 * 0.015), with.back()[1], 1e-3);
}

}  // namespace
}  // namespace tactelier
