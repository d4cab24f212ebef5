#pragma once
// What is known of many sensors: catalogue query, export, report, randomize, rr, accept.

#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "app/workflow/catalogue/fleet_report.hpp"
#include "app/workflow/catalogue/gauge_of_catalogue.hpp"
#include "app/workflow/catalogue/randomize_fleet.hpp"

namespace tactelier::cli {

struct CatalogueArguments {
  std::string file;
  CatalogueFilter filter;
  std::string output;          // export, report
  RandomizeRequest randomize;  // randomize
  GaugeRequest gauge;          // rr
  std::string model;           // accept
};
int run_catalogue_query(Console& console, const CatalogueArguments& arguments);
int run_catalogue_export(Console& console, const CatalogueArguments& arguments);
int run_catalogue_report(Console& console, const CatalogueArguments& arguments);
int run_catalogue_randomize(Console& console, const CatalogueArguments& arguments);
int run_catalogue_rr(Console& console, const CatalogueArguments& arguments);
int run_catalogue_accept(Console& console, const CatalogueArguments& arguments);

}  // namespace tactelier::cli
