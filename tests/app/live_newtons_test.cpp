// Newtons of an array that is connected: an emulated one on a pseudo-terminal, whose readings the
// test decides, against numbers worked by hand.
#include "app/workflow/live_newtons.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/wts_emulator.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using devices::FaultKind;
using testing::HasSubstr;

Parameter known(double value, const char* unit) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = unit;
  parameter.status = Status::kIdentified;
  return parameter;
}

/// Rest 60, noise 4, dead zone 0.1 N, 1/700 N per count, end 3840; tactel 7 has no gain.
SensorModel hand_written_model(const char* sensor = "weiss-wts0614") {
  auto model = empty_model(*load_sensor(sensor));
  model.serial = "0614-0042";
  for (auto& tactel : model.response.tactels) {
    tactel.offset = known(60, "counts");
    tactel.noise = known(4, "counts");
    tactel.press_threshold = known(0.1, "N");
    if (tactel.index != 7) tactel.press_gain = known(1.0 / 700, "N/count");
    tactel.saturation = known(3840, "counts");
  }
  return model;
}

/// One frame, kept.
struct Seen {
  std::int64_t number = 0;
  double time_s = 0;
  std::vector<ReadingForce> tactels;
};

class LiveNewtons : public testing::Test {
 protected:
  LiveNewtons() {
    const auto now_ns = devices::steady_host_clock().now_ns();
    const auto counts = [this](std::int64_t) {
      std::vector<double> readings(84, rest_);
      if (!pressed_) return readings;
      readings[5] = 420;
      readings[6] = 4095;
      readings[7] = 900;
      return readings;
    };
    wts_ = std::make_unique<devices::WtsEmulator>(devices::WtsBoard{}, counts, now_ns);
    url_ = host_.add_pty(*wts_).value();
    thread_ = std::jthread([this](const std::stop_token& stop) { host_.run(stop); });
    folder_.write("dev.json", nlohmann::json{{"format", "tactelier/devices"},
                                             {"version", 1},
                                             {"tactile",
                                              {{"driver", "weiss-wts"},
                                               {"url", url_},
                                               {"period_ms", 20},
                                               {"sensor", "weiss-wts0614"}}}}
                                  .dump());
    write(hand_written_model());
    request_ = {folder_ / "m.json", folder_ / "dev.json", "0614-0042", true, 0.2, 0};
  }
  void write(const SensorModel& model) const {
    ASSERT_TRUE(write_model(model, folder_ / "m.json"));
  }
  void inject(const devices::Fault& fault) {
    host_.post([this, fault](std::int64_t now_ns) { wts_->inject(fault, now_ns); });
  }
  /// Until a frame pleases `last`; never more than 2000 frames or half a minute.
  Result<LiveReport> stream(const std::function<bool(const Seen&)>& last) {
    std::stop_source stop;
    const std::jthread deadline([&stop](const std::stop_token& done) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any waiting;
      waiting.wait_for(lock, done, std::chrono::seconds(30), [] { return false; });
      stop.request_stop();
    });
    LiveListener listener;
    listener.begin = [&](const LiveBegin& begin) -> Result<void> {
      begin_ = begin;
      pressed_ = true;
      return {};
    };
    listener.frame = [&](const NewtonFrame& frame) {
      seen_ = {frame.number, frame.time_s, {frame.tactels.begin(), frame.tactels.end()}};
      if (last(seen_) || frame.number > 2000) stop.request_stop();
      return true;
    };
    listener.batch = [] { return true; };
    listener.say = [&](const std::string& words) { said_ += words + "\n"; };
    Job job;
    job.stop = stop.get_token();
    return stream_newtons(request_, listener, job);
  }
  static bool pressed(const Seen& frame) {
    return frame.tactels[6].flag == ReadingFlag::kSaturated;
  }
  std::vector<std::string> codes() const {
    std::vector<std::string> codes;
    for (const auto& warning : begin_.warnings) codes.push_back(warning.code);
    return codes;
  }

  TestFolder folder_;
  std::atomic<double> rest_ = 70;
  std::atomic<bool> pressed_ = false;
  devices::EmulatorHost host_;
  std::unique_ptr<devices::WtsEmulator> wts_;
  std::string url_;
  LiveRequest request_;
  LiveBegin begin_;
  Seen seen_;
  std::string said_;
  std::jthread thread_;  // last: it uses the rest
};

TEST_F(LiveNewtons, AreCountedFromTheRestOfTheStart) {
  const auto report = stream(pressed);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(begin_.zero_taken);
  EXPECT_GE(begin_.zero_frames, 10U);
  EXPECT_DOUBLE_EQ(begin_.largest_shift_counts, 10);
  EXPECT_EQ(begin_.calibrated, 83U);
  EXPECT_THAT(codes(), testing::ElementsAre("UNCALIBRATED"));
  EXPECT_EQ(seen_.tactels[4].flag, ReadingFlag::kBelow);
  EXPECT_EQ(seen_.tactels[5].flag, ReadingFlag::kOk);
  EXPECT_DOUBLE_EQ(seen_.tactels[5].force_N.value(), 0.1 + 350.0 / 700);   // 420 - 70
  EXPECT_DOUBLE_EQ(seen_.tactels[6].force_N.value(), 0.1 + 3770.0 / 700);  // 3840 - 70
  EXPECT_EQ(seen_.tactels[7].flag, ReadingFlag::kUncalibrated);
  EXPECT_EQ(report->frames, seen_.number + 1);
  EXPECT_EQ(said_, "");
}

TEST_F(LiveNewtons, AreCountedFromTheModelsRestWhenAskedTo) {
  request_.zero_at_start = false;
  const auto report = stream(pressed);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(begin_.zero_taken);
  EXPECT_DOUBLE_EQ(seen_.tactels[5].force_N.value(), 0.1 + 360.0 / 700);  // 420 - 60
}

TEST(RestReadings, HaveTheMeanAndTheScatterOfTheirFrames) {
  RestReadings rest;
  for (const double reading : {58.0, 62.0, 60.0, 64.0, 56.0})
    rest.add(std::vector{reading, 1e6 + reading});
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_DOUBLE_EQ(rest.mean(i), 60 + 1e6 * static_cast<double>(i));
    EXPECT_NEAR(rest.noise(i), std::sqrt(10.0), 1e-9);  // 4 + 4 + 0 + 16 + 16 over 4
    EXPECT_DOUBLE_EQ(rest.range(i), 8);
  }
}

TEST(ArrayNewtons, TakeTheNoiseOfTheRestWhereTheModelKnowsNone) {
  auto model = hand_written_model();
  for (auto& tactel : model.response.tactels) tactel.noise = {};
  ArrayNewtons newtons(model);
  EXPECT_EQ(newtons.tactel(5, 64).flag, ReadingFlag::kOk);
  RestReadings rest;
  for (const double reading : {58.0, 62.0, 60.0, 64.0, 56.0})
    rest.add(std::vector<double>(84, reading));
  const auto zero = newtons.take_zero(rest);
  EXPECT_EQ(newtons.tactel(5, 69).flag, ReadingFlag::kBelow);  // 3 sqrt(10) = 9.49
  EXPECT_EQ(newtons.tactel(5, 70).flag, ReadingFlag::kOk);
  EXPECT_TRUE(zero.unsteady.empty());
  rest.add(std::vector<double>(84, 260.0));  // a finger
  EXPECT_EQ(newtons.take_zero(rest).unsteady.size(), 83U);
}

TEST_F(LiveNewtons, WarnOfALoadThatLiesThereAtTheStart) {
  rest_ = 410;  // 350 above rest: 0.5 N
  ASSERT_TRUE(stream([](const Seen&) { return true; }));
  ASSERT_THAT(codes(), testing::ElementsAre("UNCALIBRATED", "ZERO-LOADED"));
  EXPECT_THAT(begin_.warnings[1].text, HasSubstr("83 tactels read up to 350 counts more"));
  EXPECT_THAT(begin_.warnings[1].text, HasSubstr("as under 0.5 N"));
}

TEST_F(LiveNewtons, WaitForAnArrayThatFellSilentAndGoOn) {
  inject({FaultKind::kReset, 0.6});  // streams again after a start
  std::int64_t before = 0;
  const auto report = stream([&](const Seen& frame) {
    if (said_.empty()) before = frame.number;
    return frame.number > before + 3;
  });
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(said_, HasSubstr("no frame within 200 ms; waiting for it"));
  EXPECT_THAT(said_, HasSubstr("frames come again after 1."));
  EXPECT_DOUBLE_EQ(seen_.tactels[5].force_N.value(), 0.6);
}

TEST_F(LiveNewtons, EndWithAWireThatIsGone) {
  inject({FaultKind::kHangUp, 0.6});
  const auto report = stream([](const Seen&) { return false; });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(report.error().message, HasSubstr("frames were given"));
}

TEST_F(LiveNewtons, AreRefusedWhereModelAndArrayDiffer) {
  const auto refused = [&] {
    const auto report = stream([](const Seen&) { return true; });
    return report ? std::string("not refused") : report.error().message;
  };
  request_.serial = "0614-0043";
  EXPECT_THAT(refused(), HasSubstr("serial number 0614-0042, the readings are of 0614-0043"));
  request_.serial.clear();
  auto other = hand_written_model();
  std::swap(other.sensor.arrays[0].rows, other.sensor.arrays[0].columns);
  write(other);
  EXPECT_THAT(refused(), HasSubstr("is for 6 x 14 tactels"));
  EXPECT_THAT(refused(), HasSubstr("has 14 x 6 tactels: not the same sensor"));
  auto document = nlohmann::json::parse(folder_.read("dev.json"));
  document["tactile"].erase("sensor");  // the array itself says so, too
  folder_.write("dev.json", document.dump());
  EXPECT_THAT(refused(), HasSubstr("the array at " + url_ + " has 14 x 6 tactels"));
  auto bare = hand_written_model();
  for (auto& tactel : bare.response.tactels)
    tactel.press_gain = unidentifiable("N/count", "RS-01 It stayed at its offset.", "response");
  write(bare);
  EXPECT_THAT(refused(), HasSubstr("no reading becomes newtons"));
}

}  // namespace
}  // namespace tactelier::test
