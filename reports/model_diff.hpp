#pragma once
// What changed between two models of a sensor, and whether the change is more than both
// uncertainties together: the normalised error of ISO 13528 and ISO/IEC 17043,
//   E_n = |b - a| / sqrt(U_a^2 + U_b^2), U expanded (95 %); a change beyond 1 is significant.

#include <optional>
#include <string>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/section.hpp"

namespace tactelier {

struct ParameterChange {
  enum class Kind {
    kWithin,       // E_n <= 1
    kSignificant,  // E_n > 1
    kUnknown,      // both have a value, not both an uncertainty
    kAppeared,     // only the second model has a value
    kVanished,     // only the first one has
  };
  std::string path;
  Kind kind{};
  Parameter before, after;
  std::optional<double> relative;  // (b - a)/|a|
  std::optional<double> e_n;
};

struct ModelDiff {
  std::vector<ParameterChange> changes;  // in file order; those without a value in both left out
  Warnings warnings;                     // DIFF-SENSOR, DIFF-COMMON
};

/// Sensors of different layout are compared where their paths agree, with a warning. Where both
/// models come from one force sensor its gain is common to both and E_n too small: a warning says
/// so.
ModelDiff diff_models(const SensorModel& before, const SensorModel& after);

/// What the tactels say together of one parameter.
struct TactelChanges {
  std::string path;              // "response.tactels[].press_gain"
  std::vector<double> relative;  // of those with a value in both
  double largest_e_n = 0;
  std::vector<std::string> significant;  // their numbers
  std::size_t compared = 0;              // have an uncertainty in both
  std::size_t appeared = 0, vanished = 0;
};
/// In file order.
std::vector<TactelChanges> tactel_changes(const ModelDiff& diff);
/// Of these alone: not of one tactel.
bool is_of_tactel(const ParameterChange& change);

/// Scalars one by one, tactels condensed per parameter: median change, largest E_n, how many are
/// significant and which.
std::vector<Section> diff_sections(const ModelDiff& diff);

/// "within", "significant", "unknown", "appeared", "vanished".
std::string_view to_string(ParameterChange::Kind kind);

}  // namespace tactelier
