#include "tests/app_gui/library_test.hpp"

#include <QtTest>
#include <cmath>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/item_models/fleet_model.hpp"
#include "app/gui/item_models/library_model.hpp"
#include "app/gui/pages/library/batch_fit.hpp"
#include "app/gui/pages/library/fleet_view.hpp"
#include "app/gui/pages/library/library_page.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/workflow/edit_session.hpp"
#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/session/session.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

void showLibrary(Bench& bench) {
  bench.window->showPage(QStringLiteral("library"));
  qobject_cast<LibraryPage*>(bench.window->page(QStringLiteral("library")))->refresh();
  bench.settle();
}

/// With the mouse, as long as the file is in the list.
void select(const Bench& bench, const QString& name) {
  auto* table = part<QTableView>(bench, "libraryTable");
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const auto index = table->model()->index(row, LibraryModel::kName);
    if (index.data().toString() != name) continue;
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    return;
  }
  QFAIL(qPrintable(name + QStringLiteral(" is not in the list")));
}

QString stateOf(const Bench& bench, const QString& name) {
  const auto* model = part<QTableView>(bench, "libraryTable")->model();
  for (int row = 0; row < model->rowCount(); ++row)
    if (model->index(row, LibraryModel::kName).data().toString() == name)
      return model->index(row, LibraryModel::kState).data().toString();
  return {};
}

void click(const Bench& bench, const char* button) {
  QTest::mouseClick(part<QPushButton>(bench, button), Qt::LeftButton);
}

QString checkWords(const Bench& bench) { return part<QLabel>(bench, "checkWords")->text(); }

LibraryPage* libraryOf(const Bench& bench) {
  return qobject_cast<LibraryPage*>(bench.window->page(QStringLiteral("library")));
}

/// All files of the library chosen, and a program for the workers.
void chooseAll(Bench& bench) {
  showLibrary(bench);
  libraryOf(bench)->batch()->setProgram(QString::fromStdString(paths::cli()));
  part<QTableView>(bench, "libraryTable")->selectAll();
}

/// 40 sensors, one a day: 1000 N/m, 0.5 more each day, scattered by -4 to 4; the 24th is at 1200.
/// A second parameter stands still.
QString makeFleet(const Bench& bench, int sensors = 40) {
  const auto file = bench.folder.filePath(QStringLiteral("fleet.sqlite"));
  auto catalogue = Catalogue::open(file.toStdString());
  if (!catalogue) qFatal("%s", catalogue.error().message.c_str());
  for (int i = 0; i < sensors; ++i) {
    CatalogueFit fit;
    fit.key = fmt::format("{}", i);
    fit.sensor = "pad";
    fit.serial = fmt::format("S{:02}", i);
    fit.state = "identified";
    fit.recorded = fmt::format("2026-{:02}-{:02}T10:00:00Z", 1 + i / 28, 1 + i % 28);
    const double scatter = (i * 7) % 9 - 4;
    CatalogueValue k;
    k.path = "stiffness.k_punch";
    k.value = i == 23 ? 1200 : 1000 + 0.5 * i + scatter;
    k.unit = "N/m";
    k.status = "identified";
    auto latency = k;
    latency.path = "timing.latency_s";
    latency.value = 0.002 + 1e-5 * scatter;
    latency.unit = "s";
    fit.values = {k, latency};
    if (!catalogue->add(fit)) qFatal("no row");
  }
  return file;
}

void openFleet(Bench& bench, const QString& file) {
  bench.window->showPage(QStringLiteral("library"));
  libraryOf(bench)->showFleet(true);
  libraryOf(bench)->fleet()->open(file);
  bench.settle();
}

std::string contentHash(const QString& file) {
  const auto session = Session::open(file.toStdString());
  return session ? session->content_hash().value_or("no hash") : session.error().message;
}

}  // namespace

void LibraryTest::aModelTakesOverWhatARecordingShowsOfItsSensor() {
  Bench bench;
  const auto at = [&](const char* name) { return bench.folder.filePath(QLatin1String(name)); };
  SynthRequest synth;
  synth.protocol = "quick";
  synth.seed = 51;
  synth.target = at("now.tact").toStdString();
  QVERIFY(synth_session(synth, {}));
  FitRequest request;
  request.sessions = {synth.target};
  request.stages = {"psf"};
  auto fitted = fit_sessions(request, {});
  QVERIFY(fitted);
  for (auto* gain :
       {&fitted->model.response.tactels[17].gain, &fitted->model.response.tactels[17].press_gain}) {
    *gain->value *= 1.1;  // as it was, before it fell to what the recording shows
    gain->ci95.reset();
  }
  QVERIFY(write_model(fitted->model, at("then.json").toStdString()));
  showLibrary(bench);
  select(bench, QStringLiteral("now.tact"));
  QVERIFY(!part<QPushButton>(bench, "refreshModel")->isVisible());
  select(bench, QStringLiteral("then.json"));
  click(bench, "refreshModel");
  gui::test::chooseInDialog(bench, "refreshRecording", at("now.tact"));
  gui::test::acceptSaveDialog(bench, QStringLiteral("then-refreshed.json"));
  bench.settle();
  select(bench, QStringLiteral("then.json"));
  const auto words = part<QLabel>(bench, "refreshWords")->text();
  QVERIFY2(words.contains(QStringLiteral("gain of 1 of 84 tactels changed by -")),
           qPrintable(words));
  const auto refreshed = read_model(at("then-refreshed.json").toStdString());
  QVERIFY(refreshed);
  const auto& gain = refreshed->response.tactels[17].gain;
  QVERIFY(std::abs(*gain.value * 1.1 / *fitted->model.response.tactels[17].gain.value - 1) < 0.01);
  click(bench, "lookForChanges");
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("session"));
  QCOMPARE(part<QComboBox>(bench, "protocol")->currentText(),
           QStringLiteral("changes since then.json"));
}

void LibraryTest::aWholeRecordingIsCheckedAndSaysSo() {
  Bench bench;
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("good.tact"));
  showLibrary(bench);
  select(bench, QStringLiteral("good.tact"));
  QVERIFY(checkWords(bench).isEmpty());
  click(bench, "checkFile");
  bench.settle();
  // 3000 rows of force, 600 of the stage, 600 of the array; three presses.
  QCOMPARE(checkWords(bench),
           QStringLiteral("Every checksum holds: 3 streams, 4200 samples, 3 presses."));
  QVERIFY(stateOf(bench, QStringLiteral("good.tact")).endsWith(QStringLiteral("checked")));
  QVERIFY(bench.window->messageBar()->messages().isEmpty());
}

void LibraryTest::aDamagedCopyIsFoundByTheCheck() {
  Bench bench;
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("good.tact"));
  QVERIFY(QFile::copy(bench.folder.filePath("good.tact"), bench.folder.filePath("hurt.tact")));
  gui::test::damageForce(bench.folder.filePath("hurt.tact"), 0.0, 1.9);
  showLibrary(bench);
  select(bench, QStringLiteral("hurt.tact"));
  click(bench, "checkFile");
  bench.settle();
  QVERIFY2(checkWords(bench).startsWith(QStringLiteral("Damaged in 1 place. ")),
           qPrintable(checkWords(bench)));
  QVERIFY2(checkWords(bench).contains(QStringLiteral("2 of 3 presses are whole")),
           qPrintable(checkWords(bench)));
  QVERIFY2(checkWords(bench).contains(QStringLiteral("force")), qPrintable(checkWords(bench)));
  QCOMPARE(stateOf(bench, QStringLiteral("hurt.tact")), QStringLiteral("damaged, 2 of 3 whole"));
  select(bench, QStringLiteral("good.tact"));
  QVERIFY(checkWords(bench).isEmpty());
  select(bench, QStringLiteral("hurt.tact"));  // what was found is still known
  QVERIFY(checkWords(bench).startsWith(QStringLiteral("Damaged in")));
}

void LibraryTest::aFileThatChangedIsNoLongerChecked() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("good.tact"));
  showLibrary(bench);
  select(bench, QStringLiteral("good.tact"));
  click(bench, "checkFile");
  bench.settle();
  QFile later(file);
  QVERIFY(later.open(QIODevice::ReadWrite));
  later.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime);
  later.close();
  showLibrary(bench);
  select(bench, QStringLiteral("good.tact"));
  QVERIFY(checkWords(bench).isEmpty());
}

void LibraryTest::aCheckIsCancelledAtItsButton() {
  Bench bench;
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("good.tact"));
  showLibrary(bench);
  select(bench, QStringLiteral("good.tact"));
  click(bench, "checkFile");
  QCOMPARE(part<QPushButton>(bench, "checkFile")->text(), QStringLiteral("Cancel check"));
  click(bench, "checkFile");
  bench.settle();
  QCOMPARE(part<QPushButton>(bench, "checkFile")->text(), QStringLiteral("Check file"));
  // Quick disks may finish before they hear of it; a half check never counts as one.
  QVERIFY(checkWords(bench).isEmpty() || checkWords(bench).startsWith(QStringLiteral("Every")));
}

void LibraryTest::aRecordingIsUnpackedAndHoldsTheSame() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("good.tact"));
  showLibrary(bench);
  select(bench, QStringLiteral("good.tact"));
  click(bench, "unpackFile");
  gui::test::acceptSaveDialog(bench, QStringLiteral("plain"));
  bench.settle();
  const auto folder = bench.folder.filePath("plain");
  QVERIFY(QFileInfo::exists(folder + QStringLiteral("/force.csv")));
  QCOMPARE(bench.window->messageBar()->messages().first().happened,
           QStringLiteral("Unpacked into %1").arg(folder));
  const auto again = bench.folder.filePath("again.tact");
  bench.state->recordings().importInto(folder, {}, again);
  bench.settle();
  QCOMPARE(contentHash(again), contentHash(file));
}

void LibraryTest::unpackingDamageAndEditsSaysWhatStaysBehind() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("hurt.tact"));
  Edit edit;
  edit.kind = Edit::Kind::kExclude;
  edit.press = 2;
  QVERIFY(edit_session(file.toStdString(), {edit}).has_value());
  gui::test::damageForce(file, 0.0, 1.9);
  showLibrary(bench);
  select(bench, QStringLiteral("hurt.tact"));
  click(bench, "unpackFile");
  gui::test::acceptSaveDialog(bench, QStringLiteral("plain"));
  bench.settle();
  const auto& told = bench.window->messageBar()->messages().first();
  QVERIFY2(told.safe.contains(QStringLiteral("1 edit stays behind")), qPrintable(told.safe));
  QVERIFY2(told.safe.contains(QStringLiteral("left out: force")), qPrintable(told.safe));
}

void LibraryTest::aModelOffersNoChecksum() {
  Bench bench;
  QFile model(bench.folder.filePath("m.json"));
  QVERIFY(model.open(QIODevice::WriteOnly));
  model.write(R"({"format": "tactelier/sensor-model", "version": 1})");
  model.close();
  showLibrary(bench);
  select(bench, QStringLiteral("m.json"));
  auto* check = part<QPushButton>(bench, "checkFile");
  QVERIFY(!check->isEnabled());
  QVERIFY(check->toolTip().contains(QStringLiteral("no checksums")));
  QVERIFY(!part<QPushButton>(bench, "unpackFile")->isEnabled());
}

void LibraryTest::wordsNarrowTheListAndCtrlFFocusesThem() {
  Bench bench;
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("monday.tact"));
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("friday.tact"));
  showLibrary(bench);
  auto* table = part<QTableView>(bench, "libraryTable");
  QCOMPARE(table->model()->rowCount(), 2);
  QTest::keyClick(bench.window.get(), Qt::Key_F, Qt::ControlModifier);
  auto* search = part<QLineEdit>(bench, "librarySearch");
  QCOMPARE(QApplication::focusWidget(), search);
  QTest::keyClicks(search, QStringLiteral("T-1 frid"));  // serial and a part of the name
  QCOMPARE(table->model()->rowCount(), 1);
  QCOMPARE(table->model()->index(0, LibraryModel::kName).data().toString(),
           QStringLiteral("friday.tact"));
}

void LibraryTest::aFolderDroppedBecomesTheLibrary() {
  Bench bench;
  const QTemporaryDir other;
  gui::test::makeRecording(other.path(), QStringLiteral("elsewhere.tact"));
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(other.path())});
  QDragEnterEvent enter(QPoint(600, 400), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(bench.window.get(), &enter);
  QDropEvent drop(QPointF(600, 400), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(bench.window.get(), &drop);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("library"));
  QVERIFY(!stateOf(bench, QStringLiteral("elsewhere.tact")).isEmpty());
}

void LibraryTest::theCommandFitsTheFileSelected() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a b.tact"));
  showLibrary(bench);
  select(bench, QStringLiteral("a b.tact"));
  bench.window->actions().copyAsCommand->trigger();
  auto command = QApplication::clipboard()->text();
  QCOMPARE(command, QStringLiteral("tactelier info '%1'").arg(file));
  command.replace(0, 9, QString::fromStdString(paths::cli()));
  QProcess shell;
  shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
  QVERIFY(shell.waitForFinished());
  QVERIFY(shell.readAllStandardOutput().contains("every checksum holds"));
}

void LibraryTest::severalRecordingsAreFittedInTheBackground() {
  Bench bench;
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("one.tact"), "T-1");
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("two.tact"), "T-2");
  chooseAll(bench);
  auto* fit = part<QPushButton>(bench, "fitSelected");
  QVERIFY2(fit->text().startsWith(QStringLiteral("Fit selected (2)")), qPrintable(fit->text()));
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("batch run")));
  QTest::mouseClick(fit, Qt::LeftButton);
  QVERIFY(fit->text().startsWith(QStringLiteral("Cancel fit")));
  QCOMPARE(bench.state->jobs().running().size(), std::size_t(1));
  bench.settle();
  QCOMPARE(bench.window->messageBar()->messages().first().happened,
           QStringLiteral("2 sensors: 2 identified"));
  for (const auto* serial : {"T-1", "T-2"})
    QVERIFY(QFileInfo::exists(bench.folder.filePath(
        QStringLiteral("fit-selected.results/%1/model.json").arg(QLatin1String(serial)))));
  click(bench, "fitSelected");  // all up to date: at once, and nothing twice
  bench.settle();
  libraryOf(bench)->showFleet(true);
  bench.settle();
  const auto facts = part<QLabel>(bench, "fleetFacts")->text();
  QVERIFY2(facts.contains(QStringLiteral("2 sensors, 2 fits")), qPrintable(facts));
  QVERIFY(part<QTableView>(bench, "fleetTable")->model()->rowCount() > 5);
}

void LibraryTest::aFitOfSeveralIsCancelledAtItsButton() {
  Bench bench;
  for (int i = 0; i < 6; ++i)
    gui::test::makeRecording(bench.folder.path(), QStringLiteral("%1.tact").arg(i),
                             qPrintable(QStringLiteral("T-%1").arg(i)));
  chooseAll(bench);
  click(bench, "fitSelected");
  click(bench, "fitSelected");
  bench.settle();
  QVERIFY(
      part<QPushButton>(bench, "fitSelected")->text().startsWith(QStringLiteral("Fit selected")));
  QVERIFY(!QFileInfo::exists(bench.folder.filePath("fit-selected.results/T-5/model.json")));
  for (const auto& message : bench.window->messageBar()->messages())
    QVERIFY2(!message.happened.contains(QStringLiteral("identified")),
             qPrintable(message.happened));
}

void LibraryTest::theFleetNamesTheOddSensorAndTheDrift() {
  Bench bench;
  openFleet(bench, makeFleet(bench));
  auto* table = part<QTableView>(bench, "fleetTable");
  QCOMPARE(table->model()->rowCount(), 2);
  // The one with an outlier comes first, and is shown.
  QCOMPARE(table->model()->index(0, FleetModel::kParameter).data().toString(),
           QStringLiteral("stiffness.k_punch"));
  QCOMPARE(table->model()->index(0, FleetModel::kOutliers).data().toString(), QStringLiteral("1"));
  const auto outliers = part<QLabel>(bench, "fleetOutliers")->text();
  QVERIFY2(outliers.startsWith(QStringLiteral("Outliers: S23 (")), qPrintable(outliers));
  QVERIFY2(outliers.endsWith(QStringLiteral("sigma above)")), qPrintable(outliers));
  const auto drift = table->model()->index(0, FleetModel::kDrift).data().toString();
  QVERIFY2(drift.startsWith(QChar('+')), qPrintable(drift));  // 0.5 a day of about 1010: 2 %
  const auto* trend = part<PlotView>(bench, "fleetTrend");
  // 39 sensors, the odd one, then lines from end to end: median, limits, drift.
  const auto words = trend->asTable();
  QCOMPARE(words.rows.size(), 48U);
  const auto y = [&](std::size_t row) { return words.rows.at(row).at(2).toDouble(); };
  QCOMPARE(y(39), 1200.0);
  // By hand, in N/m: median 1009.5, median absolute deviation 4.5; +- 3 * 1.4826 of it.
  QVERIFY(std::abs(y(42) - 989.485) < 1e-3);
  QVERIFY(std::abs(y(44) - 1029.515) < 1e-3);
  QVERIFY2(y(47) - y(46) > 15 && y(47) - y(46) < 25,  // 39 days of 0.5
           qPrintable(QString::number(y(47) - y(46))));
  const auto median = table->model()->index(0, FleetModel::kMedian).data().toString();
  QVERIFY2(median.endsWith(QStringLiteral("± 20 N/m")), qPrintable(median));
  const auto bars = part<PlotView>(bench, "fleetDistribution")->asTable().rows;
  QVERIFY(std::abs(bars.at(bars.size() - 1).at(1).toDouble() - 1029.515) < 1e-3);
  table->selectRow(1);
  bench.settle();
  QCOMPARE(part<QLabel>(bench, "fleetOutliers")->text(), QStringLiteral("No outlier."));
  QVERIFY(part<PlotView>(bench, "fleetDistribution")->xAxis->label().contains("[ms]"));
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY2(QApplication::clipboard()->text().endsWith(
               QStringLiteral("fleet.sqlite --parameter timing.latency_s")),
           qPrintable(QApplication::clipboard()->text()));
}

void LibraryTest::aFleetOfAFewHasNoLimits() {
  Bench bench;
  openFleet(bench, makeFleet(bench, 5));
  QCOMPARE(part<QLabel>(bench, "fleetOutliers")->text(),
           QStringLiteral("5 sensors; limits take 8."));
  QVERIFY(part<PlotView>(bench, "fleetTrend")->asTable().rows.size() >= 5);
}

void LibraryTest::whatIsNoCatalogueSaysSo() {
  Bench bench;
  QFile other(bench.folder.filePath("other.sqlite"));
  QVERIFY(other.open(QIODevice::WriteOnly));
  other.write("not a database, but long enough to be looked at as if it were one");
  other.close();
  openFleet(bench, other.fileName());
  QVERIFY(part<QLabel>(bench, "fleetFacts")->text().contains(QStringLiteral("other.sqlite")));
  QCOMPARE(part<QTableView>(bench, "fleetTable")->model()->rowCount(), 0);
}

void LibraryTest::aRecordingShowsItsForceAndTheModelsMadeOfIt() {
  Bench bench;
  const auto model = bench.folder.filePath(QStringLiteral("made.json"));
  QVERIFY(write_model(gui::test::fittedModel(bench), model.toStdString()).has_value());
  // The same recording under another name, and another one.
  QVERIFY(QFile::copy(bench.folder.filePath(QStringLiteral("pad.tact")),
                      bench.folder.filePath(QStringLiteral("renamed.tact"))));
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("other.tact"), "T-2");
  showLibrary(bench);
  select(bench, QStringLiteral("other.tact"));
  QVERIFY(part<QLabel>(bench, "usedIn")->text().contains(QStringLiteral("no model")));
  select(bench, QStringLiteral("renamed.tact"));
  auto* used = part<QLabel>(bench, "usedIn");
  QVERIFY2(used->text().contains(QStringLiteral(">made.json<")), qPrintable(used->text()));
  // Presses of 0.8 mm into 2000 N/m.
  double most_N = 0;
  for (const auto& row : part<PlotView>(bench, "libraryForce")->asTable().rows)
    most_N = std::max(most_N, row[2].toDouble());
  QVERIFY2(std::abs(most_N - 1.6) < 0.05, qPrintable(QString::number(most_N)));
  emit used->linkActivated(model);
  QTRY_COMPARE(part<QTableView>(bench, "libraryTable")
                   ->currentIndex()
                   .siblingAtColumn(LibraryModel::kName)
                   .data()
                   .toString(),
               QStringLiteral("made.json"));
  QVERIFY(!part<PlotView>(bench, "libraryForce")->isVisible());  // a model has no force
}
