#include "app/workflow/batch/feed_catalogue.hpp"

#include "libcalib/model_file/model_file.hpp"

namespace tactelier {

Result<CatalogueFit> catalogued_result(const BatchPlan& plan, const SensorResult& result) {
  CatalogueFit fit;
  if (result.state != SensorState::kFailed) {
    const auto model = read_model(plan.results() / result.id / kModelFile);
    if (!model) return fail(model.error());
    fit = catalogued(*model);
  }
  const auto planned = find_sensor(plan, result.id);
  if (!planned) return fail(planned.error());
  if (fit.sensor.empty()) fit.sensor = (*planned)->sensor;
  if (fit.serial.empty()) fit.serial = (*planned)->serial;
  if (fit.serial.empty()) fit.serial = result.id;
  fit.key = result.key;
  fit.state = to_string(result.state);
  fit.reason = result.reason;
  fit.found = result.found;
  fit.recorded = result.recorded;
  fit.fitted = result.finished;
  return fit;
}

std::filesystem::path catalogue_of(const BatchPlan& plan) {
  return plan.results() / "catalogue.sqlite";
}

Result<int> feed_catalogue(const BatchPlan& plan, const std::vector<SensorResult>& results,
                           const std::filesystem::path& file, const Job& job) {
  auto catalogue = Catalogue::open(file);
  if (!catalogue) return fail(catalogue.error());
  const auto known = catalogue->keys();
  if (!known) return fail(known.error());
  int added = 0;
  for (const auto& result : results) {
    if (known->contains(result.key)) continue;
    if (job.stopped()) return Job::cancelled();
    job.progress("filling the catalogue", added, static_cast<double>(results.size()));
    const auto fit = catalogued_result(plan, result);
    if (!fit) return fail(fit.error());
    if (auto done = catalogue->add(*fit); !done) return fail(done.error());
    ++added;
  }
  return added;
}

}  // namespace tactelier
