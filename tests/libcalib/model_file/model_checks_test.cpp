#include <gmock/gmock.h>

#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::IsEmpty;

std::string only_warning(const SensorModel& model) {
  const auto warnings = check_model(model);
  if (warnings.size() != 1) return fmt::format("{} warnings", warnings.size());
  return warnings[0].code + " " + warnings[0].text + " @ " + warnings[0].where;
}

TEST(CheckModel, FindsNothingInAnEmptyModel) { EXPECT_THAT(check_model(wts_model()), IsEmpty()); }

TEST(CheckModel, SuggestsNewtonPerMillimetreForThePapersStiffness) {
  // docs/theory/conventions.md 4 #1: "k = 2 N/m" was 2 N/mm.
  auto model = wts_model();
  model.stiffness.k = identified(2, "N/m");
  EXPECT_EQ(only_warning(model),
            "CV-02 k = 2 N/m is outside 10..1e5; a factor 1000 suggests N/mm. @ stiffness.k");
  model.stiffness.k = identified(2000, "N/m");
  EXPECT_THAT(check_model(model), IsEmpty());
  model.stiffness.k = identified(1.01e5, "N/m");
  EXPECT_THAT(only_warning(model), testing::StartsWith("CV-02 k = 101000 N/m"));
  model.stiffness.k = {};
  model.stiffness.k_punch = identified(2, "N/m");
  EXPECT_THAT(only_warning(model), testing::StartsWith("CV-02 k_punch = 2 N/m"));
}

TEST(CheckModel, BoundsTheRelaxationTime) {
  auto model = wts_model();
  model.stiffness.k = identified(58.5, "N/m");
  model.damping.c_n = identified(0.0585, "N*s/m");  // 1 ms
  EXPECT_THAT(check_model(model), IsEmpty());
  model.damping.c_n = identified(58.5, "N*s/m");
  EXPECT_EQ(only_warning(model),
            "CV-03 c_n/k = 1 s; it is a relaxation time and should be 0.1..100 ms. @ damping.c_n");
  model.damping.c_n = identified(0.00585 * 0.9, "N*s/m");
  EXPECT_THAT(only_warning(model), testing::StartsWith("CV-03 c_n/k = 9e-05 s"));
  model.damping.at.scope = "contact";  // then it belongs to k_punch, which is not known
  EXPECT_THAT(check_model(model), IsEmpty());
}

TEST(CheckModel, FindsBristlesLongerThanTheLayer) {
  // docs/theory/conventions.md 4 #21: 0.435 * 0.08 N / (1 N/m) = 34.8 mm under 6 mm of foam.
  auto model = table2_model();
  EXPECT_THAT(check_model(model), IsEmpty()) << "without a normal force nothing can be said";
  model.friction.contact.normal_force = identified(0.16, "N");
  model.friction.contact.tactels_in_contact = identified(2, "");
  EXPECT_EQ(only_warning(model),
            "CV-04 Bristles would deflect 34.8 mm before sliding on a 6 mm layer. @ "
            "friction.sigma0");
  model.friction.sigma0 = identified(0.0348 / 2.9e-3, "N/m");
  EXPECT_THAT(check_model(model), IsEmpty()) << "2.9 mm is less than half of 6 mm";
}

TEST(CheckModel, ChecksTheSensorToo) {
  auto model = wts_model();
  model.sensor.arrays[0].area_m2 = 0.00125;
  EXPECT_THAT(only_warning(model), testing::StartsWith("CV-05 84 tactels of 3.4 mm"));
}

}  // namespace
}  // namespace tactelier
