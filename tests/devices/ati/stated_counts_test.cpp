// Boxes that speak RDT and tell their counts nowhere: OnRobot's HEX, by the bytes of its maker's
// example (devices/ati/rdt_protocol.hpp) and emulated.
#include <gmock/gmock.h>

#include "devices/ati/netft.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/registry/device_file.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Timeout kSoon{1000};
constexpr std::array kRange_SI{200.0, 200.0, 200.0, 10.0, 10.0, 6.5};

NetFtOptions hex_options() {
  NetFtOptions options{"udp:hex:49152", "", std::nullopt};
  options.counts_per_N = 10'000;
  options.counts_per_Nm = 100'000;
  options.full_scale_SI = kRange_SI;
  return options;
}

/// Hears, and answers a start with the record that it is given.
class ScriptedBox final : public Emulator {
 public:
  void receive(ByteView bytes, int peer, std::int64_t now_ns) override {
    heard.emplace_back(bytes.begin(), bytes.end());
    if (heard.back() == from_hex("12 34 00 02 00 00 00 00"))
      wire_.send(now_ns + 1'000'000, record, peer);
  }
  void run_until(std::int64_t) override {}
  std::int64_t next_ns() const override { return wire_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }
  void inject(const Fault&, std::int64_t) override {}
  bool hung_up(std::int64_t) override { return false; }

  Bytes record;
  std::vector<Bytes> heard;

 private:
  EmulatedWire wire_;
};

struct ScriptedHex {
  ScriptedHex() { world.add("udp:hex:49152", box, true); }
  ForceSample first_sample(NetFt& sensor) {
    std::vector<ForceSample> samples;
    EXPECT_TRUE(sensor.start());
    EXPECT_TRUE(sensor.read(samples, kSoon));
    return samples.empty() ? ForceSample{} : samples.front();
  }
  SimulatedWorld world;
  ScriptedBox box;
};

// Fx 12345 counts / 10000 = 1.2345 N, Fz -50000 = -5 N, Ty 25000 / 100000 = 0.25 N*m.
constexpr std::string_view kRecord =
    "00 00 00 01 00 00 10 00 00 00 00 00 00 00 30 39 00 00 00 00 FF FF 3C B0 00 00 00 00 "
    "00 00 61 A8 00 00 00 00";

TEST(StatedCounts, SetTheSpeedBeforeTheStartAndReadTheMakersRecord) {
  ScriptedHex hex;
  hex.box.record = from_hex(kRecord);
  auto options = hex_options();
  options.period_ms = 10;  // 100 records/s
  const auto sensor = NetFt::open(options, hex.world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  EXPECT_DOUBLE_EQ((*sensor)->rate_hz(), 100);
  const auto sample = hex.first_sample(**sensor);
  EXPECT_THAT(hex.box.heard,
              ElementsAre(from_hex("12 34 00 00 00 00 00 00"), from_hex("12 34 00 82 00 00 00 0A"),
                          from_hex("12 34 00 02 00 00 00 00")));
  const auto wrench = (*sensor)->scale().wrench_SI(sample);
  EXPECT_DOUBLE_EQ(wrench[0], 1.2345);
  EXPECT_DOUBLE_EQ(wrench[2], -5);
  EXPECT_DOUBLE_EQ(wrench[4], 0.25);
  EXPECT_TRUE(sample.valid);
  EXPECT_EQ((*sensor)->scale().full_scale_SI, kRange_SI);
}

TEST(StatedCounts, SetNoSpeedToLookAndNoneThatNobodyAskedFor) {
  ScriptedHex hex;
  hex.box.record = from_hex(kRecord);
  auto options = hex_options();
  auto sensor = NetFt::open(options, hex.world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  hex.first_sample(**sensor);
  options.period_ms = 10;
  options.write_settings = false;
  sensor = NetFt::open(options, hex.world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  hex.first_sample(**sensor);
  for (const auto& heard : hex.box.heard) EXPECT_NE(heard[3], 0x82);
}

// A Net F/T's bit 16 alone would leave the wrench valid.
TEST(StatedCounts, TakeNoStatusButZeroForHealthy) {
  ScriptedHex hex;
  hex.box.record = from_hex(kRecord);
  hex.box.record[8] = 0x80;
  hex.box.record[9] = 0x01;
  const auto sensor = NetFt::open(hex_options(), hex.world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  const auto sample = hex.first_sample(**sensor);
  EXPECT_FALSE(sample.valid);
  EXPECT_THAT((*sensor)->describe_status(sample.status), HasSubstr("0x80010000"));
}

TEST(StatedCounts, StreamFromTheEmulatedBoxAtTheSpeedThatWasSet) {
  SimulatedWorld world;
  NetFtBox box;
  box.counts_per_N = 10'000;
  box.counts_per_Nm = 100'000;
  box.takes_speed = true;
  NetFtEmulator rdt(
      box, [](std::int64_t) { return std::array{0.5, 0.0, -5.0, 0.0, 0.25, 0.0}; }, 0);
  world.add("udp:hex:49152", rdt, true);
  auto options = hex_options();
  options.period_ms = 2;
  const auto sensor = NetFt::open(options, world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  ASSERT_TRUE((*sensor)->start());
  std::vector<ForceSample> samples;
  while (samples.size() < 500) ASSERT_TRUE((*sensor)->read(samples, kSoon));
  EXPECT_NEAR(static_cast<double>(samples.back().host_time_ns - samples.front().host_time_ns),
              499 * 2e6, 1e3);
  const auto wrench = (*sensor)->scale().wrench_SI(samples.back());
  EXPECT_NEAR(wrench[2], -5, 0.5e-4);
  EXPECT_NEAR(wrench[4], 0.25, 0.5e-5);
}

std::string refusal(const NetFtOptions& options) {
  ScriptedHex hex;
  const auto sensor = NetFt::open(options, hex.world.connector());
  return sensor ? "" : sensor.error().message;
}

TEST(StatedCounts, AreRefusedWithTheCauseWhereTheyAreNotWholeOrNotAlone) {
  auto options = hex_options();
  options.counts_per_Nm.reset();
  EXPECT_THAT(refusal(options), HasSubstr("counts_per_N and counts_per_Nm belong together"));
  options = hex_options();
  options.http = "http://hex";
  EXPECT_THAT(refusal(options), HasSubstr("http would tell it, too"));
  options = hex_options();
  options.full_scale_SI = {};
  EXPECT_THAT(refusal(options), HasSubstr("full_scale_N_Nm"));
  options = hex_options();
  options.rate_hz = 100;
  options.period_ms = 10;
  EXPECT_THAT(refusal(options), HasSubstr("leave rate_hz out"));
  options = {"udp:hex:49152", "http://hex", std::nullopt};
  options.period_ms = 10;
  EXPECT_THAT(refusal(options), HasSubstr("a Net F/T takes rate_hz"));
}

TEST(StatedCounts, AreAskedForWhereNobodyTellsThem) {
  EXPECT_THAT(refusal({"udp:hex:49152", "", std::nullopt}),
              AllOf(HasSubstr("http or command is needed"), HasSubstr("counts_per_Nm")));
  // Its address answers, its page can't be had.
  EXPECT_THAT(refusal({"udp:hex:49152", "http://hex", std::nullopt}),
              AllOf(HasSubstr("nothing answers at tcp:hex:80"), HasSubstr("counts_per_N")));
}

TEST(StatedCounts, ComeFromTheDeviceFile) {
  const auto file = parse_device_file(R"({"format": "tactelier/devices", "version": 1,
      "force": {"driver": "net-ft", "url": "udp:127.0.0.1:49152", "counts_per_N": 10000,
                "counts_per_Nm": 100000, "period_ms": 2,
                "full_scale_N_Nm": [200, 200, 200, 10, 10, 6.5]}})",
                                      "hex.json");
  ASSERT_TRUE(file) << file.error().message;
  const auto force = DeviceConnections(*file).open_force();  // nobody needs to answer yet
  ASSERT_TRUE(force) << force.error().message;
  EXPECT_DOUBLE_EQ((*force)->scale().SI_per_count[0], 1e-4);
  EXPECT_DOUBLE_EQ((*force)->scale().SI_per_count[5], 1e-5);
  EXPECT_DOUBLE_EQ((*force)->rate_hz(), 500);
}

}  // namespace
}  // namespace tactelier::devices
