// P0 to P12 on simulated pads: what the plan promises is identified, on both presets, unless the
// plan has warned.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/plan_recording.hpp"
#include "app/workflow/synth_session.hpp"
#include "fitting/engine/facts.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

struct PlannedCase {
  std::string protocol;
  std::string preset;
};
void PrintTo(const PlannedCase& each, std::ostream* out) {
  *out << each.protocol << ", " << each.preset;
}

/// Identified entries of a path without indices.
int identified_of(const SensorModel& model, const std::string& wanted) {
  int count = 0;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       const bool same = path == wanted || without_indices(path) == wanted;
                       count += same && parameter.determined() ? 1 : 0;
                     });
  return count;
}

class PlannedProtocol : public testing::TestWithParam<PlannedCase> {};

TEST_P(PlannedProtocol, GivesWhatItPromises) {
  const TestFolder folder;
  const bool lab = GetParam().preset == "lab";
  const auto rig = std::filesystem::path(paths::source_dir()) / "data/rigs" /
                   (lab ? "lab-bench.json" : "ideal-bench.json");
  SynthRequest request;
  request.protocol = GetParam().protocol;
  request.preset = GetParam().preset;
  request.rig = rig;
  request.target = folder / "a.tact";
  request.draw = {"relaxation"};
  const auto made = synth_session(request, {});
  ASSERT_TRUE(made) << made.error().message;
  FitRequest fit;
  fit.sessions = {made->recording};
  const auto report = fit_sessions(fit, {});
  ASSERT_TRUE(report) << report.error().message;
  RecordingPlanRequest wanted;
  wanted.protocol = GetParam().protocol;
  wanted.rig = rig;
  wanted.expect = made->truth;
  wanted.additions = false;
  const auto planned = plan_recording(wanted, {});
  ASSERT_TRUE(planned) << planned.error().message;
  for (const auto& one : planned->parameters) {
    if (!one.promised() || !one.may_fail.empty()) continue;
    // One tactel in six of a lab's array is dead, stuck or noisy at most.
    const int needed = one.of > 1 ? one.determined * 5 / 6 : 1;
    EXPECT_GE(identified_of(report->model, one.path), needed) << one.path;
  }
}

std::vector<PlannedCase> planned_cases() {
  std::vector<PlannedCase> cases;
  for (int i = 0; i <= 11; ++i)
    for (const auto* preset : {"clean", "lab"}) cases.push_back({fmt::format("p{}", i), preset});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, PlannedProtocol, testing::ValuesIn(planned_cases()),
                         [](const auto& each) { return each.param.protocol + each.param.preset; });

}  // namespace
}  // namespace tactelier::test
