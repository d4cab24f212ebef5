#include "tests/app_gui/support.hpp"

#include <sqlite3.h>

#include <QtTest>
#include <cmath>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/workflow/import_session.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::gui::test {
namespace {

constexpr double kStiffness_N_per_m = 2000;
constexpr double kTouch_m = 0.2e-3;
constexpr double kDeepest_m = 1.0e-3;
constexpr int kPressed[] = {5, 6, 9};
constexpr double kPress_s = 2.0;

/// Stage travel: 0.4 s of rest, 0.6 s down, 0.6 s up, 0.4 s of rest.
double travel_m(double in_press_s) {
  const double down = std::min({(in_press_s - 0.4) / 0.6, (1.6 - in_press_s) / 0.6, 1.0});
  return kDeepest_m * std::max(0.0, down);
}

double force_N(double t_s) {
  const double depth = travel_m(std::fmod(t_s, kPress_s)) - kTouch_m;
  return depth > 0 ? kStiffness_N_per_m * depth : 0.0;
}

QByteArray forceTable() {
  QByteArray text("t[s],Fz[N]\n");
  for (int i = 0; i < 3000; ++i) {
    const double t = i / 500.0;
    const double ripple = 0.002 * ((i * 7) % 5 - 2);  // noise with a mean of zero
    text += QByteArray::number(t, 'f', 3) + ',' + QByteArray::number(force_N(t) + ripple, 'f', 4) +
            '\n';
  }
  return text;
}

QByteArray stageTable() {
  QByteArray text("t[s],x[mm],y[mm],z[mm]\n");
  for (int i = 0; i < 600; ++i) {
    const double t = i / 100.0;
    text += QByteArray::number(t, 'f', 2) + ",0,0," +
            QByteArray::number(-1e3 * travel_m(std::fmod(t, kPress_s)), 'f', 4) + '\n';
  }
  return text;
}

QByteArray tactileTable() {
  QByteArray text("t[s]");
  for (int tactel = 0; tactel < 12; ++tactel) text += ',' + QByteArray::number(tactel);
  text += '\n';
  for (int i = 0; i < 600; ++i) {
    const double t = i / 100.0;
    text += QByteArray::number(t, 'f', 2);
    for (int tactel = 0; tactel < 12; ++tactel) {
      const bool pressed = kPressed[static_cast<int>(t / kPress_s)] == tactel;
      const int counts = tactel == 0    ? 0
                         : tactel == 11 ? 511
                                        : 100 + i % 2 + (pressed ? int(500 * force_N(t)) : 0);
      text += ',' + QByteArray::number(counts);
    }
    text += '\n';
  }
  return text;
}

QByteArray eventTable() {
  QByteArray text(
      "t[s],event,data\n"
      "0.0,warm_up,\"{\"\"waited_s\"\": 62, \"\"still\"\": true, \"\"drift_mN_per_min\"\": 0.4, "
      "\"\"u_drift_mN_per_min\"\": 0.2, \"\"limit_mN_per_min\"\": 2}\"\n");
  for (int press = 0; press < 3; ++press) {
    const auto number = QByteArray::number(press + 1);
    text += QByteArray::number(press * kPress_s, 'f', 1) +
            ",press_begin,\"{\"\"press\"\": " + number +
            ", \"\"tactel\"\": " + QByteArray::number(kPressed[press]) +
            ", \"\"kind\"\": \"\"ramp\"\"}\"\n";
    text += QByteArray::number((press + 1) * kPress_s - 0.01, 'f', 2) +
            ",press_end,\"{\"\"press\"\": " + number + ", \"\"outcome\"\": \"\"ok\"\"}\"\n";
  }
  return text;
}

void write(const QString& file, const QByteArray& text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(text);
}

void execute(const QString& file, const QByteArray& sql) {
  sqlite3* database = nullptr;
  QCOMPARE(sqlite3_open(file.toUtf8().constData(), &database), SQLITE_OK);
  QCOMPARE(sqlite3_exec(database, sql.constData(), nullptr, nullptr, nullptr), SQLITE_OK);
  QVERIFY(sqlite3_changes(database) > 0);
  sqlite3_close(database);
}

constexpr auto kMetadata = R"({
  "format": "tactelier/session", "version": 1, "created": "2026-11-20T10:00:00Z",
  "sensor": {"vendor": "Test", "model": "Pad 3 x 4", "rows": 3, "columns": 4,
             "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "adc": {"bits": 12, "min": 0, "max": 4095}},
  "sensor_serial": "T-1",
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "force_sensor": {"model": "Cell", "press_axis": "z"}
})";

}  // namespace

QString makeSessionFolder(const QString& parent, const QString& name, const char* serial) {
  const QDir folder(parent + '/' + name);
  folder.mkpath(QStringLiteral("."));
  auto metadata = QByteArray(kMetadata).replace("T-1", serial);
  if (name == QStringLiteral("b")) metadata.replace("T10:00:00Z", "T10:05:00Z");  // another one
  write(folder.filePath(QStringLiteral("session.json")), metadata);
  write(folder.filePath(QStringLiteral("force.csv")), forceTable());
  write(folder.filePath(QStringLiteral("stage.csv")), stageTable());
  write(folder.filePath(QStringLiteral("tactile.csv")), tactileTable());
  write(folder.filePath(QStringLiteral("events.csv")), eventTable());
  return folder.path();
}

QString makeRecording(const QString& parent, const QString& name, const char* serial) {
  const QTemporaryDir temporary;
  const auto target = parent + '/' + name;
  ImportRequest request;
  request.source =
      makeSessionFolder(temporary.path(), QFileInfo(name).baseName(), serial).toStdString();
  request.target = target.toStdString();
  const auto report = import_session(request, {});
  if (!report) qFatal("import: %s", report.error().message.c_str());
  return target;
}

void damage(const QString& file) {
  execute(file, "UPDATE blob SET data = zeroblob(length(data)) WHERE id % 9 = 4");
}

void damageTail(const QString& file, double at_s) {
  // The stored minimum and maximum, and the index, stay as they are: only decoding finds it.
  execute(file, QStringLiteral("UPDATE blob SET data = CAST(substr(data, 1, length(data) / 2) || "
                               "zeroblob(length(data) - length(data) / 2) AS BLOB) WHERE id IN "
                               "(SELECT first_blob + 3 FROM chunk JOIN stream ON "
                               "chunk.id >> 32 = stream.id "
                               "WHERE kind = 'tactile' AND t_first <= %1 AND t_last >= %1)")
                    .arg(at_s)
                    .toUtf8());
}

void cutOff(const QString& file) {
  execute(file, "DELETE FROM meta WHERE key = 'content_hash'");
  QFile closed(file);
  QVERIFY(closed.open(QIODevice::ReadWrite));
  QVERIFY(closed.setFileTime(QDateTime::currentDateTime().addSecs(-3600),
                             QFileDevice::FileModificationTime));
}

void damageForce(const QString& file, double begin_s, double end_s) {
  execute(file,
          QStringLiteral("UPDATE blob SET data = zeroblob(length(data)) WHERE id IN "
                         "(SELECT first_blob FROM chunk JOIN stream ON chunk.id >> 32 = stream.id "
                         "WHERE kind = 'force' AND t_first >= %1 AND t_last <= %2)")
              .arg(begin_s)
              .arg(end_s)
              .toUtf8());
}

SensorModel fittedModel(const Bench& bench) {
  FitRequest request;
  request.sessions = {makeRecording(bench.folder.path(), QStringLiteral("pad.tact")).toStdString()};
  auto report = fit_sessions(request, {});
  if (!report) qFatal("fit: %s", report.error().message.c_str());
  return std::move(report->model);
}

Bench::Bench() { restart(); }

Bench::~Bench() { close(); }

void Bench::close() {
  window.reset();
  devices.reset();
  rig.reset();
  state.reset();
}

void Bench::restart() {
  close();
  settings = std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")),
                                         QSettings::IniFormat);
  if (!settings->contains(QStringLiteral("library_folder")))
    settings->setValue(QStringLiteral("library_folder"), folder.path());
  state = std::make_unique<AppState>(*settings, folder.filePath(QStringLiteral("events.jsonl")));
  rig = std::make_unique<RigLink>(*state);
  rig->setProgram(paths::cli());
  devices = std::make_unique<BenchDevices>(*state, *rig);
  window = std::make_unique<MainWindow>(*state, *rig, *devices);
  window->show();
  QVERIFY(QTest::qWaitForWindowExposed(window.get()));
  window->activateWindow();  // shortcuts belong to the active window
  QVERIFY(QTest::qWaitForWindowActive(window.get()));
}

void Bench::settle() const {
  QTRY_VERIFY_WITH_TIMEOUT(!state->jobs().busy(), 60000);
  QCoreApplication::processEvents();
}

}  // namespace tactelier::gui::test
