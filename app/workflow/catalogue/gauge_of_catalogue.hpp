#pragma once
// tactelier catalogue rr: the gauge study of a parameter, from fits of one recording each.

#include "app/workflow/catalogue/catalogue.hpp"
#include "app/workflow/catalogue/gauge_study.hpp"
#include "reports/section.hpp"

namespace tactelier {

struct GaugeRequest {
  std::string path;    // "stiffness.k_punch"
  std::string sensor;  // name of the description; "": any
};

struct GaugeOfCatalogue {
  std::string path, unit;
  std::vector<std::string> serials, operators;  // in the order of the study
  GaugeStudy study;
  std::size_t unnamed = 0;  // fits left out, for their recordings do not say who made them
};

/// The trials of a sensor and an operator are the fits of that sensor whose recording that operator
/// made ('batch plan --each-session'). Fails with kUsage on a path that is not there, with
/// kInvalidInput naming the sensor and operator who are short of trials.
Result<GaugeOfCatalogue> gauge_of_catalogue(const Catalogue& catalogue,
                                            const GaugeRequest& request);

std::vector<Section> gauge_sections(const GaugeOfCatalogue& gauge);

}  // namespace tactelier
