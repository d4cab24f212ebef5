#pragma once
// Raw readings to newtons in Python: one file with the numbers of one sensor that needs NumPy
// alone.

#include "reports/export/exporter.hpp"

namespace tactelier {

class RuntimePythonExporter final : public Exporter {
 public:
  std::string_view id() const override { return "runtime-python"; }
  std::string_view title() const override { return "NumPy module: raw readings to newtons"; }
  std::string_view extension() const override { return ".py"; }
  /// Fails with kUnidentifiable when no tactel has newtons.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
