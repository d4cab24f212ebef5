#include "app/gui/screenshots/picture.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QScrollArea>
#include <QScrollBar>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui::screenshots {

void settle(AppState& state) {
  QElapsedTimer since;
  since.start();
  while (since.elapsed() < 120000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    if (!state.jobs().busy() && since.elapsed() > 300) break;
  }
  for (int i = 0; i < 10; ++i) QCoreApplication::processEvents();
}

void save(MainWindow& window, AppState& state, const QString& folder, const QString& page,
          const QString& name) {
  for (const auto choice : {Theme::Choice::kLight, Theme::Choice::kDark}) {
    theme().choose(choice);
    window.showPage(page);
    settle(state);
    state.notifications().status({});
    const auto shade = theme().dark() ? QStringLiteral("dark") : QStringLiteral("light");
    const auto file =
        QStringLiteral("%1/%2-%3.png").arg(folder, name.isEmpty() ? page : name, shade);
    if (!window.grab().save(file)) qFatal("cannot write %s", qPrintable(file));
  }
}

void saveBothEnds(MainWindow& window, AppState& state, const QString& folder, const QString& page,
                  const QString& name) {
  save(window, state, folder, page, name);
  for (auto* frame : window.findChildren<QScrollArea*>()) {
    if (frame->widget() != window.page(page)) continue;
    auto* bar = frame->verticalScrollBar();
    if (bar->maximum() == 0) continue;
    bar->setValue(bar->maximum());
    save(window, state, folder, page, name + QStringLiteral("-end"));
    bar->setValue(0);
  }
}

void saveSized(MainWindow& window, AppState& state, const QString& folder, const QString& page) {
  save(window, state, folder, page);
  if (!qEnvironmentVariableIsSet("TACTELIER_SMALL")) return;
  const auto before = window.size();
  window.resize(1024, 700);
  saveBothEnds(window, state, folder, page, page + QStringLiteral("-small"));
  theme().setScale(1.5);
  saveBothEnds(window, state, folder, page, page + QStringLiteral("-small-large-text"));
  window.resize(before);
  saveBothEnds(window, state, folder, page, page + QStringLiteral("-large-text"));
  theme().setScale(1);
}

}  // namespace tactelier::gui::screenshots
