// Records to the file named on its command line until somebody kills it, and says after each
// commit how many rows are safe: one number per line.

#include <cstdio>
#include <semaphore>

#include "libcalib/session/recorder.hpp"
#include "tests/tools/recorded_row.hpp"

namespace {

constexpr std::uint64_t kMaxAhead = 20000;  // rows beyond the last commit

}  // namespace

int main(int count, char** arguments) {
  using namespace tactelier;
  if (count != 2) return 2;
  SessionMetadata metadata;
  metadata.document =
      R"({"format":"tactelier/session","sensor":{"columns":6,"pitch_x_mm":3.4,"pitch_y_mm":3.4,)"
      R"("rows":14},"version":1})";
  StreamInfo force{StreamKind::kForce, {{"t", "us", 1.0}}};
  for (const char* name : {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz", "status"})
    force.columns.push_back({name, "", 1.0});
  std::counting_semaphore<> committed(0);
  Recorder::Options options;
  options.commit_every = std::chrono::milliseconds(0);
  options.on_commit = [&](std::uint64_t rows) {
    std::printf("%llu\n", static_cast<unsigned long long>(rows));
    std::fflush(stdout);
    committed.release();
  };
  auto recorder = Recorder::start(arguments[1], metadata, {&force, 1}, options);
  if (!recorder) return 3;
  for (std::int64_t i = 0;; ++i) {
    if (!(*recorder)->push(StreamKind::kForce, test::recorded_row(i))) return 4;
    while (static_cast<std::uint64_t>(i) > (*recorder)->committed_rows() + kMaxAhead)
      committed.acquire();
  }
}
