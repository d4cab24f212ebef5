// Every motion of a rig, stopped in every way, on every dialect: at rest within v/a + 150 ms, the
// position kept, and the next move goes where it should.
#include <gmock/gmock.h>

#include <cmath>

#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/grbl/grbl_stage.hpp"

namespace tactelier::devices {
namespace {

constexpr double kAcceleration_mm_per_s2 = 100;
constexpr double kGrace_s = 0.15;

/// Notes when the stage last moved and which resets hit it in motion; lets somebody act right after
/// a line was written, while the controller still reads it.
class WatchedLink final : public Link {
 public:
  WatchedLink(std::unique_ptr<Link> link, GrblEmulator& grbl, std::function<void()>& after_line)
      : link_(std::move(link)), grbl_(grbl), after_line_(after_line) {}
  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    auto got = link_->receive(into, std::min(timeout, Timeout(1)));
    if (grbl_.moving()) moved_ns = clock().now_ns();
    return got;
  }
  Result<void> send(ByteView bytes, Timeout timeout) override {
    if (bytes[0] == grbl::kSoftReset && grbl_.moving()) ++resets_in_motion;
    auto sent = link_->send(bytes, timeout);
    if (after_line_ && bytes.size() > 2) std::exchange(after_line_, nullptr)();
    return sent;
  }
  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return link_->clock(); }

  std::int64_t moved_ns = 0;
  int resets_in_motion = 0;

 private:
  std::unique_ptr<Link> link_;
  GrblEmulator& grbl_;
  std::function<void()>& after_line_;
};

struct Motion {
  const char* name;
  std::vector<StagePosition> ways_m;  // queued, one behind the other
  double speed_m_per_s;
};
const std::array<Motion, 3> kMotions{{{"Jog", {{0, -20e-3, 0}}, 10e-3},
                                      {"DescentOfTwoPieces", {{0, 0, -3e-3}, {0, 0, -12e-3}}, 8e-3},
                                      {"Slide", {{30e-3, 0, 0}}, 25e-3}}};
constexpr std::array<std::pair<const char*, GrblDialect>, 3> kDialects{
    {{"Grbl", GrblDialect::kGrbl},
     {"GrblHal", GrblDialect::kGrblHal},
     {"FluidNc", GrblDialect::kFluidNc}}};
enum class How { kStop, kTripThenStop, kStopJog };
constexpr std::array<std::pair<const char*, How>, 3> kWays{
    {{"Stop", How::kStop}, {"TripThenStop", How::kTripThenStop}, {"StopJog", How::kStopJog}}};

class OnADialect : public testing::Test {
 protected:
  void power_up(GrblDialect dialect) {
    const double a = kAcceleration_mm_per_s2;
    grbl_ = std::make_unique<GrblEmulator>(GrblBoard{dialect,
                                                     115200,
                                                     {{1, 255},
                                                      {10, 3},
                                                      {20, 1},
                                                      {22, 1},
                                                      {24, 60},
                                                      {25, 600},
                                                      {110, 1500},
                                                      {111, 1500},
                                                      {112, 600},
                                                      {120, a},
                                                      {121, a},
                                                      {122, a},
                                                      {130, 50},
                                                      {131, 50},
                                                      {132, 40}},
                                                     {-7, -3, -12}},
                                           world_.now_ns());
    world_.add("pty:grbl", *grbl_, false);
    const auto connect = [this](std::string_view url, Timeout) -> Result<std::unique_ptr<Link>> {
      auto link = world_.open(url);
      if (!link) return fail(link.error());
      auto watched = std::make_unique<WatchedLink>(std::move(*link), *grbl_, after_line_);
      link_ = watched.get();
      return watched;
    };
    GrblOptions options;
    options.url = "pty:grbl";
    auto opened = GrblStage::open(options, connect);
    ASSERT_TRUE(opened) << opened.error().message;
    stage_ = std::move(*opened);
    ASSERT_TRUE(stage_->home());
    ASSERT_TRUE(stage_->move_to(kStart_m, 10e-3));
    ASSERT_TRUE(stage_->wait_until_idle(Timeout(20'000)));
  }
  void set_off(const Motion& motion) {
    for (const auto& way_m : motion.ways_m) ASSERT_TRUE(stage_->jog(way_m, motion.speed_m_per_s));
    listen(0.45);  // at full speed
    ASSERT_TRUE(grbl_->moving());
  }
  void listen(double time_s) {
    std::vector<StageSample> samples;
    (void)stage_->poll(samples, Timeout(static_cast<int>(1e3 * time_s)));
  }
  double rest_after_s(std::int64_t told_ns) const {
    return static_cast<double>(link_->moved_ns - told_ns) * 1e-9;
  }
  void expect_at_rest_and_well(std::int64_t told_ns, double braking_s) {
    EXPECT_LE(rest_after_s(told_ns), braking_s + kGrace_s);
    EXPECT_EQ(link_->resets_in_motion, 0);
    EXPECT_TRUE(stage_->position_trusted()) << stage_->position_doubt();
    EXPECT_FALSE(stage_->silent());
    const auto at_mm = grbl_->true_position_mm();
    listen(3);  // nothing goes on behind our back
    EXPECT_EQ(grbl_->true_position_mm(), at_mm);
    stage_->unlock();
    const auto again = stage_->move_to(kStart_m, 10e-3);
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_TRUE(stage_->wait_until_idle(Timeout(20'000)));
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(grbl_->true_position_mm()[axis], 1e3 * kStart_m[axis], 1e-3);
  }

  static constexpr StagePosition kStart_m{-40e-3, -20e-3, -20e-3};
  SimulatedWorld world_;
  std::unique_ptr<GrblEmulator> grbl_;
  std::function<void()> after_line_;
  WatchedLink* link_ = nullptr;
  std::unique_ptr<GrblStage> stage_;
};

class EveryStop : public OnADialect,
                  public testing::WithParamInterface<std::tuple<int, int, int>> {};

TEST_P(EveryStop, RestsInTimeWithItsPosition) {
  const auto& [dialect, moves, way] = GetParam();
  const auto& motion = kMotions[static_cast<std::size_t>(moves)];
  ASSERT_NO_FATAL_FAILURE(power_up(kDialects[static_cast<std::size_t>(dialect)].second));
  ASSERT_NO_FATAL_FAILURE(set_off(motion));
  const double braking_s = motion.speed_m_per_s * 1e3 / kAcceleration_mm_per_s2;
  EXPECT_NEAR(stage_->braking_s(), braking_s, 1e-9);
  const auto told_ns = world_.now_ns();
  const auto how = kWays[static_cast<std::size_t>(way)].second;
  if (how == How::kTripThenStop) {
    ASSERT_TRUE(stage_->hold_now());
    listen(1e-3);
  }
  const auto stopped = how == How::kStopJog ? stage_->stop_jog() : stage_->stop();
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_FALSE(grbl_->moving());
  expect_at_rest_and_well(told_ns, braking_s);
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, int, int>>& info) {
  const auto& [dialect, moves, way] = info.param;
  return fmt::format("{}{}{}", kDialects[static_cast<std::size_t>(dialect)].first,
                     kMotions[static_cast<std::size_t>(moves)].name,
                     kWays[static_cast<std::size_t>(way)].first);
}

INSTANTIATE_TEST_SUITE_P(Dialects, EveryStop,
                         testing::Combine(testing::Range(0, 3), testing::Range(0, 3),
                                          testing::Range(0, 3)),
                         name_of);

/// With a line in the controller's parser at the very moment: its own motion must not be left over.
class StopBehindALine : public OnADialect, public testing::WithParamInterface<int> {};

TEST_P(StopBehindALine, ThatAddsToAJog) {
  ASSERT_NO_FATAL_FAILURE(power_up(kDialects[static_cast<std::size_t>(GetParam())].second));
  ASSERT_TRUE(stage_->jog({0, 0, -4e-3}, 8e-3));
  listen(0.2);
  std::int64_t told_ns = 0;
  after_line_ = [&] {
    told_ns = world_.now_ns();
    EXPECT_TRUE(stage_->hold_now());
  };
  (void)stage_->jog({0, 0, -15e-3}, 8e-3);
  ASSERT_NE(told_ns, 0);
  ASSERT_TRUE(stage_->stop());
  expect_at_rest_and_well(told_ns, 0.08);
}

TEST_P(StopBehindALine, ThatSetsTheStageOff) {
  ASSERT_NO_FATAL_FAILURE(power_up(kDialects[static_cast<std::size_t>(GetParam())].second));
  std::int64_t told_ns = 0;
  after_line_ = [&] {
    told_ns = world_.now_ns();
    EXPECT_TRUE(stage_->hold_now());
  };
  (void)stage_->jog({0, 0, -15e-3}, 8e-3);
  ASSERT_NE(told_ns, 0);
  ASSERT_TRUE(stage_->stop());
  expect_at_rest_and_well(told_ns, 0.08);
  EXPECT_GT(grbl_->true_position_mm()[2], -20.1);
}

TEST_P(StopBehindALine, OfGCode) {
  ASSERT_NO_FATAL_FAILURE(power_up(kDialects[static_cast<std::size_t>(GetParam())].second));
  ASSERT_TRUE(stage_->move_to({-40e-3, -20e-3, -38e-3}, 8e-3));
  listen(0.3);
  const auto told_ns = world_.now_ns();
  ASSERT_TRUE(stage_->hold_now());
  ASSERT_TRUE(stage_->stop());
  expect_at_rest_and_well(told_ns, 0.08);
}

INSTANTIATE_TEST_SUITE_P(Dialects, StopBehindALine, testing::Range(0, 3), [](const auto& row) {
  return kDialects[static_cast<std::size_t>(row.param)].first;
});

}  // namespace
}  // namespace tactelier::devices
