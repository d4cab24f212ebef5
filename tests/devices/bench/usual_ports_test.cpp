// The bench at ports that somebody else may have.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include "devices/ati/netft.hpp"
#include "devices/bench/bench_of_rig.hpp"
#include "devices/bench/running_bench.hpp"
#include "devices/link/link.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Another program at a port of the loopback that the system chose.
class TakenPort {
 public:
  explicit TakenPort(int type) : socket_(::socket(AF_INET, type, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // As other emulators do: it must not let two have the same port.
    const int on = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    socklen_t size = sizeof address_;
    auto* at = reinterpret_cast<sockaddr*>(&address_);
    if (::bind(socket_.get(), at, size) != 0 || ::getsockname(socket_.get(), at, &size) != 0 ||
        (type == SOCK_STREAM && ::listen(socket_.get(), 1) != 0))
      ::abort();
  }
  std::uint16_t number() const { return ntohs(address_.sin_port); }

 private:
  Descriptor socket_;
  sockaddr_in address_{};
};

Result<std::unique_ptr<RunningBench>> bench_at(const BenchPorts& ports) {
  const auto truth = pad::draw_truth(load_sensor("weiss-wts0614").value(), 1).value();
  return RunningBench::start(bench_setup_of(virtual_bench_rig(), truth, pad::clean(), 1).value(), 1,
                             ports);
}

TEST(UsualPorts, AreThoseOfANetFtAndForItsWebPageOneThatNeedsNoRoot) {
  EXPECT_EQ(kUsualPorts.rdt, 49152);  // ATI 9620-05
  EXPECT_EQ(kUsualPorts.command, 49151);
  EXPECT_EQ(kUsualPorts.web, 8080);
}

TEST(UsualPorts, AreNamedWhenAnotherProgramHasThem) {
  const TakenPort udp(SOCK_DGRAM), tcp(SOCK_STREAM);
  auto bench = bench_at({udp.number(), 0, 0});
  ASSERT_FALSE(bench);
  EXPECT_EQ(bench.error().code, ErrorCode::kIo);
  EXPECT_THAT(bench.error().message,
              AllOf(HasSubstr(fmt::format("UDP port {} of the loopback is taken", udp.number())),
                    HasSubstr("ss -ulpn")));
  bench = bench_at({0, tcp.number(), 0});
  ASSERT_FALSE(bench);
  EXPECT_THAT(bench.error().message, HasSubstr(fmt::format("TCP port {}", tcp.number())));
  bench = bench_at({0, 0, tcp.number()});
  ASSERT_FALSE(bench);
  EXPECT_THAT(bench.error().message, HasSubstr(fmt::format("TCP port {}", tcp.number())));
}

TEST(UsualPorts, AreWhatTheBenchIsReachedAt) {
  auto rdt = std::make_unique<TakenPort>(SOCK_DGRAM);
  auto command = std::make_unique<TakenPort>(SOCK_STREAM);
  auto web = std::make_unique<TakenPort>(SOCK_STREAM);
  const BenchPorts ports{rdt->number(), command->number(), web->number()};
  rdt.reset();
  command.reset();
  web.reset();
  const auto bench = bench_at(ports);
  ASSERT_TRUE(bench) << bench.error().message;
  const auto& at = (*bench)->endpoints();
  EXPECT_EQ(at.force, fmt::format("udp:127.0.0.1:{}", ports.rdt));
  EXPECT_EQ(at.force_command, fmt::format("tcp:127.0.0.1:{}", ports.command));
  EXPECT_EQ(at.force_web, fmt::format("http://127.0.0.1:{}", ports.web));
  const auto force = NetFt::open({at.force, at.force_web, {}}, system_connector());
  ASSERT_TRUE(force) << force.error().message;
  EXPECT_TRUE((*force)->start());
}

}  // namespace
}  // namespace tactelier::devices
