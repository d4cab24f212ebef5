#pragma once
// tactelier import, tactelier unpack

#include <filesystem>
#include <optional>
#include <vector>

#include "libcalib/import/guess/guess_map.hpp"
#include "libcalib/import/import.hpp"

namespace tactelier {

struct ImportRequest {
  std::filesystem::path source;  // a session folder; with `map` a table or a folder of tables
  std::optional<std::filesystem::path> map;
  std::filesystem::path target;  // NAME.tact
  ImportOptions options;
};

/// Folder or table into a .tact; says what to do when a table comes without a map.
Result<ImportReport> import_session(const ImportRequest& request, const Job& job);

struct GuessRequest {
  std::filesystem::path source;  // a table, or a folder of tables that are alike
  GuessAnswers answers;
};

/// Where a guessed map goes when nobody says: TABLE.map.json beside the table, FOLDER.map.json
/// beside a folder.
std::filesystem::path map_beside(const std::filesystem::path& source);

/// The tables right inside a folder, by name; the folder's maps and sessions are none. Fails with
/// kUsage on what is no folder, kInvalidInput where it holds none.
Result<std::vector<std::filesystem::path>> tables_in(const std::filesystem::path& folder);

/// Proposes the map of a table from elsewhere; writes nothing.
Result<GuessedMap> guess_import(const GuessRequest& request, const Job& job);

/// Fails with kUsage when the file is there and may not be replaced.
Result<void> write_map(const GuessedMap& guessed, const std::filesystem::path& map, bool overwrite);

/// NAME.tact into a new folder; edits stay behind and damaged intervals are left out, with a
/// warning each.
Result<Warnings> unpack_session(const std::filesystem::path& session,
                                const std::filesystem::path& folder, const Job& job);

}  // namespace tactelier
