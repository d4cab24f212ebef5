#include "devices/supervision/frozen_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// Records whose last axis repeats itself with this share.
class Stream {
 public:
  explicit Stream(double repeats) : repeats_(repeats) {}
  bool see(int records, std::int64_t period_ns) {
    bool frozen = false;
    for (int i = 0; i < records; ++i) {
      if (uniform_(random_) >= repeats_) count_ = count_ % 4 == 0 ? count_ + 2 : count_ + 1;
      watch_.see({0, 0, count_, 0, 0, 0}, now_ns_ += period_ns);
      frozen |= watch_.frozen();
    }
    return frozen;
  }
  bool stand(int records, std::int64_t period_ns) {
    for (int i = 0; i < records; ++i) watch_.see({0, 0, count_, 0, 0, 0}, now_ns_ += period_ns);
    return watch_.frozen();
  }

 private:
  double repeats_;
  FrozenWatch watch_;
  std::int32_t count_ = 0;
  std::int64_t now_ns_ = 0;
  std::mt19937 random_{3};
  std::uniform_real_distribution<double> uniform_;
};

TEST(FrozenWatch, ANoisySensorThatRepeatsItselfForFiftyMillisecondsHangs) {
  Stream stream(0.01);
  EXPECT_FALSE(stream.see(3000, kMillisecond));
  EXPECT_FALSE(stream.stand(48, kMillisecond));
  EXPECT_TRUE(stream.stand(3, kMillisecond));
}

TEST(FrozenWatch, TimeCountsNotRecords) {
  Stream stream(0.01);
  EXPECT_FALSE(stream.see(21000, kMillisecond / 7));
  EXPECT_FALSE(stream.stand(300, kMillisecond / 7));  // 43 ms
  EXPECT_TRUE(stream.stand(60, kMillisecond / 7));
}

TEST(FrozenWatch, AQuietSensorMayRepeatItself) {
  Stream half(0.5);
  EXPECT_FALSE(half.see(1'000'000, kMillisecond));
  EXPECT_TRUE(half.stand(100, kMillisecond));
  Stream quiet(0.95);  // noise far below a step of the converter
  EXPECT_FALSE(quiet.see(100'000, kMillisecond));
  EXPECT_FALSE(quiet.stand(10'000, kMillisecond));
}

TEST(FrozenWatch, AFilteredForceMayChangeItsCountSeldom) {
  FrozenWatch watch;
  std::int64_t now_ns = 0;
  std::int32_t count = 0;
  const auto see = [&](int records) {
    bool frozen = false;
    for (int i = 0; i < records; ++i) {
      watch.see({0, 0, count, 0, 0, 0}, now_ns += kMillisecond);
      frozen |= watch.frozen();
    }
    return frozen;
  };
  for (int i = 0; i < 200; ++i) {  // now every record, now 45 equal ones
    for (int k = 0; k < 60; ++k, count += 1 + k % 2) EXPECT_FALSE(see(1));
    EXPECT_FALSE(see(45));
    ++count;
  }
  EXPECT_FALSE(see(80));
  EXPECT_TRUE(see(60));
}

TEST(FrozenWatch, NoiseBelowTheConvertersStepTellsNothing) {
  // 0.8 mN by steps of 3.1 mN (10 counts here): at an edge nearly every record changes, amid a step
  // none does for seconds.
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 0.26);
  FrozenWatch watch;
  bool frozen = false;
  for (int i = 0; i < 20'000; ++i) {
    const double force_steps = i < 10'000 ? 0.5 : 1;
    const auto count = static_cast<std::int32_t>(10 * std::lround(force_steps + noise(random)));
    watch.see({0, 0, count, 0, 0, 0}, i * kMillisecond);
    frozen |= watch.frozen();
  }
  EXPECT_FALSE(frozen);
}

/// A Nano17 behind six gauges that are read in steps: no axis has a step of its own.
TEST(FrozenWatch, GaugesWithNoiseBelowTheirStepAreNotTakenForHanging) {
  for (const double noise_steps : {0.1, 0.16, 0.25}) {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, noise_steps);
    std::uniform_real_distribution<double> anywhere(0, 20);
    FrozenWatch watch;
    bool frozen = false;
    std::int64_t now_ns = 0;
    for (int move = 0; move < 40; ++move) {  // two seconds on the way, two at rest
      std::array<double, 6> from{}, to{};
      for (auto& gauge : to) gauge = anywhere(random);
      for (int i = 0; i < 4000; ++i) {
        FrozenWatch::Counts counts{};
        for (std::size_t gauge = 0; gauge < 6; ++gauge) {
          const double force = from[gauge] + (to[gauge] - from[gauge]) * std::min(1.0, i / 2000.0);
          const auto step = static_cast<std::int32_t>(std::lround(force + noise(random)));
          for (std::size_t axis = 0; axis < 6; ++axis)
            counts[axis] += step * static_cast<std::int32_t>(101 + (7 * axis + gauge * axis) % 13);
        }
        watch.see(counts, now_ns += kMillisecond);
        frozen |= watch.frozen();
      }
      from = to;
    }
    EXPECT_FALSE(frozen) << noise_steps;
  }
}

TEST(FrozenWatch, NothingIsSaidOfASensorThatWasNeverSeenAlive) {
  Stream stream(1);
  EXPECT_FALSE(stream.stand(1000, kMillisecond));
}

}  // namespace
}  // namespace tactelier::rig
