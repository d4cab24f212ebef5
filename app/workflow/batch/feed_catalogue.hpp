#pragma once
// From folders of results to the catalogue.

#include <vector>

#include "app/workflow/batch/batch_plan.hpp"
#include "app/workflow/batch/batch_result.hpp"
#include "app/workflow/catalogue/catalogue.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

/// "fleet.results/catalogue.sqlite", where nothing else is named.
std::filesystem::path catalogue_of(const BatchPlan& plan);

/// What the catalogue keeps of a result, read from its folder. A sensor without a model is
/// catalogued, too: that it failed is what is known of it.
Result<CatalogueFit> catalogued_result(const BatchPlan& plan, const SensorResult& result);

/// Adds what the catalogue hasn't got: one fit per key. What a run that was killed left out the
/// next one makes up for. Returns how many were new.
Result<int> feed_catalogue(const BatchPlan& plan, const std::vector<SensorResult>& results,
                           const std::filesystem::path& file, const Job& job);

}  // namespace tactelier
