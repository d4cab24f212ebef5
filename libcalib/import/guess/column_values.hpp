#pragma once
// What a column is by what stands in it, where its name does not say so.

#include <string>
#include <vector>

#include "libcalib/import/guess/answers.hpp"
#include "libcalib/import/guess/map_draft.hpp"

namespace tactelier {

using GuessedColumns = std::vector<GuessedColumn>;

/// Time without a unit: stamps since 1970 by their size, whole numbers as milliseconds.
std::string unit_of_time(const LookedAt::Column& column);

/// Several tables side by side, whose rows don't belong together or hold several readings each:
/// columns named after loads ("0 g", "100 g"), a second clock, the same names again. No map reads
/// those: fails with kInvalidInput and the line that lays them one below the other.
Result<void> check_one_table(const MapDraft& draft);

/// Of a table without a line of names: a column that rises like the clock of a computer, or at even
/// steps that are no count of rows.
void find_time(MapDraft& draft);

/// A machine that presses along one axis calls it its position: where the force goes with it, it is
/// no place beside others. What is computed from both is no reading.
void see_a_press(MapDraft& draft);

/// The one column without a role that reads what the load cell read under the known loads; the end
/// where none or several do.
GuessedColumns::iterator by_known_loads(MapDraft& draft, const LoadCell& cell);

}  // namespace tactelier
