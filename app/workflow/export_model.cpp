#include "app/workflow/export_model.hpp"

#include <algorithm>

#include "app/workflow/draw_model.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

Result<void> assume_all(SensorModel& model, const std::vector<std::string>& assumptions) {
  for (const auto& assumption : assumptions)
    if (auto done = assume(model, assumption, "user"); !done) return fail(done.error());
  return {};
}

Result<Exported> write_format(const Exporter& format, const SensorModel& model) {
  auto exported = format.write(model);
  if (!exported) return fail(exported.error());
  auto warnings = check_model(model);
  for (auto& own : exported->warnings)  // some formats write the checks into their file, too
    if (std::find(warnings.begin(), warnings.end(), own) == warnings.end())
      warnings.push_back(std::move(own));
  exported->warnings = std::move(warnings);
  return exported;
}

Result<void> may_write_beside(const std::filesystem::path& file, const std::filesystem::path& other,
                              bool replace) {
  std::error_code unknown;
  if (other == file)
    return fail(ErrorCode::kUsage,
                "'{}' is the name of a second file of this format: choose another",
                file.filename().string());
  if (replace || !std::filesystem::exists(std::filesystem::symlink_status(other, unknown)))
    return {};
  return fail(ErrorCode::kUsage,
              "'{}', which is written beside, is there already; --force replaces it",
              other.string());
}

}  // namespace

Result<void> may_write_sidecars(const Exported& exported, const std::filesystem::path& file,
                                bool replace) {
  for (const auto& sidecar : exported.sidecars)
    if (auto free = may_write_beside(file, file.parent_path() / sidecar.name, replace); !free)
      return free;
  return {};
}

Result<std::vector<std::filesystem::path>> write_export(const Exported& exported,
                                                        const std::filesystem::path& file,
                                                        bool replace) {
  if (auto free = may_write_sidecars(exported, file, replace); !free) return fail(free.error());
  std::vector<std::filesystem::path> files{file};
  for (const auto& sidecar : exported.sidecars) files.push_back(file.parent_path() / sidecar.name);
  for (std::size_t i = files.size(); i-- > 0;) {  // the main one last: then all is there
    const auto& text = i == 0 ? exported.text : exported.sidecars[i - 1].text;
    if (auto written = write_text_file(files[i], text); !written) return fail(written.error());
  }
  return files;
}

Result<Exported> export_model(const ExportRequest& request) {
  if (const auto format = exporter(request.format); !format) return fail(format.error());
  auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return export_model(std::move(*model), request);
}

Result<Exported> export_model(SensorModel model, const ExportRequest& request) {
  const auto format = exporter(request.format);
  if (!format) return fail(format.error());
  if (auto done = assume_all(model, request.assumptions); !done) return fail(done.error());
  auto exported = write_format(**format, model);
  if (!exported) return fail(exported.error(), request.model.filename().string());
  return exported;
}

Result<std::vector<DrawnExport>> export_draws(const ExportRequest& request,
                                              const DrawRequest& draws,
                                              const std::filesystem::path& file) {
  if (const auto format = exporter(request.format); !format) return fail(format.error());
  auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return export_draws(std::move(*model), request, draws, file);
}

Result<std::vector<DrawnExport>> export_draws(SensorModel model, const ExportRequest& request,
                                              const DrawRequest& draws,
                                              const std::filesystem::path& file, const Job& job) {
  const auto format = exporter(request.format);
  if (!format) return fail(format.error());
  if (auto done = assume_all(model, request.assumptions); !done) return fail(done.error());
  RandomSource random(draws.seed);
  const auto digits = fmt::formatted_size("{}", draws.count);
  std::vector<DrawnExport> written;
  for (int i = 1; i <= draws.count; ++i) {
    if (job.stopped()) return Job::cancelled();
    job.progress("draw", i - 1, draws.count);
    const auto what = fmt::format("draw {} of {}, seed {}", i, draws.count, draws.seed);
    const auto drawn = redrawn_model(model, i, what, random);
    if (!drawn) return fail(drawn.error(), request.model.filename().string());
    auto exported = write_format(**format, *drawn);
    if (!exported) return fail(exported.error(), what);
    auto name =
        fmt::format("{}_{:0{}}{}", file.stem().string(), i, digits, file.extension().string());
    written.push_back({file.parent_path() / name, std::move(*exported)});
  }
  return written;
}

Result<std::vector<std::filesystem::path>> write_draws(const std::vector<DrawnExport>& draws,
                                                       bool replace) {
  for (const auto& draw : draws)
    if (std::error_code unknown; !replace && std::filesystem::exists(draw.file, unknown))
      return fail(ErrorCode::kUsage, "'{}' is there already; --force replaces it",
                  draw.file.string());
  std::vector<std::filesystem::path> files;
  for (const auto& draw : draws) {
    const auto written = write_export(draw.exported, draw.file, replace);
    if (!written) return fail(written.error());
    files.insert(files.end(), written->begin(), written->end());
  }
  return files;
}

Result<ExportPreviews> preview_exports(const SensorModel& model,
                                       const std::vector<std::string>& assumptions) {
  ExportPreviews previews{model, {}};
  if (auto done = assume_all(previews.model, assumptions); !done) return fail(done.error());
  for (const auto* format : exporters())
    previews.formats.push_back({format, write_format(*format, previews.model)});
  return previews;
}

}  // namespace tactelier
