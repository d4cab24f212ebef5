// What the catalogue keeps of a model (catalogue.hpp).

#include <algorithm>
#include <map>

#include "app/workflow/catalogue/catalogue.hpp"
#include "fitting/engine/facts.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

/// Parameters of one path without indices.
struct ManyValues {
  std::vector<double> values;
  std::map<std::string, int> codes;  // of those without a value: how often each reason
  std::string unit;
  int of = 0;
  bool identified = false;
};

CatalogueValue single(const std::string& path, const Parameter& parameter) {
  CatalogueValue row;
  row.path = path;
  row.value = parameter.value;
  row.std = parameter.std;
  row.u95 = parameter.u_total;
  row.count = parameter.value ? 1 : 0;
  row.unit = parameter.unit;
  row.status = to_string(parameter.status);
  row.reason = parameter.reason;
  return row;
}

void gather(ManyValues& many, const Parameter& parameter) {
  ++many.of;
  many.unit = parameter.unit;
  many.identified |= parameter.identified();
  if (parameter.value)
    many.values.push_back(*parameter.value);
  else
    ++many.codes[reason_of(parameter.reason).code];
}

CatalogueValue condensed(const std::string& path, const ManyValues& many) {
  CatalogueValue row;
  row.path = path;
  row.count = static_cast<int>(many.values.size());
  row.of = many.of;
  row.unit = many.unit;
  row.status = many.identified ? "identified" : many.values.empty() ? "unidentifiable" : "assumed";
  if (!many.values.empty()) {
    row.value = median(many.values);
    row.spread = mad_sigma(many.values);
    return row;
  }
  const auto commonest =
      std::ranges::max_element(many.codes, {}, [](const auto& c) { return c.second; });
  if (commonest != many.codes.end()) row.reason = commonest->first;
  return row;
}

void add_quality(const std::string& stage, const StageQuality& quality,
                 std::vector<CatalogueQuality>& rows) {
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) rows.push_back({stage, name, *value});
  };
  rows.push_back({stage, "samples_used", static_cast<double>(quality.samples_used)});
  rows.push_back({stage, "samples_rejected", static_cast<double>(quality.samples_rejected)});
  rows.push_back({stage, "warnings", static_cast<double>(quality.warnings.size())});
  add("residual_rms", quality.residual_rms);
  add("chi2_per_dof", quality.chi2_per_dof);
  add("r2", quality.r2);
  add("holdout_ratio", quality.holdout_ratio);
}

}  // namespace

CatalogueFit catalogued(const SensorModel& model) {
  CatalogueFit fit;
  fit.sensor = model.sensor.name.empty() ? model.sensor.model : model.sensor.name;
  fit.serial = model.serial;
  fit.fitted = model.created;
  fit.who = model.conditions.operator_name;
  fit.program = model.tool;
  std::map<std::string, ManyValues> many;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (path.starts_with("presses[")) return;
                       if (path.find('[') == path.npos)
                         fit.values.push_back(single(path, parameter));
                       else
                         gather(many[without_indices(path)], parameter);
                     });
  for (const auto& [path, values] : many) fit.values.push_back(condensed(path, values));
  for (const auto& session : model.provenance.sessions)
    fit.sessions.push_back({session.file, session.content_hash, {}});
  for (const auto& [stage, quality] : model.quality) add_quality(stage, quality, fit.quality);
  return fit;
}

}  // namespace tactelier
