// The station over real wires: bench, rig process and station as separate programs. Another sensor
// is the bench's pad, clamped a little elsewhere.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/workflow/catalogue/catalogue.hpp"
#include "devices/registry/device_file.hpp"
#include "devices/server/rig_client.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/rig.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kPath = "response.tactels[].press_gain";
constexpr const char* kTwoPresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "two",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [38, 45], "speed_mm_s": 0.8,
             "until": {"force_N": 1.5, "depth_mm": 1.5}}]})";

void wait_until(const std::function<bool()>& so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!so()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::yield();
  }
}

class StationAtTheBench : public testing::Test {
 protected:
  void SetUp() override {
    bench_ = std::make_unique<CliProcess>(
        folder_.path(), std::vector<std::string>{"bench", "--json", "--speed", "8", "--seed", "4"});
    const auto announced = parse_json(bench_->read_line(), "bench --json");
    ASSERT_TRUE(announced);
    bench_control_ = announced->at("result")["endpoints"]["bench_control"];
    folder_.write("devices.json", announced->at("result")["devices"].dump());
    folder_.write("rig.json", virtual_bench_rig().document);
    folder_.write("two.json", kTwoPresses);
  }
  void TearDown() override {
    run_cli(folder_.path(), {"rig", "quit", "--devices", "devices.json"});
  }

  /// The exit status; what it says goes to "out" and "err".
  int station(const std::string& lines, const std::string& more) const {
    folder_.write("lines", lines);
    const auto command = fmt::format(
        "cd {} && {} station line3 --devices devices.json --rig rig.json --protocol two.json "
        "--stages wrench,contact,response --yes --json {} <lines >out 2>err",
        folder_.path().string(), paths::cli(), more);
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
  std::vector<json> labels() const {
    std::vector<json> found;
    std::istringstream lines(folder_.read("out"));
    for (std::string line; std::getline(lines, line);) {
      const auto document = json::parse(line);
      const auto valid = check_schema(document, "cli-station", "station --json");
      EXPECT_TRUE(valid) << valid.error().message;
      found.push_back(document["result"]);
    }
    return found;
  }
  /// Nine sensors like `value`, the limits 11 % to either side.
  void write_fleet(const char* name, const CatalogueFit& like, double value) const {
    auto catalogue = Catalogue::open(folder_ / name);
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    for (int i = -4; i <= 4; ++i) {
      auto fit = like;
      fit.key = fmt::format("{}", i);
      fit.serial = fmt::format("F{}", i + 4);
      std::erase_if(fit.values, [](const CatalogueValue& row) { return row.path != kPath; });
      fit.values.at(0).value = value * (1 + 0.0125 * i);
      ASSERT_TRUE(catalogue->add(fit));
    }
  }
  /// What the first station found of the only sensor.
  CatalogueFit first_fit() const {
    const auto catalogue = Catalogue::read(folder_ / "first.sqlite");
    EXPECT_TRUE(catalogue) << catalogue.error().message;
    return catalogue->fit(*catalogue->keys()->begin()).value().value();
  }
  void say(const std::string& line) const { ask_over_tcp(bench_control_, line); }
  json status() const {
    auto client = rig::RigClient::connect(
        rig::socket_of(*devices::load_device_file(folder_ / "devices.json")));
    if (!client) return nullptr;
    return client->ask({{"do", "status"}}).value_or(json());
  }

  TestFolder folder_;
  std::unique_ptr<CliProcess> bench_;
  std::string bench_control_;
};

TEST_F(StationAtTheBench, MeasuresAcceptsRejectsRefusesAndGoesOn) {
  // Without limits: the fleet begins.
  ASSERT_EQ(station("A1\n\n\nend\n", "--catalogue first.sqlite"), 0) << folder_.read("err");
  ASSERT_EQ(labels().size(), 1U);
  EXPECT_EQ(labels()[0]["verdict"], "measured");
  const auto like = first_fit();
  EXPECT_EQ(like.serial, "A1");
  const auto gain = std::ranges::find(like.values, kPath, &CatalogueValue::path);
  ASSERT_NE(gain, like.values.end());
  ASSERT_TRUE(gain->value);
  write_fleet("fleet.sqlite", like, *gain->value);
  write_fleet("others.sqlite", like, 2 * *gain->value);

  // Another one, clamped elsewhere: found anew, accepted.
  say(R"({"do": "remount"})");
  const auto judged = fmt::format(" --parameter {}", kPath);
  ASSERT_EQ(station("A2\n\nA2\n", "--catalogue fleet.sqlite" + judged), 0) << folder_.read("err");
  EXPECT_EQ(labels().at(0)["verdict"], "accept") << labels().at(0).dump(1);
  ASSERT_EQ(station("A3\n\n\n", "--catalogue others.sqlite" + judged), 0) << folder_.read("err");
  EXPECT_EQ(labels().at(0)["verdict"], "reject");
  EXPECT_THAT(labels().at(0)["why"].get<std::string>(), HasSubstr("limits"));

  // Nothing in the clamp.
  say(R"({"set": "target", "target": "nothing"})");
  ASSERT_EQ(station("A4\n\n\n", "--catalogue fleet.sqlite" + judged), 0);
  EXPECT_TRUE(labels().empty());
  EXPECT_THAT(folder_.read("err"), HasSubstr("A4: NOT MEASURED: "));
  say(R"({"set": "target", "target": "by-place"})");

  // The rig process is killed within a press; the same sensor goes on.
  auto killed = std::async(
      std::launch::async, [&] { return station("A5\n\n\n", "--catalogue fleet.sqlite" + judged); });
  wait_until([&] {
    const auto now = status();
    return now.is_object() && !now["recording"].is_null() && now["force_N"].get<double>() > 0.5;
  });
  ASSERT_EQ(::kill(status()["process"].get<int>(), SIGKILL), 0);
  EXPECT_NE(killed.get(), -1);
  EXPECT_TRUE(labels().empty());
  ASSERT_EQ(station("A5\n\n\n", "--catalogue fleet.sqlite" + judged), 0) << folder_.read("err");
  EXPECT_THAT(folder_.read("err"), HasSubstr("goes on"));
  EXPECT_EQ(labels().at(0)["verdict"], "accept") << labels().at(0).dump(1);
  EXPECT_TRUE(fs::is_empty(folder_ / "line3/begun"));
}

TEST_F(StationAtTheBench, AStopEndsItAndLeavesTheRigLocked) {
  auto stopped = std::async(std::launch::async,
                            [&] { return station("A1\n\n\n", "--catalogue first.sqlite"); });
  wait_until([&] {
    const auto now = status();
    return now.is_object() && !now["recording"].is_null() && now["force_N"].get<double>() > 0.5;
  });
  auto client =
      rig::RigClient::connect(rig::socket_of(*devices::load_device_file(folder_ / "devices.json")));
  ASSERT_TRUE(client);
  ASSERT_TRUE(client->ask({{"do", "stop"}}));
  EXPECT_EQ(stopped.get(), 4);
  EXPECT_THAT(folder_.read("err"), HasSubstr("The rig is locked: call whoever looks after it"));
  EXPECT_EQ(status()["mode"], "fault");
  EXPECT_TRUE(labels().empty());
}

}  // namespace
}  // namespace tactelier::test
