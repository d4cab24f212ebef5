// The URDF as other readers see it, against numbers worked by hand. What Bullet makes of it:
// bullet_run_test.cpp.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

Exported bullet_of(const SensorModel& model) {
  auto written = (*exporter("bullet"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

pugi::xml_node contact_of(const pugi::xml_document& document, const char* link) {
  return document.child("robot").find_child_by_attribute("link", "name", link).child("contact");
}

double value_of(const pugi::xml_node& contact, const char* name) {
  return contact.child(name).attribute("value").as_double(-1);
}

TEST(BulletExporter, TakesOffTheDampingThatBulletAdds) {
  const auto damping = [](const char* k, const char* c) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(bullet_of(with(mujoco_model(), {k, c})).text.c_str()));
    return value_of(contact_of(document, "t5_a0_r1_c2"), "damping");
  };
  EXPECT_NEAR(damping("stiffness.k=58.5", "damping.c_n=0.0583"), 0.02905, 1e-9);  // 0.5 ms
  EXPECT_NEAR(damping("stiffness.k=58.5", "damping.c_n=1"), 0.75625, 1e-9);       // 1/240 s
  EXPECT_NEAR(damping("stiffness.k=2000", "damping.c_n=6"), 4, 1e-9);             // 1 ms
  const auto soft = bullet_of(with(mujoco_model(), {"stiffness.k=58.5", "damping.c_n=0.001"}));
  ASSERT_FALSE(soft.warnings.empty());
  EXPECT_EQ(soft.warnings.back().code, "STEP-DAMPING");
  EXPECT_THAT(soft.warnings.back().text, HasSubstr("Bullet's own damping k dt of 0.00585 N*s/m"));
}

TEST(BulletExporter, WritesTable2OfThePaperVerbatim) {
  const auto exported = bullet_of(mujoco_model());
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(exported.text.c_str()));
  const auto contact = contact_of(document, "t0_a0_r0_c0");
  EXPECT_STREQ(contact.child("stiffness").attribute("value").value(), "58.5");
  EXPECT_STREQ(contact.child("lateral_friction").attribute("value").value(), "0.23");
  EXPECT_THAT(exported.text, HasSubstr("damping: 0.0583 N*s/m, one tactel; assumed by user"));
  EXPECT_THAT(exported.text, HasSubstr("friction.mu_s: Bullet has no slot for it"));
}

TEST(BulletExporter, FixesALinkPerTactelWhereItIs) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(bullet_of(turned_mujoco_model()).text.c_str()));
  const auto robot = document.child("robot");
  int joints = 0;
  for (const auto& joint : robot.children("joint"))
    EXPECT_THAT(joint.child("child").attribute("link").value(),
                testing::StartsWith(fmt::format("t{}_", joints++)));
  EXPECT_EQ(joints, 10);
  const auto turned = robot.find_child_by_attribute("joint", "name", "t8_a1_r0_c2_fixed");
  EXPECT_STREQ(turned.child("origin").attribute("rpy").value(), "0 0.5 0");
}

TEST(BulletExporter, IsReadByCheckUrdf) {
  if (std::system("command -v check_urdf > /dev/null") != 0)
    GTEST_SKIP() << "liburdfdom-tools is not installed";
  for (const auto& model : {mujoco_model(), turned_mujoco_model(), image_model()}) {
    const test::TemporaryFolder folder;
    test::save_text(folder / "pad.urdf", bullet_of(model).text);
    EXPECT_EQ(test::run_in(folder, "check_urdf pad.urdf > said.txt 2>&1"), 0);
    EXPECT_EQ(test::run_in(folder,
                           fmt::format("grep -q 'has {} child' said.txt", model.sensor.tactels())),
              0);
  }
}

TEST(BulletExporter, StopsWithoutStiffnessAndDampingAndLeavesOutUnknownFriction) {
  const auto written = (*exporter("bullet"))->write(wts_model());
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message,
              HasSubstr("Bullet can't do without it: --assume stiffness.k="));
  auto model = mujoco_model();
  model.friction.mu_d = unidentifiable("", "FR-04 Record slides.", "friction");
  const auto text = bullet_of(model).text;
  EXPECT_EQ(text.find("<lateral_friction"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("friction.mu_d: unidentifiable: FR-04 Record slides."));
}

}  // namespace
}  // namespace tactelier
