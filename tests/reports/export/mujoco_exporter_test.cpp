// The MJCF as another XML reader sees it, against numbers worked by hand. What MuJoCo makes of it:
// mujoco_run_test.cpp.
#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <sstream>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

struct Mjcf {
  pugi::xml_document document;
  std::string text;
  std::vector<Loss> losses;

  pugi::xml_node tactel_default() const {
    return document.child("mujoco").child("default").child("default");
  }
  pugi::xml_node body(const char* name) const {
    return document.child("mujoco")
        .child("worldbody")
        .first_child()
        .find_child_by_attribute("name", name);
  }
  pugi::xml_node touch(int tactel) const {
    auto sensor = document.child("mujoco").child("sensor").first_child();
    while (tactel-- > 0) sensor = sensor.next_sibling();
    return sensor;
  }
  std::string custom(const char* kind, const char* name) const {
    return document.child("mujoco")
        .child("custom")
        .find_child_by_attribute(kind, "name", name)
        .attribute("data")
        .value();
  }
};

Exported mjcf_of(const SensorModel& model) {
  auto written = (*exporter("mujoco"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

void read_mjcf(const SensorModel& model, Mjcf& mjcf) {
  const auto exported = mjcf_of(model);
  mjcf.text = exported.text;
  mjcf.losses = exported.losses;
  ASSERT_TRUE(mjcf.document.load_string(exported.text.c_str()));
}

std::string mjcf_refusal(const SensorModel& model) {
  const auto written = (*exporter("mujoco"))->write(model);
  return written ? "accepted" : written.error().message;
}

std::vector<double> numbers_of(const pugi::xml_attribute& attribute) {
  std::istringstream text(attribute.value());
  return {std::istream_iterator<double>(text), {}};
}

TEST(MujocoExporter, WritesTable2OfThePaperVerbatim) {
  Mjcf mjcf;
  read_mjcf(mujoco_model(), mjcf);
  const auto joint = mjcf.tactel_default().child("joint");
  EXPECT_STREQ(joint.attribute("stiffness").value(), "58.5");
  EXPECT_STREQ(joint.attribute("damping").value(), "0.0583");
  EXPECT_STREQ(joint.attribute("range").value(), "-0.006 0.0001");
  EXPECT_THAT(numbers_of(mjcf.tactel_default().child("geom").attribute("friction")),
              testing::ElementsAre(0.23, 0.005, 0.0001));
  EXPECT_THAT(mjcf.text, HasSubstr("damping: N*s/m, one tactel; assumed by user"));
  EXPECT_THAT(mjcf.text, HasSubstr("friction.mu_s: MuJoCo has no slot for it"));
}

TEST(MujocoExporter, MakesEachTactelHeavyEnoughForItsTimeStep) {
  const auto of = [](const char* k, const char* c, double step_s, double inertia_kg) {
    Mjcf mjcf;
    read_mjcf(with(mujoco_model(), {k, c}), mjcf);
    const auto option = mjcf.document.child("mujoco").child("option");
    EXPECT_DOUBLE_EQ(option.attribute("timestep").as_double(), step_s) << k;
    const auto joint = mjcf.tactel_default().child("joint");
    EXPECT_NEAR(joint.attribute("armature").as_double(), inertia_kg, 1e-9 * inertia_kg) << k;
  };
  of("stiffness.k=58.5", "damping.c_n=0.0583", 5e-4, 5.85e-5);  // 4 * 58.5 * 25e-8
  of("stiffness.k=500", "damping.c_n=0.9", 5e-4, 9e-4);         // 2 * 0.9 * 5e-4
  of("stiffness.k=2000", "damping.c_n=2", 2e-4, 8e-4);          // 2 * 2 * 2e-4
  of("stiffness.k=20000", "damping.c_n=50", 1e-4, 1e-2);        // 2 * 50 * 1e-4
}

TEST(MujocoExporter, PutsTactelsWhereTheyAreAndNamesRowsAndColumns) {
  Mjcf mjcf;
  read_mjcf(mujoco_model(), mjcf);
  // Row 1 of 2 along +y, column 2 of 3 along +x.
  EXPECT_THAT(numbers_of(mjcf.body("t5_a0_r1_c2").attribute("pos")),
              testing::ElementsAre(3.4e-3, 2.5e-3, 0));
  EXPECT_THAT(numbers_of(mjcf.body("t0_a0_r0_c0").attribute("pos")),
              testing::ElementsAre(-3.4e-3, -2.5e-3, 0));
  for (int i = 0; i < 6; ++i)
    EXPECT_THAT(mjcf.touch(i).attribute("site").value(),
                testing::StartsWith(fmt::format("t{}_", i)));
  EXPECT_FALSE(mjcf.touch(6));
  EXPECT_EQ(mjcf.custom("numeric", "tactelier_rows_columns"), "2 3");
  EXPECT_THAT(mjcf.custom("text", "tactelier_order"), HasSubstr("rows along +y"));
}

TEST(MujocoExporter, TurnsTactelsOfCurvedAndIrregularArraysIntoTheirNormals) {
  Mjcf mjcf;
  read_mjcf(turned_mujoco_model(), mjcf);
  EXPECT_EQ(mjcf.custom("numeric", "tactelier_rows_columns"), "2 3 1 4");
  // (5, 0, 1) mm turned by 0.5 rad about y; a normal there needs half the angle in a quaternion.
  const auto body = mjcf.body("t8_a1_r0_c2");
  const auto position_m = numbers_of(body.attribute("pos"));
  ASSERT_EQ(position_m.size(), 3U);
  EXPECT_NEAR(position_m[0], 4.867338e-3, 1e-9);
  EXPECT_NEAR(position_m[1], 0, 1e-9);
  EXPECT_NEAR(position_m[2], -1.519545e-3, 1e-9);
  const auto quaternion = numbers_of(body.attribute("quat"));
  ASSERT_EQ(quaternion.size(), 4U);
  EXPECT_NEAR(quaternion[0], 0.968912422, 1e-8);
  EXPECT_NEAR(quaternion[2], 0.247403959, 1e-8);
  EXPECT_TRUE(mjcf.body("t0_a0_r0_c0").attribute("quat").empty());

  auto round = mujoco_model();
  round.sensor.arrays[0].positions_m.assign(6, Vector3{0, 0, 0});
  round.sensor.arrays[0].normals.assign(6, Vector3{0, 2, 0});
  Mjcf curved;
  read_mjcf(round, curved);
  const auto side = numbers_of(curved.body("t3_a0_r1_c0").attribute("quat"));
  ASSERT_EQ(side.size(), 4U);
  EXPECT_NEAR(side[0], std::sqrt(0.5), 1e-8);
  EXPECT_NEAR(side[1], -std::sqrt(0.5), 1e-8);
}

TEST(MujocoExporter, PutsAWeightOnLevelPadsAlone) {
  const auto level = mjcf_of(mujoco_model());
  ASSERT_EQ(level.sidecars.size(), 1U);
  EXPECT_EQ(level.sidecars[0].name, "Acme_Pad_2x3_A_7_press.xml");
  // Half of 0.2 N on each of six tactels: 0.6 N / 9.81; 0.1 N / 58.5 N/m.
  EXPECT_THAT(level.sidecars[0].text, HasSubstr("a weight of 0.0611621 kg lies on all 6 tactels"));
  EXPECT_THAT(level.sidecars[0].text, HasSubstr("reads 0.1 N"));
  EXPECT_THAT(level.sidecars[0].text, HasSubstr("sunk by 0.0017094 m"));
  EXPECT_TRUE(mjcf_of(turned_mujoco_model()).sidecars.empty());
  auto deeper_than_the_layer = mujoco_model();
  deeper_than_the_layer.validity.force_N = {{0.0, 2.0}};  // 1 N / 58.5 N/m is 17 mm of 6
  EXPECT_TRUE(mjcf_of(deeper_than_the_layer).sidecars.empty());
}

TEST(MujocoExporter, SaysHowNewtonsBecomeCounts) {
  auto model = with(image_model(), {"stiffness.k=58.5", "damping.c_n=0.0583"});
  model.timing.rate_hz = identified(100, "Hz");
  Mjcf mjcf;
  read_mjcf(model, mjcf);
  // 0.05 N + (3840 - 60) counts / (1000 counts/N); noise 4 counts / (1000 counts/N).
  EXPECT_DOUBLE_EQ(mjcf.touch(0).attribute("cutoff").as_double(), 3.83);
  EXPECT_DOUBLE_EQ(mjcf.touch(0).attribute("noise").as_double(), 0.004);
  EXPECT_STREQ(mjcf.touch(0).attribute("user").value(), "1 0.001 60 0.05 3840 4");
  EXPECT_TRUE(mjcf.touch(9).attribute("cutoff").empty());  // its saturation is not known
  EXPECT_EQ(numbers_of(mjcf.touch(9).attribute("user"))[4], -1);
  EXPECT_EQ(mjcf.custom("numeric", "tactelier_psf_kernel_s"), "0.5");
  EXPECT_EQ(mjcf.custom("numeric", "tactelier_rate_hz"), "100");
  EXPECT_EQ(mjcf.custom("numeric", "tactelier_latency_s"), "");
}

TEST(MujocoExporter, LetsDeadTactelsCarryLoadAndShowNone) {
  Mjcf mjcf;
  read_mjcf(with(image_model(), {"stiffness.k=58.5", "damping.c_n=0.0583"}), mjcf);
  EXPECT_TRUE(mjcf.body("t7_a0_r1_c1").child("joint"));
  EXPECT_DOUBLE_EQ(mjcf.touch(7).attribute("cutoff").as_double(), 1e-12);
  EXPECT_EQ(numbers_of(mjcf.touch(7).attribute("user")).front(), 0);
  EXPECT_THAT(mjcf.losses,
              testing::Contains(testing::Field(&Loss::path, "response.tactels[7].gain")));
}

TEST(MujocoExporter, LeavesOutFrictionThatIsNotKnown) {
  auto model = mujoco_model();
  model.friction.mu_d = unidentifiable("", "FR-04 Record slides.", "friction");
  Mjcf mjcf;
  read_mjcf(model, mjcf);
  EXPECT_TRUE(mjcf.tactel_default().child("geom").attribute("friction").empty());
  EXPECT_THAT(mjcf.text, HasSubstr("friction.mu_d: unidentifiable: FR-04 Record slides."));
}

TEST(MujocoExporter, StopsWithoutStiffnessAndDampingOfOneTactel) {
  auto model = wts_model();
  EXPECT_THAT(mjcf_refusal(model), HasSubstr("MuJoCo can't do without it: --assume stiffness.k="));
  model.stiffness.k = unidentifiable("N/m", "ST-01 Press a plate.", "stiffness");
  EXPECT_THAT(mjcf_refusal(model), HasSubstr("ST-01 Press a plate; MuJoCo can't do without it"));
  model.stiffness.k = identified(58.5, "N/m");
  EXPECT_THAT(mjcf_refusal(model), HasSubstr("--assume damping.c_n=VALUE"));
  model.damping.c_n = identified(0.5, "N*s/m");
  model.damping.at.scope = "contact";
  EXPECT_THAT(mjcf_refusal(model), HasSubstr("measured for the whole contact"));
  model.damping.at.scope = "tactel";
  EXPECT_EQ(mjcf_refusal(model), "accepted");
  EXPECT_THAT(mjcf_refusal(with(model, {"stiffness.k=0"})), HasSubstr("it must be more than 0"));
  EXPECT_THAT(mjcf_refusal(with(model, {"damping.c_n=-1"})), HasSubstr("it must be at least 0"));
}

TEST(MujocoExporter, SaysThatHardeningIsLeftOut) {
  auto model = mujoco_model();
  model.stiffness.curve = {{1e-3, 0.06}, {2e-3, 0.2}};
  EXPECT_THAT(mjcf_of(model).losses,
              testing::Contains(testing::Field(&Loss::path, "stiffness.curve")));
}

TEST(MujocoExporter, WritesHardeningAsThreeStiffnessesForVersion37) {
  const auto written = (*exporter("mujoco-3.7"))->write(hardening_mujoco_model());
  ASSERT_TRUE(written) << written.error().message;
  Mjcf mjcf;
  ASSERT_TRUE(mjcf.document.load_string(written->text.c_str()));
  const auto joint = mjcf.tactel_default().child("joint");
  const auto stiffness = numbers_of(joint.attribute("stiffness"));
  ASSERT_EQ(stiffness.size(), 3U);
  EXPECT_NEAR(stiffness[0], 58.5, 1e-5);
  EXPECT_NEAR(stiffness[1], -1e4, 1e-2);  // a tactel gives towards -x
  EXPECT_NEAR(stiffness[2], 2e6, 1);
  // Where the joint ends, 6 mm deep: 58.5 + 2e4 * 6e-3 + 6e6 * 36e-6 = 394.5 N/m; 4 * 25e-8 kg.
  EXPECT_NEAR(joint.attribute("armature").as_double(), 3.945e-4, 1e-9);
  EXPECT_THAT(written->text, HasSubstr("for MuJoCo 3.7 and later"));
  const auto loss = std::find_if(written->losses.begin(), written->losses.end(),
                                 [](const auto& l) { return l.path == "stiffness.curve"; });
  ASSERT_NE(loss, written->losses.end());
  EXPECT_THAT(loss->reason, HasSubstr("of the force at 0.004 m, where the curve ends"));
}

TEST(MujocoExporter, WritesBristlesAndTheirLoopBesideWhereFrictionIsKnown) {
  const auto written = (*exporter("mujoco-3.7"))->write(bristled_mujoco_model());
  ASSERT_TRUE(written) << written.error().message;
  ASSERT_EQ(written->sidecars.size(), 3U);  // a weight, the pad on bristles, the loop
  EXPECT_EQ(written->sidecars[1].name, "Acme_Pad_2x3_A_7_lugre.xml");
  EXPECT_EQ(written->sidecars[2].name, "Acme_Pad_2x3_A_7_lugre.py");
  EXPECT_THAT(written->text, testing::Not(HasSubstr("dcmotor")));
  EXPECT_THAT(written->losses,
              testing::Not(testing::Contains(testing::Field(&Loss::path, "friction.sigma0"))));
  Mjcf mjcf;
  ASSERT_TRUE(mjcf.document.load_string(written->sidecars[1].text.c_str()));
  const auto root = mjcf.document.child("mujoco");
  const auto bristle = root.child("default").find_child_by_attribute("class", "bristle");
  // Half of 0.2 N on a tactel: 0.23 and 0.435 of it.
  EXPECT_STREQ(bristle.child("dcmotor").attribute("lugre").value(), "1000 0.1 0.023 0.0435 0.01");
  EXPECT_STREQ(bristle.child("joint").attribute("damping").value(), "0.05");
  EXPECT_DOUBLE_EQ(bristle.child("joint").attribute("armature").as_double(), 1e-3);  // 4e3 * 25e-8
  const auto joint = mjcf.body("t5_a0_r1_c2").child("joint");
  EXPECT_STREQ(joint.attribute("name").value(), "t5_a0_r1_c2_x");
  EXPECT_STREQ(joint.attribute("axis").value(), "1 0 0");
  EXPECT_STREQ(joint.next_sibling("joint").attribute("axis").value(), "0 1 0");
  const auto motors = root.child("actuator").children("dcmotor");
  EXPECT_EQ(std::distance(motors.begin(), motors.end()), 12);
  EXPECT_STREQ(mjcf.touch(6).attribute("name").value(), "t0_a0_r0_c0_load");
}

TEST(MujocoExporter, WritesNoBristlesWhereANumberOfFrictionIsNotKnown) {
  auto model = with(hardening_mujoco_model(), {"friction.v_s=0.01", "friction.sigma0=1000"});
  const auto written = (*exporter("mujoco-3.7"))->write(model);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->sidecars.size(), 1U);
  const auto why = [&](const char* path) {
    for (const auto& loss : written->losses)
      if (loss.path == path) return loss.reason;
    return std::string("no loss");
  };
  EXPECT_THAT(why("friction.sigma0"), HasSubstr("bristles need all six numbers"));
  EXPECT_THAT(why("friction.c_t"), HasSubstr("unidentifiable"));
}

TEST(MujocoExporter, WritesNoHardeningThatTheModelHasNot) {
  const auto refusal = [](const SensorModel& model) {
    const auto written = (*exporter("mujoco-3.7"))->write(model);
    return written ? std::string("accepted") : written.error().message;
  };
  EXPECT_THAT(refusal(mujoco_model()), HasSubstr("--assume stiffness.linear_to="));
  const auto straight = with(mujoco_model(), {"stiffness.linear_to=0.004"});
  EXPECT_THAT(refusal(straight), HasSubstr("the model holds no hardening beyond 4 mm"));
  auto soft = straight;
  soft.stiffness.linear_to.value = 1e-3;
  soft.stiffness.curve = {{0, 0}, {1e-3, 0.06}, {2e-3, 0.1}};
  EXPECT_THAT(refusal(soft), HasSubstr("no hardening"));
}

}  // namespace
}  // namespace tactelier
