// The C++ side of python_columns.py: reads one column again and again, and prints the seconds of
// each time.
//
// usage: column_read FILE.tact STREAM COLUMN TIMES

#include <charconv>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "libcalib/heap.hpp"
#include "libcalib/session/session.hpp"

int main(int argc, char** argv) {
  using namespace tactelier;
  if (argc != 5) return 2;
  keep_freed_memory();  // as the programs do
  const auto session = Session::open(argv[1]);
  if (!session) return 3;
  const std::string_view stream = argv[2], times_text = argv[4];
  const std::string column = argv[3];
  int times = 0;
  std::from_chars(times_text.data(), times_text.data() + times_text.size(), times);
  for (const auto kind : kStreamKinds) {
    if (to_string(kind) != stream) continue;
    for (int i = 0; i < times; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const auto samples = session->read(kind, std::span(&column, 1), {});
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      if (!samples || samples->rows() == 0) return 3;
      std::printf("%.6f\n", took.count());
    }
  }
  return 0;
}
