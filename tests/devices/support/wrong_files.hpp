#pragma once
// What can be wrong in a rig file without anybody's noticing, and what the true force on the pad is
// when the rig is used by it.

#include <cstdio>
#include <string>
#include <vector>

#include "tests/devices/support/laboratory.hpp"
#include "tests/devices/support/stall_meter.hpp"

namespace tactelier::rig {

struct WrongFile {
  std::string name;
  nlohmann::json believed = nlohmann::json::object();  // merged into the true rig file
  ChangeBench change = {};                             // or the bench is what isn't as stated
  double most_N = 0.3;  // while nothing has been found that a press could rely on
};

inline nlohmann::json stated_surface(double z0_mm) {
  return {{"surface", {{"z0_mm", z0_mm}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}}}};
}

/// The true surface lies at 0.
inline std::vector<WrongFile> wrong_files() {
  std::vector<WrongFile> files{{"nothing", stated_surface(0)}};
  for (const double off_mm : {-5.0, -3.0, -1.0, 1.0, 3.0, 5.0})
    files.push_back({fmt::format("surface {:+.0f} mm", off_mm), stated_surface(off_mm)});
  for (const double longer_mm : {5.0, -5.0})
    files.push_back(
        {fmt::format("tip {:.0f} mm {}", std::abs(longer_mm), longer_mm > 0 ? "longer" : "shorter"),
         stated_surface(0), [=](auto& bench) { bench.longer_tip_m = longer_mm * 1e-3; }});
  auto sign = stated_surface(0), axis = stated_surface(0), copied = stated_surface(-3);
  sign["force_sensor"]["press_axis"] = "z";
  axis["force_sensor"]["press_axis"] = "x";
  copied["force_push_date"] = copied["surface_date"] = "2026-01-01T00:00:00Z";
  copied["force_sensor"]["press_axis"] = "z";
  files.push_back({"sign of the force", sign});
  files.push_back({"axis of the force", axis});
  files.push_back({"copied file: proofs dated, sign and surface another rig's", copied});
  auto weighed = stated_surface(-3);
  weighed["check_mass_g"] = 100;
  for (const double gain : {0.1, 0.5, 2.0, 10.0})
    files.push_back({fmt::format("force reads {:g} times, 100 g to check", gain), weighed,
                     [=](auto& bench) { bench.wrong_gain = gain; }, 1});
  for (const double gain : {0.5, 2.0})
    files.push_back({fmt::format("force reads {:g} times, no weight; surface -3 mm", gain),
                     stated_surface(-3), [=](auto& bench) { bench.wrong_gain = gain; }, 1});
  for (const double times : {0.5, 2.0, 10.0})
    files.push_back({fmt::format("stage goes {:g} times as far; surface -3 mm", times),
                     stated_surface(-3), [=](auto& bench) { bench.wrong_travel = times; }, 1});
  // Under a frame that gives as preset lab's does: 83 N/mm.
  files.push_back({"rigid ground 2 mm higher", stated_surface(0),
                   [](auto& bench) {
                     bench.plate_m = Vector3{0, 0, 2e-3};
                     bench.effects.compliance.linear_m_per_N = 12e-6;
                   },
                   1});
  return files;
}

struct WrongFileOutcome {
  std::string state;  // "done", "failed: ..."
  double peak_N = 0;
  bool done = false;
  double stalled_s = 0;  // the longest that this computer kept a thread waiting meanwhile
};

/// "approach": a jog down at 10 mm/s towards 1 mm under the stated surface, or where travel ends;
/// "search": `surface`; "record": one press of 1 N with everything that it needs.
inline WrongFileOutcome use_wrong_file_once(const WrongFile& file, const std::string& phase,
                                            const pad::Effects& effects, double speed,
                                            const std::filesystem::path& folder) {
  WrongFileOutcome outcome;
  ServedLaboratory lab;
  lab.effects = effects;
  lab.change = file.change;
  lab.believed = changed_rig(lab.rig, file.believed);
  lab.start(3, speed);
  if (!lab.service) return outcome;
  nlohmann::json ended = lab.carry_out({{"do", "home"}});
  EXPECT_EQ(ended["news"], "done") << ended.dump();
  (void)lab.bench->take_peak_N();
  const StallMeter stalls;
  if (phase == "approach") {
    const auto at_mm = lab.status()["position_mm"].get<std::array<double, 3>>();
    const double to_mm = std::max(-4.9, file.believed["surface"]["z0_mm"].get<double>() - 1);
    ended =
        lab.carry_out({{"do", "jog"}, {"speed_mm_s", 10}, {"by_mm", {-at_mm[0], -at_mm[1], 0}}});
    if (ended["news"] == "done")
      ended =
          lab.carry_out({{"do", "jog"}, {"speed_mm_s", 10}, {"by_mm", {0, 0, to_mm - at_mm[2]}}});
  } else if (phase == "search") {
    ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  } else {
    const auto recording = folder / "wrong.tact";
    std::filesystem::remove(recording);
    ended = lab.carry_out({{"do", "record"},
                           {"set_up", true},
                           {"file", recording.string()},
                           {"protocol", nlohmann::json::parse(R"({
            "format": "tactelier/protocol", "version": 1, "name": "one",
            "indenter": {"shape": "sphere", "diameter_mm": 6},
            "steps": [{"do": "scan", "tactels": [38], "speed_mm_s": 0.5,
                       "until": {"force_N": 1, "depth_mm": 1.5}}]})")}});
  }
  outcome.peak_N = lab.bench->take_peak_N();
  outcome.stalled_s = stalls.longest_s();
  outcome.done = ended["news"] == "done";
  outcome.state = outcome.done ? "done" : "failed: " + ended["error"]["text"].get<std::string>();
  return outcome;
}

/// The same, again where this computer stood still meanwhile: the bench lives on, and no program
/// stops a stage while it does not run. What a standstill costs is told in docs/safety.md.
inline WrongFileOutcome use_wrong_file(const WrongFile& file, const std::string& phase,
                                       const pad::Effects& effects, double speed,
                                       const std::filesystem::path& folder) {
  constexpr double kStandstill_s = 8e-3;
  constexpr int kMaxTries = 4;
  for (int tries = 1;; ++tries) {
    auto outcome = use_wrong_file_once(file, phase, effects, speed, folder);
    const bool pressed = outcome.done && phase == "record";  // as it was asked to
    if (pressed || outcome.peak_N <= file.most_N || outcome.stalled_s < kStandstill_s ||
        tries == kMaxTries)
      return outcome;
    std::printf("  %.2f N past a standstill of %.0f ms: once more\n", outcome.peak_N,
                1e3 * outcome.stalled_s);
  }
}

}  // namespace tactelier::rig
