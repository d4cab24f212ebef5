#pragma once
// SDFormat for Drake. The main file has a sphere per tactel whose point contact is the tactel's
// spring: forces come by collision geometry, for any layout. For flat arrays of known thickness a
// second file has one compliant hydroelastic box per array, whose pressure is that of a layer on
// hard ground.
//
// Of two bodies Drake puts stiffnesses in series (the other's is 1e6 N/m where nothing is said),
// sums relaxation times (0.1 s where nothing is said), and takes 2 ab / (a + b) of frictions.

#include "reports/export/exporter.hpp"

namespace tactelier {

class DrakeExporter final : public Exporter {
 public:
  std::string_view id() const override { return "drake"; }
  std::string_view title() const override {
    return "Drake SDFormat: point contacts, and a hydroelastic pad";
  }
  std::string_view extension() const override { return ".sdf"; }
  /// Fails with kUnidentifiable without a tactel's stiffness, with kInvalidInput when it is not
  /// below what Drake gives the other body.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
