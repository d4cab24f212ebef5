#pragma once
// <TactileArraySensor> of RobWorkSim, one per flat array. Lengths are m, turns degrees about z, y
// and x, limits kPa. The reader's matrix has rows first: <TexelArray> holds rows, then columns,
// and columns go along +x (docs/exports.md).

#include "reports/export/exporter.hpp"

namespace tactelier {

class RobworksimExporter final : public Exporter {
 public:
  std::string_view id() const override { return "robworksim"; }
  std::string_view title() const override { return "RobWorkSim TactileArraySensor"; }
  std::string_view extension() const override { return ".xml"; }
  /// Fails with kUnidentifiable when no largest pressure is known, with kInvalidInput on arrays
  /// that are no flat grids.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
