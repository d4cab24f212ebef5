#include <gmock/gmock.h>

#include <set>

#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

TEST(ParameterPaths, AreUniqueAndEachIsFound) {
  auto model = full_model();
  std::set<std::string> paths;
  for_each_parameter(model, [&](const std::string& path, Parameter&, std::string_view stage) {
    EXPECT_TRUE(paths.insert(path).second) << path;
    EXPECT_FALSE(stage.empty()) << path;
  });
  for (const auto* path :
       {"timing.rate_hz", "response.tactels[83].press_gain", "response.tactels[3].coefficients[1]",
        "response.hysteresis_model.weights[0]", "stiffness.k_punch_tactel[83]", "relaxation.tau[2]",
        "psf.kernel_sampled.s", "psf.registration.rz", "friction.mu_s", "friction.contact.mu_s",
        "friction.contact.normal_force", "clock.tactile.skew", "rig.tilt",
        "presses[0].contact_point"})
    EXPECT_EQ(paths.count(path), 1U) << path;
  auto friction = find_parameter(model, "friction.contact.mu_s");
  ASSERT_TRUE(friction);
  EXPECT_EQ(*friction, &model.friction.contact.mu_s);
}

TEST(ParameterPaths, CarryTheStageThatEstimatesThem) {
  const auto model = wts_model();
  std::map<std::string, std::string> stages;
  for_each_parameter(model, [&](const std::string& path, const Parameter&, std::string_view stage) {
    stages[path] = stage;
  });
  EXPECT_EQ(stages["response.tactels[0].gain"], "psf");
  EXPECT_EQ(stages["response.tactels[0].press_gain"], "response");
  EXPECT_EQ(stages["friction.c_t"], "friction");
}

TEST(ParameterPaths, OfferThePathThatWasProbablyMeant) {
  auto model = wts_model();
  const auto missing = find_parameter(model, "frictoin.mu_s");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kUsage);
  EXPECT_EQ(missing.error().message,
            "there is no parameter 'frictoin.mu_s' (did you mean 'friction.mu_s'?)");
}

TEST(Assume, MarksTheParameterAndKeepsARecord) {
  auto model = full_model();
  ASSERT_TRUE(assume(model, "friction.mu_s=0.435", "user"));
  EXPECT_EQ(model.friction.mu_s, assumed(0.435, "", "user"));
  ASSERT_TRUE(assume(model, "stiffness.k=5.85e1", "user"));
  EXPECT_EQ(model.stiffness.k, assumed(58.5, "N/m", "user"));
  EXPECT_EQ(model.provenance.options["assume"],
            "friction.mu_s=0.435 (user); stiffness.k=5.85e1 (user)");
}

TEST(Assume, TakesTheSensorsOwnNumbers) {
  auto model = wts_model();
  EXPECT_FALSE(is_assumed(model, "sensor.thickness_m"));
  ASSERT_TRUE(assume(model, "sensor.thickness_m=0.006", "user"));
  EXPECT_EQ(model.sensor.thickness_m, 0.006);
  EXPECT_TRUE(is_assumed(model, "sensor.thickness_m"));
  EXPECT_FALSE(is_assumed(model, "sensor.max_force_N"));
}

TEST(Assume, KnowsWhatStandsAtEveryPathItTakes) {
  auto model = wts_model();
  for (const auto& path : assumable_paths(model)) EXPECT_TRUE(assumable(model, path)) << path;
  EXPECT_EQ(*assumable(model, "stiffness.k"), model.stiffness.k);
  EXPECT_EQ(assumable(model, "friction.mus").error().code, ErrorCode::kUsage);
  model.sensor.thickness_m.reset();
  EXPECT_FALSE(assumable(model, "sensor.thickness_m")->usable());
  EXPECT_EQ(assumable(model, "sensor.thickness_m")->unit, "m");
  model.sensor.thickness_m = 0.002;
  EXPECT_EQ(assumable(model, "sensor.thickness_m")->from, "sensor description");
  ASSERT_TRUE(assume(model, "sensor.thickness_m=0.003", "user"));
  EXPECT_EQ(*assumable(model, "sensor.thickness_m"), assumed(0.003, "m", "user"));
}

TEST(Assume, RefusesWhatIsNoAssumption) {
  auto model = wts_model();
  const auto refusal = [&](const char* text) {
    const auto done = assume(model, text, "user");
    EXPECT_FALSE(done) << text;
    return done ? "" : done.error().message;
  };
  EXPECT_THAT(refusal("stiffness.k"), HasSubstr("write PATH=VALUE"));
  EXPECT_THAT(refusal("=3"), HasSubstr("write PATH=VALUE"));
  EXPECT_THAT(refusal("stiffness.k="), HasSubstr("'' is no number"));
  EXPECT_THAT(refusal("stiffness.k=1,5"), HasSubstr("'1,5' is no number"));
  EXPECT_THAT(refusal("stiffness.k=inf"), HasSubstr("is no number"));
  EXPECT_THAT(refusal("stiffness.k=58.5 N/m"), HasSubstr("is no number"));
  EXPECT_THAT(refusal("sensor.thickness_m=-1"), HasSubstr("must be more than 0"));
  EXPECT_THAT(refusal("sensor.thicknes_m=1"), HasSubstr("did you mean 'sensor.thickness_m'?"));
  EXPECT_EQ(to_json(model), to_json(wts_model())) << "nothing was changed";
}

}  // namespace
}  // namespace tactelier
