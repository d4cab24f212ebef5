// Verification against a target whose errors are made by hand, and against MuJoCo.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "reports/export/exporter.hpp"
#include "reports/verify/libmujoco_engine.hpp"
#include "reports/verify/mujoco_scene.hpp"
#include "reports/verify/mujoco_target.hpp"
#include "reports/verify/node_engine.hpp"
#include "reports/verify/verification_record.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

MujocoPad pad_of(const SensorModel& model, MujocoForm form = MujocoForm::kPortable) {
  const auto contents = fill_slots(model, mujoco_slots(form), "MuJoCo");
  EXPECT_TRUE(contents) << contents.error().message;
  return mujoco_pad(model, *contents, form).value();
}

std::optional<PadShapes> shapes_of(const SensorModel& model, const MujocoPad& pad) {
  const auto list = PressList::create(model, pad);
  return list ? pad_shapes(pad, *list) : std::nullopt;
}

/// Six springs of 58.5 N/m with 0.0583 N s/m and friction 0.23, and what is wrong with them.
struct HandMadePad final : PressTarget {
  double k = 58.5, c = 0.0583, mu = 0.23;
  bool swapped = false;  // readings of tactels 0 and 1

  TargetFacts facts() const override { return {"by hand", "1", 1e-3, 1e-8}; }
  Result<PressSeen> plate_at_rest(double load_N) override {
    return PressSeen{load_N / 6 / k, std::vector<double>(6, load_N / 6)};
  }
  Result<PressSeen> plate_moving(double depth_m, double speed_m_per_s) override {
    return PressSeen{depth_m, std::vector<double>(6, k * depth_m + c * speed_m_per_s)};
  }
  Result<double> friction_of_plate(double, double) override { return mu; }
  Result<PressSeen> tactel_at_rest(int tactel, double load_N) override {
    std::vector<double> force_N(6, 0);
    const int shown = swapped && tactel < 2 ? 1 - tactel : tactel;
    force_N[static_cast<std::size_t>(shown)] = load_N;
    return PressSeen{load_N / k, std::move(force_N)};
  }
  /// Columns 1 alone under the strip; the ball's image is left to MuJoCo.
  Result<PressSeen> shape_at_rest(PadShape shape, double load_N) override {
    const double each_N = load_N / 2;
    if (shape == PadShape::kStrip)
      return PressSeen{each_N / k, {0, each_N + strip_off_N, 0, 0, each_N - strip_off_N, 0}};
    const auto model = mujoco_model();
    const auto pad = pad_of(model);
    const auto shapes = shapes_of(model, pad);
    double low_m = 0, high_m = 0.006;
    while (high_m - low_m > 1e-12) {
      const double middle_m = (low_m + high_m) / 2;
      const auto image = shape_image(model, pad, *shapes, PadShape::kBall, middle_m);
      (image && image->load_N > load_N ? high_m : low_m) = middle_m;
    }
    return PressSeen{low_m, shape_image(model, pad, *shapes, PadShape::kBall, low_m)->force_N};
  }
  double strip_off_N = 0;  // on one of the two, and less on the other
};

Verification verified(PressTarget& target, const SensorModel& model = mujoco_model()) {
  const auto found = verify_pad(model, pad_of(model), target, {});
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(Verification{});
}

const VerifiedQuantity& quantity(const Verification& found, const std::string& name) {
  for (const auto& one : found.quantities)
    if (one.name == name) return one;
  ADD_FAILURE() << "no quantity " << name;
  return found.quantities.front();
}

TEST(Verification, FindsNothingWrongWithThePadOfTheModel) {
  HandMadePad target;
  const auto found = verified(target);
  EXPECT_TRUE(found.passed());
  EXPECT_EQ(found.quantities.size(), 9U);
  for (const auto& one : found.quantities) EXPECT_LT(one.worst_percent(), 1e-6) << one.name;
  // 10 to 90 % of 0.2 N.
  const auto& depth = quantity(found, "depth under a plate").presses;
  ASSERT_EQ(depth.size(), 5U);
  EXPECT_NEAR(depth.front().expected, 0.02 / 58.5, 1e-15);
  EXPECT_NEAR(depth.back().expected, 0.18 / 58.5, 1e-15);
}

TEST(Verification, FindsASpringThatIsTwoPercentStiffer) {
  HandMadePad target;
  target.k *= 1.02;
  const auto found = verified(target);
  EXPECT_FALSE(found.passed());
  EXPECT_NEAR(quantity(found, "depth under a plate").median_percent(), 1.9608, 1e-3);
  EXPECT_FALSE(quantity(found, "depth of a ball on one tactel").passed());
  EXPECT_TRUE(quantity(found, "force on each tactel under a plate").passed());
}

TEST(Verification, FindsDampingAndFrictionThatAreOff) {
  HandMadePad target;
  target.c *= 0.96;
  target.mu *= 1.02;
  const auto found = verified(target);
  EXPECT_NEAR(quantity(found, "damping of each tactel").worst_percent(), 4, 1e-6);
  EXPECT_NEAR(quantity(found, "friction of a sliding plate").worst_percent(), 2, 1e-6);
  EXPECT_FALSE(quantity(found, "damping of each tactel").passed());
  EXPECT_FALSE(quantity(found, "friction of a sliding plate").passed());
  EXPECT_TRUE(quantity(found, "depth under a plate").passed());
}

TEST(Verification, FindsTwoTactelsThatStandInEachOthersPlace) {
  HandMadePad target;
  target.swapped = true;
  const auto found = verified(target);
  EXPECT_NEAR(quantity(found, "force on the tactel under a ball").worst_percent(), 100, 1e-9);
  EXPECT_NEAR(quantity(found, "force on all others").worst_percent(), 100, 1e-9);
  EXPECT_NEAR(quantity(found, "force on all others").median_percent(), 0, 1e-9);
}

TEST(Verification, FindsAnImageThatIsOffByHalfAPercent) {
  HandMadePad target;
  target.strip_off_N = 0.0006;  // of 0.1 N each at half of the range: 0.6 %
  const auto found = verified(target);
  const auto& image = quantity(found, "image of a strip, relative L1");
  ASSERT_EQ(image.presses.size(), 5U);
  EXPECT_NEAR(image.presses[2].error_percent, 0.6, 1e-6);
  EXPECT_FALSE(image.passed());
  EXPECT_LT(quantity(found, "image of a ball, relative L1").worst_percent(), 1e-6);
}

TEST(Verification, PressesNoDeeperThanThePadGives) {
  auto model = mujoco_model();
  model.validity.force_N = {{0.0, 5.0}};  // of a punch on 6 mm of foam
  HandMadePad target;
  EXPECT_NEAR(verified(target, model).force_N[1], 0.95 * 0.006 * 58.5, 1e-12);
  model.validity.force_N.reset();
  model.sensor.thickness_m.reset();
  const auto nothing = verify_pad(model, pad_of(model), target, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kUnidentifiable);
}

TEST(Verification, SaysWhatItDidNotCompare) {
  auto model = mujoco_model();
  model.friction.mu_d = unidentifiable("", "FR-04 Record slides.", "friction");
  HandMadePad target;
  EXPECT_THAT(verified(target, model).left_out,
              testing::ElementsAre(HasSubstr("friction"), HasSubstr("images of shapes")));
}

TEST(VerificationRecord, NamesSensorModelAndTargetAndKeepsToItsSchema) {
  HandMadePad target;
  const VerificationRecord record{"mujoco", "2026-11-21T00:00:00Z", "tactelier 0.1.0",
                                  mujoco_model(), verified(target)};
  EXPECT_EQ(record.name(), "Acme_Pad_2x3_A_7.mujoco");
  const auto text = to_json(record);
  const auto document = parse_json(text, "record");
  ASSERT_TRUE(document);
  const auto valid = check_schema(*document, "verification-record", "record");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_EQ((*document)["passed"], true);
  EXPECT_THAT((*document)["assumed"].get<std::string>(), HasSubstr("stiffness.k=58.5 (user)"));
  EXPECT_EQ((*document)["quantities"][0]["presses"].size(), 5U);
  const auto page = to_text(verification_sections(record));
  EXPECT_THAT(page, HasSubstr("Acme_Pad_2x3_A_7.mujoco"));
  EXPECT_THAT(page, HasSubstr("depth under a plate"));
  EXPECT_THAT(page, HasSubstr("image of a ball, relative L1"));
  EXPECT_THAT(page, HasSubstr("not compared: images of shapes as they are"));
}

#ifdef TACTELIER_MUJOCO

/// The exported text, changed, in MuJoCo.
Result<Verification> in_mujoco(const SensorModel& model, const std::string& from = "",
                               const std::string& to = "") {
  auto text = (*exporter("mujoco"))->write(model)->text;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  const auto pad = pad_of(model);
  const test::TemporaryFolder folder;
  const auto shapes = shapes_of(model, pad);
  const auto scene = mujoco_scene(text, pad, shapes);
  if (!scene) return fail(scene.error());
  test::save_text(folder / "scene.xml", *scene);
  auto engine = libmujoco_engine(folder / "scene.xml");
  if (!engine) return fail(engine.error());
  return verify_pad(model, pad, *mujoco_target(std::move(*engine), pad, shapes), {});
}

void expect_within(const SensorModel& model, double percent) {
  const auto found = in_mujoco(model);
  ASSERT_TRUE(found) << found.error().message;
  for (const auto& one : found->quantities)
    EXPECT_LT(one.worst_percent(), percent) << one.name << " in " << model.serial;
}

TEST(VerifyInMujoco, ExportedPadsDoWhatTheModelSays) {
  expect_within(mujoco_model(), 0.1);
  expect_within(with(mujoco_model(), {"stiffness.k=2000", "damping.c_n=2"}), 0.1);
  expect_within(with(mujoco_model(), {"stiffness.k=500", "damping.c_n=5"}), 0.1);
}

TEST(VerifyInMujoco, SaturatedDeadAndTurnedTactelsToo) {
  auto dead = mujoco_model();
  dead.response.tactels[4].status = TactelStatus::kDead;
  auto& clipped = dead.response.tactels[1];
  clipped.gain = identified(1e-4, "N/count");
  clipped.offset = identified(60, "counts");
  clipped.threshold = identified(0.01, "N");
  clipped.saturation = identified(460, "counts");
  expect_within(dead, 0.1);
  auto turned = turned_mujoco_model();
  turned.validity.force_N = {{0.0, 0.05}};
  expect_within(turned, 0.1);
  const auto found = in_mujoco(turned);
  EXPECT_THAT(found->left_out, testing::Contains(HasSubstr("not level")));
}

TEST(VerifyInMujoco, AChangedFileIsFound) {
  const auto failed = [](const char* from, const char* to) {
    const auto found = in_mujoco(mujoco_model(), from, to);
    std::string names = found ? "" : found.error().message;
    for (const auto& one : found.value_or(Verification{}).quantities)
      if (!one.passed()) names += one.name + "; ";
    return names;
  };
  EXPECT_THAT(failed("stiffness=\"58.5\"", "stiffness=\"59.4\""), HasSubstr("depth under a plate"));
  EXPECT_EQ(failed("damping=\"0.0583\"", "damping=\"0.0563\""), "damping of each tactel; ");
  EXPECT_EQ(failed("friction=\"0.23 ", "friction=\"0.234 "), "friction of a sliding plate; ");
  EXPECT_THAT(failed("solref=\"0.001 1\"", "solref=\"0.02 1\""), HasSubstr("depth under a plate"));
}

TEST(VerifyInMujoco, WhatMujocoRefusesIsSaidInItsWords) {
  const auto refused = in_mujoco(mujoco_model(), "type=\"slide\"", "type=\"glide\"");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("MuJoCo refuses the exported file"));
  EXPECT_EQ(in_mujoco(mujoco_model(), "<mujoco", "<mojuco").error().code, ErrorCode::kInvalidInput);
}

#else

TEST(VerifyInMujoco, SaysWhichPackageIsMissing) {
  const auto engine = libmujoco_engine("scene.xml");
  ASSERT_FALSE(engine);
  EXPECT_THAT(engine.error().message, HasSubstr("libmujoco-dev"));
}

#endif

constexpr const char* kNoNpm = "npm install @mujoco/mujoco@3.14.0 is not there";

/// The exported text of the modern form, changed, in MuJoCo of npm.
Result<Verification> in_newest_mujoco(const SensorModel& model, const std::string& from = "",
                                      const std::string& to = "") {
  auto text = (*exporter("mujoco-3.7"))->write(model).value().text;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  const auto pad = pad_of(model, MujocoForm::kModern);
  const test::TemporaryFolder folder;
  const auto shapes = shapes_of(model, pad);
  const auto scene = mujoco_scene(text, pad, shapes);
  if (!scene) return fail(scene.error());
  test::save_text(folder / "scene.xml", *scene);
  auto engine = node_engine(folder / "scene.xml", TACTELIER_MUJOCO_NPM);
  if (!engine) return fail(engine.error());
  return verify_pad(model, pad, *mujoco_target(std::move(*engine), pad, shapes), {});
}

TEST(VerifyInNewestMujoco, APadThatHardensDoesWhatTheModelSays) {
  if (std::string(TACTELIER_MUJOCO_NPM).empty()) GTEST_SKIP() << kNoNpm;
  const auto found = in_newest_mujoco(hardening_mujoco_model(0.413));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->target.version, "3.14.0");
  EXPECT_DOUBLE_EQ(found->target.time_step_s, 5e-4);
  for (const auto& one : found->quantities) EXPECT_LT(one.worst_percent(), 0.1) << one.name;
  // 0.2065 N by hand: 58.5 d + 1e4 d^2 + 2e6 d^3 at 2.266 mm is 0.13256 + 0.05135 + 0.02327 N.
  EXPECT_NEAR(quantity(*found, "depth under a plate").presses[2].expected, 2.26e-3, 1e-5);
  EXPECT_EQ(quantity(*found, "depth under a plate, by the written cubic").presses.size(), 5U);
}

TEST(VerifyInNewestMujoco, AChangedFileIsFound) {
  if (std::string(TACTELIER_MUJOCO_NPM).empty()) GTEST_SKIP() << kNoNpm;
  const auto model = hardening_mujoco_model(0.413);
  const auto pad = pad_of(model, MujocoForm::kModern);
  const auto cubic = fmt::format("{:.9g}\"", pad.spring().k3_N_per_m3);
  const auto found = in_newest_mujoco(model, " " + cubic, " 2.1e6\"");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(quantity(*found, "depth under a plate, by the written cubic").passed());
}

TEST(VerifyInNewestMujoco, WhatMujocoRefusesIsSaidInItsWords) {
  if (std::string(TACTELIER_MUJOCO_NPM).empty()) GTEST_SKIP() << kNoNpm;
  const auto refused =
      in_newest_mujoco(hardening_mujoco_model(), "type=\"slide\"", "type=\"glide\"");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("MuJoCo refuses the exported file"));
  EXPECT_THAT(refused.error().message, HasSubstr("glide"));
}

}  // namespace
}  // namespace tactelier
