// tactelier_screenshots FOLDER: a PNG of every page in both themes, 1440 x 900, from the example;
// the Fit page from a whole array, a protocol carried out on the simulated pad.
// tactelier_screenshots FOLDER PAGE: that page alone, "tour" for the tour's first step.
// tactelier_screenshots FOLDER RECORDING [STAGE...]: the Fit page of that recording instead, a PNG
// per stage.
// With TACTELIER_SMALL set, smaller windows and larger text too.
// The same pictures every time: fixed dates, fixed free disk, a home folder of its own.

#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <functional>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/frame/tour.hpp"
#include "app/gui/pages/bench/bench_page.hpp"
#include "app/gui/pages/fit/fit_page.hpp"
#include "app/gui/pages/fit/stage_panel.hpp"
#include "app/gui/screenshots/picture.hpp"
#include "app/gui/screenshots/station_scene.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/english_plurals.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/workflow/synth_session.hpp"
#include "fitting/engine/stage.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace {

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::screenshots;

void fixDate(const QString& path, const QString& date) {
  QFile file(path);
  if (file.open(QIODevice::ReadWrite))
    file.setFileTime(QDateTime::fromString(date, Qt::ISODate), QFileDevice::FileModificationTime);
}

/// The example, its first press left out, its fit saved beside it.
void prepare(AppState& state, const QString& measurements) {
  const auto recording = measurements + QStringLiteral("/fluid-taxel-oil.tact");
  state.recordings().openExample();
  settle(state);
  if (state.recording() == nullptr) qFatal("the example did not open");
  QFile::copy(state.recording()->recording()->path(), recording);
  state.recordings().close(state.recording());
  state.open(recording);
  settle(state);
  state.fit().run(state.fit().request());
  settle(state);
  if (state.model() != nullptr && state.recording() != nullptr) {
    auto dated = *state.model();
    dated.created = "2025-11-20T15:04:00Z";
    state.modelDocument().set(std::make_shared<const SensorModel>(std::move(dated)),
                              state.modelDocument().warnings());
    const auto model = measurements + QStringLiteral("/fluid-taxel-oil_model.json");
    state.modelDocument().save(model);
    settle(state);
    fixDate(model, QStringLiteral("2025-11-20T15:04:00"));
  }
  state.selection().choosePress(state.recording()->presses()[20].number);
  state.recording()->setExcluded(state.recording()->presses()[1].number, true);
  settle(state);
  fixDate(recording, QStringLiteral("2025-11-20T14:55:00"));
  state.settings().remove(QStringLiteral("recent_files"));
  state.files().note(recording);
}

/// OpenRAVE chosen, one of its missing values assumed.
void prepareExport(MainWindow& window, AppState& state) {
  window.showPage(QStringLiteral("export"));
  settle(state);
  auto* list = window.findChild<QListView*>(QStringLiteral("formatList"));
  auto* path = window.findChild<QComboBox*>(QStringLiteral("assumePath"));
  auto* value = window.findChild<QLineEdit*>(QStringLiteral("assumeValue"));
  auto* apply = window.findChild<QPushButton*>(QStringLiteral("assumeApply"));
  if (list == nullptr || path == nullptr || value == nullptr || apply == nullptr)
    qFatal("the Export page has changed");
  list->setCurrentIndex(list->model()->index(1, 0));
  path->setEditText(QStringLiteral("sensor.thickness_m"));
  value->setText(QStringLiteral("3 mm"));
  apply->click();
  settle(state);
  path->setEditText(QStringLiteral("friction.mu_s"));
}

/// The recording selected and checked.
void prepareLibrary(MainWindow& window, AppState& state) {
  window.showPage(QStringLiteral("library"));
  settle(state);
  auto* table = window.findChild<QTableView*>(QStringLiteral("libraryTable"));
  auto* check = window.findChild<QPushButton*>(QStringLiteral("checkFile"));
  if (table == nullptr || check == nullptr) qFatal("the Library page has changed");
  table->selectRow(1);
  check->click();
  settle(state);
}

/// A scan of all 84 tactels, fitted, a press left out.
void prepareFit(MainWindow& window, AppState& state, const QString& folder) {
  SynthRequest request;
  request.protocol = "quick";
  request.preset = "lab";
  request.target = (folder + QStringLiteral("/wts0614-virtual.tact")).toStdString();
  const auto made = synth_session(request, {});
  if (!made) qFatal("%s", made.error().message.c_str());
  if (state.recording() != nullptr) state.recordings().close(state.recording());
  state.open(QString::fromStdString(request.target.string()));
  settle(state);
  window.showPage(QStringLiteral("fit"));
  state.fit().run(state.fit().request());
  settle(state);
  state.recording()->setExcluded(state.recording()->presses()[20].number, true);
  settle(state);
  state.modelDocument().set(state.model(),
                            state.modelDocument().warnings());  // without the time it took here
  for (const auto& press : state.recording()->presses())
    if (press.tactel == 37) {
      state.selection().choosePress(press.number);
      break;
    }
  settle(state);
}

/// The array's model beside shapes laid on the same pad, an image from the middle.
void prepareCompare(MainWindow& window, AppState& state, const QString& folder) {
  SynthRequest request;
  request.protocol = "images";
  request.preset = "lab";
  request.truth = (folder + QStringLiteral("/wts0614-virtual.truth.json")).toStdString();
  request.target = (folder + QStringLiteral("/wts0614-shapes.tact")).toStdString();
  const auto made = synth_session(request, {});
  if (!made) qFatal("%s", made.error().message.c_str());
  window.showPage(QStringLiteral("compare"));
  state.open(QString::fromStdString(request.target.string()));
  settle(state);
  auto* slider = window.findChild<QSlider*>(QStringLiteral("compareSlider"));
  if (slider == nullptr || slider->maximum() == 0) qFatal("the Compare page shows no images");
  slider->setValue(slider->maximum() / 2);
  state.selection().chooseTactel(37);
  settle(state);
}

/// The plots of `wanted`, of every stage when empty.
void saveStages(MainWindow& window, AppState& state, const QString& recording,
                const QString& folder, const QStringList& wanted) {
  state.open(recording);
  settle(state);
  window.showPage(QStringLiteral("fit"));  // runs what the data allow
  while (state.model() == nullptr && state.jobs().busy()) settle(state);
  auto* page = qobject_cast<FitPage*>(window.page(QStringLiteral("fit")));
  if (page == nullptr || state.model() == nullptr)
    qFatal("%s is not fitted", qPrintable(recording));
  for (const auto& stage : stages()) {
    const auto name = QString::fromUtf8(stage.id.data(), qsizetype(stage.id.size()));
    if (!wanted.isEmpty() && !wanted.contains(name)) continue;
    page->stagePanel()->chooseStage(std::string(stage.id));
    settle(state);
    save(window, state, folder, QStringLiteral("fit"), QStringLiteral("fit-") + name);
  }
}

/// A table as people bring it: four cells under one press each, the load held for two seconds.
void prepareImport(MainWindow& window, AppState& state, const QString& folder) {
  const auto table = folder + QStringLiteral("/finger.csv");
  QFile file(table);
  if (!file.open(QIODevice::WriteOnly)) qFatal("no table");
  file.write("time_s,Fz_N,s0,s1,s2,s3,comment\n");
  for (int i = 0; i < 2400; ++i) {
    const double t_s = i / 50.0;
    const int press = i / 600;
    const double in_s = t_s - 12 * press - 3;
    const double force = 2.5 * std::clamp(std::min(in_s / 2, (7 - in_s) / 2), 0.0, 1.0);
    QByteArray row = QByteArray::number(t_s, 'f', 2) + ',' +
                     QByteArray::number(force + 0.004 * ((i * 7) % 5 - 2), 'f', 4);
    for (int cell = 0; cell < 4; ++cell)
      row += ',' + QByteArray::number(std::lround(210 + 15 * cell + (i * 11 + cell) % 3 +
                                                  (cell == press ? 300 + 20 * cell : 8) * force));
    file.write(row + ",run 3\n");
  }
  file.close();
  state.open(table);
  settle(state);
  if (window.currentPage() != QStringLiteral("import")) qFatal("the table is not looked at");
  for (const char* name : {"importMapFile", "importTarget"})  // the folder is another one each time
    if (auto* field = window.findChild<QLineEdit*>(QLatin1String(name)))
      field->setText(field->text().replace(folder, QStringLiteral("~/Measurements")));
}

/// With TACTELIER_SMALL also in newtons, and in the smallest window, there with text half as large
/// again, too.
void saveCompare(MainWindow& window, AppState& state, const QString& folder) {
  const auto page = QStringLiteral("compare");
  save(window, state, folder, page);
  if (!qEnvironmentVariableIsSet("TACTELIER_SMALL")) return;
  auto* unit = window.findChild<QWidget*>(QStringLiteral("compareUnit"));
  unit->findChildren<QToolButton*>().at(1)->click();
  save(window, state, folder, page, QStringLiteral("compare-newtons"));
  unit->findChildren<QToolButton*>().at(0)->click();
  const auto before = window.size();
  window.resize(1024, 700);
  saveBothEnds(window, state, folder, page, QStringLiteral("compare-small"));
  theme().setScale(1.5);
  saveBothEnds(window, state, folder, page, QStringLiteral("compare-large-text"));
  theme().setScale(1);
  window.resize(before);
}

// --- The protocol --------------------------------------------------------------------------------

/// Steps of P5 with a step chosen, and targets.
void saveProtocol(MainWindow& window, AppState& state, const QString& folder) {
  window.showPage(QStringLiteral("protocol"));
  settle(state);
  auto* templates = window.findChild<QListWidget*>(QStringLiteral("protocolTemplates"));
  for (int row = 0; row < templates->count(); ++row)
    if (templates->item(row)->data(Qt::UserRole).toString() == QStringLiteral("quick"))
      emit templates->itemClicked(templates->item(row));
  settle(state);
  window.findChild<QTableWidget*>(QStringLiteral("protocolSteps"))->setCurrentCell(2, 1);
  settle(state);
  save(window, state, folder, QStringLiteral("protocol"));
  if (qEnvironmentVariableIsSet("TACTELIER_SMALL")) {
    const auto before = window.size();
    window.resize(1024, 700);
    save(window, state, folder, QStringLiteral("protocol"), QStringLiteral("protocol-small"));
    window.resize(before);
  }
  auto* kind = window.findChild<QWidget*>(QStringLiteral("protocolKind"));
  kind->findChildren<QToolButton*>().at(1)->click();
  settle(state);
  save(window, state, folder, QStringLiteral("protocol"), QStringLiteral("targets"));
  kind->findChildren<QToolButton*>().at(0)->click();
}

// --- Event log and settings ----------------------------------------------------------------------

/// An evening's events, their times fixed.
void writeEvents(const QString& file, const QString& measurements) {
  const auto recording = measurements + QStringLiteral("/wts0614_2025-11-20.tact");
  const struct {
    const char* time;
    const char* level;
    const char* happened;
    const char* code;
    const char* todo;
    bool about;
  } events[] = {
      {"15:02:11.402", "information", "Connected to the rig bench 2, sensor WTS 0614-34.", "", "",
       false},
      {"15:02:31.040", "information", "Set-up: the stage may be moved by hand.", "", "", false},
      {"15:02:33.311", "information", "Homing, Z first, upwards.", "", "", false},
      {"15:04:05.118", "information", "Armed.", "", "", false},
      {"15:04:07.250", "information", "The recording begins.", "", "", true},
      {"15:09:40.006", "information", "Note: fan of the hood switched off", "", "", false},
      {"15:11:18.730", "warning", "Press 37, tactel 61: aborted. Its data stay.", "", "", false},
      {"15:11:18.741", "error", "The rig has stopped itself: pad force 5.02 N, limit 5 N.",
       "pad force", "Look under the tip. Acknowledge on the Session page.", false},
      {"15:12:02.377", "information",
       "Acknowledged: pad force 5.02 N, limit 5 N. Motion is allowed again.", "", "", false},
      {"15:19:55.120", "warning", "STOP: motion is locked.", "STOP",
       "Acknowledge on the Session page, then go on.", false},
      {"15:19:55.123", "information", "STOP: the rig process answered in 1.2 ms.", "", "", false},
      {"15:31:44.902", "information", "The recording is complete: 120 presses in 24:11.", "", "",
       true},
      {"15:31:44.905", "warning",
       "The normal force varied by 12 % during 2 slides; they are left out.", "FR-05", "", true},
  };
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly)) qFatal("no event log");
  for (const auto& event : events) {
    QJsonObject line{{"time", QStringLiteral("2025-11-20T%1Z").arg(QLatin1String(event.time))},
                     {"level", event.level},
                     {"happened", QString::fromUtf8(event.happened)},
                     {"code", event.code},
                     {"todo", event.todo},
                     {"page", "session"}};
    if (event.about) line.insert(QStringLiteral("about"), recording);
    out.write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
  }
}

/// The fault chosen.
void saveLog(MainWindow& window, AppState& state, const QString& folder) {
  window.showPage(QStringLiteral("log"));
  auto* table = window.findChild<QTableView*>(QStringLiteral("logTable"));
  for (int row = 0; row < table->model()->rowCount(); ++row)
    if (table->model()->index(row, 1).data().toString() == QStringLiteral("Error"))
      table->setCurrentIndex(table->model()->index(row, 0));
  saveSized(window, state, folder, QStringLiteral("log"));
}

void saveSettings(MainWindow& window, AppState& state, const QString& folder) {
  state.preferences().setOperatorName(QStringLiteral("Anna Weiss"));
  state.preferences().setDeviceFile(QStringLiteral("/home/lab/rigs/bench2/devices.json"));
  state.preferences().setRigFile(QStringLiteral("/home/lab/rigs/bench2/rig.json"));
  state.files().setLibraryFolder(QStringLiteral("/home/lab/Measurements"));
  saveSized(window, state, folder, QStringLiteral("settings"));
}

/// The virtual bench, once its devices are all well. Its numbers differ from picture to picture.
void prepareBench(MainWindow& window) {
  window.showPage(QStringLiteral("bench"));
  auto* page = qobject_cast<BenchPage*>(window.page(QStringLiteral("bench")));
  page->devices().startVirtualBench();
  QElapsedTimer since;
  since.start();
  const auto well = [&] {
    const auto& health = page->devices().health();
    return health.size() == 3 && std::all_of(health.begin(), health.end(), [](const auto& one) {
             return one.state == HealthState::kGood;
           });
  };
  while (since.elapsed() < 30000 && !well())
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

/// In set-up on the virtual bench.
void saveSession(MainWindow& window, AppState& state, RigLink& rig, const QString& folder) {
  window.showPage(QStringLiteral("session"));
  rig.connectVirtual(1);
  const auto await = [](const std::function<bool()>& so) {
    QElapsedTimer since;
    since.start();
    while (!so() && since.elapsed() < 60000)
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  };
  await([&] { return rig.connected() && rig.live() && rig.statusFresh(); });
  rig.setSetUp(true);
  await([&] { return rig.mode() == Mode::kSetUp && !rig.live()->counts.empty(); });
  saveSized(window, state, folder, QStringLiteral("session"));
  rig.disconnectRig();
}

struct Scene {
  MainWindow& window;
  AppState& state;
  RigLink& rig;
  QString measurements;
  QString folder;
};

void saveImport(const Scene& at) {
  prepareImport(at.window, at.state, at.measurements);
  saveSized(at.window, at.state, at.folder, QStringLiteral("import"));
  QFile::remove(at.measurements + QStringLiteral("/finger.csv"));
}

void saveTour(const Scene& at) {
  at.window.tour()->start();
  at.state.jobs().cancelAll();  // its recordings
  save(at.window, at.state, at.folder, QStringLiteral("bench"), QStringLiteral("tour"));
  if (!qEnvironmentVariableIsSet("TACTELIER_SMALL")) return;
  at.window.resize(1024, 700);
  save(at.window, at.state, at.folder, QStringLiteral("bench"), QStringLiteral("tour-small"));
  at.window.resize(1440, 900);
  theme().setScale(1.5);
  save(at.window, at.state, at.folder, QStringLiteral("bench"), QStringLiteral("tour-large-text"));
}

/// A page that shows the example, its fit and its exports.
void saveOfExample(const Scene& at, const QString& page) {
  prepare(at.state, at.measurements);
  prepareExport(at.window, at.state);
  prepareLibrary(at.window, at.state);
  saveSized(at.window, at.state, at.folder, page);
}

/// False where there is no such page.
bool saveAlone(const Scene& at, const QString& page) {
  auto& [window, state, rig, measurements, folder] = at;
  const QMap<QString, std::function<void()>> scenes{
      {QStringLiteral("import"), [&] { saveImport(at); }},
      {QStringLiteral("compare"),
       [&] {
         prepareFit(window, state, measurements);
         prepareCompare(window, state, measurements);
         saveCompare(window, state, folder);
       }},
      {QStringLiteral("fit"),
       [&] {
         prepareFit(window, state, measurements);
         saveSized(window, state, folder, QStringLiteral("fit"));
       }},
      {QStringLiteral("bench"),
       [&] {
         prepareBench(window);
         saveSized(window, state, folder, QStringLiteral("bench"));
       }},
      {QStringLiteral("session"), [&] { saveSession(window, state, rig, folder); }},
      {QStringLiteral("protocol"), [&] { saveProtocol(window, state, folder); }},
      {QStringLiteral("log"), [&] { saveLog(window, state, folder); }},
      {QStringLiteral("tour"), [&] { saveTour(at); }},
      {QStringLiteral("settings"), [&] { saveSettings(window, state, folder); }},
      {QStringLiteral("station"), [&] { saveStation(window, state, rig, measurements, folder); }},
  };
  if (const auto scene = scenes.find(page); scene != scenes.end()) return (*scene)(), true;
  const bool known =
      std::ranges::any_of(pages(), [&](const auto& info) { return info.id == page; });
  if (known) saveOfExample(at, page);
  return known;
}

void saveAll(const Scene& at) {
  auto& [window, state, rig, measurements, folder] = at;
  saveLog(window, state, folder);
  prepare(state, measurements);
  prepareExport(window, state);
  prepareLibrary(window, state);
  for (const char* page : {"welcome", "session", "export", "report", "library", "recording"})
    saveSized(window, state, folder, QLatin1String(page));
  saveProtocol(window, state, folder);
  saveImport(at);
  prepareFit(window, state, measurements);
  saveSized(window, state, folder, QStringLiteral("fit"));
  prepareCompare(window, state, measurements);
  saveCompare(window, state, folder);
  prepareBench(window);
  saveSized(window, state, folder, QStringLiteral("bench"));
  saveStation(window, state, rig, measurements, folder);
  saveSession(window, state, rig, folder);
  saveSettings(window, state, folder);
}

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir home;
  qputenv("HOME", home.path().toUtf8());
  qputenv("XDG_DATA_HOME", (home.path() + QStringLiteral("/data")).toUtf8());
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  QLocale::setDefault(QLocale::c());
  const auto folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
  QDir().mkpath(folder);
  const auto measurements = home.path() + QStringLiteral("/Measurements");
  QDir().mkpath(measurements);
  auto font = QApplication::font();
  font.setPointSizeF(10);
  QApplication::setFont(font);
  EnglishPlurals plurals;
  QApplication::installTranslator(&plurals);
  theme().install();
  QSettings settings(home.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  settings.setValue(QStringLiteral("library_folder"), measurements);
  writeEvents(home.filePath(QStringLiteral("events.jsonl")), measurements);
  AppState state(settings, home.filePath(QStringLiteral("events.jsonl")));
  RigLink rig(state);
  BenchDevices bench(state, rig);
  MainWindow window(state, rig, bench);
  window.resize(1440, 900);
  RigSnapshot idle;
  idle.recording_detail = QStringLiteral("212 GB free");
  window.safetyBar()->show(idle);
  window.show();
  const Scene scene{window, state, rig, measurements, folder};
  if (argc < 3) return saveAll(scene), 0;
  const auto what = QApplication::arguments().at(2);
  if (!saveAlone(scene, what))
    saveStages(window, state, what, folder, QApplication::arguments().mid(3));
  return 0;
}
