// kill -9 leaves what the system still holds in memory; a power cut doesn't, and tears what was
// being written. Every moment of a recording is played, those inside commits first of all.

#include <gtest/gtest.h>

#include <random>
#include <semaphore>

#include "libcalib/session/recorder.hpp"
#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/power_cut.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"
#include "tests/tools/recorded_row.hpp"

namespace tactelier {
namespace {

using test::PowerCutDisk;
using test::TemporaryFolder;

struct Promise {
  std::size_t operations;  // done when it was given
  std::uint64_t rows;
};

StreamInfo force_stream() {
  StreamInfo stream{StreamKind::kForce, {{"t", "us", 1}}};
  for (const auto* name : {"Fx", "Fy", "Fz"}) stream.columns.push_back({name, "N", 1e-6});
  for (const auto* name : {"Tx", "Ty", "Tz"}) stream.columns.push_back({name, "N*m", 1e-9});
  stream.columns.push_back({"seq", "", 1});
  return stream;
}

/// Records until twelve commits were promised; what was promised when.
std::vector<Promise> record(const PowerCutDisk& disk, const std::filesystem::path& file) {
  std::vector<Promise> promises;
  std::counting_semaphore<> given(0);
  Recorder::Options options;
  options.commit_every = std::chrono::milliseconds(5);
  options.on_commit = [&](std::uint64_t rows) {
    promises.push_back({disk.operations(), rows});
    given.release();
  };
  const std::vector streams{force_stream()};
  auto recorder = Recorder::start(file, test::sample_metadata(), streams, options);
  EXPECT_TRUE(recorder) << recorder.error().message;
  if (!recorder) return promises;
  std::int64_t row = 0;
  for (int commit = 0; commit < 12; ++commit) {
    // A commit's worth of rows and the next commit waits for them: the ring can't fill up.
    for (int i = 0; i < 2000; ++i, ++row) {
      const auto pushed = (*recorder)->push(StreamKind::kForce, test::recorded_row(row));
      EXPECT_TRUE(pushed) << pushed.error().message;
      if (!pushed) return promises;
    }
    EXPECT_TRUE(given.try_acquire_for(std::chrono::minutes(1))) << "no commit after row " << row;
  }
  const auto closed = (*recorder)->close();
  EXPECT_TRUE(closed) << closed.error().message;
  return promises;
}

std::uint64_t promised_at(const std::vector<Promise>& promises, std::size_t operation) {
  std::uint64_t rows = 0;
  for (const auto& promise : promises)
    if (promise.operations <= operation) rows = promise.rows;
  return rows;
}

/// Empty when the file holds at least `promised` rows, all exact; else what is wrong.
std::string verdict(const std::filesystem::path& file, std::uint64_t promised) {
  if (promised == 0) return {};  // nothing was promised: there may be no file yet
  const auto session = Session::open(file);
  if (!session) return session.error().message;
  std::int64_t row = 0;
  std::string wrong;
  const auto done =
      session->scan_stored(StreamKind::kForce, [&](const StreamChunk& chunk) -> Result<void> {
        for (std::size_t i = 0; i < chunk.rows(); ++i, ++row) {
          const auto wanted = test::recorded_row(row);
          for (std::size_t column = 0; column < wanted.size(); ++column)
            if (chunk.columns[column].mantissas[i] != wanted[column])
              wrong = fmt::format("row {} differs", row);
        }
        return {};
      });
  if (!done) return done.error().message;
  if (!session->damage().empty()) return session->damage().front().describe();
  if (static_cast<std::uint64_t>(row) < promised)
    return fmt::format("{} rows of {} promised ones", row, promised);
  return wrong;
}

TEST(PowerCut, AtAnyMomentLosesNothingThatWasPromised) {
  const TemporaryFolder folder(test::memory_folder());
  const PowerCutDisk disk;
  std::filesystem::create_directory(folder / "recorded");
  const auto promises = record(disk, folder / "recorded/cut.tact");
  ASSERT_GE(promises.size(), 12U);
  std::mt19937_64 random(11);
  // Right after a promise, just before it, and anywhere.
  std::vector<std::size_t> moments;
  for (const auto& promise : promises)
    for (const std::size_t before : {0U, 1U, 2U, 3U})
      moments.push_back(promise.operations - std::min<std::size_t>(before, promise.operations));
  for (int i = 0; i < 50; ++i) moments.push_back(random() % disk.operations());
  for (const auto moment : moments) {
    const TemporaryFolder after(test::memory_folder());
    disk.cut(moment, folder / "recorded", after.path(), random);
    EXPECT_EQ(verdict(after / "cut.tact", promised_at(promises, moment)), "")
        << "cut before operation " << moment << " of " << disk.operations();
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace tactelier
