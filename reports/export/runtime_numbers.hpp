#pragma once
// What runtime files hold: the numbers by which readings of each tactel become newtons, and the
// inverses of the response laws as text. The files compute what TactelCalibration::force() does, in
// the same order, so that they agree with `tactelier apply` to rounding.

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libcalib/model_file/tactel_calibration.hpp"
#include "reports/export/exporter.hpp"

namespace tactelier {

struct RuntimeNumbers {
  std::vector<TactelCalibration> tactels;
  std::vector<Loss> losses;  // tactels without newtons, and what a runtime has no use for
};

/// `target`: "C++ header", in the losses. Fails with kInvalidInput on several readings per tactel
/// and on a law whose inverse no runtime knows, with kUnidentifiable where no tactel has newtons.
Result<RuntimeNumbers> runtime_numbers(const SensorModel& model, std::string_view target);

/// Columns of the table that both files hold, all counts rising; none of them for a tactel without
/// newtons, and none for what the tactel has not.
constexpr std::string_view kRuntimeColumns =
    "offset, dead zone above it, threshold [N], gain [N/count], ceiling, saturation";
std::array<std::optional<double>, 6> runtime_row(const TactelCalibration& tactel);

/// Counts at which a curve ends: from there on "below", lowest and highest of the curve, "beyond".
struct CurveEnds {
  double below, lowest, highest, beyond;
};
CurveEnds curve_ends(const TactelCalibration& tactel);

/// The force at `counts` by a law with coefficients c[0], c[1] ..., as either language says it.
struct LawInverse {
  std::string_view law, cpp, python;
};
std::span<const LawInverse> law_inverses();

/// The inverse that the model's curves need; null where straight lines between knots do.
const LawInverse* needed_inverse(const RuntimeNumbers& numbers);

/// Sensor, date, hashes, validity, the order of tactels and what the forces are, one line each.
std::vector<std::string> runtime_header(const SensorModel& model, const RuntimeNumbers& numbers);

}  // namespace tactelier
