#include "fitting/friction/side_compliance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "fitting/friction/friction_report.hpp"
#include "fitting/friction/presliding.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {
namespace {

LugreParameters seen(double sigma0, double sigma1) {
  LugreParameters contact;
  contact.sigma0 = identified({sigma0, 0.01 * sigma0, kManyDegrees}, "N/m", "friction");
  contact.sigma1 = identified({sigma1, 0.01 * sigma1, kManyDegrees}, "N*s/m", "friction");
  return contact;
}

/// Bristles of 4000 N/m and 6 N s/m behind a rig of `C`, swung by 20 µm at 5 Hz in a thousand rows
/// a second, as the stage's place and the force sensor show it: F/x = 1/(C + 1/(sigma0 + i w
/// sigma1)).
SlideRun swung(double c_m_per_N) {
  SlideRun run;
  run.where = "pad.tact slide 1";
  run.motion_measured = true;
  run.period_s = 1e-3;
  run.event.oscillation = true;
  run.event.frequency_hz = 5;
  run.event.end_s = 3;
  const double w = 2 * std::numbers::pi * 5;
  const std::complex<double> bristles(4000, w * 6);
  const auto force_N = 20e-6 / (c_m_per_N + 1.0 / bristles);
  for (int i = 1; i < 3000; ++i) {
    const double t_s = 1e-3 * i;
    run.time_s.push_back(t_s);
    run.velocity_m_per_s.push_back(20e-6 * (std::sin(w * t_s) - std::sin(w * (t_s - 1e-3))) / 1e-3);
    run.friction_N.push_back((force_N * std::polar(1.0, w * t_s)).imag());
  }
  return run;
}

TEST(SideCompliance, OfTheRigIsTakenOutOfTheMotion) {
  auto run = swung(50e-6);
  EXPECT_NEAR(presliding(run).stiffness_N_per_m.real(), 4000 / 1.2, 10);
  take_rig_out(stated_compliance(50e-6), run);
  const auto found = presliding(run).stiffness_N_per_m;
  EXPECT_NEAR(found.real(), 4000, 8);  // means of 10 ms take 0.4 % off C F
  EXPECT_NEAR(found.imag() / (2 * std::numbers::pi * 5), 6, 0.1);
  auto commanded = swung(50e-6);
  commanded.motion_measured = false;
  take_rig_out(stated_compliance(50e-6), commanded);
  EXPECT_NEAR(presliding(commanded).stiffness_N_per_m.real(), 4000 / 1.2, 10);
}

// Fitted along with the rig nothing moves; sigma0 u(C) = 2 % and twice that are added.
TEST(SideCompliance, ThatWasFittedAlongWidensTheBristles) {
  auto contact = seen(4000, 6);
  hold_side_compliance(stated_compliance(50e-6), contact);
  EXPECT_EQ(*contact.sigma0.value, 4000);
  EXPECT_EQ(*contact.sigma1.value, 6);
  EXPECT_NEAR(*contact.sigma0.std, 4000 * std::hypot(0.01, 0.02), 0.1);
  EXPECT_NEAR(*contact.sigma1.std, 6 * std::hypot(0.01, 0.04), 1e-3);
  EXPECT_NEAR(*contact.sigma1.u_total,
              1.96 * std::hypot(6 * std::hypot(0.01, 0.04), 1.6 / std::sqrt(3)), 0.01);
}

TEST(SideCompliance, ThatExceedsWhatWasSeenRefusesTheSwing) {
  auto run = swung(50e-6);
  take_rig_out(stated_compliance(350e-6), run);
  EXPECT_THAT(run.refusal,
              testing::StartsWith("FR-04 pad.tact slide 1: the rig's shear compliance"));
}

TEST(SideCompliance, IsReadFromTheRigOfASession) {
  EXPECT_NEAR(stated_side_compliance(R"({"rig":{"shear_compliance_um_per_N":50}})").value(), 50e-6,
              1e-15);
  for (const auto* without : {"{}", R"({"rig":null})", R"({"rig":{"compliance_um_per_N":4}})", ""})
    EXPECT_FALSE(stated_side_compliance(without)) << without;
}

TEST(SideCompliance, OfNothingChangesNothing) {
  auto contact = seen(4000, 6);
  const auto before = contact.sigma1.u_total;
  hold_side_compliance(stated_compliance(0), contact);
  EXPECT_EQ(contact.sigma1.u_total, before);
  auto run = swung(0);
  const auto as_driven = run.velocity_m_per_s;
  take_rig_out(stated_compliance(0), run);
  EXPECT_EQ(run.velocity_m_per_s, as_driven);
}

/// What the stage says of σ0 of a fit that knows all six numbers to 1 %; "" where it is known.
std::string reason_of_sigma0(const FrictionCircumstances& around, const char* no_bristles = "") {
  FrictionEstimate estimate;
  estimate.joint.emplace();
  estimate.joint->values = {4000, 6, 0.7, 0.6, 0.45, 4e-3};
  estimate.joint->covariance = Eigen::MatrixXd::Zero(6, 6);
  for (const auto i : {0, 1, 2, 3, 4, 5})
    estimate.joint->covariance(i, i) = 1e-4 * (i == 3 || i == 4 ? 0.1 : 1);
  estimate.joint->condition.number = 10;
  estimate.joint->dof = 100;
  estimate.joint->trace_lag1 = {0};
  estimate.motion_measured = estimate.form_decided = true;
  estimate.reference_N = 1;
  estimate.no_bristles = no_bristles;
  SensorModel model;
  report_friction(estimate, around, model);
  const auto& contact = model.friction.contact;
  EXPECT_EQ(contact.sigma0.value.has_value(), contact.sigma1.value.has_value());
  EXPECT_TRUE(contact.mu_d.value) << "nothing but the bristles lies in series";
  return contact.sigma0.value ? "" : contact.sigma0.reason;
}

TEST(SideCompliance, ThatNobodyStatesRefusesTheBristlesAndNamesTheSeries) {
  using testing::StartsWith;
  FrictionCircumstances unstated, stiff;
  stiff.side_compliance = stated_compliance(0);
  EXPECT_THAT(reason_of_sigma0(unstated),
              StartsWith("FR-SERIES Bristles and rig in series have 4000"));
  EXPECT_EQ(reason_of_sigma0(stiff), "");
  EXPECT_THAT(reason_of_sigma0(unstated, "FR-04 no presliding"), StartsWith("FR-04"));
}

}  // namespace
}  // namespace tactelier
