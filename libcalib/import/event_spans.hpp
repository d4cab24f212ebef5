#pragma once
// From rows that belong to events to the events' begin and end, and what their rows have in common.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "libcalib/import/event_rule.hpp"

namespace tactelier {

/// One row of a table as far as finding events goes, SI units; NaN when missing.
struct TracedRow {
  double t_s = 0;
  std::int64_t event = 0;  // of the rule, kMissing when it does not choose the row
  double force_N = 0;
  double x_m = 0, y_m = 0, z_m = 0;  // stage frame
  double reading = 0;                // mean over the tactels
  bool measured = true;              // the load was read in this row; else all values are older
};

struct FoundEvent {
  double begin_s = 0;
  double end_s = 0;
  std::int64_t event = 0;   // as in the rows
  double x_m = 0, y_m = 0;  // of the first row, of a found press at first touch; NaN: unknown
  double mean_force_N = 0;  // NaN: unknown
  double mean_z_m = 0;
  double vx_m_per_s = 0, vy_m_per_s = 0;  // from the first row to the last
};

/// Takes all rows, in order of time.
class SpanFinder {
 public:
  virtual ~SpanFinder() = default;
  virtual void add(const TracedRow& row) = 0;
  /// `warnings`: what a user must know of the search; `table` is where.
  virtual std::vector<FoundEvent> finish(Warnings& warnings, const std::string& table) = 0;
};

/// Consecutive rows of one event form a span. It begins and ends halfway to the neighbouring rows,
/// at the ends of the table half a step outside. Detecting rules search within such a span.
std::unique_ptr<SpanFinder> span_finder(const EventRule& rule);

}  // namespace tactelier
