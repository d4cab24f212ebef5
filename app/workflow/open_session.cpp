#include "app/workflow/open_session.hpp"

#include <fstream>
#include <system_error>

#include "app/workflow/temporary_folder.hpp"
#include "libcalib/import/import.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

std::string display_name(const fs::path& path) {
  const auto clean = path.lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

}  // namespace

Result<OpenSession> OpenSession::open(const fs::path& path, const Job& job) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return import_temporarily(path, display_name(path), nullptr, job);
  auto session = Session::open(path);
  if (!session) return fail(session.error());
  OpenSession opened;
  opened.name_ = display_name(path);
  opened.session_ = std::make_unique<Session>(std::move(*session));
  return opened;
}

Result<OpenSession> OpenSession::import_temporarily(const fs::path& folder, std::string name,
                                                    std::shared_ptr<void> keep, const Job& job) {
  auto temporary = TemporaryFolder::create();
  if (!temporary) return fail(temporary.error());
  const auto file = (*temporary)->path() / "session.tact";
  auto report = import_folder(folder, file, {}, job);
  if (!report) return fail(report.error());
  auto session = Session::open(file);
  if (!session) return fail(session.error());
  OpenSession opened;
  opened.name_ = std::move(name);
  opened.warnings_ = std::move(report->warnings);
  opened.temporary_ = {std::move(*temporary), std::move(keep)};
  opened.session_ = std::make_unique<Session>(std::move(*session));
  return opened;
}

Result<OpenSession> OpenSession::open_readings(const fs::path& table, int tactels, const Job& job) {
  std::error_code error;
  if (!fs::is_regular_file(table, error))
    return fail(ErrorCode::kIo, "'{}': no such file", table.string());
  auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  const auto path = (*folder)->path();
  std::ofstream(path / "session.json") << fmt::format(
      R"({{"format": "tactelier/session", "version": 1,
           "sensor": {{"rows": 1, "columns": {}, "pitch_x_mm": 1, "pitch_y_mm": 1}}}})",
      tactels);
  fs::create_symlink(fs::absolute(table, error), path / "tactile.csv", error);
  if (error) return fail(ErrorCode::kIo, "'{}': {}", table.string(), error.message());
  auto opened = import_temporarily(path, display_name(table), *folder, job);
  if (!opened) return fail(opened.error(), display_name(table));
  return opened;
}

Warnings damage_warnings(const Session& session, const std::string& name) {
  Warnings warnings;
  for (const auto& damage : session.damage())
    warnings.push_back({"damaged", damage.describe() + "; left out", name});
  return warnings;
}

}  // namespace tactelier
