#pragma once
// How far a model is from the targets: the fit's own intervals beside what is wanted.

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fitting/adaptive/targets.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::adaptive {

struct Standing {
  Target target;
  int reached = 0;              // within the target
  int of = 1;                   // numbers: gains of tactels that aren't given up, branches
  std::optional<double> worst;  // widest relative half-width of those that have one
  std::string worst_where;      // "tactel 31"; "" where there is only one
  int missing = 0;              // without an interval so far
  std::string missing_where;    // the first of them, "tactel 3"
  std::string reason;           // of that one, as the fit says
  double floor = 0;  // what the fit adds to ci95 for what repeats can't show, median, relative

  bool met() const { return reached == of; }
};

/// `given_up`: tactels whose gain nobody waits for any more.
std::vector<Standing> standings(const SensorModel& model, std::span<const Target> targets,
                                const std::set<int>& given_up);

/// How well the mean of k over the array is known by the places that were pressed, relative
/// half-width: ci95 is about one place.
double places_half_width(const SensorModel& model);

/// Half-width of ci95 over the value; nothing where the fit has none.
std::optional<double> relative_half_width(const Parameter& parameter);

}  // namespace tactelier::adaptive
