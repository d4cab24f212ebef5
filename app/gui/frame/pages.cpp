#include "app/gui/frame/pages.hpp"

#include <QCoreApplication>

#include "app/gui/pages/bench/bench_page.hpp"
#include "app/gui/pages/compare/compare_page.hpp"
#include "app/gui/pages/export/export_page.hpp"
#include "app/gui/pages/fit/fit_page.hpp"
#include "app/gui/pages/import/import_page.hpp"
#include "app/gui/pages/library/library_page.hpp"
#include "app/gui/pages/log/log_page.hpp"
#include "app/gui/pages/protocol/protocol_page.hpp"
#include "app/gui/pages/recording/recording_page.hpp"
#include "app/gui/pages/report/report_page.hpp"
#include "app/gui/pages/session/session_page.hpp"
#include "app/gui/pages/settings/settings_page.hpp"
#include "app/gui/pages/station/station_page.hpp"
#include "app/gui/pages/welcome/welcome_page.hpp"

namespace tactelier::gui {
namespace {

template <class T>
Page* make(const PageContext& context, QWidget* parent) {
  return new T(context, parent);
}

QString tr(const char* words) { return QCoreApplication::translate("Pages", words); }

}  // namespace

std::vector<PageInfo> pages() {
  return {
      {QStringLiteral("bench"), tr("Bench"), QStringLiteral("bench"),
       tr("Devices, their health, and the virtual bench."), QStringLiteral("devices.md"),
       make<BenchPage>},
      {QStringLiteral("protocol"), tr("Protocol"), QStringLiteral("protocol"),
       tr("What is pressed, and what that will tell, before anything moves."),
       QStringLiteral("protocols.md"), make<ProtocolPage>},
      {QStringLiteral("session"), tr("Session"), QStringLiteral("session"),
       tr("The rig: set-up, supervised recording, what came of it."), QStringLiteral("safety.md"),
       make<SessionPage>},
      {QStringLiteral("recording"), tr("Recording"), QStringLiteral("clock"),
       tr("The open recording: tactile images, forces, presses."),
       QStringLiteral("session-format.md"), make<RecordingPage>},
      {QStringLiteral("fit"), tr("Fit"), QStringLiteral("fit"),
       tr("From the open recordings to a sensor model."), QStringLiteral("numbers.md"),
       make<FitPage>},
      {QStringLiteral("compare"), tr("Compare"), QStringLiteral("compare"),
       tr("Recorded images beside what the model predicts."),
       QStringLiteral("predicting-images.md"), make<ComparePage>},
      {QStringLiteral("export"), tr("Export"), QStringLiteral("export"),
       tr("The sensor model as a file for a simulator."), QStringLiteral("exports.md"),
       make<ExportPage>},
      {QStringLiteral("library"), tr("Library"), QStringLiteral("library"),
       tr("Recordings and models of a folder."), QStringLiteral("batch.md"), make<LibraryPage>},
      {QStringLiteral("station"), tr("Station"), QStringLiteral("station"),
       tr("One sensor after the other: scan, clamp, verdict."), QStringLiteral("station.md"),
       make<StationPage>},
      {QStringLiteral("report"), tr("Report"), QStringLiteral("report"),
       tr("The sensor model as a report to file, as it will be printed."),
       QStringLiteral("reports.md"), make<ReportPage>},
      {QStringLiteral("import"),
       tr("Import"),
       {},
       {},
       QStringLiteral("bring-your-own.md"),
       make<ImportPage>},
      {QStringLiteral("log"), tr("Event log"), {}, {}, QStringLiteral("codes.md"), make<LogPage>},
      {QStringLiteral("settings"),
       tr("Settings"),
       {},
       {},
       QStringLiteral("desktop-app.md"),
       make<SettingsPage>},
      {QStringLiteral("welcome"),
       tr("Welcome"),
       {},
       {},
       QStringLiteral("ten-minutes.md"),
       make<WelcomePage>},
  };
}

}  // namespace tactelier::gui
