// tactelier pack --verify (pack.hpp).

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/pack/pack.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "libcalib/import/formats/zip_archive.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto kFormat = "tactelier/pack-manifest";

Result<json> manifest_in(const ZipArchive& archive, const std::string& name) {
  if (!archive.has("manifest.json"))
    return fail(ErrorCode::kInvalidInput,
                "{} holds no manifest.json: it was not made by `tactelier pack`", name);
  const auto text = archive.read("manifest.json");
  if (!text) return fail(text.error());
  auto manifest = parse_json(*text, name + "/manifest.json");
  if (!manifest) return fail(manifest.error());
  if (auto known = check_format(*manifest, kFormat, 1, name); !known) return fail(known.error());
  if (auto sound = check_schema(*manifest, "pack-manifest", name); !sound)
    return fail(sound.error());
  return manifest;
}

/// A member's name is a file's name and no way out of the folder.
Result<fs::path> place_of(const std::string& member, const fs::path& folder) {
  const fs::path path(member);
  if (path.filename() != path || member == ".." || member == ".")
    return fail(ErrorCode::kInvalidInput, "'{}' is no name of a file in an archive", member);
  return folder / path;
}

Result<void> unpack_checked(const ZipArchive& archive, const json& manifest, const fs::path& folder,
                            const Job& job) {
  const auto& files = manifest.at("files");
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    job.progress("unpack and check", static_cast<double>(i), static_cast<double>(files.size()));
    const auto member = files[i].at("name").get<std::string>();
    const auto place = place_of(member, folder);
    if (!place) return fail(place.error());
    if (auto done = archive.extract(member, *place); !done) return done;
    const auto hash = file_hash(*place);
    if (!hash) return fail(hash.error());
    if (*hash != files[i].at("sha256").get<std::string>())
      return fail(ErrorCode::kDamaged,
                  "{} is not the file that was packed: its SHA-256 is {:.12}, not {:.12}", member,
                  *hash, files[i].at("sha256").get<std::string>());
  }
  return {};
}

template <class Number>
void read_option(const SensorModel& model, const char* name, Number& number) {
  const auto found = model.provenance.options.find(name);
  if (found == model.provenance.options.end()) return;
  const auto& text = found->second;
  std::from_chars(text.data(), text.data() + text.size(), number);
}

std::vector<std::string> stages_asked(const SensorModel& model) {
  std::vector<std::string> names;
  const auto found = model.provenance.options.find("stages");
  if (found == model.provenance.options.end()) return names;
  std::string_view rest = found->second;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    names.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}

/// Presses that options of the fit left out stand beside the recordings' edits.
void add_exclusions(const SessionProvenance& session, const fs::path& file, FitRequest& request) {
  constexpr std::string_view kBefore = "exclude press ", kBehind = " (option)";
  for (const auto& edit : session.edits)
    if (edit.starts_with(kBefore) && edit.ends_with(kBehind))
      request.excluded.push_back(
          fmt::format("{}:{}", file.string(),
                      edit.substr(kBefore.size(), edit.size() - kBefore.size() - kBehind.size())));
}

FitRequest request_of(const SensorModel& model, const json& manifest, const fs::path& folder) {
  FitRequest request;
  for (const auto& name : manifest.at("fitted_from"))
    request.sessions.push_back(folder / name.get<std::string>());
  for (std::size_t i = 0; i < request.sessions.size() && i < model.provenance.sessions.size(); ++i)
    add_exclusions(model.provenance.sessions[i], request.sessions[i], request);
  request.stages = stages_asked(model);
  if (model.provenance.options.contains(kSensorOption)) request.options.sensor = model.sensor;
  read_option(model, "seed", request.options.seed);
  read_option(model, "holdout", request.options.holdout);
  read_option(model, "bootstrap_resamples", request.options.bootstrap_resamples);
  return request;
}

std::optional<double> sigmas_of(const Parameter& packed, const Parameter& rerun) {
  if (!packed.value || !rerun.value || !packed.std || *packed.std <= 0) return std::nullopt;
  return std::abs(*rerun.value - *packed.value) / *packed.std;
}

void compare_models(const SensorModel& packed, const SensorModel& rerun, RerunOutcome& outcome) {
  std::map<std::string, const Parameter*> again;
  for_each_parameter(rerun, [&](const std::string& path, const Parameter& parameter,
                                std::string_view) { again[path] = &parameter; });
  static const Parameter kNone;
  for_each_parameter(packed,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       const auto found = again.find(path);
                       const auto& other = found == again.end() ? kNone : *found->second;
                       outcome.numbers += parameter.value || other.value ? 1 : 0;
                       if (parameter.value != other.value)
                         outcome.differences.push_back(
                             {path, parameter.value, other.value, sigmas_of(parameter, other)});
                     });
  std::ranges::stable_sort(
      outcome.differences, std::ranges::greater(),
      [](const RerunDifference& one) { return one.sigmas.value_or(INFINITY); });
}

}  // namespace

bool RerunOutcome::same() const {
  return std::ranges::all_of(differences, [](const RerunDifference& one) {
    return one.sigmas && *one.sigmas <= kAllowed_sigmas;
  });
}

Result<RerunOutcome> verify_pack(const fs::path& file, const Job& job) {
  const auto name = file.filename().string();
  const auto archive = ZipArchive::open(file, name);
  if (!archive) return fail(archive.error());
  const auto manifest = manifest_in(*archive, name);
  if (!manifest) return fail(manifest.error());
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  if (auto done = unpack_checked(*archive, *manifest, (*folder)->path(), job); !done)
    return fail(done.error(), name);
  fs::path model_file;
  for (const auto& packed : manifest->at("files"))
    if (packed.at("role") == "model")
      model_file = (*folder)->path() / packed.at("name").get<std::string>();
  const auto model = read_model(model_file);
  if (!model) return fail(model.error());
  const auto fitted = fit_sessions(request_of(*model, *manifest, (*folder)->path()), job);
  if (!fitted) return fail(fitted.error(), name);
  RerunOutcome outcome;
  outcome.packed_by = model->tool;
  outcome.rerun_by = fitted->model.tool;
  outcome.files = manifest->at("files").size();
  compare_models(*model, fitted->model, outcome);
  return outcome;
}

}  // namespace tactelier
