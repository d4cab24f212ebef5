// What Drake is given, as another XML reader sees it, against numbers worked by hand by the rules
// of its documentation. That SDFormat's own reader takes it: sdf_read_test.cpp.
#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <sstream>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

struct Drake {
  pugi::xml_document points, boxes;
  Exported exported;

  explicit Drake(const SensorModel& model) {
    auto written = (*exporter("drake"))->write(model);
    EXPECT_TRUE(written) << written.error().message;
    exported = written.value_or(Exported{});
    EXPECT_TRUE(points.load_string(exported.text.c_str()));
    if (exported.sidecars.empty()) return;
    EXPECT_TRUE(boxes.load_string(exported.sidecars[0].text.c_str()));
  }
  static pugi::xml_node collision(const pugi::xml_document& document, const char* name) {
    return document.child("sdf").child("model").child("link").find_child_by_attribute("collision",
                                                                                      "name", name);
  }
  static double property(const pugi::xml_node& collision, const char* name) {
    return collision.child("drake:proximity_properties").child(name).text().as_double(-1);
  }
  std::string reason(const char* path) const {
    for (const auto& loss : exported.losses)
      if (loss.path == path) return loss.reason;
    return {};
  }
};

std::vector<double> words(const pugi::xml_node& node) {
  std::istringstream text(node.text().get());
  return {std::istream_iterator<double>(text), {}};
}

TEST(DrakeExporter, WritesAStiffnessThatInSeriesWithDrakesIsTheTactels) {
  const auto written = [](const char* k) {
    const Drake drake(with(mujoco_model(), {k}));
    return Drake::property(Drake::collision(drake.points, "t5_a0_r1_c2"),
                           "drake:point_contact_stiffness");
  };
  EXPECT_NEAR(written("stiffness.k=58.5"), 58.50342245, 1e-7);  // 58.5 / (1 - 58.5e-6)
  EXPECT_NEAR(written("stiffness.k=2000"), 2004.008016, 1e-5);
  EXPECT_NEAR(written("stiffness.k=500000"), 1e6, 1e-2);
  const auto hard = (*exporter("drake"))->write(with(mujoco_model(), {"stiffness.k=1000000"}));
  ASSERT_FALSE(hard);
  EXPECT_THAT(hard.error().message, HasSubstr("in series with the 1e+06 N/m"));
}

TEST(DrakeExporter, WritesDampingForBothOfDrakesModels) {
  const Drake drake(mujoco_model());
  const auto tip = Drake::collision(drake.points, "t0_a0_r0_c0");
  EXPECT_NEAR(Drake::property(tip, "drake:relaxation_time"), 9.96581197e-4,
              1e-12);  // 0.0583 / 58.5
  // 0.0583 N s/m at 0.1 N, half of the range.
  EXPECT_NEAR(Drake::property(tip, "drake:hunt_crossley_dissipation"), 0.583, 1e-9);
  EXPECT_THAT(drake.exported.text, HasSubstr("c / F at F = 0.1 N"));
  EXPECT_EQ(Drake::property(tip, "drake:mu_static"), 0.435);
  EXPECT_EQ(Drake::property(tip, "drake:mu_dynamic"), 0.23);

  const Drake fitted(with(mujoco_model(), {"damping.dissipation=2.5"}));
  EXPECT_EQ(Drake::property(Drake::collision(fitted.points, "t0_a0_r0_c0"),
                            "drake:hunt_crossley_dissipation"),
            2.5);
  const Drake bare(with(wts_model(), {"stiffness.k=58.5"}));
  EXPECT_FALSE(Drake::collision(bare.points, "t0_a0_r0_c0")
                   .child("drake:proximity_properties")
                   .child("drake:relaxation_time"));
}

TEST(DrakeExporter, PutsTipsBelowTheirTactels) {
  const Drake drake(turned_mujoco_model());
  // Row 1 of 2, column 0 of 3; half of 3.4 mm below the surface.
  EXPECT_THAT(words(Drake::collision(drake.points, "t3_a0_r1_c0").child("pose")),
              testing::ElementsAre(-3.4e-3, 2.5e-3, -1.7e-3, 0, 0, 0));
}

TEST(DrakeExporter, MakesALayerOfABoxWhosePressureIsTheTactelsSprings) {
  // 6 x 14 tactels of 3.4 mm on 6 mm: 58.5 N/m * 6 mm / 11.56 mm^2.
  const Drake drake(with(wts_model(), {"stiffness.k=58.5", "sensor.thickness_m=0.006"}));
  ASSERT_EQ(drake.exported.sidecars.size(), 1U);
  const auto box = Drake::collision(drake.boxes, "array_0_collision");
  const double modulus_Pa = Drake::property(box, "drake:hydroelastic_modulus");
  EXPECT_NEAR(modulus_Pa, 30363.3218, 1e-3);
  const auto size_m = words(box.child("geometry").child("box").child("size"));
  EXPECT_THAT(size_m, testing::ElementsAre(0.0204, 0.0476, 0.012));
  EXPECT_THAT(words(box.child("pose")), testing::ElementsAre(0, 0, -0.006, 0, 0, 0));
  // A plate 1 mm deep: modulus * depth / (half of the height) on all of it is 84 * 58.5 mN.
  EXPECT_NEAR(modulus_Pa * 1e-3 / (size_m[2] / 2) * size_m[0] * size_m[1], 4.914, 1e-6);
  EXPECT_TRUE(box.child("drake:proximity_properties").child("drake:compliant_hydroelastic"));
}

TEST(DrakeExporter, PrefersTheLayerThatWasFitted) {
  const Drake drake(
      with(wts_model(), {"stiffness.k=58.5", "sensor.thickness_m=0.006",
                         "hydroelastic.modulus=30000", "hydroelastic.thickness=0.009"}));
  const auto box = Drake::collision(drake.boxes, "array_0_collision");
  EXPECT_EQ(Drake::property(box, "drake:hydroelastic_modulus"), 30000);
  EXPECT_EQ(words(box.child("geometry").child("box").child("size"))[2], 0.018);
}

TEST(DrakeExporter, SaysWhyThereIsNoHydroelasticPad) {
  EXPECT_THAT(Drake(with(wts_model(), {"stiffness.k=58.5"})).exported.losses,
              testing::Contains(
                  testing::Field(&Loss::reason, HasSubstr("the layer's thickness is not known"))));
  for (const auto& [model, why] :
       {std::pair{mujoco_model(), "narrower than twice its layer of 6 mm"},
        {with(turned_mujoco_model(), {"sensor.thickness_m=0.001"}), "not a flat grid"}}) {
    const Drake drake(model);
    EXPECT_TRUE(drake.exported.sidecars.empty());
    EXPECT_THAT(drake.exported.losses,
                testing::Contains(testing::Field(&Loss::reason, HasSubstr(why))));
  }
}

TEST(DrakeExporter, StopsWithoutStiffness) {
  const auto written = (*exporter("drake"))->write(wts_model());
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message,
              HasSubstr("Drake can't do without it: --assume stiffness.k="));
}

}  // namespace
}  // namespace tactelier
