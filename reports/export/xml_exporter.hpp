#pragma once
// The neutral format for programs that read XML: every member of the sensor model file, under the
// same names. Schema: data/schemas/sensor-model.xsd. Nothing is lost.

#include "reports/export/exporter.hpp"

namespace tactelier {

class XmlExporter final : public Exporter {
 public:
  std::string_view id() const override { return "xml"; }
  std::string_view title() const override { return "Sensor model file (neutral XML)"; }
  std::string_view extension() const override { return ".xml"; }
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
