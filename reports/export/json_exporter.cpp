#include "reports/export/json_exporter.hpp"

#include "libcalib/model_file/model_file.hpp"

namespace tactelier {

Result<Exported> JsonExporter::write(const SensorModel& model) const {
  auto text = to_json(model);
  if (const auto valid = parse_model(text, "export"); !valid) return fail(valid.error());
  return Exported{std::move(text), {}, check_model(model)};
}

}  // namespace tactelier
