#include "devices/link/link_url.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view url) {
  const auto link = parse_link_url(url);
  if (link) return "accepted";
  EXPECT_EQ(link.error().code, ErrorCode::kUsage);
  return link.error().message;
}

TEST(LinkUrl, ReadsASerialPortWithItsOptions) {
  const auto link =
      parse_link_url("serial:/dev/ttyUSB0?baud=250000&data=7&parity=even&stop=2&dtr=off&rts=on");
  ASSERT_TRUE(link) << link.error().message;
  EXPECT_EQ(link->kind, LinkKind::kSerial);
  EXPECT_EQ(link->path, "/dev/ttyUSB0");
  EXPECT_EQ(link->serial.baud, 250000);
  EXPECT_EQ(link->serial.data_bits, 7);
  EXPECT_EQ(link->serial.parity, SerialParity::kEven);
  EXPECT_EQ(link->serial.stop_bits, 2);
  EXPECT_EQ(link->serial.dtr, false);
  EXPECT_EQ(link->serial.rts, true);
}

TEST(LinkUrl, LeavesTheUsualFormatWhereNothingIsSaid) {
  const auto link = parse_link_url("pty:/dev/pts/4");
  ASSERT_TRUE(link) << link.error().message;
  EXPECT_EQ(link->kind, LinkKind::kPty);
  EXPECT_EQ(link->serial.baud, 115200);
  EXPECT_EQ(link->serial.data_bits, 8);
  EXPECT_FALSE(link->serial.dtr.has_value());
}

TEST(LinkUrl, ReadsHostsByNameAddressAndInBrackets) {
  EXPECT_EQ(parse_link_url("udp:192.168.1.1:49152")->port, 49152);
  EXPECT_EQ(parse_link_url("udp://192.168.1.1:49152")->host, "192.168.1.1");
  EXPECT_EQ(parse_link_url("tcp:dsa.local:13000")->host, "dsa.local");
  EXPECT_EQ(parse_link_url("tcp:[fe80::1%eth0]:23")->host, "fe80::1%eth0");
}

TEST(LinkUrl, ReadsAnInterfaceOfCan) {
  const auto link = parse_link_url("can:can0");
  ASSERT_TRUE(link) << link.error().message;
  EXPECT_EQ(link->kind, LinkKind::kCan);
  EXPECT_EQ(link->path, "can0");
  EXPECT_THAT(refusal("can:"), HasSubstr("no interface"));
  EXPECT_THAT(refusal("can:/dev/ttyUSB0"), HasSubstr("no interface"));
  EXPECT_THAT(refusal("can:0123456789abcdef"), HasSubstr("no interface"));
  EXPECT_THAT(refusal("can:can0?bitrate=500000"), HasSubstr("ip link"));
}

TEST(LinkUrl, NamesTheNearestWordWhenSomethingIsMisspelt) {
  EXPECT_THAT(refusal("seral:/dev/ttyUSB0"), HasSubstr("did you mean 'serial'?"));
  EXPECT_THAT(refusal("serial:/dev/ttyUSB0?buad=9600"), HasSubstr("did you mean 'baud'?"));
  EXPECT_THAT(refusal("serial:/dev/ttyUSB0?parity=evn"), HasSubstr("did you mean 'even'?"));
  EXPECT_THAT(refusal("/dev/ttyUSB0"), HasSubstr("write serial:/dev/ttyUSB0"));
}

TEST(LinkUrl, SaysWhatIsMissingOrOutOfRange) {
  EXPECT_THAT(refusal("udp:192.168.1.1"), HasSubstr("no port"));
  EXPECT_THAT(refusal("udp:192.168.1.1:70000"), HasSubstr("from 1 to 65535"));
  EXPECT_THAT(refusal("udp:192.168.1.1:http"), HasSubstr("port 'http'"));
  EXPECT_THAT(refusal("udp::49152"), HasSubstr("no host"));
  EXPECT_THAT(refusal("tcp:fe80::1:23"), HasSubstr("in brackets"));
  EXPECT_THAT(refusal("tcp:[fe80::1]"), HasSubstr("no port"));
  EXPECT_THAT(refusal("tcp:a:1?baud=9600"), HasSubstr("takes no options"));
  EXPECT_THAT(refusal("serial:"), HasSubstr("no port"));
  EXPECT_THAT(refusal("serial:/dev/ttyUSB0?baud=9600.5"), HasSubstr("whole number"));
  EXPECT_THAT(refusal("serial:/dev/ttyUSB0?baud=5000000"), HasSubstr("from 50 to 4000000"));
  EXPECT_THAT(refusal("serial:/dev/ttyUSB0?baud"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(refusal(""), HasSubstr("serial:, pty:, tcp:, udp:, can:"));
  EXPECT_THAT(refusal("tcp"), HasSubstr("serial:, pty:, tcp:, udp:, can:"));
}

RC_GTEST_PROP(LinkUrl, SurvivesAnyText, (const std::string& text)) {
  for (const auto* scheme : {"", "serial:", "pty:/a?", "tcp:", "udp:", "can:"})
    if (const auto link = parse_link_url(scheme + text); !link)
      RC_ASSERT(link.error().code == ErrorCode::kUsage);
}

}  // namespace
}  // namespace tactelier::devices
