#pragma once
// The neutral format: the sensor model file itself. Nothing is lost.

#include "reports/export/exporter.hpp"

namespace tactelier {

class JsonExporter final : public Exporter {
 public:
  std::string_view id() const override { return "json"; }
  std::string_view title() const override { return "Sensor model file (neutral JSON)"; }
  std::string_view extension() const override { return ".json"; }
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
