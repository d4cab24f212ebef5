#include "libcalib/session/session_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;

StreamChunk two_rows(std::int64_t first, std::int64_t second) {
  StreamChunk chunk;
  chunk.columns.resize(2);
  chunk.columns[0].mantissas = {first, second};
  chunk.columns[1].mantissas = {1, 2};
  return chunk;
}

const StreamInfo kForce{StreamKind::kForce, {{"t", "ms", 1.0}, {"Fz", "N", 0.01}}};

TEST(SessionWriter, LeavesOneFileBehind) {
  const TemporaryFolder folder;
  for (const bool import : {false, true}) {
    const auto file = folder / (import ? "import.tact" : "record.tact");
    auto writer = import ? SessionWriter::create_import(file, test::sample_metadata())
                         : SessionWriter::create(file, test::sample_metadata());
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->add_stream(kForce));
    ASSERT_TRUE(writer->append(StreamKind::kForce, two_rows(0, 1)));
    ASSERT_TRUE(writer->add_event({{5, -3}, "zero_begin", "{}"}));
    const auto done = writer->finish();
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);
}

TEST(SessionWriter, NeverOverwrites) {
  const TemporaryFolder folder;
  const auto file = folder / "a.tact";
  std::ofstream(file) << "precious";
  const auto writer = SessionWriter::create(file, test::sample_metadata());
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kIo);
  EXPECT_THAT(writer.error().message, HasSubstr("already"));
  EXPECT_EQ(std::filesystem::file_size(file), 8U);
}

TEST(SessionWriter, RefusesANameBesideAnOrphanedWal) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.tact-wal") << "the last samples of somebody";
  const auto writer = SessionWriter::create(folder / "a.tact", test::sample_metadata());
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr("a.tact-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.tact"));
}

TEST(SessionWriter, NamesTheFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const auto writer = SessionWriter::create(folder / "no/a.tact", test::sample_metadata());
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message, HasSubstr("No such file or directory"));
}

TEST(SessionWriter, RefusesWhatItCouldNotFindAgain) {
  const TemporaryFolder folder;
  auto writer = SessionWriter::create(folder / "a.tact", test::sample_metadata());
  ASSERT_TRUE(writer);
  const auto message = [](const Result<void>& done) { return done ? "" : done.error().message; };
  EXPECT_THAT(message(writer->append(StreamKind::kForce, two_rows(0, 1))),
              HasSubstr("not announced"));
  EXPECT_THAT(message(writer->add_stream({StreamKind::kStage, {{"x", "mm", 1.0}}})),
              HasSubstr("'t'"));
  EXPECT_THAT(message(writer->add_stream(
                  {StreamKind::kStage, {{"t", "s", 1.0}, {"x", "", 1.0}, {"x", "", 1.0}}})),
              HasSubstr("'x' is there twice"));
  ASSERT_TRUE(writer->add_stream(kForce));
  EXPECT_THAT(message(writer->add_stream(kForce)), HasSubstr("already"));
  EXPECT_THAT(message(writer->append(StreamKind::kForce, two_rows(1, 0))),
              HasSubstr("runs backwards"));
  ASSERT_TRUE(writer->append(StreamKind::kForce, two_rows(0, 10)));
  EXPECT_THAT(message(writer->append(StreamKind::kForce, two_rows(9, 12))),
              HasSubstr("runs backwards (0.009 s after 0.01 s)"));
  EXPECT_THAT(message(writer->append(StreamKind::kForce, two_rows(kMissing, 12))),
              HasSubstr("missing"));
  auto ragged = two_rows(20, 21);
  ragged.columns[1].mantissas.pop_back();
  EXPECT_THAT(message(writer->append(StreamKind::kForce, ragged)), HasSubstr("unequal length"));
  EXPECT_THAT(message(writer->append(StreamKind::kForce, StreamChunk{})), HasSubstr("columns"));
  EXPECT_TRUE(writer->append(StreamKind::kForce, two_rows(10, 10)));
}

}  // namespace
}  // namespace tactelier
