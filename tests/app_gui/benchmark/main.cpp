// gui_benchmark: start to window, one hour of recording to its first plot, scrubbing and zooming
// with 16 x 16 tactels. Prints milliseconds and frames per second; run it on a quiet machine.
// gui_benchmark live: the Session page at full rate, and STOP meanwhile.
// gui_benchmark RECORDING|FOLDER...: these instead, and the longest pause of the event loop, which
// is how long a key may have to wait.

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/pages/recording/force_time_plot.hpp"
#include "app/gui/pages/recording/recording_page.hpp"
#include "app/gui/pages/recording/tactile_panel.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/session/session_writer.hpp"
#include "tests/app_gui/benchmark/live.hpp"

namespace {

using namespace tactelier;
using namespace tactelier::gui;

constexpr int kLiveSeconds = 20, kLiveStops = 100;
constexpr double kLength_s = 3600;
constexpr double kForceRate_hz = 1000;
constexpr double kTactileRate_hz = 100;
constexpr int kSide = 16;
constexpr double kChunk_s = 0.1;

void check(const Result<void>& result) {
  if (!result) qFatal("%s", result.error().message.c_str());
}

/// Mantissas of `rows` samples from `from`; column 0 is the time in microseconds.
StreamChunk chunk(std::int64_t from, std::size_t rows, double rate, std::size_t columns) {
  StreamChunk made;
  made.columns.resize(columns + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = static_cast<double>(from + static_cast<std::int64_t>(i)) / rate;
    made.columns[0].mantissas.push_back(std::llround(t * 1e6));
    for (std::size_t c = 1; c <= columns; ++c)
      made.columns[c].mantissas.push_back(
          std::llround(1000 * (1 + std::sin(0.3 * t + 0.1 * static_cast<double>(c)))));
  }
  made.columns[0].exponent = -6;
  return made;
}

void writeStream(SessionWriter& writer, StreamKind kind, double rate,
                 const std::vector<std::string>& names, const std::string& unit, int exponent) {
  StreamInfo info;
  info.kind = kind;
  info.columns.push_back({"t", "s", 1.0});
  for (const auto& name : names) info.columns.push_back({name, unit, 1.0});
  check(writer.add_stream(info));
  const auto rows = static_cast<std::size_t>(std::lround(rate * kChunk_s));
  for (std::int64_t from = 0; static_cast<double>(from) < kLength_s * rate;
       from += static_cast<std::int64_t>(rows)) {
    auto made = chunk(from, rows, rate, names.size());
    for (std::size_t c = 1; c < made.columns.size(); ++c) made.columns[c].exponent = exponent;
    check(writer.append(kind, made));
  }
}

void writeHour(const QString& file) {
  const auto metadata = parse_session_metadata(
      R"({"format": "tactelier/session", "version": 1, "sensor": {"rows": 16, "columns": 16,
          "pitch_x_mm": 2, "pitch_y_mm": 2, "adc": {"bits": 12, "min": 0, "max": 4095}}})",
      "benchmark");
  if (!metadata) qFatal("%s", metadata.error().message.c_str());
  auto writer = SessionWriter::create_import(file.toStdString(), *metadata);
  if (!writer) qFatal("%s", writer.error().message.c_str());
  writeStream(*writer, StreamKind::kForce, kForceRate_hz, {"Fx", "Fy", "Fz"}, "N", -3);
  std::vector<std::string> tactels;
  for (int i = 0; i < kSide * kSide; ++i) tactels.push_back(std::to_string(i));
  writeStream(*writer, StreamKind::kTactile, kTactileRate_hz, tactels, "", 0);
  check(writer->finish());
}

double frames(QWidget* drawn, int count, const std::function<void(int)>& change) {
  QElapsedTimer since;
  since.start();
  for (int i = 0; i < count; ++i) {
    change(i);
    QCoreApplication::processEvents();
    drawn->repaint();
  }
  return 1000.0 * count / static_cast<double>(since.elapsed());
}

/// Events are handled until `so`; the longest that one round of them took.
double longestPause_ms(const std::function<bool()>& so) {
  double longest_ms = 0;
  QElapsedTimer round;
  while (!so()) {
    round.start();
    QCoreApplication::processEvents();
    longest_ms = std::max(longest_ms, 1e-6 * static_cast<double>(round.nsecsElapsed()));
  }
  return longest_ms;
}

void openRecording(MainWindow& window, AppState& state, const QString& file) {
  window.showPage(QStringLiteral("recording"));
  auto* page = qobject_cast<RecordingPage*>(window.page(QStringLiteral("recording")));
  const auto* before = state.recording();
  QElapsedTimer start;
  start.start();
  state.open(file);
  double pause_ms = longestPause_ms([&] { return state.recording() != before; });
  const auto opened = start.elapsed();
  pause_ms = std::max(
      pause_ms, longestPause_ms([&] { return page->forceTime()->graph(0)->dataCount() > 0; }));
  const auto plotted = start.elapsed();
  pause_ms = std::max(pause_ms, longestPause_ms([&] { return !state.jobs().busy(); }));
  std::printf(
      "%s: opened %lld ms, first plot %lld ms, everything read %lld ms, longest pause %.0f ms\n",
      qPrintable(file), opened, plotted, start.elapsed(), pause_ms);
  const double chosen_ms = longestPause_ms([&, next = std::size_t{0}]() mutable {
    const auto& presses = state.recording()->presses();
    if (next < presses.size()) state.selection().choosePress(presses[next++].number);
    return next >= presses.size() && !state.jobs().busy();
  });
  std::printf("  all presses chosen, one after the other: longest pause %.0f ms\n", chosen_ms);
}

void listFolder(MainWindow& window, AppState& state, const QString& folder) {
  QElapsedTimer start;
  start.start();
  state.files().setLibraryFolder(folder);
  window.showPage(QStringLiteral("library"));
  const double pause_ms = longestPause_ms([&] { return !state.jobs().busy(); });
  const auto* table = window.findChild<QTableView*>(QStringLiteral("libraryTable"));
  std::printf("%s: %d entries after %lld ms, longest pause %.0f ms\n", qPrintable(folder),
              table->model()->rowCount(), start.elapsed(), pause_ms);
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QElapsedTimer start;
  start.start();
  QApplication app(argc, argv);
  const QTemporaryDir folder;
  theme().install();
  QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  settings.setValue(QStringLiteral("library_folder"), folder.path());
  AppState state(settings);
  RigLink rig(state);
  BenchDevices bench(state, rig);
  MainWindow window(state, rig, bench);
  window.resize(1440, 900);
  window.show();
  window.repaint();
  std::printf("start to window: %lld ms\n", start.elapsed());
  if (argc > 1 && QByteArray(argv[1]) == "live") {
    benchmark::measureLive(window, rig, kLiveSeconds, kLiveStops);
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    const auto path = QString::fromLocal8Bit(argv[i]);
    if (QFileInfo(path).isDir())
      listFolder(window, state, path);
    else
      openRecording(window, state, path);
  }
  if (argc > 1) return 0;

  const auto file = folder.filePath(QStringLiteral("hour.tact"));
  writeHour(file);
  start.restart();
  state.open(file);
  while (state.recording() == nullptr) QCoreApplication::processEvents();
  const auto opened = start.elapsed();
  auto* page = qobject_cast<RecordingPage*>(window.page(QStringLiteral("recording")));
  while (page->forceTime()->graph(0)->dataCount() == 0) QCoreApplication::processEvents();
  page->forceTime()->replot(QCustomPlot::rpImmediateRefresh);
  std::printf("one hour, opened: %lld ms, first plot: %lld ms\n", opened, start.elapsed());
  while (state.jobs().busy()) QCoreApplication::processEvents();
  std::printf("one hour, everything read: %lld ms\n", start.elapsed());

  auto* tactile = page->tactile();
  std::printf("scrubbing: %.0f frames/s\n", frames(tactile->map(), 600, [&](int i) {
                tactile->setTime(1000 + 0.016 * i);
                page->forceTime()->setTime(1000 + 0.016 * i);
              }));
  auto* plot = page->forceTime();
  std::printf("zooming: %.0f frames/s\n", frames(plot, 300, [&](int i) {
                plot->xAxis->setRange(0, 3600 * std::pow(0.99, i));
                plot->replot(QCustomPlot::rpImmediateRefresh);
              }));
  return 0;
}
