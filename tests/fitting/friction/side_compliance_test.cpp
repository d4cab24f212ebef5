#include "fitting/friction/side_compliance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fitting/friction/friction_report.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {
namespace {

LugreParameters seen(double sigma0, double sigma1) {
  LugreParameters contact;
  contact.sigma0 = identified({sigma0, 0.01 * sigma0, kManyDegrees}, "N/m", "friction");
  contact.sigma1 = identified({sigma1, 0.01 * sigma1, kManyDegrees}, "N*s/m", "friction");
  return contact;
}

// By hand: 4000 N/m behind 50 µm/N is 4000 / 1.2 = 3333.3 N/m.
TEST(SideCompliance, OfTheRigIsTakenOutOfTheBristles) {
  auto contact = seen(4000 / 1.2, 6 / 1.44);
  take_side_compliance_out(stated_compliance(50e-6), contact);
  EXPECT_NEAR(*contact.sigma0.value, 4000, 1e-9);
  // It may be 6 N s/m, it may be what was seen.
  EXPECT_NEAR(*contact.sigma1.value, 6 / 1.44, 1e-9);
  EXPECT_GE(*contact.sigma1.value + *contact.sigma1.u_total, 6);
  // 1 % of 3333 stretched by 1.44, and sigma0^2 times a tenth of C: 80 N/m.
  EXPECT_NEAR(*contact.sigma0.std, std::hypot(48, 80), 0.5);
  EXPECT_GT((*contact.sigma0.ci95)[1] - 4000, 1.9 * *contact.sigma0.std);
  EXPECT_GE(*contact.sigma0.u_total, 1.9 * *contact.sigma0.std);
}

TEST(SideCompliance, ThatExceedsWhatWasSeenRefusesTheBristles) {
  auto contact = seen(4000, 6);
  take_side_compliance_out(stated_compliance(300e-6), contact);
  EXPECT_FALSE(contact.sigma0.value);
  EXPECT_FALSE(contact.sigma1.value);
  EXPECT_THAT(contact.sigma0.reason, testing::StartsWith("FR-04 "));
}

TEST(SideCompliance, IsReadFromTheRigOfASession) {
  EXPECT_NEAR(stated_side_compliance(R"({"rig":{"shear_compliance_um_per_N":50}})").value(), 50e-6,
              1e-15);
  for (const auto* without : {"{}", R"({"rig":null})", R"({"rig":{"compliance_um_per_N":4}})", ""})
    EXPECT_FALSE(stated_side_compliance(without)) << without;
}

TEST(SideCompliance, OfNothingChangesNothing) {
  auto contact = seen(4000, 6);
  take_side_compliance_out(stated_compliance(0), contact);
  EXPECT_EQ(*contact.sigma0.value, 4000);
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
