#pragma once
// Where to write: a file dialog that asks before overwriting, with the verb on the button. Neither
// blocks: the window and its STOP stay alive.

#include <QString>
#include <functional>

class QWidget;

namespace tactelier::gui {

struct SaveQuestion {
  QString title;
  QString proposal;  // file name with folder
  QString filter;    // "OpenRAVE (*.xml)"
  QString suffix;    // added when none is typed; "" for none
};

/// Calls `save` with the chosen path, once the user has agreed to overwrite what is there.
void askWhereToSave(QWidget* parent, const SaveQuestion& question,
                    const std::function<void(const QString& path)>& save);

}  // namespace tactelier::gui
