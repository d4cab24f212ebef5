#pragma once
// The .cal file that comes with an ATI transducer (XML): how six gage voltages become a wrench.
// Source: public copies of FT8577.cal and FT11564.cal; ATI DAQ F/T manual.
//
//   FTSensor Serial BodyStyle Family NumGages CalFileVersion
//     Calibration PartNumber CalDate ForceUnits TorqueUnits DistUnits OutputMode ...
//       Axis Name values max scale                 x 6   internal
//       BasicTransform Dx Dy Dz Rx Ry Rz
//       UserAxis Name values max                   x 6   rows of the matrix; missing in version 1.0
//
// w = M (V - V_bias). Without UserAxis rows, with p = (Dx, Dy, Dz):
//   F = Axis / scale,   T = Axis / scale - p x F

#include <array>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::devices {

using GageVolts = std::array<double, 6>;

struct GageCalibration {
  std::string serial, part_number, date;
  /// Fx, Fy, Fz [N/V], Tx, Ty, Tz [N*m/V]; rows are axes, columns gages.
  std::array<std::array<double, 6>, 6> matrix_SI_per_V{};
  std::array<double, 6> full_scale_SI{};  // calibrated range, 0 where the file doesn't say

  std::array<double, 6> wrench_SI(const GageVolts& volts, const GageVolts& bias = {}) const;
};

/// Fails with kInvalidInput, naming the element: missing axes, other than six numbers, units that
/// aren't known, a basic transform with rotations where UserAxis rows are missing.
Result<GageCalibration> parse_cal_file(std::string_view xml, std::string_view where);
Result<GageCalibration> load_cal_file(const std::string& path);

}  // namespace tactelier::devices
