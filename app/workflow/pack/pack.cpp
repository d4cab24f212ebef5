#include "app/workflow/pack/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/workflow/pack/zip_writer.hpp"
#include "app/workflow/report/make_report.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/partial_file.hpp"
#include "libcalib/session/session.hpp"
#include "reports/document/html_writer.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// A recording of the archive, and which of the fit's it is.
struct Recording {
  fs::path file;
  std::string content_hash;
};

Result<std::vector<Recording>> recordings_of(const PackRequest& request) {
  std::vector<Recording> all;
  for (const auto& file : request.sessions) {
    std::error_code error;
    if (fs::is_directory(file, error))
      return fail(ErrorCode::kInvalidInput,
                  "'{}' is a folder: make it a recording first with `tactelier import`, fit that, "
                  "and pack it",
                  file.string());
    auto session = Session::open(file);
    if (!session) return fail(session.error());
    if (!session->finished())
      return fail(ErrorCode::kInvalidInput,
                  "{} is still being recorded, or was cut off: `tactelier info` says which",
                  file.filename().string());
    auto hash = session->content_hash();
    if (!hash) return fail(hash.error(), file.filename().string());
    all.push_back({file, std::move(*hash)});
  }
  return all;
}

/// In the fit's order; the others of the request behind.
Result<std::vector<Recording>> ordered(std::vector<Recording> given, const SensorModel& model) {
  std::vector<Recording> all;
  for (const auto& known : model.provenance.sessions) {
    const auto found = std::ranges::find(given, known.content_hash, &Recording::content_hash);
    if (found == given.end())
      return fail(ErrorCode::kInvalidInput,
                  "the model was fitted from {} (content {:.12}), which is not among the "
                  "recordings given: without it nobody can rerun the fit",
                  known.file, known.content_hash);
    all.push_back(*found);
    given.erase(found);
  }
  if (all.empty())
    return fail(ErrorCode::kInvalidInput,
                "the model does not say what it was fitted from: there is nothing to rerun");
  all.insert(all.end(), given.begin(), given.end());
  return all;
}

/// No two members have one name.
std::string free_name(std::string name, std::set<std::string>& taken) {
  const auto wanted = name;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", i, wanted);
  return name;
}

ordered_json files_json(const std::vector<PackedFile>& files) {
  auto list = ordered_json::array();
  for (const auto& file : files)
    list.push_back(
        {{"name", file.name}, {"role", file.role}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return list;
}

ordered_json manifest_of(const SensorModel& model, const std::vector<PackedFile>& files) {
  auto fitted = ordered_json::array();
  std::size_t at = 0;
  for (const auto& file : files)
    if (file.role == "recording" && at++ < model.provenance.sessions.size())
      fitted.push_back(file.name);
  return {{"format", "tactelier/pack-manifest"},
          {"version", 1},
          {"tool", model.tool},
          {"packed_by", fmt::format("tactelier {}", TACTELIER_VERSION)},
          {"model_sha256", model_hash(model)},
          {"fitted_from", std::move(fitted)},
          {"files", files_json(files)}};
}

std::string readme_of(const std::string& model) {
  return fmt::format(
      "A calibration of a tactile sensor with all that it was made from.\n\n"
      "  tactelier pack --verify ARCHIVE.zip\n\n"
      "checks every file, fits the recordings again and compares the numbers with those of {}.\n"
      "report.html says what was found; manifest.json has the SHA-256 of each file.\n",
      model);
}

class Packing {
 public:
  Packing(const PackRequest& request, const SensorModel& model, const Job& job)
      : request_(request), model_(model), job_(job) {}

  Result<PackOutcome> run(const fs::path& file, const std::vector<Recording>& recordings) {
    auto writer = ZipWriter::create(file);
    if (!writer) return fail(writer.error());
    writer_ = &*writer;
    if (auto done = add(request_.model, "model", false); !done) return fail(done.error());
    for (const auto& recording : recordings)
      if (auto done = add(recording.file, "recording", true); !done) return fail(done.error());
    if (auto done = add_report(recordings); !done) return fail(done.error());
    for (const auto& added : request_.added)
      if (auto done = add(added, "added", false); !done) return fail(done.error());
    const auto manifest = manifest_of(model_, outcome_.files).dump(1) + "\n";
    if (auto done = writer_->add_text("manifest.json", manifest); !done) return fail(done.error());
    const auto readme = readme_of(request_.model.filename().string());
    if (auto done = writer_->add_text("README.txt", readme); !done) return fail(done.error());
    if (auto done = writer_->write(job_); !done) return fail(done.error());
    return std::move(outcome_);
  }

 private:
  Result<void> add(const fs::path& file, const char* role, bool packed) {
    std::error_code error;
    const auto bytes = fs::file_size(file, error);
    if (error) return fail(ErrorCode::kIo, "'{}': {}", file.string(), error.message());
    auto hash = file_hash(file);
    if (!hash) return fail(hash.error());
    const auto name = free_name(file.filename().string(), taken_);
    outcome_.files.push_back({name, role, std::move(*hash), bytes});
    return writer_->add_file(name, file, packed);
  }

  Result<void> add_report(const std::vector<Recording>& recordings) {
    std::vector<fs::path> files;
    for (const auto& recording : recordings) files.push_back(recording.file);
    const auto made = make_report(model_, request_.model.filename().string(), files, job_);
    if (!made) return fail(made.error());
    outcome_.warnings = made->warnings;
    const auto text = html(made->document);
    const auto name = free_name("report.html", taken_);
    outcome_.files.push_back({name, "report", text_hash(text), text.size()});
    return writer_->add_text(name, text);
  }

  const PackRequest& request_;
  const SensorModel& model_;
  const Job& job_;
  ZipWriter* writer_ = nullptr;
  std::set<std::string> taken_{"manifest.json", "README.txt"};
  PackOutcome outcome_;
};

}  // namespace

Result<PackOutcome> pack(const PackRequest& request, const Job& job) {
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  auto given = recordings_of(request);
  if (!given) return fail(given.error());
  const auto recordings = ordered(std::move(*given), *model);
  if (!recordings) return fail(recordings.error());
  auto partial = PartialPath::begin(request.target, request.overwrite);
  if (!partial) return fail(partial.error());
  auto outcome = Packing(request, *model, job).run(partial->path(), *recordings);
  if (!outcome) return outcome;
  std::error_code error;
  outcome->bytes = fs::file_size(partial->path(), error);
  if (auto kept = partial->keep(); !kept) return fail(kept.error());
  return outcome;
}

}  // namespace tactelier
