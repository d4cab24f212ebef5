#include "libcalib/import/import_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"arrays-left-out", "arrays beside the table",
     "The file holds arrays that have other rows than its table, or no numbers; they were left "
     "out.",
     "Save what belongs to the table with as many rows as the rest."},
    {"beyond-converter", "readings beyond the converter",
     "Readings lie outside the counts that the sensor's description states.",
     "Correct adc in the description, or choose the description of the sensor that was recorded."},
    {"copied-tactels", "tactels that are copies",
     "Tactels are equal to others in every row: a mat with fewer wires than cells, or a table "
     "written wrongly.",
     "Map the copies to 'ignore', or write the table anew."},
    {"force-sign", "force falls when pressed",
     "The force runs the other way when something presses.",
     "State press_axis in the map's session.force_sensor where that is so."},
    {"hold-in-no-press", "standstill outside presses",
     "The load stands still where no press is, so that no hold was made of it.",
     "Lower press_by.threshold_N, or name the press's rows, where something was held there."},
    {"no-press", "no press found", "The force never rises by the threshold of a press.",
     "Lower press_by.threshold_N, or name the rows of presses."},
    {"no-rows", "a stream without rows", "A file has a line of names and no rows; it was left out.",
     "Remove the file, or write its rows."},
    {"nothing-found", "nothing found by detection",
     "An event of the map looks for plateaus, holds, slides or cycles, and none is there.",
     "Name the rows by 'rows' or 'where', or widen within_percent or least_s."},
    {"open-press", "press without an end", "The recording ends while the indenter still presses.",
     "Record until the indenter is clear; this press counts as aborted."},
    {"repeated-times", "time stamps that repeat",
     "Rows have the time stamp of the row before: written twice, or a clock coarser than the rows.",
     "Write the time with more digits, or the rows once."},
    {"time-joined", "tables laid one after the other",
     "Times of further tables begin again; the tables were laid one after the other.",
     "Nothing has to be done, unless the tables were recorded at the same time."},
    {"unit-of-column", "another unit, by its size",
     "A column is a thousand times its neighbours, or larger than a force or a travel can be.",
     "State the unit that the column was written in under the map's units."},
    {"unit-of-name", "another unit than the name says",
     "The column's name says one unit, the map's units another.",
     "Correct the map, or rename the column."},
    {"NOT-COMPACTED", "file larger than it need be",
     "The recording is closed and whole, but its chunks could not be put together: reading it "
     "takes "
     "longer and it needs about twice the room.",
     "Make room beside the file, then `tactelier repack FILE`."},
});

}  // namespace

const FactTable& import_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
