// Slides made here: what a whole set of them gives, and what it must refuse.

#include "fitting/friction/friction_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fitting/friction/friction_report.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr LugreValues kTruth{3500, 6, 0.9, 0.55, 0.33, 0.003};
constexpr double kPeriod_s = 1e-3, kNoise_N = 5e-3;

struct SlidePlan {
  LugreValues truth = kTruth;
  double forward = 1;  // of mu, going forward
  std::vector<double> loads_N{0.5, 1, 2};
  std::vector<double> speeds_m_per_s{0.5e-3, 1e-3, 2e-3, 4e-3, 6e-3, 9e-3, 12e-3, 16e-3};
  std::vector<double> back_m_per_s = {};  // the same where empty
  bool backward = true;
  bool presliding = true;
  double length_m = 6e-3;
  double load_exponent = 0;  // mu goes with N to this power
  double running_in = 0;     // mu at first over mu run in, minus 1
  double load_swing = 0;     // of the load, within a run
  double step_m = 1e-6;
  double play_m = 0;     // of the stage, in presliding
  double turned = 1;     // sign of the side force
  bool measured = true;  // the stage's motion
  double stage_period_s = 1e-3;
  std::uint64_t seed = 1;
};

class Rig {
 public:
  explicit Rig(const SlidePlan& plan) : plan_(plan), random_(plan.seed) {}

  std::vector<SlideRun> record() {
    for (const double load_N : plan_.loads_N) {
      ++contact_;
      z_m_ = 0;
      for (const double speed : plan_.speeds_m_per_s) {
        slide(load_N, speed);
        if (plan_.backward && plan_.back_m_per_s.empty()) slide(load_N, -speed);
      }
      for (const double speed : plan_.back_m_per_s) slide(load_N, -speed);
    }
    for (const double load_N : plan_.loads_N) {
      if (!plan_.presliding) break;
      ++contact_;
      for (const double frequency_hz : {1.0, 5.0}) {
        z_m_ = 0;
        swing(load_N, frequency_hz);
      }
    }
    return std::move(runs_);
  }

 private:
  SlideRun begin(double load_N, double length_s) {
    SlideRun run;
    run.event.number = static_cast<int>(runs_.size()) + 1;
    run.where = fmt::format("slide {}", run.event.number);
    run.event.begin_s = time_s_;
    run.event.end_s = time_s_ + length_s;
    run.event.load_N = load_N;
    run.contact = contact_;
    run.period_s = kPeriod_s;
    run.sigma_N = kNoise_N;
    run.mean_normal_N = load_N;
    run.normal_variation = plan_.load_swing;
    run.stage_period_s = plan_.stage_period_s;
    run.motion_measured = plan_.measured;
    run.stage_step_m = plan_.step_m;
    return run;
  }

  void step(SlideRun& run, double v, double load_N) {
    LugreValues here = plan_.truth;
    slid_m_ += std::abs(v) * kPeriod_s;
    const double fresh = 1 + plan_.running_in * std::exp(-slid_m_ / 0.05);
    const double factor =
        fresh * std::pow(load_N, plan_.load_exponent) * (v > 0 ? plan_.forward : 1);
    here[kLugreStatic] *= factor;
    here[kLugreDynamic] *= factor;
    LugreBristle bristle(z_m_);
    const double force_N = bristle.step_N(here, kPeriod_s, v, load_N);
    z_m_ = bristle.deflection_m();
    time_s_ += kPeriod_s;
    run.time_s.push_back(time_s_);
    run.velocity_m_per_s.push_back(v);
    run.normal_N.push_back(load_N);
    run.friction_N.push_back(plan_.turned * (force_N + 0.01 * load_N) +
                             kNoise_N * random_.normal());
  }

  void slide(double load_N, double speed) {
    const double length_s = plan_.length_m / std::abs(speed);
    auto run = begin(load_N, length_s);
    run.event.vx_m_per_s = speed;
    const auto rows = static_cast<int>(length_s / kPeriod_s);
    for (int i = 0; i < rows; ++i) step(run, speed, load_N);
    runs_.push_back(std::move(run));
  }

  /// The table follows its drive but for the play.
  void swing(double load_N, double frequency_hz) {
    const double amplitude_m = 20e-6, w = 2 * std::numbers::pi * frequency_hz;
    auto run = begin(load_N, 10);
    run.event.oscillation = true;
    run.event.amplitude_m = amplitude_m;
    run.event.frequency_hz = frequency_hz;
    double table_m = 0, before_m = 0;
    for (int i = 0; i < 10000; ++i) {
      const double driven_m = amplitude_m * std::sin(w * kPeriod_s * (i + 1));
      table_m = std::clamp(table_m, driven_m - plan_.play_m, driven_m);
      step(run, (table_m - before_m) / kPeriod_s, load_N);
      run.velocity_m_per_s.back() = amplitude_m * w * std::cos(w * kPeriod_s * (i + 0.5));
      before_m = table_m;
    }
    runs_.push_back(std::move(run));
  }

  SlidePlan plan_;
  RandomSource random_;
  std::vector<SlideRun> runs_;
  double time_s_ = 0;
  double z_m_ = 0;
  double slid_m_ = 0;
  int contact_ = 0;
};

SensorModel fitted(const SlidePlan& plan) {
  const auto estimate = estimate_friction(Rig(plan).record(), {}).value();
  SensorModel model = empty_model({});
  report_friction(estimate, {0.01, {4, 0.1, 7}, SideCompliance{}}, model);
  return model;
}

std::string warnings_of(const SensorModel& model) {
  std::string all;
  for (const auto& warning : model.quality.at("friction").warnings)
    all += warning.code + " " + warning.text + "\n";
  return all;
}

TEST(FrictionEstimate, FindsAllSixAndSharesThemOutAmongTheTactels) {
  const auto model = fitted({});
  const auto& contact = model.friction.contact;
  const auto near = [](const Parameter& parameter, double truth) {
    ASSERT_TRUE(parameter.identified()) << parameter.reason;
    EXPECT_NEAR(*parameter.value, truth, 3.5 * *parameter.std);
  };
  near(contact.sigma0, kTruth[kLugreSigma0]);
  near(contact.sigma1, kTruth[kLugreSigma1]);
  near(contact.c_t, kTruth[kLugreViscous]);
  near(contact.mu_s, kTruth[kLugreStatic]);
  near(contact.mu_d, kTruth[kLugreDynamic]);
  near(contact.v_s, kTruth[kLugreStribeck]);
  EXPECT_EQ(model.friction.form, "constant");
  EXPECT_DOUBLE_EQ(*contact.normal_force.value, 1);
  EXPECT_DOUBLE_EQ(*model.friction.sigma0.value, *contact.sigma0.value / 4);
  EXPECT_DOUBLE_EQ(*model.friction.mu_s.value, *contact.mu_s.value);
  // A certificate of 1 % shows in stiffness once, in the ratio of two axes' readings twice.
  EXPECT_GT(*contact.sigma0.u_total, 0.019 * *contact.sigma0.value);
  EXPECT_GT(*contact.mu_s.u_total, 0.027 * *contact.mu_s.value);
  EXPECT_LT(*contact.mu_s.u_total, 0.030 * *contact.mu_s.value);
  ASSERT_EQ(model.covariance.size(), 1U);
  EXPECT_EQ(model.covariance[0].parameters.size(), 6U);
}

TEST(FrictionEstimate, WarnsWhereTheModelCanGiveEnergyBack) {
  const auto model = fitted({});
  // 6 (0.55 - 0.33) / 0.33 = 4 > 0.9; 4 (6 + 0.9) / 36 * 0.33 N = 0.253 m/s
  EXPECT_THAT(warnings_of(model), HasSubstr("FR-06"));
  EXPECT_NEAR(*model.friction.passive_to.value, 0.253, 0.005);
}

/// The load leans by 0.01: one way, that is friction.
TEST(FrictionEstimate, OneWayGivesTheCurveWithWhatLeansInIt) {
  SlidePlan plan;
  plan.backward = false;
  plan.presliding = false;
  const auto model = fitted(plan);
  const auto& contact = model.friction.contact;
  ASSERT_TRUE(contact.mu_s.value && contact.mu_d.value) << contact.mu_s.reason;
  EXPECT_NEAR(*contact.mu_s.value, kTruth[kLugreStatic] + 0.01, 0.004);
  EXPECT_NEAR(*contact.mu_d.value, kTruth[kLugreDynamic] + 0.01, 0.004);
  EXPECT_THAT(warnings_of(model), HasSubstr("ONE-WAY"));
}

TEST(FrictionEstimate, NineSpeedsFiveForwardAndFiveBackAreEnough) {
  SlidePlan plan;
  plan.presliding = false;
  plan.speeds_m_per_s = {0.5e-3, 2e-3, 4e-3, 9e-3, 16e-3};
  plan.back_m_per_s = {1e-3, 3e-3, 4e-3, 6e-3, 12e-3};
  const auto model = fitted(plan);
  const auto& contact = model.friction.contact;
  ASSERT_TRUE(contact.mu_s.value && contact.mu_d.value) << contact.mu_s.reason;
  EXPECT_NEAR(*contact.mu_s.value, kTruth[kLugreStatic], 0.006);
  EXPECT_NEAR(*contact.mu_d.value, kTruth[kLugreDynamic], 0.006);
  EXPECT_THAT(warnings_of(model), testing::Not(HasSubstr("ONE-WAY")));
}

TEST(FrictionEstimate, RefusesACurveOfFewSpeedsOrOneOfThemBack) {
  SlidePlan one_back;
  one_back.back_m_per_s = {4e-3};
  SlidePlan one_speed;
  one_speed.speeds_m_per_s = {4e-3};
  for (const auto& plan : {one_back, one_speed}) {
    const auto model = fitted(plan);
    for (const auto* parameter : {&model.friction.contact.mu_s, &model.friction.contact.mu_d,
                                  &model.friction.contact.v_s, &model.friction.contact.c_t}) {
      EXPECT_FALSE(parameter->value);
      EXPECT_THAT(parameter->reason, StartsWith("FR-01 "));
    }
    EXPECT_FALSE(model.friction.mu_s.value);
  }
}

TEST(FrictionEstimate, SaysThatTheDirectionsDiffer) {
  SlidePlan plan;
  plan.forward = 1.12;
  EXPECT_THAT(warnings_of(fitted(plan)), HasSubstr("FR-07 Forward and backward"));
  EXPECT_THAT(warnings_of(fitted({})), testing::Not(HasSubstr("FR-07")));
}

TEST(FrictionEstimate, DropsTheStribeckSpeedOfFrictionThatDoesNotFall) {
  SlidePlan plan;
  plan.truth[kLugreDynamic] = plan.truth[kLugreStatic];
  const auto model = fitted(plan);
  for (const auto* parameter : {&model.friction.contact.mu_d, &model.friction.contact.v_s}) {
    EXPECT_FALSE(parameter->value);
    EXPECT_THAT(parameter->reason, StartsWith("FR-08 No Stribeck drop"));
  }
  EXPECT_NEAR(*model.friction.contact.mu_s.value, kTruth[kLugreStatic], 0.005);
}

TEST(FrictionEstimate, RefusesADampingOfBristlesBelowTheNoise) {
  SlidePlan plan;
  plan.truth[kLugreSigma1] = 0.02;
  const auto model = fitted(plan);
  EXPECT_FALSE(model.friction.contact.sigma1.value);
  EXPECT_THAT(model.friction.contact.sigma1.reason, StartsWith("FR-03 "));
  EXPECT_TRUE(model.friction.contact.sigma0.value) << model.friction.contact.sigma0.reason;
}

TEST(FrictionEstimate, RefusesDropAndStribeckSpeedWhenSpeedsDoNotBracketThem) {
  SlidePlan close;
  close.speeds_m_per_s = {2.5e-3, 2.7e-3, 2.9e-3, 3.1e-3, 3.3e-3, 3.5e-3};
  const auto model = fitted(close);
  EXPECT_FALSE(model.friction.contact.mu_d.value);
  EXPECT_THAT(model.friction.contact.v_s.reason, StartsWith("FR-0"));
}

TEST(FrictionEstimate, RefusesBristlesWithoutPresliding) {
  SlidePlan plan;
  plan.presliding = false;
  const auto model = fitted(plan);
  EXPECT_TRUE(model.friction.contact.mu_s.value) << model.friction.contact.mu_s.reason;
  EXPECT_THAT(model.friction.contact.sigma0.reason, StartsWith("FR-04 "));
  EXPECT_THAT(model.friction.contact.sigma1.reason, StartsWith("FR-04 "));
  EXPECT_FALSE(model.friction.passive_to.value);
}

TEST(FrictionEstimate, RefusesBristlesThatStepsOrPlayHide) {
  SlidePlan coarse;
  coarse.step_m = 10e-6;
  EXPECT_THAT(fitted(coarse).friction.contact.sigma0.reason, HasSubstr("too coarse"));
  SlidePlan play;
  play.play_m = 20e-6;
  EXPECT_THAT(fitted(play).friction.contact.sigma0.reason, HasSubstr("third harmonic"));
}

TEST(FrictionEstimate, RefusesBristlesWhoseMotionWasNotMeasured) {
  SlidePlan plan;
  plan.measured = false;
  plan.stage_period_s = 0.1;
  plan.step_m = 0.1e-6;
  const auto model = fitted(plan);
  for (const auto* parameter : {&model.friction.contact.sigma0, &model.friction.contact.sigma1}) {
    EXPECT_FALSE(parameter->value);
    EXPECT_THAT(parameter->reason, StartsWith("FR-04 "));
    EXPECT_THAT(parameter->reason, HasSubstr("stage samples per cycle"));
  }
  EXPECT_TRUE(model.friction.contact.mu_s.value) << model.friction.contact.mu_s.reason;
}

TEST(FrictionEstimate, RefusesALevelCurveOfAStageThatMovesInJerksBelowIt) {
  SlidePlan plan;
  plan.measured = false;
  plan.stage_period_s = 0.1;
  plan.step_m = 0.1e-6;
  plan.speeds_m_per_s = {10e-3, 12e-3, 14e-3, 16e-3, 18e-3, 20e-3};  // of a v_s of 3 mm/s
  const auto model = fitted(plan);
  for (const auto* parameter : {&model.friction.contact.mu_s, &model.friction.contact.mu_d})
    EXPECT_THAT(parameter->reason, StartsWith("FR-0"));
  EXPECT_FALSE(model.friction.contact.mu_s.value);
}

TEST(FrictionEstimate, RefusesSlowSlidesOfAStageThatMovesInJerks) {
  SlidePlan plan;
  plan.measured = false;
  plan.stage_period_s = 0.1;
  plan.step_m = 3e-6;  // 3 mm/s for a millisecond each: four of eight speeds are left
  EXPECT_THAT(fitted(plan).friction.contact.mu_s.reason, StartsWith("FR-02 "));
}

TEST(FrictionEstimate, RefusesRunsWhoseLoadVaries) {
  SlidePlan plan;
  plan.load_swing = 0.3;
  const auto model = fitted(plan);
  EXPECT_THAT(model.friction.contact.mu_s.reason, StartsWith("FR-05 "));
  EXPECT_THAT(warnings_of(model), HasSubstr("FR-05"));
}

TEST(FrictionEstimate, RefusesRunsTooShortForTheBristlesToSettle) {
  SlidePlan plan;
  plan.length_m = 0.1e-3;  // break-away takes 0.16 mm at 1 N
  plan.speeds_m_per_s = {0.05e-3, 0.1e-3, 0.15e-3, 0.2e-3, 0.3e-3, 0.4e-3};
  plan.loads_N = {2};
  EXPECT_FALSE(fitted(plan).friction.contact.mu_d.value);
}

// 2 mm at 50 mm/s: 40 ms, of which nothing is steady. With bristles known all of it is fitted, and
// its speed counts among the six that are needed.
TEST(FrictionEstimate, FitsRunsWithoutASteadyPartWhereBristlesAreKnown) {
  SlidePlan plan;
  plan.length_m = 2e-3;
  plan.speeds_m_per_s = {0.5e-3, 1e-3, 2e-3, 4e-3, 8e-3, 50e-3};
  const auto model = fitted(plan);
  ASSERT_TRUE(model.friction.contact.mu_d.identified()) << model.friction.contact.mu_d.reason;
  EXPECT_NEAR(*model.friction.contact.mu_d.value, kTruth[kLugreDynamic], 0.003);
  plan.presliding = false;
  EXPECT_THAT(fitted(plan).friction.contact.mu_d.reason, StartsWith("NOT-SETTLED"));
}

TEST(FrictionEstimate, SaysThatFrictionFallsWithTheLoadAndHoldsToTheMiddleOne) {
  SlidePlan plan;
  plan.load_exponent = -1.0 / 3;
  const auto model = fitted(plan);
  EXPECT_THAT(warnings_of(model), HasSubstr("ID-07 µ_s is not the same at all loads"));
  EXPECT_NEAR(*model.friction.contact.mu_s.value, kTruth[kLugreStatic],
              4 * *model.friction.contact.mu_s.std);
  EXPECT_THAT(model.friction.contact.load_exponent.reason, HasSubstr("FR-MOVES"));
  EXPECT_THAT(model.friction.contact.running_in_length.reason, HasSubstr("FR-MOVES"));
}

TEST(FrictionEstimate, OfAContactThatRunsInSaysThatTheModelDoesNotDescribeIt) {
  SlidePlan plan;
  plan.running_in = 0.15;  // the first slides lose a seventh of their friction
  const auto model = fitted(plan);
  EXPECT_THAT(warnings_of(model), HasSubstr("ID-07"));
}

TEST(FrictionEstimate, TurnsASideForceThatDrivesTheSlides) {
  SlidePlan plan;
  plan.turned = -1;
  plan.loads_N = {1};
  const auto model = fitted(plan);
  EXPECT_THAT(warnings_of(model), HasSubstr("CV-01"));
  EXPECT_NEAR(*model.friction.contact.mu_s.value, kTruth[kLugreStatic], 0.01);
  EXPECT_THAT(warnings_of(model), HasSubstr("FR-FORM"));
}

}  // namespace
}  // namespace tactelier
