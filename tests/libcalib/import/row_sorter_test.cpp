#include "libcalib/import/row_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "tests/libcalib/import/scratch_folder.hpp"

namespace tactelier {
namespace {

/// Time, and the place in the input.
using Row = std::tuple<double, std::int64_t>;

std::vector<Row> sorted_by(RowSorter& sorter, const std::vector<Row>& rows) {
  for (const auto& [time_s, place] : rows) {
    const std::int64_t mantissas[] = {static_cast<std::int64_t>(time_s), place};
    const std::int8_t exponents[] = {-3, static_cast<std::int8_t>(place % 100)};
    EXPECT_TRUE(sorter.add(time_s, mantissas, exponents).has_value());
  }
  EXPECT_TRUE(sorter.finish().has_value());
  std::vector<Row> out;
  std::int64_t mantissas[2];
  std::int8_t exponents[2];
  while (sorter.next(mantissas, exponents).value()) {
    EXPECT_EQ(exponents[0], -3);
    EXPECT_EQ(exponents[1], mantissas[1] % 100);
    out.emplace_back(static_cast<double>(mantissas[0]), mantissas[1]);
  }
  return out;
}

TEST(RowSorter, IsAStableSortInMemoryAndOnDisk) {
  std::mt19937_64 random(7);
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < 50000; ++i)
    rows.emplace_back(static_cast<double>(random() % 1000), i);
  auto truth = rows;
  std::stable_sort(truth.begin(), truth.end(),
                   [](const Row& a, const Row& b) { return std::get<0>(a) < std::get<0>(b); });
  const test_support::ScratchFolder scratch;
  for (const std::size_t run_bytes :
       {RowSorter::kRunBytes, std::size_t{100000}, std::size_t{999}}) {
    RowSorter sorter(2, scratch.path(), run_bytes);
    EXPECT_EQ(sorted_by(sorter, rows), truth) << run_bytes;
    EXPECT_TRUE(scratch.names().empty());  // the temporary file has no name
  }
}

TEST(RowSorter, NothingInNothingOut) {
  RowSorter sorter(2, ".");
  EXPECT_TRUE(sorted_by(sorter, {}).empty());
}

}  // namespace
}  // namespace tactelier
