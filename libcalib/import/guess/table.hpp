#pragma once
// A look at the first rows of a table: delimiter, header, numbers.

#include <string>
#include <vector>

#include "libcalib/import/table_files.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct LookedAt {
  struct Column {
    std::string name;
    std::vector<double> values;  // NaN: an empty cell, or not a number
    bool numeric = true;         // but for empty cells
    bool whole = true;           // all numbers are integers
    std::string clock = {};      // its first cell, where they were times of day: now seconds

    bool rises() const;     // never falls, and does rise
    bool constant() const;  // one value throughout
    std::size_t different() const;
  };
  char delimiter = ',';
  std::vector<Column> columns;
  std::size_t rows = 0;  // at most kMaxRows
  bool all_rows = true;  // the table has no more

  static constexpr std::size_t kMaxRows = 200'000;
};

/// Empty cells hold what stood there last (at the start, what comes first): of tables in which
/// several devices speak at times of their own.
void hold_last(LookedAt& table);

/// Fails with kInvalidInput: no header, one column only, numbers with decimal commas.
Result<LookedAt> look_at(const TableFile& table, const Job& job);

}  // namespace tactelier
