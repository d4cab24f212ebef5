#include "app/workflow/required_record.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 64U << 20U;
constexpr auto kFormat = "tactelier/verification-record";

struct FoundRecord {
  fs::path file;
  std::string name, model_sha256, assumed;
  bool passed = false;
};

/// Empty for JSON that is no verification record.
std::optional<FoundRecord> record_in(const fs::path& file) {
  const auto text = read_text_file(file, kMostBytes);
  // Most files beside a model are models and recordings' maps: not worth parsing.
  if (!text || text->find(kFormat) == std::string::npos) return {};
  const auto where = file.filename().string();
  const auto document = parse_json(*text, where);
  if (!document || !check_format(*document, kFormat, 1, where) ||
      !check_schema(*document, "verification-record", where))
    return {};
  return FoundRecord{file, document->at("name").get<std::string>(),
                     document->at("model_sha256").get<std::string>(),
                     document->at("assumed").get<std::string>(),
                     document->at("passed").get<bool>()};
}

std::vector<FoundRecord> records_in(const std::vector<fs::path>& folders) {
  std::vector<FoundRecord> found;
  std::set<fs::path> seen;
  for (const auto& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() != ".json" || !entry.is_regular_file(error)) continue;
      if (!seen.insert(fs::weakly_canonical(entry.path(), error)).second) continue;
      if (auto record = record_in(entry.path())) found.push_back(std::move(*record));
    }
  }
  std::ranges::sort(found, {}, &FoundRecord::file);
  return found;
}

/// "" where it stands for the model.
std::string objection(const FoundRecord& record, const std::string& hash,
                      const std::string& model_name) {
  const auto file = record.file.filename().string();
  if (record.model_sha256 != hash)
    return fmt::format(
        "{} is about another model than {} (sha256 {:.12}, not {:.12}){}: verify this one with "
        "`tactelier verify-export`",
        file, model_name, record.model_sha256, hash,
        record.assumed.empty() ? "" : ", one with what was assumed for the export");
  if (!record.passed)
    return fmt::format(
        "in {} the exported pad did not pass: its numbers are not the model's "
        "newtons",
        file);
  return {};
}

}  // namespace

Result<RequiredRecord> require_record(const std::string& name, const std::filesystem::path& model) {
  const auto read = read_model(model);
  if (!read) return fail(read.error());
  const auto hash = model_hash(*read);
  const auto folder = model.has_parent_path() ? model.parent_path() : fs::path(".");
  const auto records = records_in({folder, "."});
  std::set<std::string> others;
  std::string why;
  for (const auto& record : records) {
    others.insert(record.name);
    if (record.name != name) continue;
    why = objection(record, hash, model.filename().string());
    if (why.empty()) return RequiredRecord{name, record.file};
  }
  if (why.empty())
    why = fmt::format(
        "none of this name beside {} or in the current folder ({}); `tactelier "
        "verify-export --record FILE` makes one",
        model.filename().string(),
        others.empty() ? std::string("there is no record at all")
                       : fmt::format("there is {}", fmt::join(others, ", ")));
  return fail(ErrorCode::kUnidentifiable, "verification record '{}': {}", name, why);
}

}  // namespace tactelier
