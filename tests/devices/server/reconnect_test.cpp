// A wire that was unplugged and plugged in again: acknowledging connects it, and the rig goes on.

#include <gmock/gmock.h>

#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr double kSpeed = kBenchSpeed;

class Unplugged : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(lab_.start(1, kSpeed));
    ASSERT_EQ(lab_.carry_out({{"do", "home"}})["news"], "done");
  }
  /// Until the rig is locked, half a minute at most.
  void unplug(double for_s) {
    devices::Fault fault;
    fault.kind = devices::FaultKind::kHangUp;
    fault.for_s = for_s;
    lab_.bench->inject(GetParam(), fault);
    auto& clock = devices::steady_host_clock();
    const auto end_ns = clock.now_ns() + 30'000'000'000;
    while (lab_.status()["mode"] != "fault" && clock.now_ns() < end_ns)
      clock.wait_until(clock.now_ns() + 10'000'000);
    ASSERT_EQ(lab_.status()["mode"], "fault");
  }
  ServedLaboratory lab_;
};

TEST_P(Unplugged, StaysLockedWhileItIsAway) {
  ASSERT_NO_FATAL_FAILURE(unplug(0));
  for (int times = 0; times < 2; ++times) {
    const auto refused = lab_.ask({{"do", "acknowledge"}});
    ASSERT_TRUE(refused.contains("error")) << refused.dump();
    EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("acknowledge again"));
    EXPECT_EQ(lab_.status()["mode"], "fault");
  }
}

TEST_P(Unplugged, IsConnectedAgainByAcknowledge) {
  ASSERT_NO_FATAL_FAILURE(unplug(0.5));
  auto& clock = devices::steady_host_clock();
  json answer;
  const auto end_ns = clock.now_ns() + 60'000'000'000;
  do answer = lab_.ask({{"do", "acknowledge"}});
  while (!answer.contains("ok") && clock.now_ns() < end_ns);
  ASSERT_TRUE(answer.contains("ok")) << answer.dump();
  EXPECT_EQ(lab_.status()["trip"], nullptr) << lab_.status().dump();
  // A stage that was away may have been moved: it is homed before anything else.
  const bool stage = GetParam() == std::string_view("stage");
  EXPECT_EQ(lab_.status()["position_trusted"], !stage);
  const auto homed = lab_.carry_out({{"do", "home"}});
  EXPECT_EQ(homed["news"], "done") << homed.dump();
  // All that was proved of a force sensor is proved anew, by the bench's operator here.
  const auto surface = lab_.carry_out({{"do", "surface"}, {"set_up", true}});
  ASSERT_EQ(surface["news"], "done") << surface.dump();
  EXPECT_NEAR(surface["result"]["z0_mm"].get<double>(), 0, 0.01);
}

/// A network's silence is no broken wire, and nothing locks while nothing moves. A box that was
/// switched off and on streams only when it is asked again.
TEST(SilentForce, IsOpenedAgainByAcknowledge) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  devices::Fault fault;
  fault.kind = devices::FaultKind::kHangUp;
  fault.for_s = 60;
  lab.bench->inject("force", fault);
  auto& clock = devices::steady_host_clock();
  clock.wait_until(clock.now_ns() + 1'000'000'000);
  const auto refused = lab.ask({{"do", "acknowledge"}});
  ASSERT_TRUE(refused.contains("error")) << refused.dump();
  EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("the cause lasts"));
  json answer;
  const auto end_ns = clock.now_ns() + 120'000'000'000;
  do answer = lab.ask({{"do", "acknowledge"}});
  while (!answer.contains("ok") && clock.now_ns() < end_ns);
  ASSERT_TRUE(answer.contains("ok")) << answer.dump();
  const auto samples = lab.status()["force_samples"].get<std::int64_t>();
  clock.wait_until(clock.now_ns() + 500'000'000);
  EXPECT_GT(lab.status()["force_samples"].get<std::int64_t>(), samples);
}

INSTANTIATE_TEST_SUITE_P(Wires, Unplugged, testing::Values("stage", "tactile"));

}  // namespace
}  // namespace tactelier::rig
