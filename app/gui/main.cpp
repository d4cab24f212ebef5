// tactelier-app [FILE ...]: the desktop app.

#include <QApplication>
#include <QSettings>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/english_plurals.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/heap.hpp"

int main(int argc, char** argv) {
  tactelier::keep_freed_memory();
  QApplication app(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("Tactelier"));
  QApplication::setApplicationName(QStringLiteral("Tactelier"));
  QApplication::setApplicationVersion(QStringLiteral(TACTELIER_VERSION));
  // Numbers look the same on every machine, as in the files.
  QLocale::setDefault(QLocale::c());
  tactelier::gui::EnglishPlurals plurals;
  QApplication::installTranslator(&plurals);
  tactelier::gui::theme().install();
  QSettings settings;
  tactelier::gui::AppState state(settings);
  tactelier::gui::RigLink rig(state);
  tactelier::gui::BenchDevices bench(state, rig);
  tactelier::gui::MainWindow window(state, rig, bench);
  window.show();
  const auto arguments = QApplication::arguments();
  for (int i = 1; i < arguments.size(); ++i) state.open(arguments[i]);
  return QApplication::exec();
}
