#include "app/workflow/import_session.hpp"

#include <system_error>

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
                "'{}' is a single table; say with --map MAP.json which column is what, or give the "
                "session folder",
                name);
  return import_table(request.source, *request.map, request.target, request.options, job);
}

Result<Warnings> unpack_session(const std::filesystem::path& session,
                                const std::filesystem::path& folder, const Job& job) {
  return unpack_to_folder(session, folder, job);
}

}  // namespace tactelier
