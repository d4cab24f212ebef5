#pragma once
// <sensor type="SimTactileSensor"> of OpenGRASP for OpenRAVE: Moisio, Leon, Korkealaakso, Morales,
// Robotics and Autonomous Systems 2013, Table 2 (made well-formed). One set of SI numbers for all
// texels; the texels themselves are the vertices of the link's mesh.

#include "reports/export/exporter.hpp"

namespace tactelier {

class OpenraveExporter final : public Exporter {
 public:
  std::string_view id() const override { return "openrave"; }
  std::string_view title() const override { return "OpenRAVE / OpenGRASP SimTactileSensor"; }
  std::string_view extension() const override { return ".xml"; }
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
