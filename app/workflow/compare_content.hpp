#pragma once
// What a comparison of images says, in words and tables. Command line and window show these and
// format no number of it themselves.

#include <string>
#include <utility>
#include <vector>

#include "app/workflow/compare_report.hpp"
#include "reports/section.hpp"

namespace tactelier {

struct CompareContent {
  /// Of each method the prediction error, with what it is a fraction of and beside what.
  std::vector<std::string> headlines;
  Table images;                                        // a row per image, in the report's order
  std::vector<std::pair<std::string, Table>> methods;  // by name: a row per metric
  Table side_by_side;                                  // medians: a column per method, the sensor's
  Table strata;                                        // empty where all presses are of one kind
  Table figures;  // all medians with their spread in one: a row per method, stratum and metric
};

CompareContent compare_content(const CompareReport& report);

/// As people read them: lengths in mm, angles in degrees. "rel_l1 [%]".
std::string metric_title(const ImageMetricInfo& info);
/// "-" without a value.
std::string metric_number(const ImageMetricInfo& info, const std::optional<double>& value);

}  // namespace tactelier
