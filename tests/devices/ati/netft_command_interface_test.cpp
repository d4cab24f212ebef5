// The box's command port: asked by the driver where the web page can't be had, and by anybody else.
#include <gmock/gmock.h>

#include <thread>

#include "devices/ati/netft.hpp"
#include "devices/ati/netft_command.hpp"
#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Timeout kTimeoutScale{5000};
constexpr std::array kRange_SI{12.0, 12.0, 17.0, 0.12, 0.12, 0.12};

/// docs/wire-formats.md 2.
std::array<double, 6> vector_of_2_3(std::int64_t) { return {0.2, -0.1, -5, 3e-3, 2e-3, 0.5e-3}; }

struct BoxWithCommands {
  BoxWithCommands() {
    world.add("udp:box:49152", rdt, true);
    world.add("tcp:box:80", web, false);
    world.add("tcp:box:49151", command, false);
  }
  Result<Bytes> ask(ByteView request, std::size_t size) {
    return ask_netft(world.connector(), "tcp:box:49151", request, size, kTimeoutScale);
  }
  NetFtOptions options() const {
    NetFtOptions options{"udp:box:49152", "", std::nullopt};
    options.command = "tcp:box:49151";
    options.full_scale_SI = kRange_SI;
    return options;
  }
  std::array<double, 6> first_wrench(NetFt& sensor) {
    EXPECT_TRUE(sensor.start());
    std::vector<ForceSample> samples;
    EXPECT_TRUE(sensor.read(samples, kTimeoutScale));
    return samples.empty() ? std::array<double, 6>{} : sensor.scale().wrench_SI(samples.front());
  }

  SimulatedWorld world;
  NetFtBox box;
  NetFtEmulator rdt{box, vector_of_2_3, 0};
  NetFtWebEmulator web{box};
  NetFtCommandEmulator command{box, rdt};
};

TEST(NetFtCommandInterface, TellsTheDriverItsCountsWhereNoWebPageIsKnown) {
  BoxWithCommands lab;
  lab.box.counts_per_N = 20480;  // an old Nano17
  const auto sensor = NetFt::open(lab.options(), lab.world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  EXPECT_DOUBLE_EQ((*sensor)->scale().SI_per_count[0], 1.0 / 20480);
  EXPECT_DOUBLE_EQ((*sensor)->scale().SI_per_count[3], 1e-6);  // told in N mm
  EXPECT_EQ((*sensor)->scale().full_scale_SI, kRange_SI);
  EXPECT_NEAR(lab.first_wrench(**sensor)[2], -5, 1.0 / 20480);
}

TEST(NetFtCommandInterface, IsAskedWhenTheWebServerIsSilentButNotWhenItSaysNonsense) {
  BoxWithCommands lab;
  auto options = lab.options();
  options.http = "http://box";
  lab.web.inject({FaultKind::kFreeze}, lab.world.now_ns());
  EXPECT_TRUE(NetFt::open(options, lab.world.connector()));
  BoxWithCommands other;
  options.http = "http://box:81";
  NetFtBox strange;
  strange.counts_per_N = -1;
  NetFtWebEmulator wrong(strange);
  other.world.add("tcp:box:81", wrong, false);
  const auto sensor = NetFt::open(options, other.world.connector());
  ASSERT_FALSE(sensor);
  EXPECT_THAT(sensor.error().message, HasSubstr("cfgcpf"));
}

TEST(NetFtCommandInterface, IsNotAskedWithoutTheTransducersRange) {
  BoxWithCommands lab;
  auto options = lab.options();
  options.full_scale_SI[4] = 0;
  auto sensor = NetFt::open(options, lab.world.connector());
  ASSERT_FALSE(sensor);
  EXPECT_EQ(sensor.error().code, ErrorCode::kUsage);
  EXPECT_THAT(sensor.error().message, HasSubstr("full_scale_N_Nm"));
  sensor = NetFt::open({"udp:box:49152", "", std::nullopt}, lab.world.connector());
  ASSERT_FALSE(sensor);
  EXPECT_THAT(sensor.error().message, HasSubstr("http or command"));
}

// T_tip = T - r x F = (0.5, -3, 0.5) N mm at r = (0, 0, 25) mm.
TEST(NetFtCommandInterface, MovesTorquesToTheToolAndTheDriverMovesThemBack) {
  BoxWithCommands lab;
  const auto to_tool = encode(NetFtTransform{{0, 0, 25e-3}, {}}).value();
  const auto taken = lab.ask(to_tool, kNetFtAcknowledgeSize);
  ASSERT_TRUE(taken && check_acknowledge(*taken, NetFtCommand::kWriteTransform));
  auto looking = lab.options();
  looking.write_settings = false;
  auto sensor = NetFt::open(looking, lab.world.connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  const auto at_tip = lab.first_wrench(**sensor);
  EXPECT_NEAR(at_tip[3], 0.5e-3, 1e-6);
  EXPECT_NEAR(at_tip[4], -3e-3, 1e-6);
  EXPECT_NEAR(at_tip[5], 0.5e-3, 1e-6);
  sensor = NetFt::open(lab.options(), lab.world.connector());  // to record: about its own origin
  ASSERT_TRUE(sensor) << sensor.error().message;
  const auto at_origin = lab.first_wrench(**sensor);
  EXPECT_NEAR(at_origin[3], 3e-3, 1e-6);
  EXPECT_NEAR(at_origin[4], 2e-3, 1e-6);
}

TEST(NetFtCommandInterface, RecordsNothingFromABoxWhoseWebPageTellsOfATransform) {
  BoxWithCommands lab;
  lab.box.tool_m = {0, 0, 25e-3};
  NetFtOptions options{"udp:box:49152", "http://box", std::nullopt};
  const auto refused = NetFt::open(options, lab.world.connector());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("cfgtfx"), HasSubstr("to zero")));
  options.write_settings = false;
  EXPECT_TRUE(NetFt::open(options, lab.world.connector()));
}

TEST(NetFtCommandInterface, BiasesAndClearsTheLatchLikeTheRdtPort) {
  BoxWithCommands lab;
  lab.rdt.inject({FaultKind::kAlarm}, lab.world.now_ns());
  auto rdt = lab.world.open("udp:box:49152");
  ASSERT_TRUE((*rdt)->send(encode(RdtRequest{RdtCommand::kStart, 5}), kTimeoutScale));
  lab.world.wait_until(lab.world.now_ns() + 100'000'000);
  const auto calibration =
      decode_calibration(*lab.ask(encode_read_calibration(), kNetFtCalibrationSize));
  const auto read = [&](NetFtReadRequest request) {
    return *decode_reading(*lab.ask(encode(request), kNetFtReadingSize));
  };
  auto reading = read({});
  EXPECT_EQ(reading.status_high, 0x8001);
  EXPECT_NEAR((*wrench_SI(reading, *calibration))[2], -5, 1e-3);
  reading = read({true, true});
  EXPECT_EQ(reading.status_high, 0);
  EXPECT_THAT(reading.counts, ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(NetFtCommandInterface, RefusesWhatItDoesNotEmulate) {
  BoxWithCommands lab;
  Bytes threshold(20);
  threshold[0] = 3;
  const auto refused = lab.ask(threshold, kNetFtAcknowledgeSize);
  ASSERT_TRUE(refused);
  EXPECT_EQ(check_acknowledge(*refused, NetFtCommand::kWriteThreshold).error().code,
            ErrorCode::kDeviceFault);
  const auto turned = encode(NetFtTransform{{}, {0, 0, 1}}).value();
  EXPECT_FALSE(
      check_acknowledge(*lab.ask(turned, kNetFtAcknowledgeSize), NetFtCommand::kWriteTransform));
}

TEST(NetFtCommandInterface, AnswersOverARealSocketPieceByPiece) {
  NetFtBox box;
  NetFtEmulator rdt(box, vector_of_2_3, steady_host_clock().now_ns());
  NetFtCommandEmulator command(box, rdt);
  EmulatorHost host;
  const auto udp = host.add_udp(rdt);
  const auto tcp = host.add_tcp(command);
  ASSERT_TRUE(udp && tcp);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto link = open_link(*tcp);
  ASSERT_TRUE(link) << link.error().message;
  const auto request = encode(NetFtReadRequest{});
  ASSERT_TRUE((*link)->send(ByteView(request).first(7), kTimeoutScale));
  ASSERT_TRUE((*link)->send(ByteView(request).subspan(7), kTimeoutScale));
  Bytes reply(kNetFtReadingSize);
  for (std::size_t have = 0; have < reply.size();) {
    const auto got = (*link)->receive(std::span(reply).subspan(have), kTimeoutScale);
    ASSERT_TRUE(got) << got.error().message;
    have += got->size;
  }
  EXPECT_TRUE(decode_reading(reply));
  NetFtOptions options{*udp, "", std::nullopt};
  options.command = *tcp;
  options.full_scale_SI = kRange_SI;
  auto sensor = NetFt::open(options, system_connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  ASSERT_TRUE((*sensor)->start());
  std::vector<ForceSample> samples;
  ASSERT_TRUE((*sensor)->read(samples, kTimeoutScale));
  EXPECT_NEAR((*sensor)->scale().wrench_SI(samples.front())[2], -5, 1e-6);
  EXPECT_TRUE((*sensor)->stop());
}

}  // namespace
}  // namespace tactelier::devices
