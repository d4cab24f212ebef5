#pragma once
// From plain files to a .tact and back: session folders and single tables (docs/session-format.md).
// Everything streams; on an error nothing half-imported stays behind.

#include <cstdint>
#include <filesystem>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct ImportOptions {
  /// Orders samples and events by time instead of refusing time that runs backwards; equal times
  /// keep their order. Needs about 250 MiB of memory, and for large files as much disk as the
  /// samples.
  bool sort = false;
  bool overwrite = false;  // replace an existing target
};

struct ImportReport {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  int presses = 0;
  Warnings warnings;
};

/// A session folder (session.json, force.csv, ...) into `target`, which is built as TARGET.partial.
/// Fails with kInvalidInput (content), kIo (system), kUsage (target exists), kCancelled. Errors
/// name file, line, column and cause: "force.csv:1042: time runs backwards (...)".
Result<ImportReport> import_folder(const std::filesystem::path& folder,
                                   const std::filesystem::path& target,
                                   const ImportOptions& options, const Job& job);

/// A single table, or all tables of a folder that the map's "files" names, by a map file
/// (data/schemas/map.schema.json). Tables whose times begin again are laid one after the other.
Result<ImportReport> import_table(const std::filesystem::path& source,
                                  const std::filesystem::path& map,
                                  const std::filesystem::path& target, const ImportOptions& options,
                                  const Job& job);

/// A .tact into a new folder; importing that folder gives an equal session (same content hash).
/// What was recorded here (device integers with a scale) becomes decimals: exact where 18 digits
/// allow, else the nearest double. A folder has no place for edits: they are left out, with a
/// warning; damaged chunks too. Fails with kUsage when `folder` exists.
Result<Warnings> unpack_to_folder(const std::filesystem::path& session,
                                  const std::filesystem::path& folder, const Job& job);

}  // namespace tactelier
