// Scripts for targets that can't run here: those for Bullet, gz-sim and Isaac Sim against small
// stand-ins of their modules (tests/reports/export/fakes/), the others as far as Python's compiler
// sees them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/text_file.hpp"
#include "reports/verify/verify_script.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/layout_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

std::string script_for(const SensorModel& model, std::string_view format) {
  const auto script = verify_script(model, format, "tactelier 0.1.0");
  EXPECT_TRUE(script) << script.error().message;
  return script.value_or("");
}

struct ScriptRun {
  int status = -1;
  nlohmann::json record;
};

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), text.npos) << from;
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Where the simulator's modules are stand-ins.
ScriptRun run_script(const std::string& script) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "verify.py", script);
  const auto command = fmt::format(
      "PYTHONPATH={}/tests/reports/export/fakes /usr/bin/python3 -B verify.py --record r.json "
      "> out.txt 2> err.txt",
      paths::source_dir());
  ScriptRun run{WEXITSTATUS(test::run_in(folder, command)), {}};
  const auto text = read_text_file(folder / "r.json", 1 << 24);
  if (text) run.record = *parse_json(*text, "record");
  EXPECT_TRUE(text) << read_text_file(folder / "err.txt", 1 << 20).value_or("");
  return run;
}

double worst_percent(const ScriptRun& run, const std::string& quantity) {
  for (const auto& one : run.record["quantities"])
    if (one["name"] == quantity) return one["worst_percent"];
  ADD_FAILURE() << "no quantity " << quantity;
  return -1;
}

/// A pad whose damper is slow beside its spring, so that Isaac's step may be long.
SensorModel slow_model() { return with(mujoco_model(), {"damping.c_n=11.7"}); }

struct Simulator {
  const char* format;
  const char* engine;
  SensorModel (*model)();
  double time_step_s;
  double damping_off_percent;  // what its contacts add
};

class ScriptedSimulator : public testing::TestWithParam<Simulator> {};

TEST_P(ScriptedSimulator, WritesARecordOfOurSchemaThatSaysThePadIsRight) {
  const auto model = GetParam().model();
  const auto run = run_script(script_for(model, GetParam().format));
  EXPECT_EQ(run.status, 0);
  const auto valid = check_schema(run.record, "verification-record", "record");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_EQ(run.record["name"], fmt::format("Acme_Pad_2x3_A_7.{}", GetParam().format));
  EXPECT_EQ(run.record["model_sha256"], model_hash(model));
  EXPECT_EQ(run.record["target"]["format"], GetParam().format);
  EXPECT_EQ(run.record["target"]["engine"], GetParam().engine);
  EXPECT_EQ(run.record["target"]["time_step_s"], GetParam().time_step_s);
  EXPECT_EQ(run.record["passed"], true);
  ASSERT_EQ(run.record["quantities"].size(), 7U);
  const auto& depth = run.record["quantities"][0]["presses"];
  ASSERT_EQ(depth.size(), 5U);
  EXPECT_NEAR(depth[0]["expected"].get<double>(), 0.02 / 58.5, 1e-12);  // 10 % of 0.2 N
  EXPECT_LT(worst_percent(run, "depth under a plate"), 0.01);
  EXPECT_NEAR(worst_percent(run, "damping of each tactel"), GetParam().damping_off_percent, 0.01);
  EXPECT_LT(worst_percent(run, "friction of a sliding plate"), 1e-6);
  EXPECT_LT(worst_percent(run, "force on all others"), 1e-9);
}

/// k dt is added to the damping in Isaac alone: half a percent, as its step was chosen.
INSTANTIATE_TEST_SUITE_P(VerifyScript, ScriptedSimulator,
                         testing::Values(Simulator{"bullet", "PyBullet", mujoco_model, 5e-4, 0},
                                         Simulator{"sdf", "gz-sim, DART", mujoco_model, 1e-4, 0},
                                         Simulator{"isaac", "Isaac Sim, PhysX", slow_model, 1e-3,
                                                   0.5}),
                         [](const auto& one) { return std::string(one.param.format); });

TEST(VerifyScript, FindsAChangedWorldOfGzSim) {
  auto script = script_for(mujoco_model(), "sdf");
  // A tip twice as heavy lets through more of its spring.
  const auto at = script.find("<mass>0.0001</mass>");
  ASSERT_NE(at, script.npos);
  script.replace(at, 19, "<mass>0.0002</mass>");
  const auto run = run_script(script);
  EXPECT_EQ(run.status, 5);
  EXPECT_GT(worst_percent(run, "depth of a ball on one tactel"), 1);
}

TEST(VerifyScript, FindsAFileThatWasChanged) {
  auto script = script_for(mujoco_model(), "bullet");
  script =
      with_replaced(script, R"(<stiffness value=\\\"58.5\\\")", R"(<stiffness value=\\\"59.5\\\")");
  script = with_replaced(script, R"(<lateral_friction value=\\\"0.23\\\")",
                         R"(<lateral_friction value=\\\"0.22\\\")");
  const auto run = run_script(script);
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.record["passed"], false);
  EXPECT_NEAR(worst_percent(run, "depth under a plate"), 100 - 5850 / 59.5, 0.01);
  EXPECT_NEAR(worst_percent(run, "friction of a sliding plate"), 100 * 0.01 / 0.23, 0.01);
}

TEST(VerifyScript, IsWrittenForEachTargetAndCompiles) {
  const test::TemporaryFolder folder;
  for (const auto& format : scripted_formats()) {
    const auto script = script_for(read_model_2x3(), format);
    const auto name = verify_script_name(format);
    test::save_text(folder / name, script);
    EXPECT_EQ(test::run_in(folder, "/usr/bin/python3 -B -m py_compile " + name), 0) << format;
    EXPECT_THAT(script, HasSubstr("REFERENCE = json.loads("));
    EXPECT_THAT(script, HasSubstr(model_hash(read_model_2x3())));
  }
  EXPECT_EQ(verify_script_name("drake"), "verify_in_drake.py");
}

TEST(VerifyScript, LeavesOutWhatAPadHasNotAndRefusesOtherFormats) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "pad.py", script_for(curved_model(), "chrono"));
  test::save_text(folder / "check.py", R"(
import pad
assert pad.REFERENCE['plate'] == [] and pad.REFERENCE['moving'] == []
assert len(pad.REFERENCE['ball']) == 3 and any('level' in why for why in pad.REFERENCE['left_out'])
assert set(pad.REFERENCE['files']) == {'Acme_Arc_7.json', 'Acme_Arc_7_chrono.py'}
)");
  EXPECT_EQ(test::run_in(folder, "/usr/bin/python3 -B check.py"), 0);
  const auto refused = verify_script(mujoco_model(), "openrave", "tactelier 0.1.0");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("bullet, drake, newton, genesis, chrono, sdf, isaac"));
  const auto sparse = verify_script(wts_model(), "bullet", "tactelier 0.1.0");
  ASSERT_FALSE(sparse);
  EXPECT_THAT(sparse.error().message, HasSubstr("--assume stiffness.k="));
}

}  // namespace
}  // namespace tactelier
