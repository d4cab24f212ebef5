#include "devices/acquisition/lost_devices.hpp"

#include <gmock/gmock.h>

#include <future>

namespace tactelier::rig {
namespace {

using devices::Timeout;
using testing::AllOf;
using testing::HasSubstr;

TEST(LostDevices, WhereNothingIsLostNothingIsBroughtBack) {
  LostDevices lost;
  EXPECT_FALSE(lost.any());
  const auto back = lost.bring_back(Timeout(0));
  ASSERT_TRUE(back);
  EXPECT_FALSE(*back);
}

TEST(LostDevices, ItsThreadIsAskedForItAndSaysWhatCameOfIt) {
  LostDevices lost;
  lost.lost(DeviceRole::kForce, "force sensor: gone");
  lost.lost(DeviceRole::kStage, "stage: gone");
  EXPECT_FALSE(lost.wanted(DeviceRole::kForce, Timeout(0))) << "nobody has asked";
  auto asked = std::async(std::launch::async, [&] { return lost.bring_back(Timeout(5000)); });
  ASSERT_TRUE(lost.wanted(DeviceRole::kForce, Timeout(5000)));
  lost.tried(DeviceRole::kForce, {});
  ASSERT_TRUE(lost.wanted(DeviceRole::kStage, Timeout(5000)));
  lost.tried(DeviceRole::kStage, fail(ErrorCode::kIo, "stage: /dev/ttyUSB0: no such file"));
  const auto back = asked.get();
  ASSERT_FALSE(back);
  EXPECT_THAT(back.error().message, AllOf(HasSubstr("/dev/ttyUSB0"), HasSubstr("acknowledge"),
                                          testing::Not(HasSubstr("force"))));
  EXPECT_FALSE(lost.is_lost(DeviceRole::kForce));
  EXPECT_TRUE(lost.is_lost(DeviceRole::kStage));
  EXPECT_FALSE(lost.wanted(DeviceRole::kStage, Timeout(0))) << "tried once for each question";
}

TEST(LostDevices, WhoeverTakesTooLongIsSaidToBeUnderWay) {
  LostDevices lost;
  lost.lost(DeviceRole::kArray, "tactile array: gone");
  const auto back = lost.bring_back(Timeout(1));
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(back.error().message, HasSubstr("still being opened"));
}

}  // namespace
}  // namespace tactelier::rig
