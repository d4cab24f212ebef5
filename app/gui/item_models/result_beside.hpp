#pragma once
// What another model says of the numbers shown, for the place of their status.

#include <QString>
#include <map>
#include <string>
#include <vector>

#include "app/gui/state/other_model.hpp"
#include "reports/fit_results.hpp"

namespace tactelier::gui {

struct ResultBeside {
  enum class Verdict { kNone, kAgrees, kDiffers };
  QString words;  // "2008 ✓"
  Verdict verdict = Verdict::kNone;
  QString tip;  // its uncertainty, the change, E_n
};

/// By path.
using ResultsBeside = std::map<std::string, ResultBeside>;

ResultsBeside resultsBeside(const std::vector<ResultGroup>& groups, const ComparedModel& compared);

}  // namespace tactelier::gui
