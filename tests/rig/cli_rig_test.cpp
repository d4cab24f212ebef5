// The rig as users meet it: bench, rig process and record as separate programs over real wires.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "devices/server/rig_client.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/rig.hpp"
#include "libcalib/session/session.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kTwoPresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "two",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [38, 45], "speed_mm_s": 0.8,
             "until": {"force_N": 1.5, "depth_mm": 1.5}}]})";
constexpr const char* kLongHold = R"({
  "format": "tactelier/protocol", "version": 1, "name": "long",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "hold", "sites": [38], "force_N": 1.0, "ramp_s": 1, "time_s": 300}]})";

class RigCommand : public testing::Test {
 protected:
  void start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"bench", "--json", "--speed", "5"};
    words.insert(words.end(), more.begin(), more.end());
    bench_ = std::make_unique<CliProcess>(folder_.path(), words);
    const auto announced = parse_json(bench_->read_line(), "bench --json");
    ASSERT_TRUE(announced);
    result_ = announced->at("result");
    folder_.write("devices.json", result_["devices"].dump());
    auto rig = json::parse(virtual_bench_rig().document);
    rig["emergency_stop"] = false;
    folder_.write("rig.json", rig.dump());
    folder_.write("two.json", kTwoPresses);
    folder_.write("long.json", kLongHold);
  }
  void TearDown() override {
    if (!bench_) return;
    // It has ended then: the next bench may be given the same pseudo-terminal, by which a rig
    // process is found.
    run_cli(folder_.path(), {"rig", "quit", "--devices", "devices.json"});
  }
  CliResult record(std::vector<std::string> more) {
    more.insert(more.begin(), {"record", "--devices", "devices.json", "--rig", "rig.json"});
    return run_cli(folder_.path(), more);
  }
  rig::RigClient client() {
    return *rig::RigClient::connect(
        rig::socket_of(*devices::load_device_file(folder_ / "devices.json")));
  }
  json status() { return *client().ask({{"do", "status"}}); }
  /// As somebody at a second terminal would.
  CliResult tell(std::vector<std::string> words) {
    words.insert(words.begin(), "rig");
    words.insert(words.end(), {"--devices", "devices.json"});
    return run_cli(folder_.path(), words);
  }
  std::string say(const std::string& line) {
    return ask_over_tcp(result_["endpoints"]["bench_control"].get<std::string>(), line);
  }
  static void check(const std::string& out, const char* schema) {
    const auto valid = check_schema(json::parse(out), schema, schema);
    EXPECT_TRUE(valid) << valid.error().message << '\n' << out;
  }

  TestFolder folder_;
  std::unique_ptr<CliProcess> bench_;
  json result_;
};

TEST_F(RigCommand, FindsTheSurfaceThatIsThere) {
  ASSERT_NO_FATAL_FAILURE(start({"--preset", "lab", "--seed", "4", "--write-truth", "t.json"}));
  const auto found = run_cli(folder_.path(), {"surface", "--devices", "devices.json", "--rig",
                                              "rig.json", "--yes", "--json"});
  ASSERT_EQ(found.status, 0) << found.err;
  check(found.out, "cli-surface");
  const auto surface = json::parse(found.out)["result"]["surface"];
  const auto truth = json::parse(folder_.read("t.rig-truth.json"))["surface"];
  // Steps of 2.5 um with an error of 5 um each, and a drift of 15 um/h.
  EXPECT_NEAR(surface["z0_mm"].get<double>(), truth["z0_mm"].get<double>(), 0.015);
  EXPECT_NEAR(surface["tilt_x_deg"].get<double>(), truth["tilt_x_deg"].get<double>(), 0.05);
  EXPECT_NEAR(surface["tilt_y_deg"].get<double>(), truth["tilt_y_deg"].get<double>(), 0.1);
}

/// The pad lies 3 mm higher than the rig file says: once, that ended 0 with a surface in the pad
/// and pressed 46 N in the recording after it.
TEST_F(RigCommand, AStaleSurfaceIsNamedAndThePadHardlyTouched) {
  ASSERT_NO_FATAL_FAILURE(start());
  auto rig = json::parse(folder_.read("rig.json"));
  rig["surface"] = {{"z0_mm", -3}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
  rig["surface_date"] = rig["force_push_date"] = "2026-01-01T00:00:00Z";
  folder_.write("rig.json", rig.dump());
  const auto found = run_cli(folder_.path(), {"surface", "--devices", "devices.json", "--rig",
                                              "rig.json", "--yes", "--json"});
  EXPECT_EQ(found.status, 4) << found.out;
  EXPECT_THAT(found.err, HasSubstr("surface.z0_mm = "));
  const auto recorded = record({"--protocol", "two.json", "-o", "two.tact", "--yes"});
  EXPECT_EQ(recorded.status, 4);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "two.tact"));
  const auto peak = json::parse(say(R"({"get": "peak"})"));
  EXPECT_GT(peak["force_N"].get<double>(), 0.02);
  EXPECT_LE(peak["force_N"].get<double>(), 0.3);
}

TEST_F(RigCommand, FindsHowMuchTheRigGivesAndWhereThePlateIs) {
  ASSERT_NO_FATAL_FAILURE(start({"--preset", "lab", "--seed", "4", "--write-truth", "t.json"}));
  const auto found = run_cli(folder_.path(), {"plate", "--devices", "devices.json", "--rig",
                                              "rig.json", "--yes", "--json", "-o", "p.tact"});
  ASSERT_EQ(found.status, 0) << found.err;
  check(found.out, "cli-plate");
  const auto plate = json::parse(found.out)["result"]["plate"];
  const auto truth = json::parse(folder_.read("t.rig-truth.json"));
  // The bench's plate gives 0.2 um/N itself, which its rig file doesn't say.
  const double true_um_per_N = truth["compliance_um_per_N"].get<double>() + 0.2;
  EXPECT_NEAR(plate["compliance_um_per_N"].get<double>(), true_um_per_N, 1.5);
  // The play is none of the frame's.
  EXPECT_LT(plate["U_compliance_um_per_N"].get<double>(), 1.5);
  // As drawn for this rig; the nut's microsteps are up to 7.6 um off.
  EXPECT_NEAR(plate["backlash_um"].get<double>(),
              truth["truth"]["constants"]["backlash_um"].get<double>(), 4);
  EXPECT_GT(plate["U_compliance_um_per_N"].get<double>(),
            std::abs(plate["compliance_um_per_N"].get<double>() - true_um_per_N));
  // Its top is at 0; the stage comes 5 um off, with steps of 2.5 um and 17.5 um of play.
  EXPECT_NEAR(plate["plate_z_mm"].get<double>(), 0, 0.03);
  const auto rig = json::parse(folder_.read("rig.json"));
  EXPECT_EQ(rig["compliance_um_per_N"], plate["compliance_um_per_N"]);
  EXPECT_EQ(rig["plate_mm"][2], plate["plate_z_mm"]);
  EXPECT_EQ(rig["stage"]["backlash_um"]["z"], plate["backlash_um"]);
  EXPECT_TRUE(Session::open(folder_ / "p.tact")->finished());
}

/// Once it said so at once, and the next command met a process that was about to go.
TEST_F(RigCommand, QuitReturnsWhenTheProcessIsGone) {
  ASSERT_NO_FATAL_FAILURE(start());
  for (int round = 0; round < 5; ++round) {
    ASSERT_EQ(run_cli(folder_.path(),
                      {"rig", "home", "--devices", "devices.json", "--rig", "rig.json", "--yes"})
                  .status,
              0);
    const auto ended = tell({"quit"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("has ended"));
    EXPECT_NE(tell({"status"}).status, 0) << "somebody still answers";
  }
}

TEST_F(RigCommand, FindsHowThickTheLayerIsByTheGroundBesideIt) {
  ASSERT_NO_FATAL_FAILURE(start({"--preset", "lab", "--seed", "4", "--write-truth", "t.json"}));
  auto with_ground = json::parse(folder_.read("rig.json"));
  with_ground["ground_mm"] = {0, -48};
  folder_.write("rig.json", with_ground.dump());
  const auto ready = run_cli(folder_.path(), {"rig", "setup", "--devices", "devices.json", "--rig",
                                              "rig.json", "--from", "ground", "--yes", "--json"});
  ASSERT_EQ(ready.status, 0) << ready.err;
  check(ready.out, "cli-rig");
  const auto found = json::parse(ready.out)["result"]["set_up"][0]["found"];
  const auto truth = json::parse(folder_.read("t.json"));
  const double true_mm = 1e3 * truth["sensor"]["thickness_m"].get<double>();
  EXPECT_NEAR(found["thickness_mm"].get<double>(), true_mm, 0.06);
  EXPECT_NEAR(found["thickness_mm"].get<double>(), true_mm, found["U_thickness_mm"].get<double>());
  EXPECT_EQ(json::parse(folder_.read("rig.json"))["ground_mm"][2], found["ground_z_mm"]);
  EXPECT_LT(json::parse(say(R"({"get": "peak"})"))["force_N"].get<double>(), 8);
}

TEST(RigCommandWithoutARig, AFileThatIsntThereIsNamedBeforeAnybodyIsAsked) {
  const TestFolder folder;
  for (const char* command : {"surface", "register", "plate"}) {
    const auto refused =
        run_cli(folder.path(), {command, "--devices", "none.json", "--rig", "rig.json"});
    EXPECT_EQ(refused.status, 3) << command;
    EXPECT_THAT(refused.err, HasSubstr("none.json"));
  }
}

TEST_F(RigCommand, NothingMovesUnlessSomebodySaysSo) {
  ASSERT_NO_FATAL_FAILURE(start());
  const auto refused = record({"--protocol", "two.json", "-o", "two.tact"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--yes"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "two.tact"));
}

TEST_F(RigCommand, TellsPlanAndLimitsWithoutAnyDevice) {
  ASSERT_NO_FATAL_FAILURE(start());
  ASSERT_EQ(bench_->interrupt(), 0);
  const auto limits = record({"--protocol", "two.json", "--limits"});
  ASSERT_EQ(limits.status, 0) << limits.err;
  EXPECT_THAT(limits.out, HasSubstr("pad force"));
  EXPECT_THAT(limits.out, HasSubstr("expected overshoot"));
  EXPECT_THAT(limits.out, HasSubstr("emergency stop: declared ABSENT"));
  const auto dry = record({"--protocol", "two.json", "--dry-run", "--json"});
  ASSERT_EQ(dry.status, 0) << dry.err;
  check(dry.out, "cli-record");
  bench_.reset();
}

TEST_F(RigCommand, AWrongDeviceOnThePortIsNamedAndNothingIsRecorded) {
  ASSERT_NO_FATAL_FAILURE(start());
  auto swapped = result_["devices"];
  std::swap(swapped["stage"]["url"], swapped["tactile"]["url"]);
  folder_.write("devices.json", swapped.dump());
  const auto refused = record({"--protocol", "two.json", "-o", "two.tact", "--yes"});
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err,
              testing::AllOf(HasSubstr("did not start"), HasSubstr("tactelier devices test")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "two.tact"));
}

TEST_F(RigCommand, ASecondRigProcessOnTheSameStageIsRefused) {
  ASSERT_NO_FATAL_FAILURE(start());
  CliProcess first(folder_.path(),
                   {"rig", "serve", "--devices", "devices.json", "--rig", "rig.json"});
  ASSERT_EQ(first.read_line(), "ready");
  const auto second =
      run_cli(folder_.path(), {"rig", "serve", "--devices", "devices.json", "--rig", "rig.json"});
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.err, HasSubstr("serves this stage already"));
  EXPECT_EQ(first.interrupt(), 0);
}

/// Until it is so, five minutes at most.
void wait_until(const std::function<bool()>& so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!so()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::yield();
  }
}

/// Another device file that leads to the same devices.
std::string by_other_names(json devices) {
  devices["name"] = "somebody else's";
  devices["stage"]["url"] = devices["stage"]["url"].get<std::string>() + "&stop=1";
  return devices.dump();
}

TEST_F(RigCommand, DevicesOfARigProcessAreNobodyElses) {
  ASSERT_NO_FATAL_FAILURE(start());
  folder_.write("other.json", by_other_names(result_["devices"]));
  CliProcess first(folder_.path(),
                   {"rig", "serve", "--devices", "devices.json", "--rig", "rig.json"});
  ASSERT_EQ(first.read_line(), "ready");
  const auto tested = run_cli(folder_.path(), {"devices", "test", "other.json", "--seconds", "1"});
  EXPECT_EQ(tested.status, 3) << tested.out;
  for (const char* words : {"in use: the rig process", "devices.json", "does nothing right now",
                            "tactelier rig quit --devices"})
    EXPECT_THAT(tested.err, HasSubstr(words));
  const auto looked = run_cli(folder_.path(), {"doctor", "other.json"});
  EXPECT_THAT(looked.out, HasSubstr("in use: the rig process"));
  const auto second =
      run_cli(folder_.path(), {"rig", "serve", "--devices", "other.json", "--rig", "rig.json"});
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.err, HasSubstr("in use: the rig process"));
  // Nobody took its stream.
  const auto samples = [&] { return status()["force_samples"].get<std::int64_t>(); };
  const auto before = samples();
  wait_until([&] { return samples() > before + 500; });
  EXPECT_EQ(status()["trip"], nullptr);
  EXPECT_EQ(first.interrupt(), 0);
  const auto after = run_cli(folder_.path(), {"devices", "test", "other.json", "--seconds", "1"});
  EXPECT_EQ(after.status, 0) << after.err;
}

/// One rig, one set-up, then everything that may happen to it: homing and set-up take most of a
/// minute, so that these are the parts of one story.
class RigStory : public RigCommand {
 protected:
  void wait_for_end(rig::RigClient& rig) {
    wait_until([&] { return (*rig.ask({{"do", "status"}}))["task"] == ""; });
  }
  std::unique_ptr<CliProcess> begin_recording(const char* protocol, const char* file) {
    auto recording = std::make_unique<CliProcess>(
        folder_.path(),
        std::vector<std::string>{"record", "--devices", "devices.json", "--rig", "rig.json",
                                 "--protocol", protocol, "-o", file, "--yes"});
    wait_until([&] { return std::filesystem::exists(folder_ / file); });
    return recording;
  }
  void expect_whole(const char* file) {
    const auto session = Session::open(folder_ / file);
    ASSERT_TRUE(session) << session.error().message;
    EXPECT_TRUE(session->finished());
    const auto found = presses(session->events(), {}, session->metadata());
    EXPECT_TRUE(found) << found.error().message;
  }
  /// Data of the events of a kind.
  std::vector<std::string> events_of(const char* file, std::string_view kind) {
    std::vector<std::string> found;
    const auto session = Session::open(folder_ / file);
    if (!session) return found;
    for (const auto& event : session->events())
      if (event.name == kind) found.push_back(event.data);
    return found;
  }
  void expect_tip_up(rig::RigClient& rig) {
    EXPECT_GE((*rig.ask({{"do", "status"}}))["position_mm"][2].get<double>(), 0.9);
  }
  void records_and_fits();
  void refuses_a_place_that_takes_no_file();
  void keeps_limits_when_jogged();
  void survives_a_client_that_vanishes();
  void stops_by_hand_and_locks();
  void survives_its_own_death();
  void goes_on_where_it_died();
};

void RigStory::records_and_fits() {
  const auto made =
      record({"--protocol", "two.json", "-o", "two.tact", "--yes", "--json", "--serial", "A7"});
  ASSERT_EQ(made.status, 0) << made.err;
  check(made.out, "cli-record");
  const auto result = json::parse(made.out)["result"];
  EXPECT_EQ(result["presses"], 2);
  EXPECT_EQ(result["aborted"], 0);
  EXPECT_LT(result["peak_force_N"].get<double>(), 2.5);
  // Set-up is in the rig file, and known to the process.
  EXPECT_TRUE(json::parse(folder_.read("rig.json")).contains("surface_date"));
  EXPECT_EQ(status()["surface_found"], true);
  EXPECT_EQ(status()["registered"], true);
  const auto told =
      run_cli(folder_.path(), {"rig", "status", "--devices", "devices.json", "--json"});
  ASSERT_EQ(told.status, 0) << told.err;
  check(told.out, "cli-rig");
  const auto fitted = run_cli(
      folder_.path(), {"fit", "two.tact", "-o", "m.json", "--stages", "wrench,contact,response"});
  ASSERT_EQ(fitted.status, 0) << fitted.err;
  EXPECT_EQ(json::parse(folder_.read("m.json"))["sensor"]["serial"], "A7");
}

void RigStory::refuses_a_place_that_takes_no_file() {
  const auto refused = record({"--protocol", "two.json", "-o", "/proc/two.tact", "--yes"});
  EXPECT_EQ(refused.status, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("/proc/two.tact"));
  EXPECT_EQ(status()["recording"], nullptr);
}

void RigStory::keeps_limits_when_jogged() {
  auto rig = client();
  Warnings warnings;
  const auto down = rig.follow({{"do", "jog"}, {"by_mm", {0, 0, -0.5}}}, {}, warnings);
  ASSERT_TRUE(down) << down.error().message;
  const auto sideways = rig.follow({{"do", "jog"}, {"by_mm", {2, 0, 0}}}, {}, warnings);
  ASSERT_FALSE(sideways);
  EXPECT_THAT(sideways.error().message, HasSubstr("below the safe height"));
}

void RigStory::survives_a_client_that_vanishes() {
  begin_recording("two.json", "left.tact").reset();
  auto rig = client();
  wait_for_end(rig);
  expect_whole("left.tact");
  expect_tip_up(rig);
}

void RigStory::stops_by_hand_and_locks() {
  const auto recording = begin_recording("long.json", "long.tact");
  auto rig = client();
  wait_until([&] { return (*rig.ask({{"do", "status"}}))["force_N"].get<double>() > 0.8; });
  const auto tested = run_cli(folder_.path(), {"devices", "test", "devices.json"});
  EXPECT_EQ(tested.status, 3);
  EXPECT_THAT(tested.err, HasSubstr("long.tact")) << "it says what it would have disturbed";
  EXPECT_EQ(status()["task"], "record");
  const auto noted = tell({"note", "a fly sat on the pad"});
  EXPECT_EQ(noted.status, 0) << noted.err;
  const auto stopped = tell({"stop", "--json"});
  EXPECT_EQ(stopped.status, 0) << stopped.err;
  check(stopped.out, "cli-rig");
  EXPECT_EQ(json::parse(stopped.out)["result"]["stopped"][0]["stands"], true);
  EXPECT_EQ(status()["task"], "") << "it returned before the recording had ended";
  const auto state = *rig.ask({{"do", "status"}});
  EXPECT_EQ(state["mode"], "fault");
  EXPECT_EQ(state["trip"], "stopped by hand");
  EXPECT_NEAR(state["force_N"].get<double>(), 0, 0.05);
  EXPECT_EQ(state["position_trusted"], true);
  expect_tip_up(rig);
  expect_whole("long.tact");
  const auto notes = events_of("long.tact", "note");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes.front(), HasSubstr("a fly sat on the pad"));
  const auto locked = tell({"jog", "--z", "0.1", "--yes"});
  EXPECT_EQ(locked.status, 4);
  EXPECT_THAT(locked.err, AllOf(HasSubstr("locked"), HasSubstr("tactelier rig acknowledge")));
  EXPECT_THAT(tell({"status"}).out, HasSubstr("'tactelier rig acknowledge' unlocks"));
  EXPECT_EQ(tell({"acknowledge"}).status, 0);
  const auto jogged = tell({"jog", "--z", "0.1", "--yes"});
  EXPECT_EQ(jogged.status, 0) << jogged.err;
  EXPECT_NEAR(status()["position_mm"][2].get<double>(), state["position_mm"][2].get<double>() + 0.1,
              0.005);
  const auto idle = tell({"pause"});
  EXPECT_EQ(idle.status, 2);
  EXPECT_THAT(idle.err, HasSubstr("pause: nothing is being recorded"));
}

void RigStory::survives_its_own_death() {
  const auto recording = begin_recording("long.json", "killed.tact");
  auto rig = client();
  wait_until([&] { return (*rig.ask({{"do", "status"}}))["force_N"].get<double>() > 0.5; });
  const auto before = *rig.ask({{"do", "status"}});
  ASSERT_EQ(::kill(before["process"].get<int>(), SIGKILL), 0);
  recording->interrupt();
  const auto session = Session::open(folder_ / "killed.tact");
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_FALSE(session->finished());
  // 250 ms of this computer's time are 1.25 s of a bench that runs five times as fast.
  double last_s = 0;
  for (const auto& stream : session->streams()) last_s = std::max(last_s, stream.end_s);
  EXPECT_GT(last_s, before["recorded_s"].get<double>() - 1.25);
}

void RigStory::goes_on_where_it_died() {
  const auto recording = begin_recording("two.json", "cut.tact");
  auto rig = client();
  wait_until([&] { return (*rig.ask({{"do", "status"}}))["force_N"].get<double>() > 0.5; });
  ASSERT_EQ(::kill((*rig.ask({{"do", "status"}}))["process"].get<int>(), SIGKILL), 0);
  recording->interrupt();
  const auto before = Session::open(folder_ / "cut.tact")->stream(StreamKind::kForce)->rows;

  const auto unasked = record({"-o", "cut.tact", "--resume"});
  EXPECT_EQ(unasked.status, 2) << "nothing moves before somebody confirms";
  const auto other = record({"--protocol", "long.json", "-o", "cut.tact", "--resume", "--yes"});
  EXPECT_EQ(other.status, 3) << other.err;
  const auto resumed = record({"-o", "cut.tact", "--resume", "--yes", "--json"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  check(resumed.out, "cli-record");

  expect_whole("cut.tact");
  const auto session = Session::open(folder_ / "cut.tact");
  EXPECT_GT(session->stream(StreamKind::kForce)->rows, before);
  EXPECT_TRUE(session->check());
  EXPECT_TRUE(session->damage().empty());
  const auto found = *presses(session->events(), {}, session->metadata());
  std::vector<int> done;
  for (const auto& press : found)
    if (press.outcome == "ok") done.push_back(*press.tactel);
  std::sort(done.begin(), done.end());
  EXPECT_EQ(done, (std::vector{38, 45}));
  EXPECT_EQ(found[0].outcome, "aborted");
  // Host time goes on by the time that has really passed: homing alone takes longer than this.
  const auto& events = session->events();
  const auto resume = std::find_if(events.begin(), events.end(),
                                   [](const Event& event) { return event.name == "resume"; });
  ASSERT_NE(resume, events.end());
  EXPECT_GT(resume->t_s.value(), found[0].end_s);
  const auto fitted = run_cli(
      folder_.path(), {"fit", "cut.tact", "-o", "c.json", "--stages", "wrench,contact,response"});
  EXPECT_EQ(fitted.status, 0) << fitted.err;
  const auto complete = record({"-o", "cut.tact", "--resume", "--yes"});
  EXPECT_NE(complete.status, 0);
  EXPECT_THAT(complete.err, HasSubstr("complete"));
}

TEST_F(RigStory, IsSetUpRecordsAndComesThroughWhateverHappens) {
  ASSERT_NO_FATAL_FAILURE(start());
  ASSERT_NO_FATAL_FAILURE(records_and_fits());
  ASSERT_NO_FATAL_FAILURE(refuses_a_place_that_takes_no_file());
  ASSERT_NO_FATAL_FAILURE(keeps_limits_when_jogged());
  ASSERT_NO_FATAL_FAILURE(survives_a_client_that_vanishes());
  ASSERT_NO_FATAL_FAILURE(stops_by_hand_and_locks());
  ASSERT_NO_FATAL_FAILURE(survives_its_own_death());
  ASSERT_NO_FATAL_FAILURE(goes_on_where_it_died());
}

}  // namespace
}  // namespace tactelier::test
