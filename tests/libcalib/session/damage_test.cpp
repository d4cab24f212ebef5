// Damaged files: never a crash, never a wrong number. Either a clear error, or what is missing is
// reported, or everything is there as it was.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/tamper.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Everything a session says, by stream and time.
struct Content {
  std::vector<std::pair<StreamKind, std::vector<ColumnInfo>>> streams;
  std::vector<StreamChunk> chunks;
  std::vector<std::string> overviews;
  std::vector<Event> events;
  std::size_t edits = 0;
  std::string document;

  bool operator==(const Content&) const = default;
};

Content everything(const Session& session) {
  Content content;
  content.events = session.events();
  content.edits = session.edits().size();
  content.document = session.metadata().document;
  for (const auto& stream : session.streams()) {
    const auto kind = stream.info.kind;
    content.streams.emplace_back(kind, stream.info.columns);
    (void)session.scan_stored(kind, [&](const StreamChunk& chunk) -> Result<void> {
      content.chunks.push_back(chunk);
      return {};
    });
    const auto points = session.overview(kind, stream.info.columns.back().name);
    for (const auto& point : points.value_or(std::vector<OverviewPoint>{}))
      content.overviews.push_back(fmt::format("{} {} {}", point.begin_s, point.min, point.max));
    (void)session.read(kind, {}, {0.3, 0.7});
  }
  return content;
}

class DamagedFile : public testing::Test {
 protected:
  void SetUp() override {
    test::write_sample(file, test::sample_streams(1), test::sample_events());
    Edit note;
    note.kind = Edit::Kind::kNote;
    note.note = "n";
    ASSERT_TRUE(add_edits(file, {note, note}));
    const auto session = Session::open(file);
    ASSERT_TRUE(session) << session.error().message;
    whole = everything(*session);
    bytes = test::read_bytes(file);
  }
  std::vector<Damage> damage_after(const std::string& sql) {
    test::run_sql(file, sql);
    const auto session = Session::open(file);
    EXPECT_TRUE(session) << session.error().message;
    rest = everything(*session);
    EXPECT_TRUE(session->check());
    return session->damage();
  }

  TemporaryFolder folder{test::memory_folder()};
  std::filesystem::path file = folder / "a.tact";
  Content whole;
  Content rest;
  std::vector<char> bytes;
};

// blob of chunk 3 of force (first_blob of chunk 0 is 1; 4 columns): 13 t, 14 Fx, 15 Fz, 16 Tz
TEST_F(DamagedFile, NamesStreamColumnAndTimeAndKeepsTheRest) {
  const auto damage = damage_after("UPDATE blob SET data = zeroblob(length(data)) WHERE id = 14");
  ASSERT_THAT(damage, SizeIs(1));
  EXPECT_EQ(damage[0].stream, StreamKind::kForce);
  EXPECT_EQ(damage[0].column, "Fx");
  EXPECT_DOUBLE_EQ(damage[0].begin_s, 0.3);
  EXPECT_DOUBLE_EQ(damage[0].end_s, 0.398);
  EXPECT_THAT(damage[0].describe(), HasSubstr("force, column Fx, 0.3 s to 0.398 s: its"));
  EXPECT_EQ(rest.chunks.size(), whole.chunks.size() - 1);
  const auto session = Session::open(file);
  const std::vector<std::string> healthy{"Fz"};
  EXPECT_EQ(session->read(StreamKind::kForce, healthy, {})->rows(), 500U);
  EXPECT_THAT(session->damage(), IsEmpty()) << "a column that isn't read does no harm";
  const std::vector<std::string> damaged{"Fx"};
  EXPECT_EQ(session->read(StreamKind::kForce, damaged, {})->rows(), 450U);
}

TEST_F(DamagedFile, NoticesEveryChangedCell) {
  for (const std::string change :
       {"base = base + 1", "width = 4", "codec = 2", "codec = 7", "exponent = exponent + 1",
        "min = min - 1", "max = max + 1", "max = NULL", "checksum = checksum + 1", "data = NULL",
        "data = 'text'", "data = x''", "exponents = x'00'", "base = 1.5", "width = 1000000",
        "data = data || x'00'"}) {
    test::write_bytes(file, bytes);
    EXPECT_THAT(damage_after("UPDATE blob SET " + change + " WHERE id = 14"), SizeIs(1)) << change;
    EXPECT_EQ(rest.chunks.size(), whole.chunks.size() - 1) << change;
  }
  for (const std::string change :
       {"count = count - 1", "count = 0", "count = 1000000000000", "t_first = t_first + 1",
        "t_last = 7", "first_blob = first_blob + 4", "first_blob = NULL", "checksum = 0"}) {
    test::write_bytes(file, bytes);
    const auto damage = damage_after("UPDATE chunk SET " + change + " WHERE id = (1 << 32) + 3");
    ASSERT_THAT(damage, SizeIs(1)) << change;
    EXPECT_EQ(damage[0].column, "") << change;
    EXPECT_DOUBLE_EQ(damage[0].begin_s, 0.298) << "the last time before it";
    EXPECT_DOUBLE_EQ(damage[0].end_s, 0.4) << "the first time after it";
    EXPECT_EQ(rest.chunks.size(), whole.chunks.size() - 1) << change;
  }
  for (const std::string change :
       {"UPDATE column_info SET scale = 2 WHERE name = 'Fx'", "DELETE FROM stream WHERE id = 1",
        "UPDATE column_info SET unit = 'kN' WHERE name = 'Fx'", "DELETE FROM column_info",
        "UPDATE event SET t = 7 WHERE id = 2", "DELETE FROM event WHERE id = 5",
        "UPDATE event SET name = 'tare' WHERE id = 1", "DELETE FROM edits WHERE id = 2",
        "UPDATE edits SET press = 3", "UPDATE tally SET rows = 1", "DELETE FROM tally",
        "UPDATE meta SET value = 'x' WHERE key = 'content_hash'"}) {
    test::write_bytes(file, bytes);
    EXPECT_FALSE(damage_after(change).empty()) << change;
  }
}

TEST_F(DamagedFile, NoticesChunksThatVanishedEvenAtTheEnd) {
  const auto damage =
      damage_after("DELETE FROM chunk WHERE id >= (1 << 32) + 8 AND id < (2 << 32)");
  ASSERT_THAT(damage, SizeIs(1));
  EXPECT_EQ(damage[0].stream, StreamKind::kForce);
  EXPECT_DOUBLE_EQ(damage[0].begin_s, 0.798);
  EXPECT_THAT(damage[0].what, HasSubstr("missing"));
}

TEST_F(DamagedFile, AColumnOfAnotherChunkIsNotTakenForThisOne) {
  const auto damage = damage_after(
      "UPDATE blob SET (codec, width, exponent, base, min, max, checksum, data) = "
      "(SELECT codec, width, exponent, base, min, max, checksum, data FROM blob WHERE id = 18) "
      "WHERE id = 14");
  EXPECT_THAT(damage, SizeIs(1));
}

TEST_F(DamagedFile, MetadataThatChangedRefuseTheFile) {
  test::run_sql(file, "UPDATE meta SET value = replace(value, '3.4', '3.5') WHERE key='metadata'");
  const auto session = Session::open(file);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::kDamaged);
  EXPECT_THAT(session.error().message, HasSubstr("metadata cannot be read"));
}

TEST_F(DamagedFile, ACutFileSaysSoAndGivesWhatIsLeft) {
  std::size_t read_something = 0;
  for (std::size_t percent = 0; percent < 100; percent += 3) {
    auto cut = bytes;
    cut.resize(bytes.size() * percent / 100);
    test::write_bytes(file, cut);
    const auto session = Session::open(file);
    if (!session) {
      EXPECT_THAT(session.error().message, AnyOf(HasSubstr("truncated"), HasSubstr("empty")))
          << percent << " %";
      continue;
    }
    const auto left = everything(*session);
    ASSERT_FALSE(session->damage().empty());
    EXPECT_THAT(session->damage()[0].what, HasSubstr("truncated"));
    EXPECT_LT(left.chunks.size(), whole.chunks.size());
    if (!left.chunks.empty()) ++read_something;
  }
  EXPECT_GE(read_something, 15U);
}

/// Chunks of `part` are chunks of `all`, in the same order.
bool is_part(const std::vector<StreamChunk>& part, const std::vector<StreamChunk>& all) {
  std::size_t at = 0;
  for (const auto& chunk : part) {
    while (at < all.size() && all[at].columns != chunk.columns) ++at;
    if (at++ == all.size()) return false;
  }
  return true;
}

TEST_F(DamagedFile, IsNeverReadAsSomethingElse) {
  std::mt19937_64 random(2026);
  int refused = 0;
  int reported = 0;
  int unharmed = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    auto changed = bytes;
    const auto at = random() % bytes.size();
    switch (trial % 4) {
      case 0:
        changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
        break;
      case 1:
        for (int i = 0; i < 20; ++i) changed[random() % bytes.size()] = static_cast<char>(random());
        break;
      case 2: {
        const auto length = std::min<std::size_t>(1 + random() % 9000, bytes.size() - at);
        std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(at), length, '\0');
        break;
      }
      default:
        changed[random() % 4096] = static_cast<char>(random());
        break;  // schema and header
    }
    test::write_bytes(file, changed);
    const auto session = Session::open(file);
    if (!session) {
      EXPECT_THAT(session.error().message, HasSubstr("a.tact"));
      ++refused;
      continue;
    }
    const auto found = everything(*session);
    (void)session->check();
    (void)session->content_hash();
    if (session->damage().empty()) {
      EXPECT_TRUE(found == whole) << "trial " << trial << ": changed without a word";
      ++unharmed;
    } else {
      EXPECT_TRUE(is_part(found.chunks, whole.chunks)) << "trial " << trial << ": wrong numbers";
      EXPECT_EQ(found.document, whole.document) << trial;
      ++reported;
    }
  }
  RecordProperty("refused", refused);
  RecordProperty("reported", reported);
  RecordProperty("unharmed", unharmed);
  EXPECT_GT(reported, 600);
}

TEST(DamagedUnfinishedFile, WithABrokenWalHoldsABeginningOfWhatWasWritten) {
  const TemporaryFolder folder(test::memory_folder());
  const auto file = folder / "live.tact";
  const auto copy = folder / "copy.tact";
  const auto streams = test::sample_streams(1);
  auto writer = SessionWriter::create(file, test::sample_metadata());
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->add_stream(streams[0].info));
  for (const auto& chunk : streams[0].chunks) {
    ASSERT_TRUE(writer->append(StreamKind::kForce, chunk));
    ASSERT_TRUE(writer->commit());
  }
  const auto bytes = test::read_bytes(file);
  const auto wal = test::read_bytes(file.string() + "-wal");
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    auto broken = wal;
    broken[random() % wal.size()] = static_cast<char>(random());
    if (trial % 3 == 0) broken.resize(random() % wal.size());
    std::filesystem::remove(copy.string() + "-shm");
    test::write_bytes(copy, bytes);
    test::write_bytes(copy.string() + "-wal", broken);
    const auto session = Session::open(copy);
    if (!session) continue;
    std::size_t at = 0;
    for (const auto& stream : session->streams())
      (void)session->scan_stored(stream.info.kind, [&](const StreamChunk& chunk) -> Result<void> {
        EXPECT_LT(at, streams[0].chunks.size());
        EXPECT_EQ(chunk.columns, streams[0].chunks[at++].columns);
        return {};
      });
  }
}

}  // namespace
}  // namespace tactelier
