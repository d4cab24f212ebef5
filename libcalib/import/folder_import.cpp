#include <algorithm>
#include <string>
#include <system_error>

#include "libcalib/import/import.hpp"
#include "libcalib/import/keep_import.hpp"
#include "libcalib/import/stream_import.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

fs::path stream_file(const fs::path& folder, StreamKind kind) {
  return folder / (std::string(to_string(kind)) + ".csv");
}

std::uintmax_t size_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : size;
}

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

/// A slip in a file name ("tactil.csv") would otherwise lose a stream without a word.
void warn_of_strangers(const fs::path& folder, Warnings& warnings) {
  std::vector<std::string> known{"session.json", "events.csv"};
  for (const auto kind : kStreamKinds) known.push_back(std::string(to_string(kind)) + ".csv");
  std::vector<std::string> strangers;
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator at(folder, error); !error && at != end; at.increment(error)) {
    const auto extension = at->path().extension();
    const auto name = at->path().filename().string();
    if ((extension == ".csv" || extension == ".json") &&
        std::find(known.begin(), known.end(), name) == known.end())
      strangers.push_back(name);
  }
  std::sort(strangers.begin(), strangers.end());
  for (const auto& name : strangers)
    warnings.push_back(
        {"stranger", "is no file of a session folder; it was not read", shown(name)});
}

Result<SessionMetadata> read_metadata(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorCode::kIo, "'{}' is not a folder{}", folder.string(),
                error ? ": " + error.message() : "");
  if (!is_there(folder / "session.json"))
    return fail(ErrorCode::kInvalidInput,
                "'{}' has no session.json, so it is not a session folder; a single table needs "
                "--map",
                folder.string());
  const auto text = read_small_file(folder / "session.json", "session.json");
  if (!text) return fail(text.error());
  return parse_session_metadata(*text, "session.json");
}

Result<void> import_all(const fs::path& folder, ImportRun& run) {
  const auto events = folder / "events.csv";
  if (is_there(events))
    if (const auto imported = import_events(events, run); !imported) return imported;
  for (const auto kind : kStreamKinds) {
    if (run.progress.job->stopped()) return Job::cancelled();
    const auto file = stream_file(folder, kind);
    if (!is_there(file)) continue;
    if (const auto imported = import_stream(kind, file, run); !imported) return imported;
  }
  return {};
}

}  // namespace

Result<ImportReport> import_folder(const fs::path& folder, const fs::path& target,
                                   const ImportOptions& options, const Job& job) {
  const auto metadata = read_metadata(folder);
  if (!metadata) return fail(metadata.error());
  auto partial = PartialPath::begin(target, options.overwrite);
  if (!partial) return fail(partial.error());
  auto writer = SessionWriter::create_import(partial->path(), *metadata);
  if (!writer) return fail(writer.error());
  ImportRun run{*writer, *metadata, options, partial->folder(), {&job}, {}};
  run.report.warnings = check_sensor(metadata->sensor);
  run.progress.total = static_cast<double>(size_of(folder / "events.csv"));
  for (const auto kind : kStreamKinds)
    run.progress.total += static_cast<double>(size_of(stream_file(folder, kind)));
  warn_of_strangers(folder, run.report.warnings);
  if (const auto imported = import_all(folder, run); !imported) return fail(imported.error());
  const auto kept = keep_import(std::move(*writer), *partial, job);
  if (!kept) return fail(kept.error());
  run.report.warnings.insert(run.report.warnings.end(), kept->begin(), kept->end());
  run.report.bytes = static_cast<std::uint64_t>(run.progress.done);
  return std::move(run.report);
}

}  // namespace tactelier
