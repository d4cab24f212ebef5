// The exported pad in MuJoCo: loaded, pressed and compared with F = k x + c v worked by hand.
#include <gmock/gmock.h>

#include "reports/export/exporter.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

#ifdef TACTELIER_MUJOCO
#include <mujoco/mujoco.h>
#endif

namespace tactelier {
namespace {

using namespace testing_models;

#ifdef TACTELIER_MUJOCO

constexpr double kDriven_kg = 1e6;  // what moves at a given speed doesn't mind the pad

/// A body with a slide along its own z and a box or a ball below; -z goes into the pad.
std::string indenter(const std::string& pose, const std::string& geom, double mass_kg) {
  return fmt::format(R"(<body name="indenter" {}><joint name="z" type="slide" axis="0 0 1"/>)"
                     R"(<geom {} mass="{}"/></body></worldbody>)",
                     pose, geom, mass_kg);
}

/// What tips or, wide, balls as large as tactels feel.
const std::string kFelt = R"( contype="2" conaffinity="1")";
const std::string kFeltWide = R"( contype="8" conaffinity="4")";

const std::string kPlate = R"(type="box" size="0.05 0.05 0.005")";

class Simulation {
 public:
  explicit Simulation(const std::string& mjcf) {
    test::save_text(folder_ / "pad.xml", mjcf);
    char error[1000] = "";
    model_ = mj_loadXML((folder_ / "pad.xml").c_str(), nullptr, error, sizeof error);
    EXPECT_NE(model_, nullptr) << error;
    if (model_ != nullptr) data_ = mj_makeData(model_);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }

  bool loaded() const { return data_ != nullptr; }
  mjModel& model() { return *model_; }
  mjData& data() { return *data_; }
  int last_dof() const { return model_->nv - 1; }
  std::vector<double> forces_N() const {
    return {data_->sensordata, data_->sensordata + model_->nsensordata};
  }
  void run_until(double time_s) {
    while (data_->time < time_s) mj_step(model_, data_);
  }
  /// Moves the last joint into the pad; forces at the first step beyond `depth_m`, and its depth.
  std::pair<std::vector<double>, double> driven_to(double depth_m, double speed_m_per_s) {
    mj_resetData(model_, data_);
    double now_m = 0;
    while (now_m < depth_m) {
      data_->qvel[last_dof()] = -speed_m_per_s;
      now_m = -data_->qpos[last_dof()];  // the forces of a step belong to where it begins
      mj_step(model_, data_);
    }
    return {forces_N(), now_m};
  }

 private:
  test::TemporaryFolder folder_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

std::string written_mjcf(const SensorModel& model) {
  const auto written = (*exporter("mujoco"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written ? written->text : "";
}

std::string pressed_by(const SensorModel& model, const std::string& pose, const std::string& geom,
                       const std::string& felt = kFelt) {
  auto text = written_mjcf(model);
  const std::string end = "</worldbody>";
  const std::string world = "gravity=\"0 0 0\" timestep";
  text.replace(text.find(end), end.size(), indenter(pose, geom + felt, kDriven_kg));
  return text.replace(text.find("timestep=\""), 8, world);
}

TEST(MujocoRun, AWeightSinksAsDeepAsTheSpringsSay) {
  const auto written = (*exporter("mujoco"))->write(mujoco_model());
  ASSERT_TRUE(written);
  Simulation run(written->sidecars.at(0).text);
  ASSERT_TRUE(run.loaded());
  run.run_until(2);
  // 0.1 N on each spring of 58.5 N/m.
  EXPECT_NEAR(-run.data().qpos[run.last_dof()], 1.70940171e-3, 0.001 * 1.70940171e-3);
  for (const double force_N : run.forces_N()) EXPECT_NEAR(force_N, 0.1, 1e-4);
}

// Nothing slows it but the pad: 9.81 N/kg * 60 g on six springs.
TEST(MujocoRun, AFreeWeightComesToRest) {
  auto text = written_mjcf(mujoco_model());
  const std::string end = "</worldbody>";
  text.replace(text.find(end), end.size(), indenter("pos=\"0 0 0.005\"", kPlate + kFelt, 0.06));
  Simulation run(text);
  ASSERT_TRUE(run.loaded());
  run.run_until(4);
  for (int i = 0; i < 20; ++i) {
    for (const double force_N : run.forces_N()) EXPECT_NEAR(force_N, 0.0981, 1e-4);
    mj_step(&run.model(), &run.data());
  }
  EXPECT_NEAR(-run.data().qpos[run.last_dof()], 0.0981 / 58.5, 2e-6);
}

TEST(MujocoRun, StaticForceIsStiffnessTimesDepthOverTheRange) {
  for (const auto& [k, c] : {std::pair{58.5, 0.0583}, {2000.0, 2.0}, {20000.0, 5.0}}) {
    const auto model = with(mujoco_model(), {fmt::format("stiffness.k={}", k).c_str(),
                                             fmt::format("damping.c_n={}", c).c_str()});
    Simulation run(pressed_by(model, "pos=\"0 0 0.005\"", kPlate));
    ASSERT_TRUE(run.loaded());
    for (const double depth_m : {1e-4, 1e-3, 4e-3}) {
      const auto [forces_N, at_m] = run.driven_to(depth_m, 1e-2);
      for (const double force_N : forces_N)
        EXPECT_NEAR(force_N, k * at_m + c * 1e-2, 0.001 * k * at_m) << k << " " << depth_m;
    }
  }
}

TEST(MujocoRun, DampingIsForcePerSpeed) {
  for (const auto& [k, c] : {std::pair{58.5, 0.0583}, {2000.0, 2.0}, {20000.0, 50.0}}) {
    const auto model = with(mujoco_model(), {fmt::format("stiffness.k={}", k).c_str(),
                                             fmt::format("damping.c_n={}", c).c_str()});
    Simulation run(pressed_by(model, "pos=\"0 0 0.005\"", kPlate));
    ASSERT_TRUE(run.loaded());
    const auto [fast_N, fast_m] = run.driven_to(1e-3, 0.05);
    const auto [slow_N, slow_m] = run.driven_to(1e-3, 0.005);
    for (std::size_t i = 0; i < fast_N.size(); ++i) {
      const double seen = (fast_N[i] - slow_N[i] - k * (fast_m - slow_m)) / (0.05 - 0.005);
      EXPECT_NEAR(seen, c, 0.001 * c) << k << " tactel " << i;
    }
  }
}

TEST(MujocoRun, OnlyTheTactelThatIsPressedReads) {
  Simulation run(
      pressed_by(mujoco_model(), "pos=\"3.4e-3 2.5e-3 0.001\"", R"(type="sphere" size="0.001")"));
  ASSERT_TRUE(run.loaded());
  const auto [forces_N, at_m] = run.driven_to(1e-3, 1e-3);
  for (std::size_t i = 0; i < 6; ++i)  // row 1, column 2 of 2 x 3: tactel 5
    EXPECT_NEAR(forces_N[i], i == 5 ? 58.5 * at_m + 0.0583e-3 : 0, 1e-3 * 58.5 * at_m) << i;
}

/// Forces under a box 1 mm deep, from the left end of the pad to a rim right or left of the middle
/// column (at x = 0), whose tips are 0.17 mm.
std::vector<double> forces_under_rim(double rim_m, const std::string& felt) {
  constexpr double kHalf_m = 0.01;
  Simulation run(pressed_by(mujoco_model(), fmt::format("pos=\"{} 0 0.005\"", rim_m - kHalf_m),
                            fmt::format("type=\"box\" size=\"{} 0.05 0.005\"", kHalf_m), felt));
  return run.loaded() ? run.driven_to(1e-3, 1e-2).first : std::vector<double>(6, NAN);
}

// 58.5 N/m * 1 mm + 0.0583 N s/m * 10 mm/s
TEST(MujocoRun, ARimIsFeltOnlyWhereItRunsOverATactelsMiddle) {
  for (const auto& [rim_m, middle_N] : {std::pair{0.1e-3, 0.0591}, {-0.2e-3, 0.0}}) {
    const auto forces_N = forces_under_rim(rim_m, kFelt);
    for (const std::size_t row : {0U, 3U}) {
      EXPECT_NEAR(forces_N[row], 0.0591, 1e-3) << rim_m;
      EXPECT_NEAR(forces_N[row + 1], middle_N, 1e-3) << rim_m;
      EXPECT_NEAR(forces_N[row + 2], 0, 1e-9) << rim_m;
    }
  }
}

// At 0.16 mm beside a ball of 0.17 mm the push along its normal is three times that of the spring.
TEST(MujocoRun, ARimAtATipsFlankIsNoReading) {
  EXPECT_NEAR(forces_under_rim(-0.16e-3, kFelt)[1], 0, 1e-9);
}

// A ball of 1.7 mm: its top gives way by 1 mm less 1.7 - sqrt(1.7^2 - 0.5^2) = 0.075 mm, pushed
// along a normal that leans by asin(0.5 / 1.7): 58.5 * 0.925e-3 / 0.956 N, and damping.
TEST(MujocoRun, WideTipsFeelRimsBesideThem) {
  const auto forces_N = forces_under_rim(-0.5e-3, kFeltWide);
  EXPECT_NEAR(forces_N[0], 0.0591, 1e-3);
  EXPECT_NEAR(forces_N[1], 0.0572, 1e-3);
  EXPECT_NEAR(forces_N[2], 0, 1e-9);
}

TEST(MujocoRun, ATurnedTactelGivesAlongItsNormal) {
  // Tactel 8 at 0.5 rad about y (mujoco_exporter_test.cpp); a ball of 1 mm comes down its normal.
  Simulation run(pressed_by(turned_mujoco_model(),
                            "pos=\"5.346764e-3 0 -0.641963e-3\" euler=\"0 0.5 0\"",
                            R"(type="sphere" size="0.001")"));
  ASSERT_TRUE(run.loaded());
  const auto [forces_N, at_m] = run.driven_to(5e-4, 1e-3);
  ASSERT_EQ(forces_N.size(), 10U);
  EXPECT_NEAR(forces_N[8], 58.5 * at_m + 0.0583e-3, 1e-3 * 58.5 * at_m);
}

TEST(MujocoRun, ATactelShowsNoMoreThanItsSaturationAndADeadOneNothing) {
  auto model = mujoco_model();
  auto& tactels = model.response.tactels;
  tactels[1].gain = identified(1e-4, "N/count");
  tactels[1].offset = identified(60, "counts");
  tactels[1].threshold = identified(0.01, "N");
  tactels[1].saturation = identified(460, "counts");  // 0.01 N + 400 * 1e-4 N
  tactels[4].status = TactelStatus::kDead;
  Simulation run(pressed_by(model, "pos=\"0 0 0.005\"", kPlate));
  ASSERT_TRUE(run.loaded());
  const auto [forces_N, at_m] = run.driven_to(2e-3, 1e-3);
  EXPECT_NEAR(forces_N[0], 0.117, 1e-3);
  EXPECT_NEAR(forces_N[1], 0.05, 1e-12);
  EXPECT_NEAR(forces_N[4], 0, 1e-9);
}

TEST(MujocoRun, AFullyCompressedPadIsHard) {
  Simulation run(pressed_by(mujoco_model(), "pos=\"0 0 0.005\"", kPlate));
  ASSERT_TRUE(run.loaded());
  const auto [forces_N, at_m] = run.driven_to(6.05e-3, 1e-3);
  EXPECT_GT(forces_N[0], 5 * 58.5 * at_m);  // 6 mm of foam, and then none
}

TEST(MujocoRun, LoadsWhateverCanBeWritten) {
  auto odd = turned_mujoco_model();
  odd.sensor.vendor = "a<b>&\"c\"\x01--";
  for (const auto& model :
       {odd, table2_model(), with(image_model(), {"stiffness.k=2000", "damping.c_n=2"})}) {
    Simulation run(written_mjcf(model));
    ASSERT_TRUE(run.loaded());
    EXPECT_EQ(run.model().nsensordata, model.sensor.tactels());
    EXPECT_EQ(run.model().nuser_sensor, 6);
    run.run_until(0.02);
    for (const double force_N : run.forces_N()) EXPECT_EQ(force_N, 0);
  }
}

TEST(MujocoRun, AnOldVersionRefusesThreeStiffnesses) {
  if (mj_version() >= 370) GTEST_SKIP() << "this MuJoCo knows them";
  const auto written = (*exporter("mujoco-3.7"))->write(hardening_mujoco_model());
  ASSERT_TRUE(written) << written.error().message;
  auto text = written->text;
  const std::string newer = "<flag eulerdamp=\"disable\" />";  // unknown there as well
  ASSERT_NE(text.find(newer), text.npos);
  text.erase(text.find(newer), newer.size());
  const test::TemporaryFolder folder;
  test::save_text(folder / "pad.xml", text);
  char error[1000] = "";
  EXPECT_EQ(mj_loadXML((folder / "pad.xml").c_str(), nullptr, error, sizeof error), nullptr);
  EXPECT_THAT(error, testing::HasSubstr("stiffness"));
}

#else

TEST(MujocoRun, NeedsLibmujoco) { GTEST_SKIP() << "libmujoco-dev is not installed"; }

#endif

constexpr const char* kNoNpm = "npm install @mujoco/mujoco@3.14.0 is not there";

/// Runs the weight in the MuJoCo of npm; prints the version, the depth and each force.
constexpr const char* kNodeRun = R"(import { readFileSync } from 'node:fs';
const load = (await import(process.argv[2] + '/mujoco.js')).default;
const mj = await load();
const model = mj.MjModel.from_xml_string(readFileSync('press.xml', 'utf8'));
const data = new mj.MjData(model);
while (data.time < 2) mj.mj_step(model, data);
const close = (seen, wanted, what) => {
  if (Math.abs(seen / wanted - 1) > 1e-3) throw new Error(`${what}: ${seen}, not ${wanted}`);
};
close(-data.qpos[model.nq - 1], Number(process.argv[3]), 'depth');
if (data.sensordata.length !== 6) throw new Error('not six tactels');
for (const force of data.sensordata) close(force, Number(process.argv[4]), 'force');
)";

int run_in_newest(const std::string& mjcf, double depth_m, double force_N) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "press.xml", mjcf);
  test::save_text(folder / "run.mjs", kNodeRun);
  return test::run_in(
      folder, fmt::format("node run.mjs '{}' {} {}", TACTELIER_MUJOCO_NPM, depth_m, force_N));
}

TEST(MujocoRun, TheSameComesOutInTheNewestVersion) {
  if (std::string(TACTELIER_MUJOCO_NPM).empty()) GTEST_SKIP() << kNoNpm;
  const auto written = (*exporter("mujoco"))->write(mujoco_model());
  ASSERT_TRUE(written);
  EXPECT_EQ(run_in_newest(written->sidecars.at(0).text, 0.1 / 58.5, 0.1), 0);
}

TEST(MujocoRun, APadThatHardensSinksAsItsCurveSaysInTheNewestVersion) {
  if (std::string(TACTELIER_MUJOCO_NPM).empty()) GTEST_SKIP() << kNoNpm;
  // 58.5 d + 1e4 d^2 + 2e6 d^3 at 1, 2 and 3.5 mm. A line of 58.5 N/m sinks 1.2, 3.0 and 7.1 mm.
  for (const auto& [depth_m, force_N] : {std::pair{1e-3, 0.0705}, {2e-3, 0.173}, {3.5e-3, 0.413}}) {
    const auto written = (*exporter("mujoco-3.7"))->write(hardening_mujoco_model(2 * force_N));
    ASSERT_TRUE(written) << written.error().message;
    ASSERT_EQ(written->sidecars.size(), 1U);
    EXPECT_EQ(run_in_newest(written->sidecars[0].text, depth_m, force_N), 0) << depth_m;
  }
}

/// /usr/bin/python3 is the one that has NumPy.
TEST(MujocoRun, BristlesCarryLugresFrictionUnderAnyLoadInTheNewestVersion) {
  if (std::string(TACTELIER_MUJOCO_NPM).empty()) GTEST_SKIP() << kNoNpm;
  const auto written = (*exporter("mujoco-3.7"))->write(bristled_mujoco_model());
  ASSERT_TRUE(written) << written.error().message;
  const test::TemporaryFolder folder;
  for (const auto& sidecar : written->sidecars)
    test::save_text(folder / sidecar.name, sidecar.text);
  EXPECT_EQ(test::run_in(folder, fmt::format("/usr/bin/python3 '{}/tests/reports/export/"
                                             "mujoco_bristles.py' '{}' Acme_Pad_2x3_A_7_lugre.xml "
                                             "Acme_Pad_2x3_A_7_lugre",
                                             paths::source_dir(), TACTELIER_MUJOCO_NPM)),
            0);
}

}  // namespace
}  // namespace tactelier
