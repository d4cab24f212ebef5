#pragma once
// The Station page for its pictures: sensors of the virtual bench, measured, accepted and rejected.

#include <QString>

namespace tactelier::gui {

class AppState;
class MainWindow;
class RigLink;

namespace screenshots {

/// `home`: where its catalogues and recordings are written.
void saveStation(MainWindow& window, AppState& state, RigLink& rig, const QString& home,
                 const QString& folder);

}  // namespace screenshots
}  // namespace tactelier::gui
