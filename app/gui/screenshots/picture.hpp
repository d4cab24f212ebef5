#pragma once
// Pictures of the window, in both themes and the sizes that are looked at.

#include <QString>

namespace tactelier::gui {

class AppState;
class MainWindow;

namespace screenshots {

/// Until no job runs and what they changed is drawn.
void settle(AppState& state);

/// `name`: of the files; the page's own without one.
void save(MainWindow& window, AppState& state, const QString& folder, const QString& page,
          const QString& name = {});

/// In the usual window; with TACTELIER_SMALL also in the smallest, in the usual one with text half
/// as large again, and in the smallest with that. Of a page that scrolls its end too.
void saveSized(MainWindow& window, AppState& state, const QString& folder, const QString& page);

/// Both ends of a page that scrolls: `name`, and below with "-end" behind it.
void saveBothEnds(MainWindow& window, AppState& state, const QString& folder, const QString& page,
                  const QString& name);

}  // namespace screenshots
}  // namespace tactelier::gui
