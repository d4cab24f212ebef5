#pragma once
// tactelier import, tactelier unpack

#include <filesystem>
#include <optional>

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

/// NAME.tact into a new folder; edits stay behind and damaged stretches are left out, with a
/// warning each.
Result<Warnings> unpack_session(const std::filesystem::path& session,
                                const std::filesystem::path& folder, const Job& job);

}  // namespace tactelier
