#include "app/workflow/import_session.hpp"

#include <system_error>

#include "libcalib/import/table_files.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {

Result<ImportReport> import_session(const ImportRequest& request, const Job& job) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(request.source, error);
  const auto name = request.source.string();
  if (is_folder && !request.map)
    return import_folder(request.source, request.target, request.options, job);
  if (!std::filesystem::exists(request.source, error))
    return fail(ErrorCode::kIo, "'{}': no such file or folder", name);
  if (!request.map)
    return fail(ErrorCode::kUsage,
                "'{}' is a single table; say with --map MAP.json which column is what (--guess "
                "proposes one), or give the session folder",
                name);
  return import_table(request.source, *request.map, request.target, request.options, job);
}

std::filesystem::path map_beside(const std::filesystem::path& source) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(source, error);
  auto path = is_folder ? std::filesystem::weakly_canonical(source, error) : source;
  const auto name = is_folder ? path.filename() : path.stem();
  return path.replace_filename(name.string() + ".map.json");
}

Result<std::vector<std::filesystem::path>> tables_in(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return fail(ErrorCode::kUsage, "--each wants a folder of tables; '{}' is none",
                folder.string());
  const auto found = find_tables(folder, "");
  if (!found) return fail(found.error());
  std::vector<std::filesystem::path> tables;
  for (const auto& table : *found) tables.push_back(table.path);
  return tables;
}

Result<GuessedMap> guess_import(const GuessRequest& request, const Job& job) {
  std::error_code error;
  if (!std::filesystem::exists(request.source, error))
    return fail(ErrorCode::kIo, "'{}': no such file or folder", request.source.string());
  return guess_map(request.source, request.answers, job);
}

Result<void> write_map(const GuessedMap& guessed, const std::filesystem::path& map,
                       bool overwrite) {
  std::error_code error;
  if (!overwrite && std::filesystem::exists(std::filesystem::symlink_status(map, error)))
    return fail(ErrorCode::kUsage, "'{}' is there already; --force replaces it", map.string());
  return write_text_file(map, guessed.text);
}

Result<Warnings> unpack_session(const std::filesystem::path& session,
                                const std::filesystem::path& folder, const Job& job) {
  return unpack_to_folder(session, folder, job);
}

}  // namespace tactelier
