#pragma once
// The layout of a sensor as URDF with the tactile extension of ROS's tactile toolbox
// (urdf_tactile), one <taxel> per tactel in the order of the tactels, and beside it the calibration
// that its tactile_state_calibrator reads: straight lines from readings to newtons, for each
// tactel.
//
// The extension's <array> is not used: its readers disagree on which of rows and columns goes along
// x. A list of taxels says where each one is.

#include "reports/export/exporter.hpp"

namespace tactelier {

class UrdfTactileExporter final : public Exporter {
 public:
  std::string_view id() const override { return "urdf-tactile"; }
  std::string_view title() const override {
    return "ROS URDF with tactile extension, calibration YAML";
  }
  std::string_view extension() const override { return ".urdf"; }
  /// Fails with kUnidentifiable where no tactel has newtons, with kInvalidInput on several readings
  /// per tactel.
  Result<Exported> write(const SensorModel& model) const override;
};

}  // namespace tactelier
