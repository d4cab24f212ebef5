#pragma once
// The virtual bench on real wires in this process, and the rig's devices opened on it.

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>

#include "devices/acquisition/session_document.hpp"
#include "devices/bench/bench_of_rig.hpp"
#include "devices/bench/running_bench.hpp"
#include "devices/motion/runner.hpp"
#include "devices/server/rig_service.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::rig {

class NobodyThere final : public OperatorInterface {
 public:
  Result<Answer> ask(const Question& question, const std::function<Result<void>()>&) override {
    return fail(ErrorCode::kUsage, "nobody is there to '{}'", question.text);
  }
  Result<void> place_object(const std::optional<ByHand>&) override { return {}; }
};

/// A pad of the WTS 0614 under this rig. Null, with a failure told, when it can't be.
using ChangeBench = std::function<void(devices::BenchSetup&)>;
inline std::unique_ptr<devices::RunningBench> start_bench(const RigFile& rig,
                                                          const pad::Effects& effects,
                                                          std::uint64_t seed, double speed,
                                                          const ChangeBench& change = {},
                                                          devices::StageDialect dialect = {}) {
  pad::DrawOptions draw;
  draw.relaxation = false;
  const auto truth = pad::draw_truth(*load_sensor("weiss-wts0614"), seed, draw);
  EXPECT_TRUE(truth);
  auto setup = devices::bench_setup_of(rig, *truth, effects, seed);
  EXPECT_TRUE(setup) << setup.error().message;
  setup->dialect = dialect;
  if (change) change(*setup);
  auto bench = devices::RunningBench::start(*setup, speed);
  EXPECT_TRUE(bench) << bench.error().message;
  return bench ? std::move(*bench) : nullptr;
}

/// The device file that opens it.
inline std::string device_text(const devices::RunningBench& bench, const RigFile& rig) {
  return bench.device_file(sensor_document(*load_sensor("weiss-wts0614")).dump(),
                           rig.stage.safe_height_m);
}

/// A rig file with members changed (JSON Merge Patch).
inline RigFile changed_rig(const RigFile& rig, const nlohmann::json& changes) {
  auto document = nlohmann::json::parse(rig.document);
  document.merge_patch(changes);
  auto changed = parse_rig(document.dump(), "rig");
  EXPECT_TRUE(changed) << changed.error().message;
  return std::move(*changed);
}

/// Preset clean: the surface is where the rig file says.
struct Laboratory {
  RigFile rig = virtual_bench_rig();
  std::optional<RigFile> believed;  // what the program is told instead
  pad::Effects effects = pad::clean();
  ChangeBench change;
  devices::StageDialect dialect;
  bool surface_confirmed = true;  // somebody has found the surface, so that the way down is fast
  std::unique_ptr<devices::RunningBench> bench;
  std::unique_ptr<LiveRig> live;

  void start(std::uint64_t seed, double speed) {
    bench = start_bench(rig, effects, seed, speed, change, dialect);
    ASSERT_TRUE(bench);
    auto file = devices::parse_device_file(device_text(*bench, rig), "bench");
    ASSERT_TRUE(file) << file.error().message;
    if (believed) rig = *believed;
    auto opened = LiveRig::open(std::move(*file), rig);
    ASSERT_TRUE(opened) << opened.error().message;
    live = std::move(*opened);
    const auto homed = live->stage().home();
    ASSERT_TRUE(homed) << homed.error().message;
    if (surface_confirmed) live->air().confirm_over(PadFrame(rig, live->sensor()), live->sensor());
  }

  Plan plan_of(const Protocol& protocol) const {
    auto plan = plan_protocol(protocol, live->sensor(), setup_for(rig, bench_setup()));
    EXPECT_TRUE(plan) << plan.error().message;
    return std::move(*plan);
  }
  Result<void> record(const Protocol& protocol, const Plan& plan,
                      const std::filesystem::path& file) {
    const auto metadata =
        live_metadata(rig, live->sensor(), plan, protocol, live->shapes(), {}, utc_now());
    if (!metadata) return fail(metadata.error());
    return live->record_to(file, *metadata);
  }
};

/// The same behind a rig process's service.
struct ServedLaboratory {
  RigFile rig = virtual_bench_rig();
  std::optional<RigFile> believed;  // what the program is told instead
  pad::Effects effects = pad::clean();
  ChangeBench change;
  bool hands = true;  // the bench does what an operator is asked for
  devices::StageDialect dialect;
  std::unique_ptr<devices::RunningBench> bench;
  std::unique_ptr<RigService> service;
  std::function<void(const std::string& question)> on_question = [](const std::string&) {};
  std::function<void(const nlohmann::json& news)> on_news = [](const nlohmann::json&) {};

  void start(std::uint64_t seed, double speed) {
    bench = start_bench(rig, effects, seed, speed, change, dialect);
    ASSERT_TRUE(bench);
    auto document = nlohmann::json::parse(device_text(*bench, rig));
    if (!hands) document["bench_control"] = nullptr;
    auto file = devices::parse_device_file(document.dump(), "bench");
    ASSERT_TRUE(file) << file.error().message;
    if (believed) rig = *believed;
    auto opened = RigService::open(std::move(*file), rig, {});
    ASSERT_TRUE(opened) << opened.error().message;
    service = std::move(*opened);
  }
  nlohmann::json ask(const nlohmann::json& request) { return service->handle(request, 1, {}); }
  nlohmann::json status() { return ask({{"do", "status"}})["result"]; }
  /// A task to its end: its last news.
  nlohmann::json carry_out(const nlohmann::json& request) {
    std::promise<nlohmann::json> over;
    auto said = over.get_future();
    const auto begun = service->handle(request, 1, [&](const nlohmann::json& news) {
      if (news["news"] == "question") {
        on_question(news["text"].get<std::string>());
        service->handle({{"do", "answer"}}, 1, {});
      }
      on_news(news);
      if (news["news"] == "done" || news["news"] == "failed") over.set_value(news);
    });
    EXPECT_TRUE(begun.contains("ok")) << begun.dump();
    return begun.contains("ok") ? said.get() : begun;
  }
};

}  // namespace tactelier::rig
