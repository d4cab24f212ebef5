// tactelier synth as its users meet it: recordings with their truth, fits that find it again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json read_json(const TestFolder& folder, std::string_view name) {
  return json::parse(folder.read(name));
}

/// Is the truth inside the stated interval, repetition and the rest together?
bool holds(const json& fitted, const json& truth) {
  const double half = fitted["u_total"].is_null()
                          ? (fitted["ci95"][1].get<double>() - fitted["ci95"][0].get<double>()) / 2
                          : fitted["u_total"].get<double>();
  return std::abs(fitted["value"].get<double>() - truth["value"].get<double>()) <= half;
}

TEST(SynthCommand, WritesTheRecordingAndBothTruths) {
  const TestFolder folder;
  const auto made = run_cli(folder.path(), {"synth", "--protocol", "study", "-o", "pad.tact"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(folder.files(),
              testing::ElementsAre("pad.rig-truth.json", "pad.tact", "pad.truth.json"));
  EXPECT_TRUE(check_schema(read_json(folder, "pad.truth.json"), "sensor-model", "truth"));
  EXPECT_TRUE(check_schema(read_json(folder, "pad.rig-truth.json"), "rig", "rig"));
  EXPECT_EQ(run_cli(folder.path(), {"info", "pad.tact"}).status, 0);
}

TEST(SynthCommand, ReplacesARecordingWhenToldSoAlone) {
  const TestFolder folder;
  const std::vector<std::string> made{"synth", "--protocol", "study", "-o", "pad.tact"};
  ASSERT_EQ(run_cli(folder.path(), made).status, 0);
  const auto first = folder.read("pad.tact");
  auto again = made;
  again.insert(again.end(), {"--seed", "2"});
  const auto refused = run_cli(folder.path(), again);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(folder.read("pad.tact"), first);
  again.emplace_back("--force");
  const auto replaced = run_cli(folder.path(), again);
  EXPECT_EQ(replaced.status, 0) << replaced.err;
  EXPECT_NE(folder.read("pad.tact"), first);
}

TEST(SynthCommand, TheFitFindsGainThresholdAndSaturationAgain) {
  const TestFolder folder;
  ASSERT_EQ(run_cli(folder.path(), {"synth", "--protocol", "study", "-o", "p.tact", "--seed", "5"})
                .status,
            0);
  const auto fit = run_cli(folder.path(), {"fit", "p.tact", "-o", "m.json"});
  ASSERT_EQ(fit.status, 0) << fit.err;
  const auto model = read_json(folder, "m.json");
  const auto truth = read_json(folder, "p.truth.json");
  int compared = 0;
  int held = 0;
  for (std::size_t i = 0; i < 84; ++i) {
    const auto& fitted = model["response"]["tactels"][i];
    for (const auto* name : {"press_gain", "press_threshold", "saturation"}) {
      if (fitted[name]["status"] != "identified") continue;
      ++compared;
      held += holds(fitted[name], truth["response"]["tactels"][i][name]) ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 9);
  EXPECT_GE(held, compared - 1);  // 95 %
  EXPECT_TRUE(holds(model["stiffness"]["k_punch"], truth["stiffness"]["k_punch"]));
}

TEST(SynthCommand, SimulatesATruthThatItIsGiven) {
  const TestFolder folder;
  ASSERT_EQ(run_cli(folder.path(), {"synth", "--protocol", "study", "-o", "a.tact"}).status, 0);
  ASSERT_EQ(run_cli(folder.path(),
                    {"synth", "--protocol", "study", "-o", "b.tact", "--truth", "a.truth.json"})
                .status,
            0);
  const auto a = read_json(folder, "a.truth.json");
  const auto b = read_json(folder, "b.truth.json");
  EXPECT_EQ(a["response"], b["response"]);
  EXPECT_NEAR(a["stiffness"]["k_punch"]["value"].get<double>(),
              b["stiffness"]["k_punch"]["value"].get<double>(), 1e-6);
}

TEST(SynthCommand, ImportsAgainWhatItUnpacks) {
  const TestFolder folder;
  ASSERT_EQ(
      run_cli(folder.path(), {"synth", "--protocol", "study", "-o", "a.tact", "--preset", "lab"})
          .status,
      0);
  ASSERT_EQ(run_cli(folder.path(), {"unpack", "a.tact", "a"}).status, 0);
  ASSERT_EQ(run_cli(folder.path(), {"import", "a", "-o", "b.tact"}).status, 0);
  ASSERT_EQ(run_cli(folder.path(), {"unpack", "b.tact", "b"}).status, 0);
  for (const auto* file : {"force.csv", "stage.csv", "tactile.csv", "events.csv"})
    EXPECT_TRUE(folder.read(std::string("a/") + file) == folder.read(std::string("b/") + file))
        << file;
}

TEST(SynthCommand, LetsStepsRingOnLabAndWhereTheOptionSays) {
  const TestFolder folder;
  const auto rings = [&](std::vector<std::string> options) {
    std::vector<std::string> command{"synth", "--protocol", "study", "-o", "s.tact", "--force"};
    command.insert(command.end(), options.begin(), options.end());
    const auto made = run_cli(folder.path(), command);
    EXPECT_EQ(made.status, 0) << made.err;
    return json::parse(folder.read("s.rig-truth.json"))["truth"].contains("step_ring_hz");
  };
  EXPECT_FALSE(rings({}));
  EXPECT_TRUE(rings({"--preset", "lab"}));
  EXPECT_TRUE(rings({"--preset", "rough"}));
  EXPECT_FALSE(rings({"--preset", "lab", "--steps", "ticks"}));
  EXPECT_TRUE(rings({"--preset", "clean", "--steps", "ringing"}));
  const auto wrong =
      run_cli(folder.path(), {"synth", "--protocol", "study", "-o", "t.tact", "--steps", "rining"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, testing::HasSubstr("ringing"));
}

TEST(SynthCommand, DryRunSaysWhatTheProtocolWillAndWontIdentify) {
  const TestFolder folder;
  const auto dry = run_cli(
      folder.path(), {"synth", "--protocol", "study", "--preset", "lab", "--dry-run", "--json"});
  ASSERT_EQ(dry.status, 0) << dry.err;
  EXPECT_TRUE(folder.files().empty());
  const auto document = json::parse(dry.out);
  const auto valid = check_schema(document, "cli-synth", "synth");
  EXPECT_TRUE(valid) << valid.error().message;
  bool gain = false;
  for (const auto& p : document["result"]["predictions"])
    if (p["path"] == "response.tactels[].press_gain") gain = p["determined"].get<int>() > 0;
  EXPECT_TRUE(gain);
  bool plate_missing = false;
  for (const auto& warning : document["warnings"])
    if (warning["code"] == "ED-01" && warning["where"] == "rig.compliance") plate_missing = true;
  EXPECT_TRUE(plate_missing) << document["warnings"].dump(1);
}

TEST(SynthCommand, JsonOfARecordingKeepsToItsSchema) {
  const TestFolder folder;
  const auto made =
      run_cli(folder.path(), {"synth", "--protocol", "study", "-o", "a.tact", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto valid = check_schema(json::parse(made.out), "cli-synth", "synth");
  EXPECT_TRUE(valid) << valid.error().message;
}

TEST(SynthCommand, WrongInputIsNamedAndLeavesNothing) {
  const TestFolder folder;
  folder.write("bad.json", R"({"format": "tactelier/protocol", "version": 1, "name": "x",
    "steps": [{"do": "scan", "tactels": "all", "speed_mm": 1}]})");
  folder.write("deep.json", R"({"format": "tactelier/protocol", "version": 1, "name": "x",
    "indenter": {"shape": "cylinder", "diameter_mm": 1},
    "steps": [{"do": "staircase", "sites": [1], "depths_mm": [50], "dwell_s": 1}]})");
  const auto files = folder.files();
  const auto bad = run_cli(folder.path(), {"synth", "--protocol", "bad.json", "-o", "a.tact"});
  EXPECT_EQ(bad.status, 3);
  EXPECT_THAT(bad.err, HasSubstr("did you mean 'speed_mm_s'"));
  const auto deep = run_cli(folder.path(), {"synth", "--protocol", "deep.json", "-o", "a.tact"});
  EXPECT_EQ(deep.status, 3) << deep.err;
  EXPECT_THAT(deep.err, HasSubstr("step 1 (staircase)"));
  const auto name = run_cli(folder.path(), {"synth", "--protocol", "quik", "-o", "a.tact"});
  EXPECT_THAT(name.err, HasSubstr("quick"));
  EXPECT_EQ(run_cli(folder.path(), {"synth", "--protocol", "quick", "-o", "a.txt"}).status, 2);
  EXPECT_EQ(run_cli(folder.path(), {"synth", "--protocol", "quick"}).status, 2);
  EXPECT_EQ(
      run_cli(folder.path(), {"synth", "--protocol", "quick", "-o", "a.tact", "--preset", "dirty"})
          .status,
      2);
  EXPECT_EQ(
      run_cli(folder.path(), {"synth", "--protocol", "quick", "-o", "a.tact", "--draw", "dragons"})
          .status,
      2);
  EXPECT_EQ(folder.files(), files);
}

/// A protocol 'mine' of two steps, of which the second is wrong; exit status and message.
CliResult second_step(std::string_view step) {
  const TestFolder folder;
  folder.write("mine.json", R"({"format": "tactelier/protocol", "version": 1, "name": "mine",
    "indenter": {"shape": "cylinder", "diameter_mm": 1},
    "steps": [{"do": "zero", "time_s": 1}, )" +
                                std::string(step) + "]}");
  const auto made = run_cli(folder.path(), {"synth", "--protocol", "mine.json", "-o", "a.tact"});
  EXPECT_THAT(folder.files(), testing::ElementsAre("mine.json")) << step;
  return made;
}

TEST(SynthCommand, EveryWrongStepIsNamedWithItsKey) {
  struct Wrong {
    std::string_view step;
    std::string_view names;  // "step 2 (NAME)"
    std::string_view says;
  };
  // Wrong keys and values, places off the array, speeds, depths and forces beyond a limit.
  constexpr Wrong kWrong[] = {
      {R"({"do": "scan", "tactels": "all", "speed_mm": 1})", "step 2 (scan)",
       "unknown key 'speed_mm' (did you mean 'speed_mm_s'?)"},
      {R"({"do": "zero", "time_s": -1})", "step 2 (zero)", "time_s: must be more than 0, found -1"},
      {R"({"do": "zerro", "time_s": 1})", "step 2 (zerro)", "did you mean 'zero'?"},
      {R"({"do": "prompt"})", "step 2 (prompt)", "key 'text' is missing"},
      {R"({"do": "scan", "tactels": [3], "speed_mm_s": 1})", "step 2 (scan)",
       "key 'until' with force_N, depth_mm, pressure_MPa or saturated is missing"},
      {R"({"do": "scan", "tactels": [84], "speed_mm_s": 1, "until": {"force_N": 1}})",
       "step 2 (scan)", "tactel 84 is not on the array, which has 0 .. 83"},
      {R"({"do": "hold", "sites": [[30, 0]], "depth_mm": 0.5, "ramp_s": 1, "time_s": 1})",
       "step 2 (hold)", "point (30, 0) mm lies off the array"},
      {R"({"do": "raster", "area_mm": [-40, 0, 0, 0], "step_mm": 1, "depth_mm": 0.5})",
       "step 2 (raster)", "area_mm: point (-40, 0) mm lies off the array"},
      {R"({"do": "scan", "tactels": [3], "speed_mm_s": 9, "until": {"force_N": 1}})",
       "step 2 (scan)", "speed_mm_s 9 is more than the stage does along z, 8 mm/s"},
      {R"({"do": "hold", "sites": [1], "depth_mm": 0.5, "ramp_s": 0.01, "time_s": 1})",
       "step 2 (hold)", "ramp_s 0.01: 0.5 mm can't be reached"},
      {R"({"do": "staircase", "sites": [1], "depths_mm": [2.5], "dwell_s": 1})",
       "step 2 (staircase)", "depth_mm 2.5 exceeds the depth limit of 2 mm"},
      {R"({"do": "plate", "force_N": 30, "speed_mm_s": 0.1})", "step 2 (plate)",
       "force_N 30 exceeds the force limit of 25 N"},
      {R"({"do": "hold", "sites": [1], "force_N": 30, "ramp_s": 1, "time_s": 1})", "step 2 (hold)",
       "force_N 30 exceeds the force limit of"},
      {R"({"do": "scan", "tactels": [3], "speed_mm_s": 1, "until": {"force_N": 30}})",
       "step 2 (scan)", "until.force_N 30 exceeds the force limit of"},
      {R"({"do": "slide", "load_N": [1], "speeds_mm_s": [5], "length_mm": 8,
           "directions_deg": [0]})",
       "step 2 (slide)", "has sharp edges and would tear the pad"},
      {R"({"do": "repeat", "times": 2, "steps": [{"do": "zero", "time_s": 1},
           {"do": "chirp", "sites": [1], "preload_mm": 0.3, "amplitude_mm": 0.4, "from_hz": 1,
            "to_hz": 5, "time_s": 5}]})",
       "step 2.2 (chirp)", "amplitude_mm 0.4 is not below preload_mm 0.3"},
  };
  for (const auto& wrong : kWrong) {
    const auto made = second_step(wrong.step);
    EXPECT_EQ(made.status, 3) << wrong.step;
    EXPECT_THAT(made.err, HasSubstr("mine"));
    EXPECT_THAT(made.err, HasSubstr(std::string(wrong.names)));
    EXPECT_THAT(made.err, HasSubstr(std::string(wrong.says)));
  }
}

}  // namespace
}  // namespace tactelier::test
