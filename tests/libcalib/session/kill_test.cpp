// What the whole file format is for: whatever kills the recorder, what was committed is there.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <random>

#include "libcalib/session/session.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"
#include "tests/tools/recorded_row.hpp"

namespace tactelier {
namespace {

using test::TemporaryFolder;

struct Child {
  pid_t process = -1;
  FILE* output = nullptr;
};

Child start_recording(const std::filesystem::path& file) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execl(TACTELIER_RECORD_FOREVER, "record_forever", file.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  return {process, ::fdopen(ends[0], "r")};
}

/// Kills it after `lines` of progress and some more work; the rows it had promised by then.
std::uint64_t kill_after(const Child& child, std::uint64_t lines, std::uint64_t spins) {
  unsigned long long promised = 0;
  for (std::uint64_t line = 0; line < lines; ++line)
    EXPECT_EQ(std::fscanf(child.output, "%llu", &promised), 1);
  for (volatile std::uint64_t spin = 0; spin < spins;) spin = spin + 1;
  ::kill(child.process, SIGKILL);
  unsigned long long more = 0;
  while (std::fscanf(child.output, "%llu", &more) == 1) promised = more;  // said before it died
  std::fclose(child.output);
  int status = 0;
  ::waitpid(child.process, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  return promised;
}

/// Rows in the file, each checked.
std::uint64_t exact_rows(const Session& session) {
  std::int64_t row = 0;
  const auto done =
      session.scan_stored(StreamKind::kForce, [&](const StreamChunk& chunk) -> Result<void> {
        for (std::size_t i = 0; i < chunk.rows(); ++i, ++row) {
          const auto wanted = test::recorded_row(row);
          for (std::size_t column = 0; column < wanted.size(); ++column)
            if (chunk.columns[column].mantissas[i] != wanted[column])
              return fail(ErrorCode::kDamaged, "row {} column {} differs", row, column);
        }
        return {};
      });
  EXPECT_TRUE(done) << done.error().message;
  return static_cast<std::uint64_t>(row);
}

TEST(KillNine, AtFiftyMomentsLosesNothingThatWasCommitted) {
  std::mt19937_64 random(50);
  for (int trial = 0; trial < 50; ++trial) {
    const TemporaryFolder folder(test::memory_folder());
    const auto file = folder / "killed.tact";
    const auto child = start_recording(file);
    const auto promised = kill_after(child, 1 + random() % 20, random() % 3'000'000);
    const auto session = Session::open(file);
    ASSERT_TRUE(session) << "trial " << trial << ": " << session.error().message;
    EXPECT_FALSE(session->finished());
    EXPECT_GE(exact_rows(*session), promised) << "trial " << trial;
    EXPECT_TRUE(session->damage().empty()) << session->damage().front().describe();
  }
}

}  // namespace
}  // namespace tactelier
