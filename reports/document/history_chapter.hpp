#pragma once
// The sensor's other models beside this one: what changed, by how much more than both uncertainties
// (E_n, reports/model_diff.hpp), and each number over time as a control chart.

#include <optional>

#include "reports/document/document.hpp"

namespace tactelier {

struct ReportInput;

/// Nothing without other models.
std::optional<Chapter> history_chapter(const ReportInput& input);

}  // namespace tactelier
