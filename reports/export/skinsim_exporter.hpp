#pragma once
// SkinSim (Gazebo): the model generator's parameters as YAML, one entry per flat array of square
// tactels. Every element is a tactile sensor; SkinSim's spread has the sensor's width and adds up
// to one.

#include "reports/export/exporter.hpp"

namespace tactelier {

class SkinsimExporter final : public Exporter {
 public:
  std::string_view id() const override { return "skinsim"; }
  std::string_view title() const override { return "SkinSim: the model generator's parameters"; }
  std::string_view extension() const override { return ".yaml"; }
  /// Fails with kUnidentifiable without a tactel's stiffness and damping, with kInvalidInput on
  /// arrays that are no flat grids of square tactels.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
