#pragma once
// The numbers of a model in the groups that a person asks for: of the whole array, or of one
// tactel; and any one parameter over the array.

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// What the tactels say of one parameter.
struct TactelSpread {
  int have = 0;  // tactels with a number
  int of = 0;    // all tactels
  double least = 0, median = 0, greatest = 0;
};

struct ResultRow {
  std::string path;  // "stiffness.k_punch"; of a spread "response.tactels[].press_gain"
  std::string name;  // the path's last part
  /// Of a spread: the mean over the tactels, its u_total the mean of theirs (what all have in
  /// common stays in it); without a number the commonest reason.
  Parameter parameter;
  std::string stage;
  TactelSpread spread;

  bool is_spread() const { return spread.of > 0; }
};

struct ResultGroup {
  std::string id;  // the path's first part: "response"; "friction.contact"
  std::vector<ResultRow> rows;
};

/// Parameters of stages that this program has not, and that hold no number, are left out.
std::vector<ResultGroup> array_results(const SensorModel& model);
std::vector<ResultGroup> tactel_results(const SensorModel& model, int tactel);

/// Names of what varies from tactel to tactel and is known for at least one of them:
/// "response.tactels[].press_gain".
std::vector<std::string> array_parameters(const SensorModel& model);
/// One per tactel; empty for an unknown path.
std::vector<Parameter> over_array(const SensorModel& model, std::string_view path);

}  // namespace tactelier
