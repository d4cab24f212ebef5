#pragma once
// tactelier catalogue query, report: what a fleet's numbers are, and which are unusual.

#include <optional>
#include <string>
#include <vector>

#include "app/workflow/catalogue/catalogue.hpp"
#include "app/workflow/catalogue/fleet_statistics.hpp"
#include "libcalib/parameter.hpp"
#include "reports/section.hpp"

namespace tactelier {

/// Which rows are meant; empty: all.
struct CatalogueFilter {
  std::vector<std::string> paths;  // "stiffness.k", "stiffness.*"
  std::string sensor, serial;
  std::string status;    // "identified"
  bool history = false;  // earlier fits of a sensor too, not only the latest
};

/// One number of one sensor.
struct CatalogueRow {
  std::string sensor, serial, recorded;
  CatalogueValue value;
};

/// In order of path and recording. The latest fit of a sensor is that of the latest recording, of
/// several the one added last. Fails with kUsage on a path that the catalogue hasn't got.
Result<std::vector<CatalogueRow>> query_catalogue(const Catalogue& catalogue,
                                                  const CatalogueFilter& filter);

/// Determined by the data: what was assumed says nothing of a fleet.
bool counts_in_fleet(const CatalogueRow& row);

struct OddSensor {
  std::string serial, recorded;
  double value = 0;
  double z = 0;  // oddness()
};

/// One parameter over the fleet.
struct FleetParameter {
  std::string path, unit;
  std::size_t count = 0;  // sensors in which it is determined
  FleetSpread spread;
  double least = 0, greatest = 0, q05 = 0, q95 = 0;
  std::optional<double> typical_std;    // median of the sensors' own standard errors
  std::optional<double> outlier_limit;  // outlier_sigmas(); none with fewer than kMinFleet
  std::vector<OddSensor> outliers;      // the oddest first
  std::optional<FleetDrift> drift;
  bool drifts = false;  // p below 0.05 shared among all parameters of the report
};

/// A sensor whose number changed between its first and last recording.
struct MovedValue {
  std::string serial, path;
  double before = 0, after = 0;
  double e_n = 0;  // |change| / sqrt(U_before^2 + U_after^2), beyond 1
};

struct FleetReport {
  std::size_t sensors = 0, fits = 0, failed = 0;  // failed: of the sensors' latest fits
  std::vector<FleetParameter> parameters;
  std::vector<MovedValue> moved;
};

/// Over the latest fit of each sensor; `moved` over all of them.
Result<FleetReport> report_fleet(const Catalogue& catalogue, const CatalogueFilter& filter);

std::vector<Section> fleet_sections(const FleetReport& report);

}  // namespace tactelier
