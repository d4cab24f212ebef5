// Clocks (docs/virtual-bench.md 2, row "clocks"), each effect alone: device stamps against
// `t_host`.

#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

struct Stamps {
  std::vector<double> device_s;
  std::vector<double> host_s;
};

Stamps stamps(const EffectRecording& recording, StreamKind kind) {
  auto host = recording.trace(kind, "t_host");
  return {std::move(host.t_s), std::move(host.v)};
}

/// Device seconds per host second, minus one.
double skew(const EffectRecording& recording, StreamKind kind) {
  const auto s = stamps(recording, kind);
  return line_through(s.host_s, s.device_s).slope - 1;
}

TEST(ClockEffect, TheForceSensorsCrystalIsOffByUpTo50Ppm) {
  const auto effects = alone([](auto& e, const auto& lab) {
    e.clock.own = true;
    e.clock.crystal_ppm = lab.clock.crystal_ppm;
  });
  double most = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const EffectRecording recording(effects, zero_for(20), elastic_pad(), seed);
    const double found = skew(recording, StreamKind::kForce);
    // A microsecond of rounding in 20 s and 20000 stamps: far below 0.01 ppm.
    EXPECT_NEAR(found, recording.report().draws.force_skew, 0.01e-6) << seed;
    EXPECT_NEAR(skew(recording, StreamKind::kTactile), 0, 0.01e-6);
    // Its own crystal paces it: 1000 samples in each second of its own.
    const auto s = stamps(recording, StreamKind::kForce);
    EXPECT_NEAR((s.device_s.back() - s.device_s[0]) / static_cast<double>(s.device_s.size() - 1),
                1e-3, 1e-10);
    most = std::max(most, std::abs(found));
  }
  EXPECT_LE(most, 50e-6);
  EXPECT_GT(most, 25e-6);  // of ten uniform draws all in the inner half: 0.1 %
}

TEST(ClockEffect, TheArraysClockIsOffByUpTo2000Ppm) {
  const auto effects = alone([](auto& e, const auto& lab) {
    e.clock.own = true;
    e.clock.array_ppm = lab.clock.array_ppm;
  });
  double most = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const EffectRecording recording(effects, zero_for(20), elastic_pad(), seed);
    const double found = skew(recording, StreamKind::kTactile);
    EXPECT_NEAR(found, recording.report().draws.tactile_skew, 0.05e-6) << seed;
    EXPECT_NEAR(skew(recording, StreamKind::kForce), 0, 0.01e-6);
    // Its own clock paces it: more or fewer frames in the host's time.
    const auto s = stamps(recording, StreamKind::kTactile);
    const double rate_hz =
        static_cast<double>(s.host_s.size() - 1) / (s.host_s.back() - s.host_s.front());
    EXPECT_NEAR(rate_hz, 250 * (1 + found), 250 * 1e-6);
    most = std::max(most, std::abs(found));
  }
  EXPECT_LE(most, 2000e-6);
  EXPECT_GT(most, 1000e-6);
}

TEST(ClockEffect, CountersThatWrapAroundAreRecordedUnwrapped) {
  const EffectRecording recording(alone([](auto& e, const auto&) {
                                    e.clock.own = true;
                                    e.clock.start_s = 8;
                                    e.clock.counter_bits =
                                        22;  // wraps after 4.19 s instead of 71 min
                                  }),
                                  zero_for(20));
  for (const auto kind : {StreamKind::kForce, StreamKind::kTactile}) {
    const auto s = stamps(recording, kind);
    EXPECT_GT(s.device_s.back(), 5 * 4.194304);
    const double start_s = s.device_s[0] - s.host_s[0];
    EXPECT_GE(start_s, 0);
    EXPECT_LE(start_s, 8);
    for (std::size_t i = 0; i < s.device_s.size(); ++i)
      ASSERT_NEAR(s.device_s[i] - s.host_s[i], start_s, 2e-6);  // each rounded to 1 us
  }
}

TEST(ClockEffect, SamplesArriveLateAndUnevenly) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.clock.own = true;
                                    e.clock.transport_s = lab.clock.transport_s;
                                    e.clock.jitter_s = lab.clock.jitter_s;
                                  }),
                                  zero_for(20));
  for (const auto kind : {StreamKind::kForce, StreamKind::kTactile}) {
    const auto s = stamps(recording, kind);
    double least_s = 1;
    double sum_s = 0;
    for (std::size_t i = 0; i < s.host_s.size(); ++i) {
      const double late_s = s.host_s[i] - s.device_s[i];
      least_s = std::min(least_s, late_s);
      sum_s += late_s;
    }
    // The shortest of 5000 exponential delays of 1 ms is 0.2 us; their mean is known to 1.4 %.
    EXPECT_NEAR(least_s, 1e-3, 4e-6);
    EXPECT_NEAR(sum_s / static_cast<double>(s.host_s.size()) - least_s, 1e-3, 0.05e-3);
  }
  const auto stage = recording.session().metadata().clock(StreamKind::kStage);
  EXPECT_EQ(stage, Clock::kHost);
}

}  // namespace
}  // namespace tactelier::synth
