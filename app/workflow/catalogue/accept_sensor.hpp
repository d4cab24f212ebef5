#pragma once
// tactelier catalogue accept: whether a sensor is like its fleet, with the doubt on the safe side.

#include "app/workflow/catalogue/fleet_report.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// Guarded acceptance (JCGM 106:2012, 8.3.2): a value must keep its expanded uncertainty off the
/// limits, so that a bad sensor passes in at most 2.5 of 100 cases, however it was measured.
enum class Acceptance {
  kAccept,   // value -+ U95 within the limits
  kUnclear,  // a limit lies within value -+ U95: measure better, or once more
  kReject    // value -+ U95 beyond a limit
};
std::string_view to_string(Acceptance acceptance);

Acceptance accept_value(double value, double u95, double low, double high);

struct AcceptedValue {
  std::string path, unit;
  std::optional<double> value, u95;  // no u95 of a median over tactels: then its own limit decides
  double low = 0, high = 0;          // the fleet's control limits
  Acceptance acceptance = Acceptance::kUnclear;
  std::string reason;  // why there is no value
};

struct AcceptedSensor {
  std::string serial;
  std::vector<AcceptedValue> values;
  Acceptance acceptance = Acceptance::kAccept;  // the worst of all
};

/// Limits of one parameter over sensors of that description. Fails with kInvalidInput where fewer
/// than kMinFleet of them have the number.
Result<FleetParameter> fleet_limits(const Catalogue& catalogue, const std::string& sensor,
                                    const std::string& path);

/// Of each path the limits are those of 'catalogue report' over sensors of the same description,
/// this one's earlier fits left in. Fails as fleet_limits() does.
Result<AcceptedSensor> accept_sensor(const Catalogue& catalogue, const SensorModel& model,
                                     const std::vector<std::string>& paths);

std::vector<Section> acceptance_sections(const AcceptedSensor& sensor);

}  // namespace tactelier
