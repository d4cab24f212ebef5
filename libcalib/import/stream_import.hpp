#pragma once
// The files of a session folder, one by one: streams into the writer, events into memory.

#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/import.hpp"
#include "libcalib/session/metadata.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {

/// What every part of one import works on.
struct ImportRun {
  SessionWriter& writer;
  const SessionMetadata& metadata;
  const ImportOptions& options;
  std::filesystem::path scratch_folder;  // for sorting
  ImportProgress progress;
  ImportReport report;
};

/// force.csv, stage.csv, tactile.csv or aux.csv. A file with a header and no rows is left out with
/// a warning.
Result<void> import_stream(StreamKind kind, const std::filesystem::path& file, ImportRun& run);

/// events.csv: reads, checks each event and their order, adds them to the writer.
Result<void> import_events(const std::filesystem::path& file, ImportRun& run);

/// "time runs backwards (12.031 s after 12.034 s); use --sort to order the samples"
std::string backwards_message(double now_s, double before_s, std::string_view things);

}  // namespace tactelier
