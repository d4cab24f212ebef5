// gui_tests CLASS [QTest options]: drives the real widgets, offscreen.

#include <QtTest>

#include "app/gui/text/english_plurals.hpp"
#include "app/gui/theme/theme.hpp"
#include "tests/app_gui/bench_test.hpp"
#include "tests/app_gui/chain_test.hpp"
#include "tests/app_gui/compare_export_test.hpp"
#include "tests/app_gui/compare_images_test.hpp"
#include "tests/app_gui/compare_test.hpp"
#include "tests/app_gui/export_test.hpp"
#include "tests/app_gui/fit_dynamics_test.hpp"
#include "tests/app_gui/fit_test.hpp"
#include "tests/app_gui/fit_views_test.hpp"
#include "tests/app_gui/frame_test.hpp"
#include "tests/app_gui/import_test.hpp"
#include "tests/app_gui/library_test.hpp"
#include "tests/app_gui/log_test.hpp"
#include "tests/app_gui/models_test.hpp"
#include "tests/app_gui/protocol_test.hpp"
#include "tests/app_gui/report_test.hpp"
#include "tests/app_gui/session_contact_test.hpp"
#include "tests/app_gui/session_hands_test.hpp"
#include "tests/app_gui/session_test.hpp"
#include "tests/app_gui/settings_test.hpp"
#include "tests/app_gui/station_test.hpp"
#include "tests/app_gui/story_test.hpp"
#include "tests/app_gui/tour_test.hpp"
#include "tests/app_gui/widgets_test.hpp"
#include "tests/app_gui/window_test.hpp"
#include "tests/app_gui/work_test.hpp"

namespace {

/// The offscreen platform's own screen is smaller than a window.
void chooseScreen(const QTemporaryDir& home) {
  const auto platform = qgetenv("QT_QPA_PLATFORM");
  if (!platform.isEmpty() && platform != "offscreen") return;
  QFile file(home.filePath(QStringLiteral("screen.json")));
  if (!file.open(QIODevice::WriteOnly)) qFatal("no folder for the tests");
  file.write(R"({"screens": [{"name": "test", "x": 0, "y": 0, "width": 1600, "height": 1000,
                 "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})");
  qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toUtf8());
}

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir home;  // of this run alone: the example is imported there
  chooseScreen(home);
  QApplication app(argc, argv);
  QLocale::setDefault(QLocale::c());
  qputenv("XDG_DATA_HOME", home.path().toUtf8());
  QApplication::setApplicationName(QStringLiteral("tactelier-test"));
  auto font = QApplication::font();
  font.setPointSizeF(10);  // 100 % (docs/desktop-app.md 2), whatever the platform's own size is
  QApplication::setFont(font);
  tactelier::gui::EnglishPlurals plurals;
  QApplication::installTranslator(&plurals);
  tactelier::gui::theme().install();
  auto arguments = QApplication::arguments();
  const auto which = arguments.size() > 1 ? arguments.takeAt(1) : QString();
  int failed = 0;
  const auto run = [&](const QString& name, QObject&& test) {
    if (which == name || which.isEmpty()) failed += QTest::qExec(&test, arguments);
  };
  run(QStringLiteral("Bench"), BenchTest());
  run(QStringLiteral("Chain"), ChainTest());
  run(QStringLiteral("Compare"), CompareTest());
  run(QStringLiteral("CompareExport"), CompareExportTest());
  run(QStringLiteral("CompareImages"), CompareImagesTest());
  run(QStringLiteral("Export"), ExportTest());
  run(QStringLiteral("Fit"), FitTest());
  run(QStringLiteral("FitDynamics"), FitDynamicsTest());
  run(QStringLiteral("FitViews"), FitViewsTest());
  run(QStringLiteral("Frame"), FrameTest());
  run(QStringLiteral("Import"), ImportTest());
  run(QStringLiteral("Library"), LibraryTest());
  run(QStringLiteral("Log"), LogTest());
  run(QStringLiteral("Models"), ModelsTest());
  run(QStringLiteral("Protocol"), ProtocolTest());
  run(QStringLiteral("Report"), ReportTest());
  run(QStringLiteral("Session"), SessionTest());
  run(QStringLiteral("SessionContact"), SessionContactTest());
  run(QStringLiteral("SessionHands"), SessionHandsTest());
  run(QStringLiteral("Settings"), SettingsTest());
  run(QStringLiteral("Station"), StationTest());
  run(QStringLiteral("Story"), StoryTest());
  run(QStringLiteral("Tour"), TourTest());
  run(QStringLiteral("Widgets"), WidgetsTest());
  run(QStringLiteral("Window"), WindowTest());
  run(QStringLiteral("Work"), WorkTest());
  return failed;
}
