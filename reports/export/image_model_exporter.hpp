#pragma once
// For simulators that make a tactile image from the forces on cells (Kappassov, Corrales-Ramon,
// Perdereau: tactile arrays in Gazebo): spread the forces by a small kernel, scale them to counts,
// clip. One file holds kernel, scale and limits, and what each tactel has of its own; as JSON and
// as YAML, the same members in both.

#include "reports/export/exporter.hpp"

namespace tactelier {

class ImageModelExporter final : public Exporter {
 public:
  enum class Syntax { kJson, kYaml };
  explicit ImageModelExporter(Syntax syntax) : syntax_(syntax) {}
  std::string_view id() const override;
  std::string_view title() const override;
  std::string_view extension() const override;
  /// Fails with kUnidentifiable without the kernel's width, or when no tactel has a gain of its
  /// own.
  Result<Exported> write(const SensorModel& model) const override;

 private:
  Syntax syntax_;
};

}  // namespace tactelier
