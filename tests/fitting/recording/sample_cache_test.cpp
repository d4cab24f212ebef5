// What a fit has decoded once is not decoded again, within a bound.
#include "fitting/recording/sample_cache.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

const std::vector<std::string> kForces{"Fx", "Fz"};
constexpr TimeRange kFirst{0, 1}, kSecond{1, 2};

/// Reads nothing: what comes all the same was kept.
Job stopped() {
  std::stop_source source;
  source.request_stop();
  return {{}, source.get_token()};
}

struct Cached {
  explicit Cached(std::size_t max_bytes) : cache(max_bytes) {}
  Result<Samples> read(TimeRange range, const Job& job = {},
                       const std::vector<std::string>& columns = kForces) {
    return cache.read(recording.session(), StreamKind::kForce, columns, range, job);
  }
  bool keeps(TimeRange range) { return read(range, stopped()).has_value(); }

  synthetic::Recording recording{synthetic::Bench::uniform(1, 1, 2)};
  SampleCache cache;
};

TEST(SampleCache, GivesASecondTimeWhatTheSessionGaveTheFirst) {
  Cached cached(1 << 20);
  const auto from_file = cached.recording.session().read(StreamKind::kForce, kForces, kFirst);
  ASSERT_TRUE(from_file && cached.read(kFirst));
  const auto again = cached.read(kFirst, stopped());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->time_s, from_file->time_s);
  EXPECT_EQ(again->columns, from_file->columns);
  EXPECT_EQ(cached.cache.bytes(), 3 * sizeof(double) * from_file->rows());
}

TEST(SampleCache, TellsRangesAndColumnsApart) {
  Cached cached(1 << 20);
  ASSERT_TRUE(cached.read(kFirst));
  EXPECT_FALSE(cached.keeps(kSecond));
  const auto swapped = cached.read(kFirst, {}, {"Fz", "Fx"});
  const auto straight = cached.read(kFirst);
  ASSERT_TRUE(swapped && straight);
  EXPECT_EQ(swapped->columns[0], straight->columns[1]);
}

TEST(SampleCache, KeepsWhatCameFirstOnceItIsFull) {
  Cached cached(1 << 20);
  ASSERT_TRUE(cached.read(kFirst));
  Cached full(cached.cache.bytes() + 10);
  ASSERT_TRUE(full.read(kFirst) && full.read(kSecond));
  EXPECT_TRUE(full.keeps(kFirst));
  EXPECT_FALSE(full.keeps(kSecond));
  EXPECT_EQ(full.cache.bytes(), cached.cache.bytes());
}

}  // namespace
}  // namespace tactelier
