// What a device file may say of Zaber axes.
#include "devices/zaber/driver.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/devices/support/zaber_world.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ZaberDriver : public testing::Test, protected ZaberWorld {
 protected:
  Result<std::unique_ptr<MotionStage>> open_entry(json changes) {
    if (!axes_) power_up();
    json entry{{"driver", "zaber"},
               {"url", "pty:zaber"},
               {"um_per_step", {0.125, 0.125, -0.125}},
               {"machine_zero_mm", {0, 0, 40}}};
    entry.update(changes);
    const auto options =
        DriverOptions::read(entry, "zaber", kZaberDriver.options, "lab.json: stage", ".");
    if (!options) return fail(options.error());
    OpenContext context;
    context.connect = world_.connector();
    return kZaberDriver.open(*options, context);
  }
};

TEST_F(ZaberDriver, OpensAControllerOfThreeAxes) {
  const auto stage = open_entry(json::object());
  ASSERT_TRUE(stage) << stage.error().message;
  EXPECT_NEAR((*stage)->travel().high_m[2], 40e-3, 1e-9);
  EXPECT_NEAR((*stage)->travel().high_m[0], 50e-3, 1e-9);
}

/// Of several devices each has one axis, where nothing else is said.
TEST_F(ZaberDriver, OpensAChain) {
  board_.chained = true;
  const auto stage = open_entry({{"devices", {1, 2, 3}}});
  ASSERT_TRUE(stage) << stage.error().message;
  EXPECT_EQ(dynamic_cast<const ZaberStage&>(**stage).identities().size(), 3U);
}

TEST_F(ZaberDriver, RefusesWhatIsNoAxis) {
  EXPECT_THAT(open_entry({{"axes", {1, 2, 2.5}}}).error().message,
              HasSubstr("lab.json: stage: axes: 2.5 is no whole number"));
  EXPECT_THAT(open_entry({{"axes", {1, 2, 0}}}).error().message, HasSubstr("axes"));
  EXPECT_THAT(open_entry({{"um_per_step", {1, 1}}}).error().message, HasSubstr("um_per_step"));
  EXPECT_THAT(open_entry({{"um_per_step", nullptr}}).error().message, HasSubstr("um_per_step"));
}

}  // namespace
}  // namespace tactelier::devices
