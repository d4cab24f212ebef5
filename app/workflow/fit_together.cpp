#include "app/workflow/fit_together.hpp"

#include <algorithm>

#include "fitting/engine/same_sensor.hpp"

namespace tactelier {
namespace {

std::string named(const SessionMetadata& metadata) {
  return metadata.sensor_serial.empty() ? "names no serial number"
                                        : "is of sensor " + metadata.sensor_serial;
}

}  // namespace

FitCompany fit_company(const SessionMetadata& a, const std::string& name_a,
                       const SessionMetadata& b, const std::string& name_b) {
  FitCompany company;
  if (const auto why = sensor_difference(a, b); !why.empty())
    company.refusal = fmt::format("{} and {} are of different sensors ({})", name_a, name_b, why);
  else if (a.sensor_serial.empty() || b.sensor_serial.empty())
    company.doubt = fmt::format("{} {}, {} {}", name_a, named(a), name_b, named(b));
  return company;
}

Warnings serial_warnings(std::span<const OpenSession> sessions) {
  const auto known = std::find_if(sessions.begin(), sessions.end(), [](const OpenSession& session) {
    return !session.session().metadata().sensor_serial.empty();
  });
  Warnings warnings;
  if (known == sessions.end()) return warnings;
  for (const auto& session : sessions)
    if (session.session().metadata().sensor_serial.empty())
      warnings.push_back({"serial",
                          fmt::format("names no serial number; taken to be of sensor {}, as {}",
                                      known->session().metadata().sensor_serial, known->name()),
                          session.name()});
  return warnings;
}

}  // namespace tactelier
