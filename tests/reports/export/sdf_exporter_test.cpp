// The SDFormat as another XML reader sees it, against numbers worked by hand. What SDFormat's own
// reader says: sdf_read_test.cpp; what ODE and DART make of it: sdf_run_test.cpp.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

struct Sdf {
  pugi::xml_document document;
  Exported exported;

  Sdf(const char* format, const SensorModel& model) {
    auto written = (*exporter(format))->write(model);
    EXPECT_TRUE(written) << written.error().message;
    exported = written.value_or(Exported{});
    EXPECT_TRUE(document.load_string(exported.text.c_str()));
  }
  pugi::xml_node model() const { return document.child("sdf").child("model"); }
  pugi::xml_node named(const char* kind, const char* name) const {
    return model().find_child_by_attribute(kind, "name", name);
  }
  pugi::xml_node collision(const char* name) const {
    return model().child("link").find_child_by_attribute("collision", "name", name);
  }
  std::string reason(const char* path) const {
    for (const auto& loss : exported.losses)
      if (loss.path == path) return loss.reason;
    return {};
  }
};

double number(const pugi::xml_node& node) { return node.text().as_double(-1); }

TEST(SdfExporter, TakesOffTheDampingThatOdeAdds) {
  const auto of = [](const char* k, const char* c, double kd, double max_vel) {
    const Sdf contacts("sdf-ode", with(mujoco_model(), {k, c}));
    const auto ode =
        contacts.collision("t5_a0_r1_c2_tip").child("surface").child("contact").child("ode");
    EXPECT_NEAR(number(ode.child("kd")), kd, 1e-9) << k;
    EXPECT_NEAR(number(ode.child("max_vel")), max_vel, 1e-7) << k;
    return std::string(ode.child("kp").text().get());
  };
  // 0.0583 - 58.5 * 5e-4; 1 ms would be 0.0585, more than there is. 6 mm: 0.351 N / 0.0583.
  EXPECT_EQ(of("stiffness.k=58.5", "damping.c_n=0.0583", 0.02905, 6.0205832), "58.5");
  EXPECT_EQ(of("stiffness.k=2000", "damping.c_n=6", 4, 2), "2000");     // 12 N / 6
  EXPECT_EQ(of("stiffness.k=20000", "damping.c_n=5", 1, 24), "20000");  // 120 N / 5
}

TEST(SdfExporter, MakesUpForWhatDartKeepsOfASpring) {
  const auto of = [](const char* k, const char* c, double mass_kg, double stiffness,
                     double damping) {
    const Sdf joints("sdf", with(mujoco_model(), {k, c}));
    const auto dynamics =
        joints.named("joint", "t5_a0_r1_c2_spring").child("axis").child("dynamics");
    EXPECT_NEAR(number(dynamics.child("spring_stiffness")), stiffness, 1e-6) << k;
    EXPECT_NEAR(number(dynamics.child("damping")), damping, 1e-8) << k;
    const auto inertial = joints.named("link", "t5_a0_r1_c2").child("inertial");
    EXPECT_NEAR(number(inertial.child("mass")), mass_kg, 1e-12) << k;
  };
  // A step of 0.1 ms; 1e-4 kg or 5 dt c; s = 1 / (1 - dt c / m); s k and s (c - k dt).
  of("stiffness.k=58.5", "damping.c_n=0.0583", 1e-4, 62.1216948, 0.0556971435);
  of("stiffness.k=2000", "damping.c_n=6", 3e-3, 2500, 7.25);
  of("stiffness.k=20000", "damping.c_n=5", 2.5e-3, 25000, 3.75);
}

TEST(SdfExporter, SaysWhenGazeboDampsMoreThanTheModel) {
  const Sdf sdf("sdf", with(mujoco_model(), {"stiffness.k=58.5", "damping.c_n=0.001"}));
  const auto dynamics = sdf.named("joint", "t0_a0_r0_c0_spring").child("axis").child("dynamics");
  EXPECT_EQ(number(dynamics.child("damping")), 0);
  ASSERT_FALSE(sdf.exported.warnings.empty());
  EXPECT_THAT(sdf.exported.warnings.back().text,
              HasSubstr("0.00585 N*s/m is more than the 0.001 N*s/m of the model"));
  for (const auto& warning : Sdf("sdf", mujoco_model()).exported.warnings)
    EXPECT_NE(warning.where, "damping.c_n");
}

TEST(SdfExporter, WritesTable2OfThePaperVerbatim) {
  const Sdf sdf("sdf", mujoco_model());
  const auto axis = sdf.named("joint", "t0_a0_r0_c0_spring").child("axis");
  EXPECT_EQ(number(axis.child("limit").child("lower")), -0.006);
  const auto friction = sdf.named("link", "t0_a0_r0_c0")
                            .child("collision")
                            .child("surface")
                            .child("friction")
                            .child("ode");
  EXPECT_STREQ(friction.child("mu").text().get(), "0.23");
  EXPECT_STREQ(friction.child("mu2").text().get(), "0.23");
  EXPECT_THAT(sdf.exported.text, HasSubstr("stiffness: 58.5 N/m, one tactel; assumed by user"));
  EXPECT_THAT(sdf.exported.text, HasSubstr("damping: 0.0583 N*s/m, one tactel; assumed by user"));
  EXPECT_THAT(sdf.reason("friction.mu_s"), HasSubstr("no slot"));
}

TEST(SdfExporter, GivesEachTactelAContactSensorOfItsOwn) {
  for (const auto* format : {"sdf", "sdf-ode"}) {
    const Sdf sdf(format, mujoco_model());
    int tactel = 0;
    for (const auto& link : sdf.model().children("link"))
      for (const auto& sensor : link.children("sensor")) {
        EXPECT_STREQ(sensor.attribute("type").value(), "contact");
        const auto* tip = sensor.child("contact").child("collision").text().get();
        EXPECT_TRUE(link.find_child_by_attribute("collision", "name", tip)) << tip;
        EXPECT_EQ(sensor.child("tactelier:tactel").attribute("index").as_int(-1), tactel++);
      }
    EXPECT_EQ(tactel, 6) << format;
    EXPECT_STREQ(sdf.model().child("tactelier:rows_columns").text().get(), "2 3");
  }
}

TEST(SdfExporter, SaysHowNewtonsBecomeCounts) {
  auto model = with(image_model(), {"stiffness.k=58.5", "damping.c_n=0.0583"});
  model.timing.rate_hz = identified(100, "Hz");
  const Sdf sdf("sdf-ode", model);
  const auto first = sdf.model().child("link").child("sensor");
  EXPECT_EQ(number(first.child("update_rate")), 100);
  const auto kept = first.child("tactelier:tactel");
  EXPECT_EQ(number(kept.child("tactelier:saturation_N")), 3.83);  // 0.05 N + 3780 / 1000 N
  EXPECT_EQ(number(kept.child("tactelier:gain_N_per_count")), 0.001);
  EXPECT_EQ(number(kept.child("tactelier:noise_N")), 0.004);
  const auto dead = sdf.model().child("link").find_child_by_attribute("name", "t7_a0_r1_c1_sensor");
  EXPECT_EQ(number(dead.child("tactelier:tactel").child("tactelier:reads")), 0);
  EXPECT_FALSE(dead.child("tactelier:tactel").child("tactelier:gain_N_per_count"));
  EXPECT_THAT(sdf.reason("response.tactels[7].gain"), HasSubstr("no counts of tactel 7"));
}

TEST(SdfExporter, StopsWithoutStiffnessAndDampingOfOneTactel) {
  const auto refusal = [](const SensorModel& model) {
    const auto written = (*exporter("sdf"))->write(model);
    return written ? "accepted" : written.error().message;
  };
  auto model = wts_model();
  EXPECT_THAT(refusal(model), HasSubstr("SDFormat can't do without it: --assume stiffness.k="));
  model.stiffness.k = identified(58.5, "N/m");
  EXPECT_THAT(refusal(model), HasSubstr("--assume damping.c_n=VALUE"));
  EXPECT_EQ(refusal(with(model, {"damping.c_n=0.0583"})), "accepted");
}

TEST(SdfExporter, LeavesOutFrictionThatIsNotKnown) {
  auto model = mujoco_model();
  model.friction.mu_d = unidentifiable("", "FR-04 Record slides.", "friction");
  const Sdf sdf("sdf", model);
  EXPECT_EQ(sdf.exported.text.find("<mu>"), std::string::npos);
  EXPECT_THAT(sdf.exported.text, HasSubstr("friction.mu_d: unidentifiable: FR-04 Record slides."));
}

TEST(SdfExporter, TellsWhatAContactOfOdeCannotDo) {
  const auto model = with(mujoco_model(), {"stiffness.max_penetration=0.005"});
  EXPECT_THAT(Sdf("sdf-ode", model).reason("stiffness.max_penetration"),
              HasSubstr("never becomes hard"));
  EXPECT_EQ(Sdf("sdf", model).reason("stiffness.max_penetration"), "");
  auto hardening = mujoco_model();
  hardening.stiffness.curve = {{1e-3, 0.06}, {2e-3, 0.2}};
  EXPECT_THAT(Sdf("sdf", hardening).reason("stiffness.curve"), HasSubstr("hardening isn't"));
}

TEST(SdfExporter, PutsAWeightOnLevelPadsAlone) {
  const Sdf level("sdf", mujoco_model());
  ASSERT_EQ(level.exported.sidecars.size(), 1U);
  EXPECT_EQ(level.exported.sidecars[0].name, "Acme_Pad_2x3_A_7_press.sdf");
  EXPECT_THAT(level.exported.sidecars[0].text,
              HasSubstr("a weight of 0.0611621 kg lies on all 6 tactels"));
  EXPECT_TRUE(Sdf("sdf", turned_mujoco_model()).exported.sidecars.empty());
}

}  // namespace
}  // namespace tactelier
