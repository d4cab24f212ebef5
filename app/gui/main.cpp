// tactelier-app [FILE ...]: the desktop app.

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <algorithm>
#include <string_view>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/english_plurals.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/heap.hpp"

namespace {

void describe(QCommandLineParser& parser) {
  QCoreApplication::setOrganizationName(QStringLiteral("Tactelier"));
  QCoreApplication::setApplicationName(QStringLiteral("Tactelier"));
  QCoreApplication::setApplicationVersion(QStringLiteral(TACTELIER_VERSION));
  parser.setApplicationDescription(
      QStringLiteral("Press, record, fit and export models of tactile arrays."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("FILE"),
                               QStringLiteral("Sessions and models to open"),
                               QStringLiteral("[FILE ...]"));
}

/// Words alone need no display.
bool asksForWords(int argc, char** argv) {
  using namespace std::string_view_literals;
  return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
    return word == "-h"sv || word == "--help"sv || word == "-v"sv || word == "--version"sv;
  });
}

}  // namespace

int main(int argc, char** argv) {
  tactelier::keep_freed_memory();
  QCommandLineParser parser;
  describe(parser);
  if (argc > 1 && asksForWords(argc, argv)) {
    const QCoreApplication words(argc, argv);
    parser.process(words);
  }
  QApplication app(argc, argv);
  parser.process(app);
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
  for (const auto& file : parser.positionalArguments()) state.open(file);
  return QApplication::exec();
}
