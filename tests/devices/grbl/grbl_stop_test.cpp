// The stop byte of a supervisor comes at any moment, also while a line is on its way.
#include <gmock/gmock.h>

#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/grbl/grbl_stage.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// Lets somebody act right before a line is sent: what another thread may do at that moment.
class NudgedLink final : public Link {
 public:
  NudgedLink(std::unique_ptr<Link> link, std::function<void(ByteView)> before)
      : link_(std::move(link)), before_(std::move(before)) {}
  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    return link_->receive(into, timeout);
  }
  Result<void> send(ByteView bytes, Timeout timeout) override {
    before_(bytes);
    return link_->send(bytes, timeout);
  }
  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return link_->clock(); }

 private:
  std::unique_ptr<Link> link_;
  std::function<void(ByteView)> before_;
};

class GrblStop : public testing::Test {
 protected:
  void SetUp() override {
    world_.add("pty:grbl", grbl_, false);
    const auto connect = [this](std::string_view url, Timeout) -> Result<std::unique_ptr<Link>> {
      auto link = world_.open(url);
      if (!link) return fail(link.error());
      return std::make_unique<NudgedLink>(std::move(*link), [this](ByteView bytes) {
        if (nudge_ && bytes.size() > 1) std::exchange(nudge_, nullptr)();
      });
    };
    auto opened = GrblStage::open({"pty:grbl", 10, true, -1e-3, 5e-3, 5e-3}, connect);
    ASSERT_TRUE(opened) << opened.error().message;
    stage_ = std::move(*opened);
    ASSERT_TRUE(stage_->home());
    ASSERT_TRUE(stage_->move_to({-1e-3, -1e-3, -30e-3}, 2e-3));
    std::vector<StageSample> samples;
    ASSERT_TRUE(stage_->poll(samples, Timeout(1000)));
  }
  double z_mm() { return grbl_.true_position_mm()[2]; }

  SimulatedWorld world_;
  GrblEmulator grbl_{GrblBoard{GrblDialect::kGrbl,
                               115200,
                               {{22, 1},
                                {110, 1500},
                                {111, 1500},
                                {112, 600},
                                {120, 100},
                                {121, 100},
                                {122, 100},
                                {130, 50},
                                {131, 50},
                                {132, 40},
                                {25, 600},
                                {24, 60}},
                               {-7, -3, -12}},
                     world_.now_ns()};
  std::unique_ptr<GrblStage> stage_;
  std::function<void()> nudge_;
};

TEST_F(GrblStop, BeforeALineCostsNeitherThePositionNorTime) {
  nudge_ = [this] { EXPECT_TRUE(stage_->hold_now()); };
  const auto begun_ns = world_.now_ns();
  const auto moved = stage_->move_to({-1e-3, -1e-3, -35e-3}, 2e-3);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(moved.error().message, HasSubstr("told to stop"));
  EXPECT_LT(world_.now_ns() - begun_ns, 50'000'000);  // the line's answer is not waited for
  ASSERT_TRUE(stage_->stop());
  EXPECT_FALSE(stage_->silent());
  EXPECT_TRUE(stage_->position_trusted());
  EXPECT_NEAR(z_mm(), -1, 1e-6);  // retracted; the line of before is forgotten
  stage_->unlock();
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 2e-3));
}

TEST_F(GrblStop, KeepsLaterLinesFromBeingSent) {
  ASSERT_TRUE(stage_->hold_now());
  EXPECT_FALSE(stage_->move_to({-1e-3, -1e-3, -35e-3}, 2e-3));
  EXPECT_FALSE(stage_->jog({0, 0, -1e-3}, 2e-3));
  ASSERT_TRUE(stage_->stop());
  world_.wait_until(world_.now_ns() + 5'000'000'000);
  EXPECT_NEAR(z_mm(), -1, 1e-6);
}

TEST_F(GrblStop, DeadIsNoRestartByItself) {
  ASSERT_TRUE(stage_->reset_now());
  std::vector<StageSample> samples;
  const auto heard = stage_->poll(samples, Timeout(300));
  ASSERT_FALSE(heard);
  EXPECT_THAT(heard.error().message, HasSubstr("alarm 3"));
  EXPECT_FALSE(stage_->position_trusted());
  const auto aborted = stage_->abort();
  ASSERT_TRUE(aborted) << aborted.error().message;
  EXPECT_FALSE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 2e-3));
  ASSERT_TRUE(stage_->home());
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -2e-3}, 2e-3));
}

TEST_F(GrblStop, DeadAtRestLetsNoLineThrough) {
  ASSERT_TRUE(stage_->stop());
  stage_->unlock();
  ASSERT_TRUE(stage_->reset_now());  // at rest: the controller would take lines at once
  EXPECT_FALSE(stage_->move_to({-1e-3, -1e-3, -5e-3}, 2e-3));
  world_.wait_until(world_.now_ns() + 5'000'000'000);
  EXPECT_NEAR(z_mm(), -1, 1e-6);
}

TEST_F(GrblStop, AtRestIsOverWhenItIsAcknowledged) {
  ASSERT_TRUE(stage_->stop());
  ASSERT_TRUE(stage_->hold_now());  // STOP was pressed once more
  EXPECT_FALSE(stage_->home());
  stage_->unlock();
  EXPECT_TRUE(stage_->home());
  EXPECT_TRUE(stage_->move_to({-1e-3, -1e-3, -5e-3}, 2e-3));
}

TEST_F(GrblStop, EndsHomingByAReset) {
  ASSERT_TRUE(stage_->stop());
  stage_->unlock();
  ASSERT_TRUE(stage_->move_to({-20e-3, -20e-3, -20e-3}, 5e-3));
  ASSERT_TRUE(stage_->wait_until_idle(Timeout(60'000)));
  nudge_ = [this] { EXPECT_TRUE(stage_->hold_now()); };
  ASSERT_FALSE(stage_->home());
  EXPECT_FALSE(stage_->position_trusted());
  const auto at_mm = grbl_.true_position_mm();
  world_.wait_until(world_.now_ns() + 60'000'000'000);
  EXPECT_EQ(grbl_.true_position_mm(), at_mm);
  EXPECT_TRUE(stage_->home());
}

}  // namespace
}  // namespace tactelier::devices
