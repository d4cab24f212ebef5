// One session read by several threads at once, as a fit does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <chrono>
#include <future>
#include <thread>

#include "libcalib/session/compaction.hpp"
#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/tamper.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

constexpr int kThreads = 4;
const std::vector<std::string> kReadings{"0", "3", "83"};

using Read = std::pair<std::vector<double>, std::vector<std::vector<double>>>;

Read read(const Session& session, TimeRange range) {
  const auto samples = session.read(StreamKind::kTactile, kReadings, range);
  EXPECT_TRUE(samples) << samples.error().message;
  return samples ? Read{samples->time_s, samples->columns} : Read{};
}

/// Reads from within a read that is under way, so that both hold a connection.
Read read_inside(const Session& session, TimeRange range) {
  Read inner;
  const auto done = session.scan(StreamKind::kStage, {}, {}, [&](const Samples&) -> Result<void> {
    std::jthread([&] { inner = read(session, range); });
    return {};
  });
  EXPECT_TRUE(done) << done.error().message;
  return inner;
}

class SessionReadByThreads : public testing::Test {
 protected:
  void write(double seconds) {
    test::write_sample(file, test::sample_streams(seconds), test::sample_events());
  }

  test::TemporaryFolder folder{test::memory_folder()};
  std::filesystem::path file = folder / "a.tact";
};

TEST_F(SessionReadByThreads, GivesEachWhatItAskedFor) {
  write(4);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  std::vector<TimeRange> ranges;
  std::vector<Read> alone;
  for (int i = 0; i < 8 * kThreads; ++i) {
    ranges.push_back({0.1 * i, 0.1 * i + 0.9});
    alone.push_back(read(*session, ranges.back()));
  }
  std::vector<Read> together(ranges.size());
  std::barrier start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        for (std::size_t i = t; i < ranges.size(); i += kThreads)
          together[i] = read(*session, ranges[i]);
      });
  }
  EXPECT_EQ(together, alone);
  EXPECT_FALSE(alone.front().first.empty());
}

TEST_F(SessionReadByThreads, NotesDamageOnceWhoeverMetIt) {
  write(2);
  test::run_sql(file, "UPDATE blob SET data = x'00' WHERE id = 40");
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  std::barrier start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (const auto& stream : session->streams())
          (void)session->scan_stored(stream.info.kind,
                                     [](const StreamChunk&) -> Result<void> { return {}; });
      });
  }
  EXPECT_THAT(session->damage(), testing::SizeIs(1));
}

TEST_F(SessionReadByThreads, KeepsToTheFileThatWasOpenedWhenAnotherTakesItsName) {
  write(20);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  const TimeRange range{0.33, 0.71};
  const auto before = read(*session, range);
  const auto report = compact(file);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->changed);  // the chunks of the file under that name have other numbers
  std::future<Read> meanwhile;
  const auto done = session->scan(StreamKind::kStage, {}, {}, [&](const Samples&) -> Result<void> {
    if (meanwhile.valid()) return {};
    meanwhile = std::async(std::launch::async, [&] { return read(*session, range); });
    // No second connection to what was opened can be had: it waits until this one is through.
    EXPECT_EQ(meanwhile.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
    return {};
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(meanwhile.get(), before);
  EXPECT_THAT(session->damage(), testing::IsEmpty());  // of the other file chunks would be missing
}

TEST_F(SessionReadByThreads, ReadsWhileAReadIsUnderWay) {
  write(2);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_EQ(read_inside(*session, {0.33, 0.71}), read(*session, {0.33, 0.71}));
}

}  // namespace
}  // namespace tactelier
