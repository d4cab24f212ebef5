// tactelier_screenshots FOLDER: a PNG of every page in both themes, 1440 x 900, from the example;
// the Fit page from a whole array, a protocol carried out on the simulated pad.
// tactelier_screenshots FOLDER protocol|station|import|compare|log|settings: that page alone.
// tactelier_screenshots FOLDER tour: its first step.
// tactelier_screenshots FOLDER RECORDING [STAGE...]: the Fit page of that recording instead, a PNG
// per stage.
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
#include <QScrollArea>
#include <QScrollBar>
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
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/english_plurals.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/workflow/catalogue/catalogue.hpp"
#include "app/workflow/synth_session.hpp"
#include "fitting/engine/stage.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace {

using namespace tactelier;
using namespace tactelier::gui;

void settle(AppState& state) {
  QElapsedTimer since;
  since.start();
  while (since.elapsed() < 120000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    if (!state.jobs().busy() && since.elapsed() > 300) break;
  }
  for (int i = 0; i < 10; ++i) QCoreApplication::processEvents();
}

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

/// `name`: of the files; the page's own without one.
void save(MainWindow& window, AppState& state, const QString& folder, const QString& page,
          const QString& name = {}) {
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

/// Both ends of a page that scrolls: `name`, and below with "-end" behind it.
void saveBothEnds(MainWindow& window, AppState& state, const QString& folder, const QString& page,
                  const QString& name) {
  save(window, state, folder, page, name);
  for (auto* frame : window.findChildren<QScrollArea*>()) {
    if (frame->widget() != window.page(page)) continue;
    auto* bar = frame->verticalScrollBar();
    bar->setValue(bar->maximum());
    save(window, state, folder, page, name + QStringLiteral("-end"));
    bar->setValue(0);
  }
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

// --- The station ---------------------------------------------------------------------------------

constexpr const char* kTwoPresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "two",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [38, 45], "speed_mm_s": 0.8,
             "until": {"force_N": 1.5, "depth_mm": 1.5}}]})";
constexpr const char* kGain = "response.tactels[].press_gain";

void await(const std::function<bool()>& so) {
  QElapsedTimer since;
  since.start();
  while (!so()) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    if (since.elapsed() > 120000) qFatal("the picture's subject did not come");
  }
}

/// Thirteen sensors about `gain`, the limits 16 % to either side.
void writeFleet(const std::filesystem::path& file, const CatalogueFit& like, double gain) {
  auto catalogue = Catalogue::open(file);
  if (!catalogue) qFatal("%s", catalogue.error().message.c_str());
  for (int i = -6; i <= 6; ++i) {
    auto fit = like;
    fit.key = fmt::format("{}", i);
    fit.serial = fmt::format("F{}", i + 6);
    std::erase_if(fit.values, [](const CatalogueValue& row) { return row.path != kGain; });
    fit.values.at(0).value = gain * (1 + 0.012 * i);
    if (const auto added = catalogue->add(fit); !added) qFatal("%s", added.error().message.c_str());
  }
}

/// Measured, and the next code asked for.
void measureAtStation(AppState& state, const QString& serial) {
  auto& station = state.station();
  const auto waitsFor = [&](StationStep step) {
    await([&] { return station.now() && station.now()->waits && station.now()->at.step == step; });
  };
  waitsFor(StationStep::kScan);
  station.enter(serial);
  await([&] { return station.now()->waits && station.now()->at.step != StationStep::kScan; });
  if (station.now()->at.step == StationStep::kHandsOff) station.enter({});
  waitsFor(StationStep::kClamp);
  station.enter({});
  waitsFor(StationStep::kScan);
}

/// All of them, and the station ended.
void runStation(AppState& state, const StationSettings& settings, const QStringList& serials) {
  state.station().begin(settings);
  for (const auto& serial : serials) measureAtStation(state, serial);
  state.station().end();
  await([&] { return !state.station().running(); });
}

/// Sensors of the virtual bench: measured for a fleet, accepted by its limits, and one rejected by
/// those of another.
void prepareStation(MainWindow& window, AppState& state, RigLink& rig, const QString& home) {
  window.showPage(QStringLiteral("station"));
  rig.connectVirtual(8);
  await([&] { return rig.connected() && rig.live() && rig.statusFresh(); });
  const std::filesystem::path folder = home.toStdString();
  StationSettings settings;
  settings.place = rig.facts().place;
  settings.folder = folder / "line3";
  settings.protocol = (folder / "two.json").string();
  settings.operator_name = "anna";
  settings.fit.stages = {"wrench", "contact", "response"};
  settings.limits.catalogue = folder / "first.sqlite";
  QFile protocol(QString::fromStdString(settings.protocol));
  if (!protocol.open(QIODevice::WriteOnly)) qFatal("no protocol");
  protocol.write(kTwoPresses);
  protocol.close();
  state.station().setSettleTime(0);
  runStation(state, settings, {QStringLiteral("S0041")});
  const auto first = Catalogue::read(settings.limits.catalogue);
  if (!first) qFatal("%s", first.error().message.c_str());
  const auto like = first->fit(*first->keys()->begin()).value().value();
  const auto row = std::ranges::find(like.values, kGain, &CatalogueValue::path);
  if (row == like.values.end() || !row->value) qFatal("the bench's gain is not known");
  writeFleet(folder / "fleet.sqlite", like, *row->value);
  writeFleet(folder / "others.sqlite", like, 1.3 * *row->value);
  settings.limits = {folder / "fleet.sqlite", {kGain}};
  runStation(state, settings, {QStringLiteral("S0042"), QStringLiteral("S0043")});
  settings.limits.catalogue = folder / "others.sqlite";
  state.station().begin(settings);
  measureAtStation(state, QStringLiteral("S0044"));
}

void saveStation(MainWindow& window, AppState& state, RigLink& rig, const QString& home,
                 const QString& folder) {
  prepareStation(window, state, rig, home);
  save(window, state, folder, QStringLiteral("station"));
  window.resize(1024, 700);
  if (qEnvironmentVariableIsSet("TACTELIER_SMALL"))
    save(window, state, folder, QStringLiteral("station"), QStringLiteral("station-small"));
  state.station().cancel();
  await([&] { return !state.station().running(); });
  rig.disconnectRig();
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

/// In the usual window; with TACTELIER_SMALL also in a small one, and with text half as large
/// again.
void saveSized(MainWindow& window, AppState& state, const QString& folder, const QString& page) {
  save(window, state, folder, page);
  if (!qEnvironmentVariableIsSet("TACTELIER_SMALL")) return;
  const auto before = window.size();
  window.resize(1024, 700);
  save(window, state, folder, page, page + QStringLiteral("-small"));
  window.resize(before);
  theme().setScale(1.5);
  save(window, state, folder, page, page + QStringLiteral("-large-text"));
  theme().setScale(1);
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
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("import")) {
    prepareImport(window, state, measurements);
    save(window, state, folder, QStringLiteral("import"));
    window.resize(1024, 700);
    if (qEnvironmentVariableIsSet("TACTELIER_SMALL"))
      save(window, state, folder, QStringLiteral("import"), QStringLiteral("import-small"));
    return 0;
  }
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("compare")) {
    prepareFit(window, state, measurements);
    prepareCompare(window, state, measurements);
    saveCompare(window, state, folder);
    return 0;
  }
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("protocol")) {
    saveProtocol(window, state, folder);
    return 0;
  }
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("log")) {
    saveLog(window, state, folder);
    return 0;
  }
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("tour")) {
    window.tour()->start();
    state.jobs().cancelAll();  // its recordings
    save(window, state, folder, QStringLiteral("bench"), QStringLiteral("tour"));
    if (!qEnvironmentVariableIsSet("TACTELIER_SMALL")) return 0;
    window.resize(1024, 700);
    save(window, state, folder, QStringLiteral("bench"), QStringLiteral("tour-small"));
    window.resize(1440, 900);
    theme().setScale(1.5);
    save(window, state, folder, QStringLiteral("bench"), QStringLiteral("tour-large-text"));
    return 0;
  }
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("settings")) {
    saveSettings(window, state, folder);
    return 0;
  }
  if (argc > 2 && QApplication::arguments().at(2) == QStringLiteral("station")) {
    saveStation(window, state, rig, measurements, folder);
    return 0;
  }
  if (argc > 2) {
    saveStages(window, state, QString::fromLocal8Bit(argv[2]), folder,
               QApplication::arguments().mid(3));
    return 0;
  }
  saveLog(window, state, folder);
  prepare(state, measurements);
  prepareExport(window, state);
  prepareLibrary(window, state);
  for (const auto& info : pages())
    if (info.id != QStringLiteral("fit") && info.id != QStringLiteral("bench") &&
        info.id != QStringLiteral("compare") && info.id != QStringLiteral("station") &&
        info.id != QStringLiteral("import") && info.id != QStringLiteral("protocol") &&
        info.id != QStringLiteral("log") && info.id != QStringLiteral("settings"))
      saveSized(window, state, folder, info.id);
  saveProtocol(window, state, folder);
  prepareImport(window, state, measurements);
  save(window, state, folder, QStringLiteral("import"));
  QFile::remove(measurements + QStringLiteral("/finger.csv"));
  prepareFit(window, state, measurements);
  saveSized(window, state, folder, QStringLiteral("fit"));
  prepareCompare(window, state, measurements);
  saveCompare(window, state, folder);
  prepareBench(window);
  saveSized(window, state, folder, QStringLiteral("bench"));
  saveSized(window, state, folder, QStringLiteral("session"));
  saveStation(window, state, rig, measurements, folder);
  saveSettings(window, state, folder);
  return 0;
}
