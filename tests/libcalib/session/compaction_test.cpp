#include "libcalib/session/compaction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <random>
#include <thread>

#include "libcalib/session/session.hpp"
#include "libcalib/session/session_writer.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/tamper.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;

/// Everything that a reader can ask for.
struct Content {
  std::vector<std::vector<Decimal>> values;  // of each column of each stream
  std::vector<std::vector<bool>> missing;
  std::vector<std::vector<OverviewPoint>> overviews;
  std::vector<Event> events;
  std::vector<Edit> edits;
  std::string hash;
  std::uint64_t chunks = 0;
};

Content content_of(const std::filesystem::path& file) {
  Content content;
  const auto session = Session::open(file);
  EXPECT_TRUE(session) << session.error().message;
  if (!session) return content;
  EXPECT_TRUE(session->finished());
  for (const auto& stream : session->streams()) {
    const auto first = content.values.size();
    content.values.resize(first + stream.info.columns.size());
    content.missing.resize(content.values.size());
    const auto done =
        session->scan_stored(stream.info.kind, [&](const StreamChunk& chunk) -> Result<void> {
          for (std::size_t i = 0; i < chunk.columns.size(); ++i)
            for (std::size_t row = 0; row < chunk.rows(); ++row) {
              const bool missing = chunk.columns[i].mantissas[row] == kMissing;
              content.missing[first + i].push_back(missing);
              content.values[first + i].push_back(missing ? Decimal{} : chunk.columns[i].at(row));
            }
          return {};
        });
    EXPECT_TRUE(done) << done.error().message;
    for (const auto& column : stream.info.columns)
      content.overviews.push_back(
          session->overview(stream.info.kind, column.name, {0.25, 1.45}).value());
    content.chunks += stream.chunks;
  }
  content.events = session->events();
  content.edits = session->edits();
  EXPECT_TRUE(session->check());
  EXPECT_THAT(session->damage(), IsEmpty());
  content.hash = session->content_hash().value_or("none");
  return content;
}

void expect_same(const Content& found, const Content& wanted) {
  EXPECT_EQ(found.hash, wanted.hash);
  EXPECT_EQ(found.values, wanted.values);
  EXPECT_EQ(found.missing, wanted.missing);
  EXPECT_EQ(found.events, wanted.events);
  ASSERT_EQ(found.edits.size(), wanted.edits.size());
  for (std::size_t i = 0; i < found.edits.size(); ++i) {
    EXPECT_EQ(found.edits[i].note, wanted.edits[i].note);
    EXPECT_EQ(found.edits[i].time, wanted.edits[i].time);
  }
  ASSERT_EQ(found.overviews.size(), wanted.overviews.size());
  for (std::size_t i = 0; i < found.overviews.size(); ++i) {
    ASSERT_EQ(found.overviews[i].size(), wanted.overviews[i].size()) << "column " << i;
    for (std::size_t point = 0; point < found.overviews[i].size(); ++point) {
      const auto& one = found.overviews[i][point];
      const auto& other = wanted.overviews[i][point];
      EXPECT_EQ(one.begin_s, other.begin_s);
      EXPECT_EQ(one.end_s, other.end_s);
      EXPECT_TRUE(one.min == other.min || (std::isnan(one.min) && std::isnan(other.min)));
      EXPECT_TRUE(one.max == other.max || (std::isnan(one.max) && std::isnan(other.max)));
    }
  }
}

Edit note(const std::string& text) {
  Edit edit;
  edit.kind = Edit::Kind::kNote;
  edit.note = text;
  return edit;
}

constexpr double kLong_s = 20;  // long enough to be worth it

class CompactedFile : public testing::Test {
 protected:
  void write(double seconds = kLong_s) {
    test::write_sample(file, test::sample_streams(seconds), test::sample_events());
  }
  bool partial_is_there() const { return std::filesystem::exists(file.string() + ".partial"); }

  TemporaryFolder folder{test::memory_folder()};
  std::filesystem::path file = folder / "a b%20?#.tact";
};

TEST_F(CompactedFile, HoldsWhatTheRecordingHeldUnderTheSameHash) {
  write();
  ASSERT_TRUE(add_edits(file, {note("before")}));
  const auto before = content_of(file);
  const auto report = compact(file);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->changed);
  EXPECT_EQ(report->chunks_before, before.chunks);
  EXPECT_LT(report->bytes_after, report->bytes_before);
  EXPECT_EQ(report->bytes_after, std::filesystem::file_size(file));
  const auto after = content_of(file);
  EXPECT_EQ(report->chunks_after, after.chunks);
  EXPECT_LT(2 * after.chunks, before.chunks);
  expect_same(after, before);
  EXPECT_FALSE(partial_is_there());
}

TEST_F(CompactedFile, GivesTheSameRowsOfAPress) {
  write();
  const auto rows = [&] {
    const auto samples = Session::open(file)->read(StreamKind::kTactile,
                                                   std::vector<std::string>{"3"}, {0.33, 0.71});
    return std::pair(samples->time_s, samples->columns);
  };
  const auto before = rows();
  ASSERT_TRUE(compact(file));
  EXPECT_EQ(rows(), before);
  EXPECT_THAT(before.first, testing::Not(IsEmpty()));
}

TEST_F(CompactedFile, HasNothingToGainASecondTime) {
  write();
  ASSERT_TRUE(compact(file));
  const auto bytes = test::read_bytes(file);
  const auto again = compact(file);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->changed);
  EXPECT_TRUE(test::read_bytes(file) == bytes);
}

TEST_F(CompactedFile, IsGoneOnWithLikeAnyOther) {
  const auto streams = test::sample_streams(kLong_s);
  test::write_sample(file, streams, test::sample_events());
  const auto whole = content_of(file);
  const auto second = folder / "second.tact";
  std::vector<test::StoredStream> first_half;
  for (const auto& stream : streams)
    first_half.push_back(
        {stream.info,
         {stream.chunks.begin(),
          stream.chunks.begin() + static_cast<std::ptrdiff_t>(stream.chunks.size() / 2)}});
  test::write_sample(second, first_half, test::sample_events());
  ASSERT_TRUE(compact(second));
  auto writer = SessionWriter::reopen(second);
  ASSERT_TRUE(writer) << writer.error().message;
  for (const auto& stream : streams)
    for (auto i = stream.chunks.size() / 2; i < stream.chunks.size(); ++i)
      ASSERT_TRUE(writer->append(stream.info.kind, stream.chunks[i]));
  ASSERT_TRUE(writer->commit());
  const auto open = compact(second);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ErrorCode::kInvalidInput) << open.error().message;
  ASSERT_TRUE(writer->finish());
  expect_same(content_of(second), whole);
  ASSERT_TRUE(compact(second));
  expect_same(content_of(second), whole);
}

TEST_F(CompactedFile, IsNotMadeOfAShortRecording) {
  write(2);
  const auto bytes = test::read_bytes(file);
  const auto report = compact(file);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->changed);
  EXPECT_TRUE(test::read_bytes(file) == bytes);
}

TEST_F(CompactedFile, OfADamagedRecordingIsNotMade) {
  write();
  test::run_sql(file, "UPDATE blob SET data = x'00' WHERE id = 40");
  const auto bytes = test::read_bytes(file);
  const auto report = compact(file);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kDamaged);
  EXPECT_THAT(report.error().message, HasSubstr("left as it is: "));
  EXPECT_THAT(report.error().message, HasSubstr(", column "));
  EXPECT_TRUE(test::read_bytes(file) == bytes);
  EXPECT_FALSE(partial_is_there());
}

TEST_F(CompactedFile, OfAFileThatWasCutIsNotMadeAndItsRemainderStays) {
  write();
  auto bytes = test::read_bytes(file);
  bytes.resize(bytes.size() / 3);
  test::write_bytes(file, bytes);
  const auto report = compact(file);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kDamaged);
  EXPECT_THAT(report.error().message, HasSubstr("tactelier info"));
  EXPECT_TRUE(test::read_bytes(file) == bytes);
  EXPECT_FALSE(partial_is_there());
}

TEST_F(CompactedFile, SaysWhenItNoLongerKnowsWhatItWasMadeOf) {
  write();
  ASSERT_TRUE(compact(file));
  const auto changed = folder / "changed.tact";
  std::filesystem::copy(file, changed);
  test::run_sql(changed, "UPDATE recorded SET counts = zeroblob(length(counts))");
  auto session = Session::open(changed);
  ASSERT_TRUE(session);
  ASSERT_TRUE(session->check());
  ASSERT_FALSE(session->damage().empty());
  EXPECT_THAT(session->damage().front().what, HasSubstr("its values are whole"));

  test::run_sql(file, "DELETE FROM recorded");
  session = Session::open(file);
  ASSERT_TRUE(session);
  ASSERT_FALSE(session->damage().empty());
  EXPECT_THAT(session->damage().front().what, HasSubstr("'recorded'"));
}

TEST_F(CompactedFile, LosesNoEditThatWasMadeMeanwhile) {
  write();
  std::jthread editor;
  Result<void> added;
  Job job;
  job.on_progress = [&](const Progress&) {
    if (!editor.joinable())
      editor = std::jthread([&] { added = add_edits(file, {note("meanwhile")}); });
  };
  ASSERT_TRUE(compact(file, job));
  ASSERT_TRUE(editor.joinable());
  editor.join();
  ASSERT_TRUE(added) << added.error().message;
  const auto session = Session::open(file);
  ASSERT_TRUE(session);
  ASSERT_EQ(session->edits().size(), 1u);
  EXPECT_EQ(session->edits().front().note, "meanwhile");
  EXPECT_LT(session->stream(StreamKind::kTactile)->chunks, 5u);
}

TEST_F(CompactedFile, StaysAsItWasWhenStopped) {
  write();
  const auto bytes = test::read_bytes(file);
  std::stop_source stop;
  Job job;
  job.stop = stop.get_token();
  job.on_progress = [&](const Progress&) { stop.request_stop(); };
  const auto report = compact(file, job);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(test::read_bytes(file) == bytes);
  EXPECT_FALSE(partial_is_there());
}

TEST_F(CompactedFile, StaysAsItWasWhereTheDiskIsFull) {
  write();
  const auto bytes = test::read_bytes(file);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit room{bytes.size() / 4, bytes.size() / 4};
    ::setrlimit(RLIMIT_FSIZE, &room);
    const auto report = compact(file);
    const auto left = compact_if_room(file);  // how imports end
    const bool warned = left && left->size() == 1 && left->front().code == "NOT-COMPACTED";
    ::_exit(!report && report.error().code == ErrorCode::kIo && warned ? 7 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(test::read_bytes(file) == bytes);
  EXPECT_FALSE(partial_is_there());
}

/// Runs compact() in a process that is killed after `steps` of progress and some more work; whether
/// it came to its end before.
bool compact_and_kill(const std::filesystem::path& file, int steps, std::uint64_t spins) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    Job job;
    job.on_progress = [&](const Progress&) { (void)!::write(ends[1], "p", 1); };
    const auto done = compact(file, job);
    ::_exit(done ? 0 : 1);
  }
  ::close(ends[1]);
  char step = 0;
  while (steps-- > 0 && ::read(ends[0], &step, 1) == 1) continue;
  for (volatile std::uint64_t spin = 0; spin < spins;) spin = spin + 1;
  ::kill(child, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

TEST_F(CompactedFile, IsWholeHoweverItsMakingIsKilled) {
  write();
  const auto original = folder / "original.tact";
  std::filesystem::copy(file, original);
  const auto wanted = content_of(original);
  std::mt19937_64 random(50);
  int killed = 0;
  int replaced = 0;
  for (int trial = 0; trial < 50; ++trial) {
    std::filesystem::copy(original, file, std::filesystem::copy_options::overwrite_existing);
    const bool ended =
        compact_and_kill(file, static_cast<int>(1 + random() % 8), random() % 8'000'000);
    killed += ended ? 0 : 1;
    const auto session = Session::open(file);
    ASSERT_TRUE(session) << "trial " << trial << ": " << session.error().message;
    ASSERT_TRUE(session->check());
    EXPECT_THAT(session->damage(), IsEmpty());
    EXPECT_EQ(session->content_hash().value_or("none"), wanted.hash);
    replaced += session->stream(StreamKind::kTactile)->chunks < 100 ? 1 : 0;
  }
  EXPECT_GT(killed, 25);
  EXPECT_LT(replaced, 40);  // most are killed before the end
  ASSERT_TRUE(compact(file));
  EXPECT_FALSE(partial_is_there());
  expect_same(content_of(file), wanted);
}

}  // namespace
}  // namespace tactelier
