#include "libcalib/session/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <latch>
#include <semaphore>
#include <thread>

#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;

const std::vector<StreamInfo> kStreams{
    {StreamKind::kForce, {{"t", "us", 1.0}, {"Fz", "N", 0.01}}},
    {StreamKind::kTactile, {{"t", "us", 1.0}, {"0", "", 1.0}, {"1", "", 1.0}}}};

/// Row i of force is (100 i, i * i); of tactile (3000 i, i, -i).
Result<void> push_force(Recorder& recorder, std::int64_t i) {
  return recorder.push(StreamKind::kForce, std::array<std::int64_t, 2>{100 * i, i * i});
}
Result<void> push_tactile(Recorder& recorder, std::int64_t i) {
  return recorder.push(StreamKind::kTactile, std::array<std::int64_t, 3>{3000 * i, i, -i});
}

std::int64_t expect_force_rows(const Session& session) {
  std::int64_t row = 0;
  const auto done =
      session.scan_stored(StreamKind::kForce, [&](const StreamChunk& chunk) -> Result<void> {
        EXPECT_THAT(chunk.rows(), Le(kMaxChunkRows));
        for (std::size_t i = 0; i < chunk.rows(); ++i, ++row) {
          EXPECT_EQ(chunk.columns[0].mantissas[i], 100 * row);
          EXPECT_EQ(chunk.columns[1].mantissas[i], row * row);
        }
        return {};
      });
  EXPECT_TRUE(done);
  return row;
}

Recorder::Options every(std::chrono::milliseconds commit_every) {
  Recorder::Options options;
  options.commit_every = commit_every;
  return options;
}

std::unique_ptr<Recorder> start(const std::filesystem::path& file,
                                const Recorder::Options& options) {
  auto recorder = Recorder::start(file, test::sample_metadata(), kStreams, options);
  EXPECT_TRUE(recorder) << recorder.error().message;
  return recorder ? std::move(*recorder) : nullptr;
}

TEST(Recorder, StoresRowsOfSeveralThreadsInOrder) {
  const TemporaryFolder folder;
  const auto file = folder / "a.tact";
  const auto recorder = start(file, every(std::chrono::milliseconds(2)));
  std::jthread force([&] {
    for (std::int64_t i = 0; i < 20000; ++i) EXPECT_TRUE(push_force(*recorder, i));
  });
  std::jthread tactile([&] {
    for (std::int64_t i = 0; i < 1000; ++i) EXPECT_TRUE(push_tactile(*recorder, i));
    EXPECT_TRUE(recorder->push(Event{{5, -1}, "note", "{}"}));
  });
  force.join();
  tactile.join();
  const auto closed = recorder->close();
  ASSERT_TRUE(closed) << closed.error().message;
  EXPECT_EQ(recorder->committed_rows(), 21000U);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->finished());
  EXPECT_EQ(expect_force_rows(*session), 20000);
  EXPECT_EQ(session->stream(StreamKind::kTactile)->rows, 1000U);
  EXPECT_EQ(session->events().size(), 1U);
  EXPECT_TRUE(session->check());
  EXPECT_THAT(session->damage(), IsEmpty());
}

TEST(Recorder, CutsAStalledStretchIntoChunksOfATenthOfASecond) {
  const TemporaryFolder folder;
  const auto file = folder / "a.tact";
  const auto recorder = start(file, every(std::chrono::hours(1)));
  for (std::int64_t i = 0; i < 10000; ++i) ASSERT_TRUE(push_force(*recorder, i));  // 1 s
  ASSERT_TRUE(recorder->close());
  const auto session = Session::open(file);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->stream(StreamKind::kForce)->chunks, 10U);
  EXPECT_EQ(expect_force_rows(*session), 10000);
}

TEST(Recorder, CommitsTheLastRowsThoughNoMoreCome) {
  const TemporaryFolder folder;
  std::binary_semaphore committed(0);
  auto options = every(std::chrono::milliseconds(20));
  options.on_commit = [&](std::uint64_t) { committed.release(); };
  const auto recorder = start(folder / "a.tact", options);
  ASSERT_TRUE(push_force(*recorder, 0));
  committed.acquire();  // hangs if the row waits for another one
  EXPECT_EQ(recorder->committed_rows(), 1U);
  const auto beside = Session::open(folder / "a.tact");  // while it records
  ASSERT_TRUE(beside) << beside.error().message;
  EXPECT_EQ(beside->stream(StreamKind::kForce)->rows, 1U);
}

TEST(Recorder, AFullRingEndsTheRecordingAndSaysSo) {
  const TemporaryFolder folder;
  const auto file = folder / "a.tact";
  std::latch stalled(1);
  std::latch go_on(1);
  std::atomic_bool first = true;
  Recorder::Options options{std::chrono::milliseconds(0), std::chrono::seconds(2), 500, {}};
  options.on_commit = [&](std::uint64_t) {  // a sync that stalls, once
    if (!first.exchange(false)) return;
    stalled.count_down();
    go_on.wait();
  };
  {
    const auto recorder = start(file, options);
    ASSERT_TRUE(push_force(*recorder, 0));
    stalled.wait();
    for (std::int64_t i = 1; i <= 1000; ++i) ASSERT_TRUE(push_force(*recorder, i)) << i;
    const auto full = push_force(*recorder, 1001);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::kIo);
    EXPECT_THAT(full.error().message, HasSubstr("1000 rows (2 s) wait to be written"));
    go_on.count_down();
    EXPECT_FALSE(push_force(*recorder, 1002)) << "an ended recording does not go on";
    const auto closed = recorder->close();
    ASSERT_FALSE(closed);
    EXPECT_THAT(closed.error().message, HasSubstr("the recording has ended"));
  }
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_FALSE(session->finished());
  EXPECT_EQ(expect_force_rows(*session), 1001) << "all rows that were accepted";
}

TEST(Recorder, AFullDiskEndsTheRecordingAndKeepsWhatWasCommitted) {
  const TemporaryFolder folder;
  const auto file = folder / "a.tact";
  std::binary_semaphore committed(0);
  auto options = every(std::chrono::milliseconds(0));
  options.rows_per_second = 1e7;  // the disk fills, not the ring
  options.on_commit = [&](std::uint64_t) { committed.release(); };
  const auto recorder = start(file, options);
  ASSERT_TRUE(push_force(*recorder, 0));
  committed.acquire();
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{200000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  Result<void> pushed;
  std::int64_t rows = 1;
  while (rows < 10'000'000 && (pushed = push_force(*recorder, rows))) ++rows;
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(pushed);
  EXPECT_THAT(pushed.error().message, HasSubstr("a.tact"));
  EXPECT_FALSE(recorder->close());
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ(expect_force_rows(*session), static_cast<std::int64_t>(recorder->committed_rows()));
}

TEST(Recorder, RefusesARowThatIsNone) {
  const TemporaryFolder folder;
  const auto recorder = start(folder / "a.tact", {});
  const auto message = [](const Result<void>& done) { return done ? "" : done.error().message; };
  EXPECT_THAT(message(recorder->push(StreamKind::kForce, std::array<std::int64_t, 1>{1})),
              HasSubstr("a row of 1 values, 2 columns"));
  EXPECT_THAT(message(recorder->push(StreamKind::kStage, std::array<std::int64_t, 1>{1})),
              HasSubstr("not announced"));
  ASSERT_TRUE(push_force(*recorder, 5));
  EXPECT_THAT(message(push_force(*recorder, 4)), HasSubstr("runs backwards (400 after 500)"));
  EXPECT_TRUE(push_force(*recorder, 5));
  EXPECT_TRUE(recorder->close());
  EXPECT_EQ(recorder->committed_rows(), 2U);
}

}  // namespace
}  // namespace tactelier
