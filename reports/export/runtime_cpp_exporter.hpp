#pragma once
// Raw readings to newtons in a program that shall not link us: one C++17 header with the numbers of
// one sensor and nothing but the standard library.

#include "reports/export/exporter.hpp"

namespace tactelier {

class RuntimeCppExporter final : public Exporter {
 public:
  std::string_view id() const override { return "runtime-cpp"; }
  std::string_view title() const override { return "C++17 header: raw readings to newtons"; }
  std::string_view extension() const override { return ".hpp"; }
  /// Fails with kUnidentifiable when no tactel has newtons.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
