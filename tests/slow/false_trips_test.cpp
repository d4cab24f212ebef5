// A hundred force sensors, drawn: noise, noise of stepping motors, drift, warm-up and a cable that
// pulls with the way. The rig file is right, so nothing may trip while the surface is found and a
// press recorded. TACTELIER_SPEED: how many times faster than real time the bench lives (8).

#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "tests/devices/support/wrong_files.hpp"

namespace tactelier::rig {
namespace {

double speed_of_false_trips() {
  const char* asked = std::getenv("TACTELIER_SPEED");
  return asked != nullptr ? std::strtod(asked, nullptr) : 8;
}

class FalseTrips : public testing::TestWithParam<std::uint64_t> {};

TEST_P(FalseTrips, ASensorThatIsOnlyNoisyDriftingAndPulledAtStopsNothing) {
  std::mt19937_64 random(GetParam());
  const auto between = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  WrongFile drawn{"drawn", stated_surface(0), {}, 1.3};
  const bool lab = between(0, 1) < 0.5;
  auto effects = lab ? pad::lab() : pad::clean();
  // A Nano17 scatters by 2 to 4 mN a sample; its cousins of 50 and 70 N by ten times as much.
  auto& force = effects.force;
  force.noise_N = std::pow(10, between(-3.3, -1.7));
  // Motors that turn add to it.
  force.noise_stepping_N = force.noise_N * std::hypot(1, between(0, 2));
  force.drift_N_per_s = between(-2e-3, 2e-3) / 60;
  force.warm_up_N = between(-20e-3, 20e-3);
  std::array<double, 3> cable_N_per_m{};
  // In any direction, 0.5 N/m at most: 40 mN over a stage's 80 mm.
  for (auto& pull : cable_N_per_m) pull = between(-0.29, 0.29);
  drawn.change = [=](auto& bench) { bench.cable_N_per_m = cable_N_per_m; };
  const auto folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("false_trips_{}", GetParam());
  std::filesystem::create_directories(folder);
  const auto outcome = use_wrong_file(drawn, "record", effects, speed_of_false_trips(), folder);
  EXPECT_TRUE(outcome.done) << fmt::format(
      "{}, noise {:.1f} mN, stepping {:.1f} mN, drift {:.1f} mN/min, warm-up {:.0f} mN, cable "
      "{:.2f} {:.2f} {:.2f} N/m: {}",
      lab ? "lab" : "clean", 1e3 * force.noise_N, 1e3 * force.noise_stepping_N,
      60e3 * force.drift_N_per_s, 1e3 * force.warm_up_N, cable_N_per_m[0], cable_N_per_m[1],
      cable_N_per_m[2], outcome.state);
  EXPECT_LE(outcome.peak_N, drawn.most_N);
}

INSTANTIATE_TEST_SUITE_P(Drawn, FalseTrips, testing::Range<std::uint64_t>(1, 101));

}  // namespace
}  // namespace tactelier::rig
