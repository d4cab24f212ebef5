// A recording at the bench as somebody makes it, by programs of their own, struck at random: a
// fault of a device, the rig process killed, the terminal killed, every device gone at once. He
// does what the screen says (acknowledge, record --resume), and switches the devices off and on
// where that did not help twice. In the end the recording is complete, whole, and the pad was never
// pressed beyond its limit. TACTELIER_RIG_DRAWS and TACTELIER_RIG_SEED choose more and others.

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "devices/server/rig_client.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/devices/support/fault_draw.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr double kSpeed = 8;
constexpr double kLimit_N = 4;
constexpr double kBeyond_N = 1;                       // see rig_faults_test.cpp
constexpr auto kLongest = std::chrono::seconds(180);  // of a command, on a busy computer
constexpr const char* kProtocol = R"({
  "format": "tactelier/protocol", "version": 1, "name": "draws",
  "indenter": {"shape": "sphere", "diameter_mm": 6.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [37, 38, 39, 43, 44, 45], "speed_mm_s": 0.5,
             "until": {"force_N": 2, "depth_mm": 1.5}}]})";

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

enum class Blow { kFault, kKillRig, kKillClient, kDevicesGone };

struct Strike {
  Blow blow = Blow::kFault;
  rig::FaultDraw draw;
  bool while_recording = true;  // else from the first second on, while it sets up
  double after_s = 0;
  bool stop_too = false;
  bool with_encoder = false;
};

std::string words_of(const Strike& strike) {
  constexpr std::array kBlows{"fault", "rig process killed", "client killed", "devices gone"};
  return fmt::format(
      "{}{}, {:.2f} s {}{}", kBlows[static_cast<std::size_t>(strike.blow)],
      strike.blow == Blow::kFault
          ? fmt::format(" {} of {} ({} messages, {:.2f} s later)",
                        devices::info_of(strike.draw.fault.kind).word, strike.draw.device,
                        strike.draw.fault.count, strike.draw.fault.after_s)
          : "",
      strike.after_s, strike.while_recording ? "into the recording" : "after the start",
      strike.stop_too ? ", and STOP" : "");
}

/// Every fifth kills something, in turn.
Strike drawn(std::mt19937_64& random, std::uint64_t index) {
  constexpr std::array kKills{Blow::kKillRig, Blow::kKillClient, Blow::kDevicesGone};
  Strike strike;
  strike.with_encoder = index % 2 == 1;
  strike.draw = rig::drawn_fault(random, strike.with_encoder);
  if (index % 5 == 4) strike.blow = kKills[index / 5 % kKills.size()];
  strike.while_recording = random() % 4 != 0;
  strike.after_s = 1e-3 * static_cast<double>(random() % (strike.while_recording ? 4000 : 8000));
  strike.stop_too = random() % 6 == 0;
  return strike;
}

class Story {
 public:
  Story(std::uint64_t seed, bool with_encoder) : seed_(seed), with_encoder_(with_encoder) {
    rig_ = virtual_bench_rig();
    rig_.limits.max_force_N = kLimit_N;
    auto document = json::parse(rig_.document);
    document["limits"]["max_force_N"] = kLimit_N;
    folder_.write("rig.json", document.dump());
    folder_.write("draws.json", kProtocol);
    switch_on();
  }
  ~Story() { quit(); }

  void strike(const Strike& strike) {
    recording_ = record();
    if (strike.while_recording) wait([&] { return recording_->ended() || recorded_s(); });
    const auto at = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(strike.after_s));
    wait([&] { return Clock::now() >= at; });
    const auto now = status();
    if (strike.stop_too) run_cli(folder_.path(), {"rig", "stop", "--devices", "d.json"});
    switch (strike.blow) {
      case Blow::kFault:
        bench_->inject(strike.draw.device, strike.draw.fault);
        break;
      case Blow::kKillRig:
        if (now) ::kill(now->at("process").get<pid_t>(), SIGKILL);
        break;
      case Blow::kKillClient:
        recording_->end_by(SIGKILL);
        recording_.reset();
        break;
      case Blow::kDevicesGone:
        switch_off_and_on();
        break;
    }
  }

  /// What somebody does who reads the screen; false where that leads nowhere.
  bool put_right() {
    auto status_of_run = recording_ ? finish(*recording_) : 1;
    if (recording_) judge_words("record", status_of_run);
    recording_.reset();
    for (int trial = 0; trial < 8; ++trial) {
      if (status_of_run == 0 || complete()) return true;
      if (wrong_words_) return false;
      wait([&] {  // the rig goes on without its client
        const auto now = status();
        return !now || now->at("task") == "";
      });
      if (complete()) return true;
      if (trial > 0 && trial % 2 == 0) switch_off_and_on();
      if (const auto now = status(); now && now->at("mode") == "fault")
        run("rig acknowledge", {"rig", "acknowledge", "--devices", "d.json"});
      auto again = record();
      status_of_run = finish(*again);
      judge_words("record again", status_of_run);
      ++trials_;
    }
    return false;
  }

  bool complete() {
    if (!std::filesystem::exists(file())) return false;
    const auto session = Session::open(file());
    if (!session || !session->finished()) return false;
    const auto found = presses(session->events(), {}, session->metadata());
    std::set<int> pressed;
    if (found)
      for (const auto& press : *found)
        if (press.outcome == "ok") pressed.insert(*press.tactel);
    return pressed.size() == 6;
  }
  void file_is_whole() {
    const auto session = Session::open(file());
    ASSERT_TRUE(session) << session.error().message;
    EXPECT_TRUE(session->check());
    EXPECT_TRUE(session->damage().empty());
  }
  double peak_N() { return peak_N_ = std::max(peak_N_, bench_->take_peak_N()); }
  int trials() const { return trials_; }

 private:
  std::filesystem::path file() const { return folder_ / "a.tact"; }
  void switch_on() {
    auto bench =
        rig::start_bench(rig_, pad::clean(), seed_, kSpeed,
                         [this](devices::BenchSetup& setup) { setup.encoder = with_encoder_; });
    ASSERT_TRUE(bench);
    bench_ = std::move(bench);
    folder_.write("d.json", rig::device_text(*bench_, rig_));
  }
  /// The next bench may get the same ports, and so the same socket: nobody is to meet the process
  /// that is ending.
  void quit() {
    wait([&] {  // one that was still starting did not hear the first
      run_cli(folder_.path(), {"rig", "quit", "--devices", "d.json"});
      return !status();
    });
  }
  void switch_off_and_on() {
    peak_N();
    quit();
    bench_.reset();
    switch_on();
  }
  std::unique_ptr<CliProcess> record() {
    std::vector<std::string> words{"record",   "--devices", "d.json", "--rig",
                                   "rig.json", "-o",        "a.tact", "--yes"};
    if (std::filesystem::exists(file()))
      words.push_back("--resume");
    else
      words.insert(words.end(), {"--protocol", "draws.json"});
    return std::make_unique<CliProcess>(folder_.path(), words, errors());
  }
  std::filesystem::path errors() const { return folder_ / "errors.txt"; }
  int finish(CliProcess& process) {
    std::optional<int> ended;
    wait([&] { return (ended = process.ended()).has_value(); });
    return ended.value_or(-1);
  }
  void run(const std::string& what, const std::vector<std::string>& words) {
    CliProcess process(folder_.path(), words, errors());
    judge_words(what, finish(process));
  }
  /// A refusal names its way out: what to do or to look at.
  void judge_words(const std::string& what, int exit_status) {
    EXPECT_LT(exit_status, 128) << what << " crashed";
    if (exit_status == 0) return;
    auto words = folder_.read("errors.txt");
    words.erase(0, words.find("tactelier r"));  // the announcement before it proves nothing
    said_.push_back(what + ": " + words);
    const testing::Matcher<const std::string&> names_a_way_out =
        testing::ContainsRegex("'tactelier [a-z]|acknowledge again|with --devices|switch it");
    EXPECT_THAT(words, names_a_way_out) << what;
    wrong_words_ = wrong_words_ || !names_a_way_out.Matches(words);
  }
  std::optional<json> status() {
    auto client =
        rig::RigClient::connect(rig::socket_of(*devices::load_device_file(folder_ / "d.json")));
    if (!client) return std::nullopt;
    auto told = client->ask({{"do", "status"}});
    return told ? std::optional(*told) : std::nullopt;
  }
  bool recorded_s() {
    const auto now = status();
    return now && !now->at("recording").is_null();
  }
  void wait(const std::function<bool()>& so) {
    const auto end = Clock::now() + kLongest;
    while (!so()) {
      if (Clock::now() > end) {
        const auto now = status();
        ADD_FAILURE() << "hangs: " << (now ? now->dump() : "no rig process");
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the rig needs the processor
    }
  }

 public:
  std::vector<std::string> said_;

 private:
  std::uint64_t seed_;
  bool with_encoder_;
  RigFile rig_;
  TestFolder folder_;
  std::unique_ptr<devices::RunningBench> bench_;
  std::unique_ptr<CliProcess> recording_;
  double peak_N_ = 0;
  int trials_ = 0;
  bool wrong_words_ = false;
};

void strike_and_put_right(const Strike& strike, std::uint64_t seed, std::uint64_t index) {
  SCOPED_TRACE(fmt::format("draw {}: {}", index, words_of(strike)));
  Story story(seed + index, strike.with_encoder);
  ASSERT_FALSE(testing::Test::HasFatalFailure());
  story.strike(strike);
  const bool done = story.put_right();
  EXPECT_TRUE(done);
  if (done) story.file_is_whole();
  EXPECT_LT(story.peak_N(), kLimit_N + kBeyond_N);
  fmt::print("draw {}: {}: {} more, {:.2f} N{}\n", index, words_of(strike), story.trials(),
             story.peak_N(), done ? "" : ", NOT COMPLETED");
  for (const auto& words : story.said_) fmt::print("    {}\n", words);
  std::fflush(stdout);
}

TEST(RigDraws, WhateverStrikesTheRecordingIsCompletedByWhatTheScreenSays) {
  const auto seed = setting("TACTELIER_RIG_SEED", 300);
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < setting("TACTELIER_RIG_DRAWS", 10); ++i)
    ASSERT_NO_FATAL_FAILURE(strike_and_put_right(drawn(random, i), seed, i));
}

/// When the rig process is only starting: killed, or the stage fails just then.
TEST(RigDraws, WhatStrikesARigThatStartsIsPutRightByWhatTheScreenSays) {
  const auto seed = setting("TACTELIER_RIG_SEED", 300);
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < setting("TACTELIER_RIG_DRAWS", 10); ++i) {
    auto strike = drawn(random, i);
    while (strike.draw.device != "stage") strike.draw = rig::drawn_fault(random, false);
    strike.blow = i % 2 == 0 ? Blow::kKillRig : Blow::kFault;
    strike.draw.fault.after_s = 0;
    strike.while_recording = strike.stop_too = false;
    strike.after_s = 1e-3 * static_cast<double>(random() % 1000);
    ASSERT_NO_FATAL_FAILURE(strike_and_put_right(strike, seed, i));
  }
}

}  // namespace
}  // namespace tactelier::test
