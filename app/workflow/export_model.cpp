#include "app/workflow/export_model.hpp"

#include <algorithm>

#include "libcalib/model_file/model_file.hpp"

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

}  // namespace

Result<Exported> export_model(const ExportRequest& request) {
  const auto format = exporter(request.format);
  if (!format) return fail(format.error());
  auto model = read_model(request.model);
  if (!model) return fail(model.error());
  if (auto done = assume_all(*model, request.assumptions); !done) return fail(done.error());
  auto exported = write_format(**format, *model);
  if (!exported) return fail(exported.error(), request.model.filename().string());
  return exported;
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
