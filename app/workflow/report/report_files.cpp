#include "app/workflow/report/report_files.hpp"

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 64U << 20U;
constexpr auto kRecordFormat = "tactelier/verification-record";

bool is_document(const fs::path& file) {
  const auto extension = file.extension();
  std::error_code error;
  return fs::is_regular_file(file, error) && (extension == ".json" || extension == ".xml");
}

Result<NamedRecord> record_of(const std::string& name, const std::string& text) {
  auto document = parse_json(text, name);
  if (!document) return fail(document.error());
  if (auto known = check_format(*document, kRecordFormat, 1, name); !known)
    return fail(known.error());
  if (auto sound = check_schema(*document, "verification-record", name); !sound)
    return fail(sound.error());
  return NamedRecord{name, std::move(*document)};
}

}  // namespace

Result<ReportFiles> sort_report_files(std::span<const fs::path> files) {
  ReportFiles sorted;
  for (const auto& file : files) {
    if (!is_document(file)) {
      sorted.sessions.push_back(file);
      continue;
    }
    const auto name = file.filename().string();
    const auto text = read_text_file(file, kMostBytes);
    if (!text) return fail(text.error());
    if (text->find(kRecordFormat) != std::string::npos) {
      auto record = record_of(name, *text);
      if (!record) return fail(record.error());
      sorted.records.push_back(std::move(*record));
      continue;
    }
    auto model = read_model(file);
    if (!model) return fail(model.error());
    sorted.models.emplace_back(name, std::move(*model));
  }
  return sorted;
}

}  // namespace tactelier
