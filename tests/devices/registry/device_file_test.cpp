#include "devices/registry/device_file.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view roles) {
  const auto parsed = parse_device_file(
      fmt::format(R"({{"format": "tactelier/devices", "version": 1, {}}})", roles), "rig.json");
  return parsed ? "" : parsed.error().message;
}

constexpr std::string_view kExample = R"({"format": "tactelier/devices", "version": 1,
 "time_scale": 1.0,
 "stage": {"driver": "grbl", "url": "serial:/dev/ttyUSB0?baud=115200", "poll_hz": 10},
 "force": {"driver": "net-ft", "url": "udp:192.168.1.1:49152", "http": "http://192.168.1.1:80",
           "rate_hz": 7000},
 "tactile": {"driver": "weiss-wts", "url": "serial:/dev/ttyACM0?baud=115200",
             "sensor": "weiss-wts0614"},
 "aux": [], "bench_control": null})";

TEST(DeviceFileTest, ReadsEveryRole) {
  const auto file = parse_device_file(kExample, "example");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->stage->driver->name, "grbl");
  EXPECT_EQ(file->stage->options.number("poll_hz"), 10);
  EXPECT_EQ(file->force->options.text("http"), "http://192.168.1.1:80");
  EXPECT_EQ(file->sensor->tactels(), 84);
  EXPECT_TRUE(file->aux.empty());
  EXPECT_FALSE(file->bench_control);
  EXPECT_EQ(file->time_scale, 1);
}

TEST(DeviceFileTest, NamesRoleKeyAndTheNearestWord) {
  EXPECT_THAT(error_of(R"("stage": {"driver": "grble", "url": "pty:x"})"),
              HasSubstr("rig.json: stage: driver: 'grble' is unknown (did you mean 'grbl'?)"));
  EXPECT_THAT(error_of(R"("force": {"driver": "grbl", "url": "pty:x"})"),
              HasSubstr("there are net-ft"));
  EXPECT_THAT(error_of(R"("force": {"driver": "net-ft", "http": "http://a"})"),
              HasSubstr("rig.json: force: url: driver net-ft needs it"));
  EXPECT_THAT(error_of(R"("stage": {"driver": "grbl", "url": "pty:x", "poll_hz": 30})"),
              HasSubstr("poll_hz: a number from 1 to 20 expected"));
  EXPECT_THAT(error_of(R"("stage": {"driver": "grbl", "url": "pty:x", "machine_zero_mm": [1]})"),
              HasSubstr("machine_zero_mm: a list of 3 numbers"));
  EXPECT_THAT(error_of(R"("stage": {"driver": "grbl", "url": 5})"), HasSubstr("url: a text"));
  EXPECT_THAT(error_of(R"("force": {"driver": "net-ft", "url": "udp:a:1", "http": "http://a",
                           "rate_hz": 0.5})"),
              HasSubstr("rate_hz: a whole number"));
  EXPECT_THAT(error_of(R"("stages": {"driver": "grbl"})"), HasSubstr("stage"));
  EXPECT_THAT(error_of(R"("tactile": {"driver": "framed", "url": "pty:x", "device": "reskin-5",
                           "sensor": "weis-wts0614"})"),
              HasSubstr("did you mean 'weiss-wts0614'?"));
}

TEST(DeviceFileTest, TakesListsOfAnyLengthButNone) {
  const auto with = [](std::string_view matrices) {
    return fmt::format(R"("tactile": {{"driver": "weiss-dsa", "url": "tcp:a:1", "matrices": {}}})",
                       matrices);
  };
  const auto file = parse_device_file(
      fmt::format(R"({{"format": "tactelier/devices", "version": 1, {}}})", with("[2, 3, 0]")),
      "hand");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->tactile->options.numbers("matrices"), (std::vector<double>{2, 3, 0}));
  for (const std::string_view wrong : {"[]", "[64]", "[-1]", "1"})
    EXPECT_THAT(error_of(with(wrong)),
                HasSubstr("matrices: a list of one or more numbers from 0 to 63"));
  const auto half = parse_device_file(
      fmt::format(R"({{"format": "tactelier/devices", "version": 1, {}}})", with("[0.5]")), "hand");
  ASSERT_TRUE(half);
  EXPECT_THAT(DeviceConnections(*half).open_tactile().error().message,
              HasSubstr("matrices: 0.5 is no whole number"));
}

TEST(DeviceFileTest, LooksForFilesBesideItself) {
  const auto file = parse_device_file(R"({"format": "tactelier/devices", "version": 1,
      "force": {"driver": "six-gages", "url": "udp:a:1", "device": "./daq.json", "rate_hz": 1000,
                "cal": "FT8577.cal"}})",
                                      "rig.json", "/rig");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->force->options.file("cal"), "/rig/FT8577.cal");
}

TEST(DeviceFileTest, OpensOnlyTheRolesThatItNames) {
  const auto file =
      parse_device_file(R"({"format": "tactelier/devices", "version": 1})", "empty").value();
  const DeviceConnections connections(file);
  EXPECT_EQ(connections.open_stage().error().code, ErrorCode::kUsage);
  EXPECT_EQ(connections.open_force().error().code, ErrorCode::kUsage);
  EXPECT_EQ(connections.open_tactile().error().code, ErrorCode::kUsage);
}

TEST(Registry, HasEachNameOnceAndHelpForEachOption) {
  const auto check = [](auto drivers) {
    std::set<std::string_view> names;
    for (const auto* driver : drivers) {
      EXPECT_TRUE(names.insert(driver->name).second) << driver->name;
      EXPECT_FALSE(driver->summary.empty()) << driver->name;
      std::set<std::string_view> keys;
      for (const auto& option : driver->options) {
        EXPECT_TRUE(keys.insert(option.key).second) << option.key;
        EXPECT_FALSE(option.help.empty()) << option.key;
        EXPECT_LE(option.least, option.most) << option.key;
        EXPECT_TRUE(option.kind == OptionKind::kNumbers || option.count == 0) << option.key;
      }
    }
  };
  check(stage_drivers());
  check(force_drivers());
  check(tactile_drivers());
  check(gauge_drivers());
}

RC_GTEST_PROP(DeviceFileGarbage, IsRefusedInWords, (const std::string& text)) {
  const auto parsed = parse_device_file(text, "any");
  RC_ASSERT(!parsed);
  RC_ASSERT(!parsed.error().message.empty());
}

TEST(TimeScaled, LetsADriverLiveInTheFasterWorldsTime) {
  // A clock whose base is set by hand.
  struct SetClock final : HostClock {
    std::int64_t now = 1'000'000'000;
    std::int64_t now_ns() const override { return now; }
    void wait_until(std::int64_t time_ns) override { now = std::max(now, time_ns); }
  } base;
  ScaledClock clock(4, base);
  base.now += 250'000'000;
  EXPECT_EQ(clock.now_ns(), 2'000'000'000);
  clock.wait_until(3'000'000'000);  // another second of the world: a quarter of ours
  EXPECT_EQ(base.now, 1'500'000'000);
  EXPECT_EQ(clock.to_base_ns(clock.from_base_ns(1'234'567'890)), 1'234'567'890);
}

}  // namespace
}  // namespace tactelier::devices
