#include "libcalib/session/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>

#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/tamper.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<StreamChunk> stored_chunks(const Session& session, StreamKind kind) {
  std::vector<StreamChunk> chunks;
  const auto done = session.scan_stored(kind, [&](const StreamChunk& chunk) -> Result<void> {
    chunks.push_back(chunk);
    return {};
  });
  EXPECT_TRUE(done) << done.error().message;
  return chunks;
}

void expect_equal(const std::vector<StreamChunk>& found, const std::vector<StreamChunk>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].columns.size(), wanted[i].columns.size());
    for (std::size_t column = 0; column < found[i].columns.size(); ++column)
      for (std::size_t row = 0; row < wanted[i].rows(); ++row)
        if (wanted[i].columns[column].mantissas[row] == kMissing)
          EXPECT_EQ(found[i].columns[column].mantissas[row], kMissing);
        else
          EXPECT_EQ(found[i].columns[column].at(row), wanted[i].columns[column].at(row));
  }
}

class SessionFile : public testing::Test {
 protected:
  void write(bool finish = true) { test::write_sample(file, streams, events, finish); }
  Session open() {
    auto session = Session::open(file);
    EXPECT_TRUE(session) << session.error().message;
    return std::move(*session);
  }
  std::string refusal() {
    const auto session = Session::open(file);
    return session ? "it opened" : session.error().message;
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder / "a b%20?#.tact";
  std::vector<test::StoredStream> streams = test::sample_streams(2);
  std::vector<Event> events = test::sample_events();
};

TEST_F(SessionFile, GivesBackExactlyWhatWasWritten) {
  write();
  const auto session = open();
  EXPECT_TRUE(session.finished());
  EXPECT_EQ(session.events(), events);
  EXPECT_EQ(session.metadata().document, test::sample_metadata().document);
  ASSERT_EQ(session.streams().size(), streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    EXPECT_EQ(session.streams()[i].info, streams[i].info);
    EXPECT_EQ(session.streams()[i].chunks, streams[i].chunks.size());
    expect_equal(stored_chunks(session, streams[i].info.kind), streams[i].chunks);
  }
  EXPECT_TRUE(session.check());
  EXPECT_THAT(session.damage(), IsEmpty());
}

TEST_F(SessionFile, SummariesSayHowLongAndHowFast) {
  write();
  const auto session = open();
  const auto* tactile = session.stream(StreamKind::kTactile);
  ASSERT_NE(tactile, nullptr);
  EXPECT_EQ(tactile->rows, 600U);
  EXPECT_DOUBLE_EQ(tactile->begin_s, 0);
  EXPECT_DOUBLE_EQ(tactile->end_s, 599 * 3333e-6);
  EXPECT_NEAR(*tactile->rate_hz(), 1e6 / 3333, 1e-9);
  EXPECT_EQ(session.stream(StreamKind::kAux), nullptr);
}

TEST_F(SessionFile, ReadsColumnsInSiUnitsInAHalfOpenRange) {
  write();
  const auto session = open();
  // stage: t = 100 ms * row, z = -0.001 mm * row^2
  const std::vector<std::string> columns{"z", "x"};
  const auto samples = session.read(StreamKind::kStage, columns, {0.5, 1.0});
  ASSERT_TRUE(samples) << samples.error().message;
  ASSERT_EQ(samples->rows(), 5U);
  EXPECT_DOUBLE_EQ(samples->time_s.front(), 0.5);
  EXPECT_DOUBLE_EQ(samples->time_s.back(), 0.9);
  EXPECT_DOUBLE_EQ(samples->columns[0][0], -25e-6);
  EXPECT_DOUBLE_EQ(samples->columns[0][4], -81e-6);
  EXPECT_DOUBLE_EQ(samples->columns[1][2], -1.7e-3);
}

TEST_F(SessionFile, EveryRangeGivesTheRowsOfTheWholeThatLieInIt) {
  write();
  const auto session = open();
  const std::vector<std::string> columns{"Fx"};
  const auto whole = session.read(StreamKind::kForce, columns, {});
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->rows(), 1000U);
  for (double begin_s = -0.05; begin_s < 2.1; begin_s += 0.0331)
    for (const double length_s : {0.0, 0.001, 0.07, 0.4}) {
      const auto part = session.read(StreamKind::kForce, columns, {begin_s, begin_s + length_s});
      ASSERT_TRUE(part);
      Samples wanted;
      wanted.columns.resize(1);
      for (std::size_t row = 0; row < whole->rows(); ++row)
        if (whole->time_s[row] >= begin_s && whole->time_s[row] < begin_s + length_s) {
          wanted.time_s.push_back(whole->time_s[row]);
          wanted.columns[0].push_back(whole->columns[0][row]);
        }
      EXPECT_EQ(part->time_s, wanted.time_s);
      EXPECT_EQ(part->columns, wanted.columns);
    }
}

TEST_F(SessionFile, MissingCellsReadAsNaN) {
  write();
  const auto session = open();
  const std::vector<std::string> columns{"Fz", "Tz"};
  const auto samples = session.read(StreamKind::kForce, columns, {});
  ASSERT_TRUE(samples);
  for (std::size_t row = 0; row < samples->rows(); ++row)
    EXPECT_EQ(std::isnan(samples->columns[0][row]), row % 7 == 3) << row;
  EXPECT_DOUBLE_EQ(samples->columns[1][50], 123456789012345678e3 * 1e-3);  // N*mm
  EXPECT_DOUBLE_EQ(samples->columns[1][51], 51e-5 * 1e-3);
}

TEST_F(SessionFile, OverviewIsTheMinimumAndMaximumOfEachChunk) {
  write();
  const auto session = open();
  for (const std::string column : {"Fz", "Tz"}) {
    const auto points = session.overview(StreamKind::kForce, column);
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 20U);
    for (const auto& point : *points) {
      const auto samples =
          session.read(StreamKind::kForce, {&column, 1}, {point.begin_s, point.end_s + 1e-9});
      double min = HUGE_VAL;
      double max = -HUGE_VAL;
      for (const double value : samples->columns[0]) {
        min = std::fmin(min, value);
        max = std::fmax(max, value);
      }
      EXPECT_EQ(point.min, min);
      EXPECT_EQ(point.max, max);
    }
  }
  const auto falling = session.overview(StreamKind::kStage, "z");  // a negative scale
  ASSERT_TRUE(falling);
  EXPECT_DOUBLE_EQ(falling->front().min, -49e-6);
  EXPECT_DOUBLE_EQ(falling->front().max, 0);
}

TEST_F(SessionFile, NamesTheColumnOrStreamThatIsNotThere) {
  write();
  const auto session = open();
  const std::vector<std::string> columns{"Fq"};
  const auto column = session.read(StreamKind::kForce, columns, {});
  ASSERT_FALSE(column);
  EXPECT_THAT(column.error().message, HasSubstr("stream 'force' has no column 'Fq'"));
  const auto stream = session.read(StreamKind::kAux, {}, {});
  ASSERT_FALSE(stream);
  EXPECT_THAT(stream.error().message, HasSubstr("has no stream 'aux'"));
}

TEST_F(SessionFile, StopsOnRequest) {
  write();
  const auto session = open();
  std::stop_source source;
  source.request_stop();
  const auto done = session.check({{}, source.get_token()});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kCancelled);
}

TEST_F(SessionFile, AnUnfinishedOneHoldsWhatWasCommitted) {
  write(false);
  const auto session = open();
  EXPECT_FALSE(session.finished());
  EXPECT_EQ(session.events(), events);
  for (const auto& stream : streams)
    expect_equal(stored_chunks(session, stream.info.kind), stream.chunks);
  EXPECT_THAT(session.damage(), IsEmpty());
}

TEST_F(SessionFile, ContentHashDependsOnContentAlone) {
  write();
  const auto hash = [&] { return open().content_hash().value_or("none"); };
  const auto stored = hash();
  EXPECT_EQ(stored.size(), 64U);
  const auto finished_file = file;
  file = folder / "unfinished.tact";
  write(false);
  EXPECT_EQ(hash(), stored);  // computed here, stored by finish() there

  const auto hash_of = [&](const std::string& name) {
    file = folder / name;
    write();
    return hash();
  };
  events[4].data = R"({"text":"another"})";
  EXPECT_NE(hash_of("event.tact"), stored);
  events = test::sample_events();
  streams[1].chunks[1].columns[2].mantissas[0] += 1;
  EXPECT_NE(hash_of("value.tact"), stored);
  streams = test::sample_streams(2);
  streams[0].info.columns[1].scale = 2;
  EXPECT_NE(hash_of("scale.tact"), stored);

  Edit note;
  note.kind = Edit::Kind::kNote;
  note.note = "nice";
  ASSERT_TRUE(add_edits(finished_file, {note}));
  file = finished_file;
  EXPECT_EQ(hash(), stored);
}

TEST_F(SessionFile, EditsAreAddedWithTimeAndAuthor) {
  write();
  ::setenv("TACTELIER_AUTHOR", "Ada", 1);
  Edit exclude;
  exclude.kind = Edit::Kind::kExclude;
  exclude.press = 7;
  Edit contact;
  contact.kind = Edit::Kind::kContact;
  contact.press = 8;
  contact.contact_s = 12.25;
  ASSERT_TRUE(add_edits(file, {exclude, contact}));
  Edit note;
  note.kind = Edit::Kind::kNote;
  note.note = "tip was dusty";
  ASSERT_TRUE(add_edits(file, {note}));
  Edit found;
  found.kind = Edit::Kind::kContact;
  found.press = 8;
  found.contact_s = std::nan("");
  ASSERT_TRUE(add_edits(file, {found}));
  ::unsetenv("TACTELIER_AUTHOR");
  const auto session = open();
  ASSERT_EQ(session.edits().size(), 4U);
  EXPECT_TRUE(std::isnan(session.edits()[3].contact_s));
  EXPECT_EQ(session.edits()[0].kind, Edit::Kind::kExclude);
  EXPECT_EQ(session.edits()[0].press, 7);
  EXPECT_EQ(session.edits()[1].contact_s, 12.25);
  EXPECT_EQ(session.edits()[2].note, "tip was dusty");
  EXPECT_EQ(session.edits()[2].author, "Ada");
  EXPECT_THAT(session.edits()[2].time, testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_TRUE(session.check());
  EXPECT_THAT(session.damage(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(file.string() + "-journal"));
}

TEST_F(SessionFile, OpensAsItWasWhenSomebodyDiedWhileAddingEdits) {
  write();
  const auto before = test::read_bytes(file);
  const auto died = folder / "died.tact";
  test::copy_within_transaction(file, "UPDATE blob SET base = base + 1; DELETE FROM event", died);
  ASSERT_NE(test::read_bytes(died), before) << "the change must have reached the file";
  file = died;
  const auto session = open();
  EXPECT_EQ(session.events(), events);
  EXPECT_TRUE(session.check());
  EXPECT_THAT(session.damage(), IsEmpty());
}

TEST_F(SessionFile, RefusesEditsThatMeanNothing) {
  write();
  Edit contact;
  contact.kind = Edit::Kind::kContact;
  contact.contact_s = INFINITY;
  EXPECT_FALSE(add_edits(file, {contact}));
  Edit note;
  note.kind = Edit::Kind::kNote;
  EXPECT_FALSE(add_edits(file, {note}));
  note.note = "x";
  const auto missing = add_edits(folder / "none.tact", {note});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no such file"));
  EXPECT_FALSE(std::filesystem::exists(folder / "none.tact"));
  EXPECT_THAT(open().edits(), IsEmpty());
}

TEST_F(SessionFile, SaysWhatElseAFileIs) {
  EXPECT_THAT(refusal(), HasSubstr("there is no such file"));
  test::write_bytes(file, {});
  EXPECT_THAT(refusal(), HasSubstr("the file is empty (0 bytes)"));
  test::write_bytes(file, {'t', ',', 'F', 'z', '\n'});
  EXPECT_THAT(refusal(), HasSubstr("does not begin like an SQLite file"));
  std::filesystem::remove(file);
  test::run_sql(file, "CREATE TABLE songs(title); PRAGMA application_id=252006673");
  EXPECT_THAT(refusal(), HasSubstr("another program (application id 0x0f055111)"));
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_THAT(refusal(), HasSubstr("is a folder"));
}

TEST_F(SessionFile, SaysThatItIsNewer) {
  write();
  test::run_sql(file, "PRAGMA user_version=3");
  EXPECT_THAT(refusal(), HasSubstr("newer version of this program (session format 3"));
}

TEST_F(SessionFile, ATableThatIsNotAsCreatedIsRefused) {
  write();
  test::run_sql(file, "DROP TABLE blob; CREATE VIEW blob AS SELECT 1 AS id");
  EXPECT_THAT(refusal(), HasSubstr("damaged"));
}

TEST_F(SessionFile, ReadsFromReadOnlyMedia) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become somebody who may not write";
  streams = test::sample_streams(0.5);
  write();
  const auto unfinished = folder / "unfinished.tact";
  test::write_sample(unfinished, streams, events, false);
  // As a killed recorder leaves it: in WAL mode, with the samples still in the -wal.
  test::run_sql(unfinished, "PRAGMA user_version");
  const auto killed = folder / "killed.tact";
  {
    auto writer = SessionWriter::create(killed, test::sample_metadata());
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add_stream(streams[1].info));
    ASSERT_TRUE(writer->append(StreamKind::kStage, streams[1].chunks[0]));
    ASSERT_TRUE(writer->commit());
    std::filesystem::copy(killed, folder / "cut.tact");
    std::filesystem::copy(killed.string() + "-wal", (folder / "cut.tact").string() + "-wal");
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ASSERT_EQ(::chmod(entry.path().c_str(), 0444), 0);
  ASSERT_EQ(::seteuid(65534), 0);
  for (const auto& path : {file, unfinished, folder / "cut.tact"}) {
    const auto session = Session::open(path);
    EXPECT_TRUE(session) << (session ? "" : session.error().message);
    if (!session) continue;
    EXPECT_TRUE(session->check());
    EXPECT_THAT(session->damage(), IsEmpty());
    expect_equal(stored_chunks(*session, StreamKind::kStage), streams[1].chunks);
  }
  ASSERT_EQ(::seteuid(0), 0);
  ::chmod(folder.path().c_str(), 0755);
}

}  // namespace
}  // namespace tactelier
