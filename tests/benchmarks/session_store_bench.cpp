// How fast sessions are written and read, against what the machine could do at best.
//   write rate     7 kHz x 7 columns of force and 300 Hz x 84 tactels, MB of raw integers per
//   second
//                  (int32 and uint16 as the devices send them, int64 time) and CPU per data second
//   one column     Fz of an hour, 25.2 million values, its time with it; file in the page cache
//   full scan      all columns of the hour
//   compaction     what closing a recording adds, MB of the file as recorded per second
//   memory read    the bound: how fast the same decoded bytes are summed
// The hour is recorded once, into the temporary folder (0.5 GB), and removed at the end.
// TACTELIER_BENCH_SESSION=FILE reads a recording that is there instead.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>

#include "libcalib/session/codec.hpp"
#include "libcalib/session/compaction.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {
namespace {

constexpr int kChunksPerSecond = 10;
constexpr double kRawBytesPerSecond = 7000 * (6 * 4 + 8) + 300 * (84 * 2 + 8);

StreamInfo force_stream() {
  StreamInfo stream{StreamKind::kForce, {{"t", "us", 1.0}}};
  for (const char* name : {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"})
    stream.columns.push_back({name, "", 1e-3});
  return stream;
}

StreamInfo tactile_stream() {
  StreamInfo stream{StreamKind::kTactile, {{"t", "us", 1.0}}};
  for (int tactel = 0; tactel < 84; ++tactel)
    stream.columns.push_back({fmt::format("{}", tactel), "", 1.0});
  return stream;
}

/// 100 ms of a signal with a swing and about six bits of noise, like a force sensor's counts.
StreamChunk signal(std::size_t columns, std::int64_t rows, std::int64_t period_us,
                   std::int64_t noise, std::mt19937_64& random) {
  StreamChunk chunk;
  chunk.columns.resize(columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    chunk.columns[0].mantissas.push_back(row * period_us);
    for (std::size_t column = 1; column < columns; ++column)
      chunk.columns[column].mantissas.push_back(
          2000 + static_cast<std::int64_t>(500 * std::sin(0.01 * static_cast<double>(row))) +
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(noise)));
  }
  return chunk;
}

/// A second of data, made before the clock runs; written again and again at later times.
struct Source {
  std::vector<StreamChunk> force;
  std::vector<StreamChunk> tactile;

  Source() {
    std::mt19937_64 random(1);
    for (int i = 0; i < kChunksPerSecond; ++i) {
      force.push_back(signal(7, 700, 142, 64, random));
      tactile.push_back(signal(85, 30, 3333, 8, random));
    }
  }
  static void set_time(StreamChunk& chunk, std::int64_t first_us, std::int64_t period_us) {
    for (auto& time : chunk.columns[0].mantissas) {
      time = first_us;
      first_us += period_us;
    }
  }
  bool write_second(SessionWriter& writer, std::int64_t second) {
    for (int i = 0; i < kChunksPerSecond; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto first_us = second * 1'000'000 + i * 100'000;
      set_time(force[at], first_us, 142);
      set_time(tactile[at], first_us, 3333);
      if (!writer.append(StreamKind::kForce, force[at])) return false;
      if (!writer.append(StreamKind::kTactile, tactile[at])) return false;
      if (i % 2 == 1 && !writer.commit()) return false;
    }
    return true;
  }
};

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() /
         fmt::format("tactelier-bench-{}-{}", ::getpid(), name);
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// `import`: no syncs before the end. Otherwise a sync every 200 ms of data, as fast as it goes.
void write_rate(benchmark::State& state) {
  const bool import = state.range(0) != 0;
  const auto file = scratch("write.tact");
  Source source;
  std::int64_t seconds = 0;
  SessionMetadata metadata;
  metadata.document = "{}";
  std::filesystem::remove(file);
  auto writer =
      import ? SessionWriter::create_import(file, metadata) : SessionWriter::create(file, metadata);
  if (!writer || !writer->add_stream(force_stream()) || !writer->add_stream(tactile_stream()))
    return state.SkipWithError("cannot create the session");
  const double cpu_before = cpu_seconds();
  for (auto _ : state)
    if (!source.write_second(*writer, seconds++)) return state.SkipWithError("cannot write");
  state.counters["cpu_per_data_s"] = (cpu_seconds() - cpu_before) / static_cast<double>(seconds);
  if (!writer->finish()) return state.SkipWithError("cannot finish");
  state.counters["raw_MB_per_s"] = benchmark::Counter(
      kRawBytesPerSecond * 1e-6 * static_cast<double>(seconds), benchmark::Counter::kIsRate);
  state.counters["file_MB_per_h"] = static_cast<double>(std::filesystem::file_size(file)) * 1e-6 *
                                    3600 / static_cast<double>(seconds);
  std::filesystem::remove(file);
}
BENCHMARK(write_rate)
    ->ArgName("import")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

class Hour : public benchmark::Fixture {
 public:
  void SetUp(benchmark::State& state) override {
    static const Recording recording;
    auto opened = Session::open(recording.file);
    if (!opened) return state.SkipWithError(opened.error().message.c_str());
    session = std::make_unique<Session>(std::move(*opened));
  }

  std::unique_ptr<Session> session;

 private:
  struct Recording {
    std::filesystem::path file = scratch("hour.tact");
    bool ours = true;
    Recording() {
      if (const char* there = std::getenv("TACTELIER_BENCH_SESSION")) {
        file = there;
        ours = false;
        return;
      }
      SessionMetadata metadata;
      metadata.document = R"({"format":"tactelier/session","sensor":{"columns":6,"pitch_x_mm":3.4,)"
                          R"("pitch_y_mm":3.4,"rows":14},"version":1})";
      auto writer = SessionWriter::create_import(file, metadata);
      if (!writer || !writer->add_stream(force_stream()) || !writer->add_stream(tactile_stream()))
        return;
      Source source;
      for (std::int64_t second = 0; second < 3600; ++second) source.write_second(*writer, second);
      (void)writer->finish();
    }
    ~Recording() {
      if (ours) std::filesystem::remove(file);
    }
  };
};

double peak_MiB() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void read_columns(benchmark::State& state, const Session& session, StreamKind stream,
                  const std::vector<std::string>& columns) {
  std::size_t values = 0;
  for (auto _ : state) {
    const auto done =
        session.scan(stream, columns, {}, [&](const Samples& samples) -> Result<void> {
          values += samples.rows() * (1 + samples.columns.size());
          return {};
        });
    if (!done) return state.SkipWithError(done.error().message.c_str());
  }
  state.counters["values_per_s"] =
      benchmark::Counter(static_cast<double>(values), benchmark::Counter::kIsRate);
  state.counters["peak_MiB"] = peak_MiB();
}

BENCHMARK_DEFINE_F(Hour, one_column)(benchmark::State& state) {
  read_columns(state, *session, StreamKind::kForce, {"Fz"});
}
BENCHMARK_REGISTER_F(Hour, one_column)->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(Hour, one_tactel)(benchmark::State& state) {
  read_columns(state, *session, StreamKind::kTactile, {"14"});
}
BENCHMARK_REGISTER_F(Hour, one_tactel)->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(Hour, overview)(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(session->overview(StreamKind::kForce, "Fz"));
}
BENCHMARK_REGISTER_F(Hour, overview)->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(Hour, full_scan)(benchmark::State& state) {
  std::size_t values = 0;
  for (auto _ : state)
    for (const auto kind : {StreamKind::kForce, StreamKind::kTactile})
      (void)session->scan_stored(kind, [&](const StreamChunk& chunk) -> Result<void> {
        values += chunk.rows() * chunk.columns.size();
        return {};
      });
  state.counters["values_per_s"] =
      benchmark::Counter(static_cast<double>(values), benchmark::Counter::kIsRate);
  state.counters["file_MB"] =
      static_cast<double>(std::filesystem::file_size(session->file())) * 1e-6;
}
BENCHMARK_REGISTER_F(Hour, full_scan)->Unit(benchmark::kMillisecond);

/// One press of three seconds out of the hour: what fitting does hundreds of times.
BENCHMARK_DEFINE_F(Hour, one_press)(benchmark::State& state) {
  const std::vector<std::string> columns{"Fz"};
  double begin_s = 0;
  for (auto _ : state) {
    begin_s = std::fmod(begin_s + 1234.5, 3590);
    benchmark::DoNotOptimize(session->read(StreamKind::kForce, columns, {begin_s, begin_s + 3}));
  }
}
BENCHMARK_REGISTER_F(Hour, one_press)->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(Hour, compaction)(benchmark::State& state) {
  const auto copy = scratch("compacted.tact");
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::copy_file(session->file(), copy,
                               std::filesystem::copy_options::overwrite_existing);
    state.ResumeTiming();
    const auto done = compact(copy);
    if (!done) return state.SkipWithError(done.error().message.c_str());
    if (!done->changed) return state.SkipWithError("it is compacted");
    bytes += done->bytes_before;
    state.counters["after_per_before"] =
        static_cast<double>(done->bytes_after) / static_cast<double>(done->bytes_before);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  std::filesystem::remove(copy);
}
BENCHMARK_REGISTER_F(Hour, compaction)->Unit(benchmark::kMillisecond)->UseRealTime();

void memory_read(benchmark::State& state) {
  const std::vector<std::int64_t> values(25'200'000, 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(8 * values.size()));
}
BENCHMARK(memory_read)->Unit(benchmark::kMillisecond);

/// The codec alone, on a chunk in the cache: what is left to SQLite is the rest.
void decode_chunk(benchmark::State& state) {
  Source source;
  Encoder encoder;
  Decoder decoder;
  const auto& values = source.force[0].columns[3].mantissas;
  const auto& encoded = encoder.encode(values);
  std::vector<std::int64_t> decoded(values.size());
  for (auto _ : state)
    benchmark::DoNotOptimize(decoder.decode(static_cast<int>(encoded.codec), encoded.width,
                                            encoded.base, encoded.data, decoded));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}
BENCHMARK(decode_chunk);

void encode_chunk(benchmark::State& state) {
  Source source;
  Encoder encoder;
  const auto& values = source.force[0].columns[3].mantissas;
  for (auto _ : state) benchmark::DoNotOptimize(encoder.encode(values).data.data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}
BENCHMARK(encode_chunk);

}  // namespace
}  // namespace tactelier
