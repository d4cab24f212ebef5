#include "devices/server/device_claim.hpp"

#include <gmock/gmock.h>

#include <array>
#include <fstream>

#include "devices/link/link_address.hpp"
#include "tests/devices/support/served_rig.hpp"

namespace tactelier::rig {
namespace {

using devices::link_address;
using testing::AllOf;
using testing::HasSubstr;

/// Two names of one "port" in a runtime folder of its own.
class DeviceClaimTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1);
    std::ofstream(folder_.path() / "ttyUSB0") << "";
    std::filesystem::create_symlink("ttyUSB0", folder_.path() / "by-id");
  }
  void TearDown() override { ::unsetenv("XDG_RUNTIME_DIR"); }
  std::string port(const char* name) const { return "serial:" + (folder_.path() / name).string(); }
  static Result<DeviceClaim> take(const std::vector<std::string>& urls, const char* who) {
    return DeviceClaim::take(urls, {who, "/lab/rig.json", {}});
  }
  ShortFolder folder_;
};

TEST_F(DeviceClaimTest, WhatSomebodyHasIsNobodyElsesByWhateverName) {
  const auto first = take({port("ttyUSB0"), "udp:127.0.0.1:49152"}, "the rig process");
  ASSERT_TRUE(first) << first.error().message;
  for (const auto& url : {port("by-id") + "?baud=9600", std::string("udp:127.1:49152")}) {
    const auto second = take({url}, "doctor");
    ASSERT_FALSE(second) << url;
    EXPECT_EQ(second.error().code, ErrorCode::kIo);
    EXPECT_THAT(second.error().message,
                AllOf(HasSubstr(url), HasSubstr("the rig process"), HasSubstr("/lab/rig.json")));
  }
  EXPECT_TRUE(take({"udp:127.0.0.1:49153", "tcp:127.0.0.1:49152"}, "doctor")) << "another device";
}

TEST_F(DeviceClaimTest, IsGoneWithItsHolderAndLeavesNothingHalfTaken) {
  auto first = take({port("ttyUSB0")}, "the rig process");
  ASSERT_TRUE(first);
  EXPECT_FALSE(take({port("by-id"), "udp:127.0.0.1:49152"}, "doctor"));
  EXPECT_TRUE(take({"udp:127.0.0.1:49152"}, "monitor"));
  first = fail(ErrorCode::kIo, "gone");
  EXPECT_TRUE(take({port("by-id")}, "doctor"));
}

TEST_F(DeviceClaimTest, TwoRolesOfOneFileMayShareALink) {
  EXPECT_TRUE(take({port("ttyUSB0"), port("by-id")}, "the rig process"));
}

TEST(LinkAddress, IsTheSameForEveryNameOfADevice) {
  EXPECT_EQ(*link_address("udp:127.0.0.1:5"), "udp:127.0.0.1:5");
  EXPECT_EQ(*link_address("udp:127.1:5"), "udp:127.0.0.1:5");
  EXPECT_EQ(*link_address("tcp:[::1]:5"), "tcp:::1:5");
  EXPECT_EQ(*link_address("serial:/dev/ttyNOBODY?baud=9600"), "/dev/ttyNOBODY");
  EXPECT_EQ(*link_address("pty:/dev/../dev/null"), "/dev/null");
  EXPECT_FALSE(link_address("nothing"));
}

}  // namespace
}  // namespace tactelier::rig
