#include "app/workflow/export_model.hpp"

#include "libcalib/model_file/model_file.hpp"

namespace tactelier {

Result<Exported> export_model(const ExportRequest& request) {
  const auto writer = exporter(request.format);
  if (!writer) return fail(writer.error());
  auto model = read_model(request.model);
  if (!model) return fail(model.error());
  for (const auto& assumption : request.assumptions)
    if (auto done = assume(*model, assumption, "user"); !done) return fail(done.error());
  auto exported = (*writer)->write(*model);
  if (!exported) return fail(exported.error(), request.model.filename().string());
  auto warnings = check_model(*model);
  exported->warnings.insert(exported->warnings.begin(), warnings.begin(), warnings.end());
  return exported;
}

}  // namespace tactelier
