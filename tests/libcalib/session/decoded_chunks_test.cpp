// What is kept of decoded chunks, and that presses read from it what the file holds.
#include "libcalib/session/decoded_chunks.hpp"

#include <gtest/gtest.h>

#include "libcalib/session/compaction.hpp"
#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

DecodedColumn column(std::vector<std::int64_t> values) {
  return std::make_shared<const ColumnChunk>(ColumnChunk{std::move(values), 0, {}});
}

TEST(DecodedChunks, KeepsTheLastChunkOfEachStream) {
  DecodedChunks decoded;
  decoded.keep(StreamKind::kForce, 7, 1, column({1, 2}));
  decoded.keep(StreamKind::kTactile, 8, 1, column({3, 4}));
  EXPECT_EQ(decoded.find(StreamKind::kForce, 7, 1)->mantissas[1], 2);
  EXPECT_EQ(decoded.find(StreamKind::kTactile, 8, 1)->mantissas[1], 4);
  EXPECT_EQ(decoded.find(StreamKind::kForce, 7, 2), nullptr);
  EXPECT_EQ(decoded.find(StreamKind::kForce, 8, 1), nullptr);
  decoded.keep(StreamKind::kForce, 9, 2, column({5, 6}));
  EXPECT_EQ(decoded.find(StreamKind::kForce, 7, 1), nullptr);
  EXPECT_EQ(decoded.find(StreamKind::kForce, 9, 2)->mantissas[0], 5);
  EXPECT_NE(decoded.find(StreamKind::kTactile, 8, 1), nullptr);
}

TEST(DecodedChunks, KeepsNoMoreThanItsBound) {
  DecodedChunks decoded(3 * sizeof(std::int64_t));
  decoded.keep(StreamKind::kForce, 1, 0, column({1, 2}));
  decoded.keep(StreamKind::kForce, 1, 1, column({3, 4}));
  EXPECT_NE(decoded.find(StreamKind::kForce, 1, 0), nullptr);
  EXPECT_EQ(decoded.find(StreamKind::kForce, 1, 1), nullptr);
  decoded.keep(StreamKind::kForce, 2, 1, column({3, 4}));  // the bound is each chunk's
  EXPECT_NE(decoded.find(StreamKind::kForce, 2, 1), nullptr);
}

TEST(DecodedChunks, AreReadInAnyOrderAsFromTheFile) {
  const test::TemporaryFolder folder{test::memory_folder()};
  const auto file = folder / "a.tact";
  test::write_sample(file, test::sample_streams(8), test::sample_events());
  ASSERT_TRUE(compact(file));
  const std::vector<std::string> few{"3"}, more{"83", "3", "0"};
  const auto kept = Session::open(file).value();
  for (const auto& [columns, begin_s] :
       {std::pair{few, 1.0}, {more, 1.2}, {more, 6.5}, {few, 0.1}, {more, 3.0}, {few, 3.1}}) {
    const TimeRange range{begin_s, begin_s + 0.7};
    const auto again = kept.read(StreamKind::kTactile, columns, range).value();
    const auto fresh =
        Session::open(file).value().read(StreamKind::kTactile, columns, range).value();
    ASSERT_GT(fresh.rows(), 10U);
    EXPECT_EQ(again.time_s, fresh.time_s);
    EXPECT_EQ(again.columns, fresh.columns);
  }
}

}  // namespace
}  // namespace tactelier
