#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcalib/session/recorder.hpp"
#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/tamper.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kSeconds = 1;

struct Halves {
  std::vector<test::StoredStream> first, second;
};

Halves halves(const std::vector<test::StoredStream>& whole) {
  Halves cut;
  for (const auto& stream : whole) {
    const auto middle =
        stream.chunks.begin() + static_cast<std::ptrdiff_t>(stream.chunks.size() / 2);
    cut.first.push_back({stream.info, {stream.chunks.begin(), middle}});
    cut.second.push_back({stream.info, {middle, stream.chunks.end()}});
  }
  return cut;
}

std::string hash_of(const std::filesystem::path& file) {
  const auto session = Session::open(file);
  if (!session) return session.error().message;
  EXPECT_TRUE(session->finished());
  EXPECT_TRUE(session->check());
  EXPECT_THAT(session->damage(), IsEmpty());
  return session->content_hash().value_or("none");
}

/// In two goes, the first one closed or cut off.
void write_in_two(const std::filesystem::path& file, const Halves& cut,
                  const std::vector<Event>& events, bool closed) {
  const auto half = static_cast<std::ptrdiff_t>(events.size() / 2);
  test::write_sample(file, cut.first, {events.begin(), events.begin() + half}, closed);
  auto writer = SessionWriter::reopen(file);
  ASSERT_TRUE(writer) << writer.error().message;
  EXPECT_FALSE(Session::open(file)->finished());
  for (const auto& stream : cut.second)
    for (const auto& chunk : stream.chunks) {
      const auto done = writer->append(stream.info.kind, chunk);
      ASSERT_TRUE(done) << done.error().message;
    }
  for (auto event = events.begin() + half; event != events.end(); ++event)
    ASSERT_TRUE(writer->add_event(*event));
  const auto done = writer->finish();
  ASSERT_TRUE(done) << done.error().message;
}

TEST(SessionReopen, WritesInTwoGoesWhatOneWouldHaveWritten) {
  const TemporaryFolder folder;
  const auto streams = test::sample_streams(kSeconds);
  const auto events = test::sample_events();
  test::write_sample(folder / "one.tact", streams, events);
  write_in_two(folder / "cut.tact", halves(streams), events, false);
  write_in_two(folder / "closed.tact", halves(streams), events, true);
  EXPECT_EQ(hash_of(folder / "cut.tact"), hash_of(folder / "one.tact"));
  EXPECT_EQ(hash_of(folder / "closed.tact"), hash_of(folder / "one.tact"));
}

TEST(SessionReopen, RefusesToRunBackwardsInTime) {
  const TemporaryFolder folder;
  const auto cut = halves(test::sample_streams(kSeconds));
  test::write_sample(folder / "a.tact", cut.second, {}, false);
  auto writer = SessionWriter::reopen(folder / "a.tact");
  ASSERT_TRUE(writer);
  const auto done = writer->append(StreamKind::kForce, cut.first[0].chunks[0]);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("time runs backwards"));
}

TEST(SessionReopen, AddsNothingToADamagedFile) {
  const TemporaryFolder folder;
  test::write_sample(folder / "a.tact", test::sample_streams(kSeconds), {});
  test::run_sql(folder / "a.tact", "UPDATE blob SET base = base + 1 WHERE id = 3");
  const auto writer = SessionWriter::reopen(folder / "a.tact");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kDamaged);
}

TEST(SessionReopen, ARecorderTakesNoRowBeforeTheLastOneOfTheFile) {
  const TemporaryFolder folder;
  const StreamInfo force{StreamKind::kForce, {{"t", "s", 1.0 / 7000}, {"Fz", "N", 0.01}}};
  const auto row = [](std::int64_t t) { return std::array<std::int64_t, 2>{t, t}; };
  {
    auto recorder = Recorder::start(folder / "a.tact", test::sample_metadata(), {{force}}, {});
    ASSERT_TRUE(recorder);
    for (std::int64_t t = 0; t < 5000; ++t) ASSERT_TRUE((*recorder)->push(force.kind, row(t)));
    ASSERT_TRUE((*recorder)->close());
  }
  auto recorder = Recorder::resume(folder / "a.tact", {});
  ASSERT_TRUE(recorder) << recorder.error().message;
  EXPECT_FALSE((*recorder)->push(force.kind, row(4998)));
  EXPECT_TRUE((*recorder)->push(force.kind, row(5000)));
  ASSERT_TRUE((*recorder)->close());
  EXPECT_EQ(Session::open(folder / "a.tact")->stream(StreamKind::kForce)->rows, 5001U);
}

}  // namespace
}  // namespace tactelier
