#include "devices/link/link.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <array>

#include "devices/link/descriptor.hpp"
#include "tests/devices/support/pseudo_terminal.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr Timeout kSoon{2000};
constexpr Timeout kAtOnce{0};

/// A socket on the loopback, bound to a free port.
class LoopbackSocket {
 public:
  explicit LoopbackSocket(int type) : socket_(::socket(AF_INET, type, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* at = reinterpret_cast<sockaddr*>(&address_);
    if (::bind(socket_.get(), at, size) != 0 || ::getsockname(socket_.get(), at, &size) != 0)
      ::abort();
  }
  int get() const { return socket_.get(); }
  std::string url(std::string_view scheme) const {
    return fmt::format("{}:127.0.0.1:{}", scheme, ntohs(address_.sin_port));
  }
  Descriptor accept() const { return Descriptor(::accept(socket_.get(), nullptr, nullptr)); }
  void close() { socket_ = Descriptor(); }

 private:
  Descriptor socket_;
  sockaddr_in address_{};
};

std::string text_from(Link& link, Timeout timeout = kSoon) {
  std::array<std::uint8_t, 64> into{};
  const auto got = link.receive(into, timeout);
  if (!got) return got.error().message;
  return {reinterpret_cast<const char*>(into.data()), got->size};
}

ErrorCode failure_of(Link& link, Timeout timeout = kSoon) {
  std::array<std::uint8_t, 64> into{};
  const auto got = link.receive(into, timeout);
  return got ? ErrorCode::kUsage : got.error().code;
}

TEST(PtyLink, CarriesEveryByteUnchangedBothWays) {
  const PseudoTerminal device;
  auto link = open_link("pty:" + device.path() + "?baud=250000");
  ASSERT_TRUE(link) << link.error().message;
  const std::string all("\x00\x03\x04\x0A\x0D\x11\x13\x18\x1A\x7F\xFF", 11);
  device.write(all);
  EXPECT_EQ(text_from(**link), all);
  ASSERT_TRUE((*link)->send(view_of(all), kSoon));
  EXPECT_EQ(device.read(all.size()), all);
}

TEST(PtyLink, IsRawAndSetsWhatAPseudoTerminalKeepsOfItsUrl) {
  const PseudoTerminal device;  // the kernel keeps 8 bits and no parity there
  const auto link = open_link("pty:" + device.path() + "?parity=odd&stop=2");
  ASSERT_TRUE(link) << link.error().message;
  const auto now = device.settings();
  EXPECT_EQ(now.c_cflag & (PARODD | CSTOPB | CRTSCTS), static_cast<tcflag_t>(PARODD | CSTOPB));
  EXPECT_EQ(now.c_lflag & (ICANON | ECHO | ISIG), 0U);
  EXPECT_EQ(now.c_iflag & (IXON | IXOFF | ICRNL), 0U);
}

TEST(PtyLink, TimesOutWhenNothingComes) {
  const PseudoTerminal device;
  auto link = open_link("pty:" + device.path());
  ASSERT_TRUE(link) << link.error().message;
  EXPECT_EQ(failure_of(**link, kAtOnce), ErrorCode::kTimeout);
  EXPECT_EQ(failure_of(**link, Timeout(5)), ErrorCode::kTimeout);
}

TEST(PtyLink, GivesWhatArrivedBeforeAHangUpAndThenFailsAtOnce) {
  PseudoTerminal device;
  auto link = open_link("pty:" + device.path());
  ASSERT_TRUE(link) << link.error().message;
  device.write("last words");
  EXPECT_EQ(text_from(**link), "last words");
  device.close();
  EXPECT_EQ(failure_of(**link, Timeout(3'600'000)), ErrorCode::kIo);
  EXPECT_THAT(text_from(**link), AllOf(HasSubstr(device.path()), HasSubstr("unplugged")));
  EXPECT_EQ((*link)->send(view_of("?"), kSoon).error().code, ErrorCode::kIo);
}

TEST(PtyLink, RefusesASecondProgramOnTheSamePort) {
  const PseudoTerminal device;
  const auto first = open_link("pty:" + device.path());
  ASSERT_TRUE(first) << first.error().message;
  const auto second = open_link("pty:" + device.path());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another program has it open"));
}

TEST(SerialLink, OpensAPseudoTerminalTheTermiosWay) {
  const PseudoTerminal device;
  auto link = open_link("serial:" + device.path() + "?dtr=off&rts=off");
  ASSERT_TRUE(link) << link.error().message;
  device.write("ok");
  EXPECT_EQ(text_from(**link), "ok");
}

TEST(SerialLink, SaysWhatHelpsWhenThePortIsNotThere) {
  const auto link = open_link("serial:/dev/ttyNOBODY");
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().code, ErrorCode::kIo);
  EXPECT_THAT(link.error().message, AllOf(HasSubstr("/dev/ttyNOBODY"), HasSubstr("plugged in")));
  const auto file = open_link("serial:/dev/null");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("no serial port"));
}

TEST(TcpLink, CarriesBytesAndReportsTheHangUp) {
  LoopbackSocket server(SOCK_STREAM);
  ASSERT_EQ(::listen(server.get(), 1), 0);
  auto link = open_link(server.url("tcp"));
  ASSERT_TRUE(link) << link.error().message;
  auto device = server.accept();
  ASSERT_TRUE((*link)->send(view_of("hello"), kSoon));
  std::array<char, 5> heard{};
  ASSERT_EQ(::recv(device.get(), heard.data(), heard.size(), MSG_WAITALL), 5);
  EXPECT_EQ(std::string(heard.data(), 5), "hello");
  ASSERT_EQ(::send(device.get(), "bye", 3, 0), 3);
  EXPECT_EQ(text_from(**link), "bye");
  device = Descriptor();
  EXPECT_EQ(failure_of(**link, Timeout(3'600'000)), ErrorCode::kIo);
}

/// A converter from serial to TCP takes connections with nothing behind it.
TEST(TcpLink, SaysThatNothingAnswersWhereItHangsUpWithoutAByte) {
  LoopbackSocket server(SOCK_STREAM);
  ASSERT_EQ(::listen(server.get(), 1), 0);
  auto link = open_link(server.url("tcp"));
  ASSERT_TRUE(link) << link.error().message;
  server.accept() = Descriptor();
  EXPECT_THAT(text_from(**link),
              AllOf(HasSubstr("nothing answers at " + server.url("tcp")), Not(HasSubstr("gone"))));
}

TEST(TcpLink, FailsToSendWhenTheOtherEndTakesNoMore) {
  LoopbackSocket server(SOCK_STREAM);
  ASSERT_EQ(::listen(server.get(), 1), 0);
  auto link = open_link(server.url("tcp"));
  ASSERT_TRUE(link) << link.error().message;
  const auto device = server.accept();
  const Bytes much(64 << 20);
  const auto sent = (*link)->send(much, Timeout(5));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::kTimeout);
}

TEST(TcpLink, SaysThatNothingListens) {
  LoopbackSocket server(SOCK_STREAM);
  const auto url = server.url("tcp");
  server.close();
  const auto link = open_link(url);
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().code, ErrorCode::kIo);
  EXPECT_THAT(link.error().message, AllOf(HasSubstr("nothing answers at " + url),
                                          HasSubstr("nothing listens on that port")));
}

class UdpLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_link(device_.url("udp"));
    ASSERT_TRUE(opened) << opened.error().message;
    link_ = std::move(*opened);
    ASSERT_TRUE(link_->send(view_of("start"), kSoon));
    std::array<char, 64> heard{};
    socklen_t size = sizeof host_;
    ASSERT_EQ(::recvfrom(device_.get(), heard.data(), heard.size(), 0,
                         reinterpret_cast<sockaddr*>(&host_), &size),
              5);
  }
  void answer(std::string_view text) const {
    ASSERT_EQ(::sendto(device_.get(), text.data(), text.size(), 0,
                       reinterpret_cast<const sockaddr*>(&host_), sizeof host_),
              static_cast<ssize_t>(text.size()));
  }
  LoopbackSocket device_{SOCK_DGRAM};
  std::unique_ptr<Link> link_;
  sockaddr_in host_{};
};

TEST_F(UdpLinkTest, KeepsDatagramsApart) {
  answer("one");
  answer("three");
  EXPECT_EQ(text_from(*link_), "one");
  EXPECT_EQ(text_from(*link_), "three");
  EXPECT_EQ(failure_of(*link_, kAtOnce), ErrorCode::kTimeout);
}

/// The kernel switches stamping on a while after the first socket has asked for it, and stamps what
/// came before that when it is read.
TEST_F(UdpLinkTest, StampsWhenTheKernelHadIt) {
  constexpr int kMost = 10'000;
  for (int i = 0; i < kMost; ++i) {
    const auto before_ns = link_->clock().now_ns();
    answer("x");
    for (int more = 0; more < 50; ++more) answer("y");  // it is read later
    const auto read_ns = link_->clock().now_ns();
    std::array<std::uint8_t, 8> into{};
    const auto got = link_->receive(into, kSoon);
    ASSERT_TRUE(got);
    // Both clocks are known to each other to within 20 us, however busy the computer is.
    constexpr std::int64_t kClocksApart_ns = 20'000;
    ASSERT_GE(got->host_time_ns, before_ns - kClocksApart_ns);
    while (link_->receive(into, kAtOnce)) {
    }
    if (got->host_time_ns < read_ns - kClocksApart_ns) return;  // the kernel's
  }
  FAIL() << "stamped when it was read, " << kMost << " times";
}

TEST_F(UdpLinkTest, CountsWhatThisHostHadToDrop) {
  // 4 MiB hold about 8000 small datagrams (doubled by the kernel, which charges its bookkeeping).
  constexpr std::uint32_t kSent = 60'000;
  for (std::uint32_t i = 0; i < kSent; ++i) answer("36 bytes as the Net F/T sends them..");
  std::array<std::uint8_t, 64> into{};
  std::uint32_t received = 0, dropped = 0;
  while (const auto got = link_->receive(into, kAtOnce)) {
    ++received;
    dropped = got->dropped;
  }
  answer("after the flood");  // the count travels with the next datagram
  const auto last = link_->receive(into, kSoon);
  ASSERT_TRUE(last);
  dropped = last->dropped;
  EXPECT_LT(received, kSent);
  EXPECT_EQ(received + dropped, kSent);
}

TEST_F(UdpLinkTest, RefusesADatagramThatIsTooLong) {
  answer(std::string(65, 'x'));
  EXPECT_EQ(failure_of(*link_), ErrorCode::kProtocol);
  answer("short");
  EXPECT_EQ(text_from(*link_), "short");
}

/// What tells a sensor that fell silent from a computer too busy to judge it.
TEST_F(UdpLinkTest, KnowsOfADatagramThatNobodyHasReadYet) {
  EXPECT_FALSE(link_->readable());
  answer("one");
  EXPECT_TRUE(link_->readable());
  EXPECT_EQ(text_from(*link_), "one");
  EXPECT_FALSE(link_->readable());
}

TEST_F(UdpLinkTest, SaysThatADeviceThatWasHeardIsGone) {
  answer("one");
  EXPECT_EQ(text_from(*link_), "one");
  device_.close();
  ASSERT_TRUE(link_->send(view_of("start"), kSoon));
  EXPECT_THAT(text_from(*link_), AllOf(HasSubstr(link_->url()), HasSubstr("is gone")));
}

TEST_F(UdpLinkTest, SaysThatNothingAnswersWhereNoDeviceEverWas) {
  device_.close();
  ASSERT_TRUE(link_->send(view_of("start"), kSoon));
  const auto said = text_from(*link_);
  EXPECT_THAT(said, AllOf(HasSubstr("nothing answers at " + link_->url()),
                          HasSubstr("check power, cable and address"), Not(HasSubstr("gone"))));
  ASSERT_TRUE(link_->send(view_of("start"), kSoon));
  EXPECT_EQ(failure_of(*link_), ErrorCode::kIo);
}

TEST(DiscardInput, ThrowsAwayWhatAnEarlierProgramLeft) {
  const PseudoTerminal device;
  auto link = open_link("pty:" + device.path());
  ASSERT_TRUE(link) << link.error().message;
  device.write("rest of an old stream");
  EXPECT_TRUE(discard_input(**link, Timeout(1), kSoon));
  EXPECT_EQ(failure_of(**link, kAtOnce), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace tactelier::devices
