#include "devices/link/can_link.hpp"

#include <gmock/gmock.h>

#include "devices/link/link_address.hpp"

namespace tactelier::devices {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

TEST(CanLink, SaysWhatIsMissing) {
  // Of the kernel, or the interface: whichever this computer lacks first.
  const auto link = open_link("can:tactelier9");
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().code, ErrorCode::kIo);
  EXPECT_THAT(link.error().message, HasSubstr("can:tactelier9: "));
  EXPECT_THAT(link.error().message,
              AnyOf(HasSubstr("modprobe can_raw"), HasSubstr("ip link show type can")));
}

TEST(CanLink, HasItsInterfaceForAddress) { EXPECT_EQ(*link_address("can:can0"), "can:can0"); }

}  // namespace
}  // namespace tactelier::devices
