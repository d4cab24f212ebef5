// How fast a force.csv of seven columns becomes a .tact, and how much memory that takes.
// TACTELIER_BENCH_MIB sets the size of the file (256 MiB when unset; the target is meant for 1024).

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "libcalib/import/import.hpp"

namespace {

namespace fs = std::filesystem;

std::size_t megabytes() {
  const char* text = std::getenv("TACTELIER_BENCH_MIB");
  std::size_t size = 256;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), size);
  return size;
}

/// A folder with a force.csv at 7 kHz: a slow load with noise, 0.1 mN and 1 uN*m resolution.
class Recording {
 public:
  Recording() {
    auto pattern = (fs::temp_directory_path() / "tactelier-bench-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::ofstream(folder_ / "session.json")
        << R"({"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0614"})";
    write_force(megabytes() << 20U);
  }
  ~Recording() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  const fs::path& folder() const { return folder_; }
  std::uintmax_t bytes() const { return fs::file_size(folder_ / "force.csv"); }

 private:
  void write_force(std::size_t bytes) const {
    auto* file = std::fopen((folder_ / "force.csv").c_str(), "wb");
    std::string text = "t[s],Fx[N],Fy[N],Fz[N],Tx[N*m],Ty[N*m],Tz[N*m]\n";
    std::mt19937_64 random(1);
    std::size_t written = 0;
    const auto noise = [&random] { return static_cast<double>(random() % 2001) - 1000; };
    for (std::size_t row = 0; written < bytes; ++row) {
      const double t_s = static_cast<double>(row) / 7000;
      const double load_N = -static_cast<double>(row % 70000) / 7000;
      fmt::format_to(std::back_inserter(text), "{:.6f},{:.4f},{:.4f},{:.4f},{:.6f},{:.6f},{:.6f}\n",
                     t_s, noise() * 1e-5, noise() * 1e-5, load_N + noise() * 1e-5, noise() * 1e-7,
                     noise() * 1e-7, noise() * 1e-7);
      if (text.size() < (std::size_t{1} << 20U) && written + text.size() < bytes) continue;
      written += std::fwrite(text.data(), 1, text.size(), file);
      text.clear();
    }
    std::fclose(file);
  }

  fs::path folder_;
};

void import_force(benchmark::State& state) {
  const Recording recording;
  const auto target = recording.folder() / "out.tact";
  for (auto _ : state) {
    const auto report = tactelier::import_folder(recording.folder(), target,
                                                 {.sort = false, .overwrite = true}, {});
    if (!report) state.SkipWithError(report.error().message.c_str());
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  state.SetBytesProcessed(static_cast<std::int64_t>(recording.bytes()) *
                          static_cast<std::int64_t>(state.iterations()));
  state.counters["csv_MiB"] = static_cast<double>(recording.bytes() >> 20U);
  state.counters["tact_MiB"] = static_cast<double>(fs::file_size(target) >> 20U);
  state.counters["peak_rss_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

BENCHMARK(import_force)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
