#include "fitting/friction/slide_force.hpp"

#include <cmath>
#include <cstddef>

namespace tactelier {
namespace {

constexpr double kGapPeriods = 1.5;

bool missing(const ForceRows& rows, std::size_t i) {
  for (const auto& column : rows.force_N)
    if (!std::isfinite(column[i])) return true;
  return false;
}

bool gap_before(const ForceRows& rows, std::size_t i, double period_s) {
  return rows.time_s[i] - rows.time_s[i - 1] > kGapPeriods * period_s;
}

void bridge(ForceRows& rows, std::size_t begin, std::size_t end) {
  for (auto& column : rows.force_N) {
    const double before = column[begin - 1];
    const double step = (column[end] - before) / static_cast<double>(end - begin + 1);
    for (std::size_t i = begin; i < end; ++i)
      column[i] = before + step * static_cast<double>(i - begin + 1);
  }
}

void bridge_spikes(ForceRows& rows, double period_s) {
  const std::size_t n = rows.time_s.size();
  for (std::size_t begin = 1; begin < n; ++begin) {
    if (!missing(rows, begin) || missing(rows, begin - 1)) continue;
    std::size_t end = begin;
    bool whole = !gap_before(rows, begin, period_s);
    while (end < n && missing(rows, end)) {
      ++end;
      whole = whole && end < n && !gap_before(rows, end, period_s);
    }
    if (whole && end - begin <= kMaxBridged) bridge(rows, begin, end);
  }
}

}  // namespace

void keep_whole_stretch(ForceRows& rows, double period_s) {
  bridge_spikes(rows, period_s);
  const std::size_t n = rows.time_s.size();
  std::size_t best_begin = 0, best_end = 0, begin = 0;
  const auto close = [&](std::size_t end) {
    if (end > begin && end - begin > best_end - best_begin) {
      best_begin = begin;
      best_end = end;
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && gap_before(rows, i, period_s)) {
      close(i);
      begin = i;
    }
    if (!missing(rows, i)) continue;
    close(i);
    begin = i + 1;
  }
  close(n);
  const auto cut = [&](std::vector<double>& column) {
    column = {column.begin() + static_cast<std::ptrdiff_t>(best_begin),
              column.begin() + static_cast<std::ptrdiff_t>(best_end)};
  };
  cut(rows.time_s);
  for (auto& column : rows.force_N) cut(column);
}

}  // namespace tactelier
