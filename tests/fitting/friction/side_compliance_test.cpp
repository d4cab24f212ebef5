#include "fitting/friction/side_compliance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  take_side_compliance_out(50e-6, contact);
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
  take_side_compliance_out(300e-6, contact);
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
  take_side_compliance_out(0, contact);
  EXPECT_EQ(*contact.sigma0.value, 4000);
}

}  // namespace
}  // namespace tactelier
