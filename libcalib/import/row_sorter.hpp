#pragma once
// Orders the rows of a stream by time (--sort) in bounded memory: sorted runs of 64 MiB go to a
// temporary file without a name, then the runs are merged. Rows of equal time keep their order.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

class RowSorter {
 public:
  static constexpr std::size_t kRunBytes = std::size_t{64} << 20U;

  /// `folder`: where the temporary file goes, on the disk that the target is on.
  RowSorter(std::size_t columns, std::filesystem::path folder, std::size_t run_bytes = kRunBytes);
  ~RowSorter();
  RowSorter(const RowSorter&) = delete;
  RowSorter& operator=(const RowSorter&) = delete;

  Result<void> add(double time_s, const std::int64_t* mantissas, const std::int8_t* exponents);
  /// After the last add(), before the first next().
  Result<void> finish();
  /// False at the end.
  Result<bool> next(std::int64_t* mantissas, std::int8_t* exponents);

 private:
  struct Run;
  Result<void> spill();
  void sort_rows(std::vector<std::uint32_t>& order) const;
  void pack(std::size_t row, char* out) const;
  Result<bool> refill(Run& run);

  std::size_t columns_;
  std::size_t row_bytes_;
  std::size_t rows_per_run_;
  std::filesystem::path folder_;
  std::vector<double> times_s_;
  std::vector<std::int64_t> mantissas_;
  std::vector<std::int8_t> exponents_;
  std::vector<std::uint32_t> order_;  // of the rows in memory, when nothing was spilled
  std::size_t next_ = 0;
  std::FILE* file_ = nullptr;
  std::vector<Run> runs_;
};

}  // namespace tactelier
