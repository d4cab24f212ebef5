#include "app/workflow/batch/feed_catalogue.hpp"

#include <algorithm>

#include "fitting/statistics/parallel.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kReadAhead = 8;  // models per thread that wait for their turn to be written

}  // namespace

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
  std::vector<const SensorResult*> left;
  for (const auto& result : results)
    if (!known->contains(result.key)) left.push_back(&result);
  // Reading a model takes ten times as long as writing its rows, which is one's work at a time.
  const int threads = thread_count(0);
  const auto block = kReadAhead * static_cast<std::size_t>(threads);
  int added = 0;
  for (std::size_t first = 0; first < left.size(); first += block) {
    if (job.stopped()) return Job::cancelled();
    job.progress("filling the catalogue", added, static_cast<double>(left.size()));
    std::vector<Result<CatalogueFit>> fits(std::min(block, left.size() - first));
    parallel_for(threads, fits.size(),
                 [&](std::size_t i) { fits[i] = catalogued_result(plan, *left[first + i]); });
    for (const auto& fit : fits) {
      if (!fit) return fail(fit.error());
      if (auto done = catalogue->add(*fit); !done) return fail(done.error());
      ++added;
    }
  }
  return added;
}

}  // namespace tactelier
