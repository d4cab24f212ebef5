#pragma once
// A stage's own figures as a reader wants them: "drift_over_session_N_per_h" is "drift over
// session" in N/h.

#include <QString>
#include <string>

namespace tactelier::gui {

struct FigureWords {
  QString name;   // "surface drift (U 95 %)"
  QString value;  // "12.4 µm/h"
};

FigureWords figureWords(const std::string& key, double value);

}  // namespace tactelier::gui
