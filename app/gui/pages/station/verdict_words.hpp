#pragma once
// A verdict for somebody who must not think: colour, word and shape, and what to do with the
// sensor.

#include <QString>

#include "app/gui/theme/theme.hpp"
#include "app/workflow/station/station_label.hpp"

namespace tactelier::gui {

struct VerdictLook {
  QString word;   // "ACCEPT"
  QString icon;   // a filled shape of its own
  QString glyph;  // the same in a line of text
  Token color = Token::kText2;
  int chip = 0;  // LibraryEntry::Look of its cell in a table
  QString todo;
};

VerdictLook verdictLook(const StationLabel& label);
/// The rig could not measure it.
VerdictLook notMeasuredLook();

}  // namespace tactelier::gui
