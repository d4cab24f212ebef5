#include "tests/app_gui/export_test.hpp"

#include <QtTest>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/item_models/assumption_model.hpp"
#include "app/gui/item_models/format_model.hpp"
#include "app/gui/item_models/loss_model.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/text/quantity_input.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/support.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/mujoco_models.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

QString openModel(Bench& bench, const SensorModel& model, const char* name = "pad_model.json") {
  const auto file = bench.folder.filePath(QLatin1String(name));
  if (!write_model(model, file.toStdString())) qFatal("cannot write the model");
  bench.window->showPage(QStringLiteral("export"));
  bench.state->open(file);
  bench.settle();
  return file;
}

/// With the mouse.
void choose(const Bench& bench, const QString& format) {
  auto* list = part<QListView>(bench, "formatList");
  for (int row = 0; row < list->model()->rowCount(); ++row) {
    const auto index = list->model()->index(row, 0);
    if (index.data(FormatModel::kIdRole).toString() != format) continue;
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    QCOMPARE(list->currentIndex(), index);
    return;
  }
  QFAIL("no such format");
}

/// Empty where the command line refuses for want of a value.
QByteArray commandLineExport(const QStringList& arguments, const QString& file) {
  constexpr int kRequiredMissing = 5;
  QProcess program;
  program.start(
      QString::fromStdString(paths::cli()),
      QStringList{QStringLiteral("export")} + arguments + QStringList{"--force", "-o", file});
  if (!program.waitForFinished()) qFatal("tactelier export does not end");
  if (program.exitCode() == kRequiredMissing) return {};
  if (program.exitCode() != 0)
    qFatal("tactelier export: %s", program.readAllStandardError().constData());
  QFile written(file);
  return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
}

QByteArray content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

QString previewText(const Bench& bench) {
  return part<QPlainTextEdit>(bench, "filePreview")->toPlainText();
}

void assume(const Bench& bench, const char* path, const char* value) {
  auto* paths = part<QComboBox>(bench, "assumePath");
  paths->lineEdit()->selectAll();
  QTest::keyClicks(paths->lineEdit(), QLatin1String(path));
  auto* values = part<QLineEdit>(bench, "assumeValue");
  values->clear();
  QTest::keyClicks(values, QLatin1String(value));
  QTest::mouseClick(part<QPushButton>(bench, "assumeApply"), Qt::LeftButton);
  bench.settle();
}

/// "missing: friction.mu_s" for each row of the loss report.
QStringList lossWords(const Bench& bench) {
  const auto* model = part<QTableView>(bench, "lossTable")->model();
  QStringList rows;
  for (int row = 0; row < model->rowCount(); ++row)
    rows << model->index(row, LossModel::kWhat).data().toString() + QStringLiteral(": ") +
                model->index(row, LossModel::kParameter).data().toString();
  return rows;
}

QString formatLine(const Bench& bench, int role) {
  return part<QListView>(bench, "formatList")->currentIndex().data(role).toString();
}

QString problem(const Bench& bench) { return part<QLabel>(bench, "assumeProblem")->text(); }

const auto kRave = QStringLiteral("openrave");

}  // namespace

void ExportTest::typedQuantitiesAreConverted_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("unit");
  QTest::addColumn<double>("value");  // NaN: refused
  QTest::newRow("bare") << "0.6"
                        << "" << 0.6;
  QTest::newRow("own unit") << "0.35 N"
                            << "N" << 0.35;
  QTest::newRow("prefix") << "350 mN"
                          << "N" << 0.35;
  QTest::newRow("no space, micro sign") << QStringLiteral("35µm") << "m" << 3.5e-5;
  QTest::newRow("a quotient") << "58.5 N/mm"
                              << "N/m" << 58500.0;
  QTest::newRow("a product") << QStringLiteral("10 mN·s/m") << "N*s/m" << 0.01;
  QTest::newRow("true minus") << QStringLiteral("−2 mm") << "m" << -0.002;
  QTest::newRow("another quantity") << "3 mm"
                                    << "N" << qQNaN();
  QTest::newRow("a unit for a ratio") << "3 N"
                                      << "" << qQNaN();
  QTest::newRow("no number") << "much"
                             << "N" << qQNaN();
  QTest::newRow("a comma") << "0,6"
                           << "" << qQNaN();
  QTest::newRow("infinite") << "inf"
                            << "" << qQNaN();
  QTest::newRow("upside down") << "3 m/N"
                               << "N/m" << qQNaN();
}

void ExportTest::typedQuantitiesAreConverted() {
  QFETCH(QString, typed);
  QFETCH(QString, unit);
  QFETCH(double, value);
  const auto parsed = parseQuantity(typed, unit.toStdString());
  QCOMPARE(parsed.has_value(), !std::isnan(value));
  if (parsed) QCOMPARE(*parsed, value);
}

void ExportTest::theModelsAnswerAsModels() {
  Bench bench;
  FormatModel formats;
  LossModel losses;
  AssumptionModel assumptions;
  const QAbstractItemModelTester a(&formats,
                                   QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester b(&losses, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester c(&assumptions,
                                   QAbstractItemModelTester::FailureReportingMode::QtTest);
  const auto model = gui::test::fittedModel(bench);
  auto previews = preview_exports(model, {"friction.mu_s=0.6"});
  QVERIFY(previews.has_value());
  formats.setPreviews(std::make_shared<const ExportPreviews>(*previews));
  QCOMPARE(formats.rowCount(), int(exporters().size()));
  losses.setRows(lossRows(*previews->formats.back().exported, previews->model));
  QVERIFY(losses.rowCount() > 0);
  assumptions.set({{"friction.mu_s", "0.6"}}, &model);
  QCOMPARE(assumptions.rowCount(), 1);
  formats.setPreviews(nullptr);
  losses.setRows({});
}

void ExportTest::withoutAModelThePageSaysWhatToDo() {
  Bench bench;
  bench.window->showPage(QStringLiteral("export"));
  auto* words = part<QLabel>(bench, "exportEmpty");
  QVERIFY(words->isVisible());
  QVERIFY(words->text().contains(QStringLiteral("open a sensor model")));
  QVERIFY(!part<QPushButton>(bench, "exportButton")->isVisible());
  QTest::keyClick(bench.window.get(), Qt::Key_E, Qt::ControlModifier);  // must do nothing
  QVERIFY(bench.window->findChild<QFileDialog*>() == nullptr);
  bench.window->actions().copyAsCommand->trigger();
  QCOMPARE(part<QLabel>(bench, "statusText")->text(),
           QStringLiteral("There is no model to export."));
}

void ExportTest::thePreviewIsWhatTheCommandLineWrites() {
  Bench bench;
  const auto file = openModel(bench, gui::test::fittedModel(bench));
  int written = 0;
  for (const auto* format : exporters()) {
    const auto id = QString::fromUtf8(format->id().data(), qsizetype(format->id().size()));
    choose(bench, id);
    const auto expected = commandLineExport({file, "--to", id}, bench.folder.filePath("cli.out"));
    const bool refused =
        formatLine(bench, FormatModel::kStateRole).toInt() == FormatModel::kRefused;
    QVERIFY2(refused == expected.isEmpty(), qPrintable(id));
    if (refused) continue;
    ++written;
    QVERIFY(expected.size() > 300);
    QCOMPARE(previewText(bench).toUtf8(), expected);
  }
  QVERIFY(written >= 5);  // all that need no point spread
}

void ExportTest::everyFileOfAFormatIsShownAndWritten() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench));
  assume(bench, "stiffness.k", "2000");
  assume(bench, "damping.c_n", "2");
  assume(bench, "stiffness.max_penetration", "2 mm");
  choose(bench, kRave);
  auto* files = part<QComboBox>(bench, "previewFile");
  QVERIFY(!files->isVisible());
  choose(bench, QStringLiteral("mujoco"));
  QVERIFY(files->isVisible());
  QCOMPARE(files->count(), 2);
  QVERIFY(!previewText(bench).contains(QStringLiteral("name=\"weight\"")));
  files->setFocus();
  QTest::keyClick(files, Qt::Key_Down);
  const auto beside = files->currentText();
  QVERIFY(beside.endsWith(QStringLiteral("_press.xml")));
  QVERIFY(previewText(bench).contains(QStringLiteral("name=\"weight\"")));
  const auto shown = previewText(bench).toUtf8();
  QTest::keyClick(bench.window.get(), Qt::Key_E, Qt::ControlModifier);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad"));
  bench.settle();
  QVERIFY(QFile::exists(bench.folder.filePath("pad.xml")));
  QCOMPARE(content(bench.folder.filePath(beside)), shown);
  const auto told = [&] { return bench.window->messageBar()->messages().first().happened; };
  QVERIFY2(told().contains(QStringLiteral("1 file beside it")), qPrintable(told()));

  // Another main file, but what stands beside it is there already.
  QTest::mouseClick(part<QPushButton>(bench, "exportButton"), Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("other"));
  bench.settle();
  QVERIFY(!QFile::exists(bench.folder.filePath("other.xml")));
  QVERIFY2(told().contains(beside), qPrintable(told()));
}

void ExportTest::anExportedPadIsPressedAgainAndItsRecordShownAndWritten() {
  Bench bench;
  openModel(bench, testing_models::mujoco_model());
  assume(bench, "stiffness.max_penetration", "5 mm");
  auto* verify = part<QPushButton>(bench, "verifyButton");
  choose(bench, kRave);
  QVERIFY(!verify->isEnabled());
  QVERIFY(verify->toolTip().contains(QStringLiteral("Nothing presses")));
  choose(bench, QStringLiteral("mujoco"));
  QVERIFY(verify->isEnabled());
  QTest::mouseClick(verify, Qt::LeftButton);
  QVERIFY(!verify->isEnabled());
  bench.settle();
  const auto told = [&] { return bench.window->messageBar()->messages().first().happened; };
  if (told().contains(QStringLiteral("libmujoco-dev"))) QSKIP("libmujoco-dev is not installed");
  QVERIFY2(told().contains(QStringLiteral("does in its target what the model says")),
           qPrintable(told()));
  auto* files = part<QComboBox>(bench, "previewFile");
  QCOMPARE(files->currentText(), QStringLiteral("Acme_Pad_2x3_A_7.mujoco.txt"));
  QVERIFY(previewText(bench).contains(QStringLiteral("depth under a plate")));
  QVERIFY(previewText(bench).contains(QStringLiteral("stiffness.max_penetration=0.005")));
  QVERIFY(files->findText(QStringLiteral("Acme_Pad_2x3_A_7.mujoco.json")) > 0);
  const auto shown = previewText(bench).toUtf8();
  QTest::mouseClick(part<QPushButton>(bench, "exportButton"), Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad"));
  bench.settle();
  QCOMPARE(content(bench.folder.filePath("Acme_Pad_2x3_A_7.mujoco.txt")), shown);
  QVERIFY(QFile::exists(bench.folder.filePath("Acme_Pad_2x3_A_7.mujoco.json")));

  // A record is of one model: of another one nothing has been pressed.
  assume(bench, "stiffness.max_penetration", "4 mm");
  QCOMPARE(files->findText(QStringLiteral("Acme_Pad_2x3_A_7.mujoco.json")), -1);
  QVERIFY(verify->isEnabled());
}

void ExportTest::aScriptForASimulatorElsewhereIsAddedByTheKeyboard() {
  Bench bench;
  openModel(bench, testing_models::mujoco_model());
  choose(bench, QStringLiteral("drake"));
  auto* verify = part<QPushButton>(bench, "verifyButton");
  QCOMPARE(verify->text(), QStringLiteral("Add verify_in_drake.py"));
  verify->setFocus();
  QTest::keyClick(verify, Qt::Key_Space);
  QCOMPARE(part<QComboBox>(bench, "previewFile")->currentText(),
           QStringLiteral("verify_in_drake.py"));
  QVERIFY(previewText(bench).contains(QStringLiteral("class Target(Engine):")));
  choose(bench, QStringLiteral("bullet"));
  QVERIFY(!part<QComboBox>(bench, "previewFile")->isVisible());
}

void ExportTest::whatIsLeftOutIsShownBeforeTheButton() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  auto* table = part<QTableView>(bench, "lossTable");
  QVERIFY(table->isVisible());
  const auto rows = lossWords(bench);
  QVERIFY2(rows.contains(QStringLiteral("missing: friction.mu_s")), qPrintable(rows.join('\n')));
  QVERIFY(rows.contains(QStringLiteral("missing: sensor.thickness_m")));
  QVERIFY(rows.contains(QStringLiteral("no place: response.tactels[].press_gain")));
  QCOMPARE(formatLine(bench, FormatModel::kStateRole).toInt(), int(FormatModel::kMissing));
  QVERIFY(formatLine(bench, FormatModel::kLineRole).contains(QStringLiteral("values missing")));
  // The model's own format holds everything; what the sensor description gave stays an assumption.
  choose(bench, QStringLiteral("json"));
  QCOMPARE(lossWords(bench), QStringList{QStringLiteral("assumed: response.tactels[].saturation")});
  QCOMPARE(formatLine(bench, FormatModel::kLineRole), QStringLiteral("1 assumed"));
}

void ExportTest::aMissingValueIsAssumedWithItsUnitAndTakenBack() {
  Bench bench;
  const auto file = openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  QVERIFY(!previewText(bench).contains(QStringLiteral("<thickness>")));
  assume(bench, "sensor.thickness_m", "3 mm");
  assume(bench, "friction.mu_s", "0.6");
  QVERIFY(previewText(bench).contains(QStringLiteral("<thickness>0.003</thickness>")));
  QVERIFY(previewText(bench).contains(QStringLiteral("<mus>0.6</mus>")));
  QVERIFY(lossWords(bench).contains(QStringLiteral("assumed: friction.mu_s")));
  QVERIFY(lossWords(bench).contains(QStringLiteral("assumed: sensor.thickness_m")));
  QVERIFY(!lossWords(bench).contains(QStringLiteral("missing: friction.mu_s")));
  QCOMPARE(previewText(bench).toUtf8(),
           commandLineExport({file, "--to", kRave, "--assume", "sensor.thickness_m=0.003",
                              "--assume", "friction.mu_s=0.6"},
                             bench.folder.filePath("cli.out")));
  auto* table = part<QTableView>(bench, "assumptionTable");
  QCOMPARE(table->model()->rowCount(), 2);
  QCOMPARE(table->model()->index(0, AssumptionModel::kValue).data().toString(),
           QStringLiteral("0.003 m"));
  QCOMPARE(table->model()->index(0, AssumptionModel::kBy).data().toString(),
           QStringLiteral("user"));
  table->selectRow(0);
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Delete);
  bench.settle();
  QVERIFY(!previewText(bench).contains(QStringLiteral("<thickness>")));
  QCOMPARE(table->model()->rowCount(), 1);
}

void ExportTest::aWrongAssumptionIsExplainedAndNotTaken() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  const auto before = previewText(bench);
  assume(bench, "friction.mus", "0.6");
  QVERIFY2(problem(bench).contains(QStringLiteral("did you mean")), qPrintable(problem(bench)));
  assume(bench, "friction.mu_s", "rough");
  QVERIFY2(problem(bench).contains(QStringLiteral("is no number")), qPrintable(problem(bench)));
  QCOMPARE(part<QLineEdit>(bench, "assumeValue")->text(), QStringLiteral("rough"));
  assume(bench, "sensor.thickness_m", "3 N");
  QVERIFY2(problem(bench).contains(QStringLiteral("no unit for this")), qPrintable(problem(bench)));
  assume(bench, "sensor.thickness_m", "0");
  QVERIFY2(problem(bench).contains(QStringLiteral("more than 0")), qPrintable(problem(bench)));
  QVERIFY(part<QLabel>(bench, "assumeProblem")->isVisible());
  QCOMPARE(previewText(bench), before);
}

void ExportTest::aFormatThatCannotBeWrittenSaysWhy() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  const int before = part<QLabel>(bench, "exportCount")->text().section(' ', 0, 0).toInt();
  assume(bench, "stiffness.k", "-5");
  QCOMPARE(formatLine(bench, FormatModel::kStateRole).toInt(), int(FormatModel::kRefused));
  const auto why = part<QLabel>(bench, "lossWords")->text();
  QVERIFY2(why.contains(QStringLiteral("must be more than 0")), qPrintable(why));
  QVERIFY(!part<QPushButton>(bench, "exportButton")->isEnabled());
  QVERIFY(previewText(bench).isEmpty());
  QVERIFY(part<QLabel>(bench, "exportCount")
              ->text()
              .startsWith(QStringLiteral("%1 of %2").arg(before - 1).arg(exporters().size())));
  choose(bench, QStringLiteral("json"));
  QVERIFY(part<QPushButton>(bench, "exportButton")->isEnabled());
}

void ExportTest::aFileIsSavedAndOverwrittenOnlyOnRequest() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  const auto target = bench.folder.filePath("pad.xml");
  QTest::keyClick(bench.window.get(), Qt::Key_E, Qt::ControlModifier);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad"));  // the suffix is added
  bench.settle();
  QCOMPARE(content(target), previewText(bench).toUtf8());
  const auto& told = bench.window->messageBar()->messages();
  QCOMPARE(told.size(), 1);
  QVERIFY2(told.first().happened.contains(target), qPrintable(told.first().happened));
  QVERIFY(told.first().safe.contains(QStringLiteral("values were left out")));

  QFile file(target);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("precious");
  file.close();
  QTest::mouseClick(part<QPushButton>(bench, "exportButton"), Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad.xml"));
  gui::test::answer(bench, "overwriteQuestion", "keepFile", QStringLiteral("Keep it"));
  bench.settle();
  QCOMPARE(content(target), QByteArray("precious"));
  QTest::mouseClick(part<QPushButton>(bench, "exportButton"), Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad.xml"));
  gui::test::answer(bench, "overwriteQuestion", "overwrite", QStringLiteral("Overwrite pad.xml"));
  bench.settle();
  QCOMPARE(content(target), previewText(bench).toUtf8());
}

void ExportTest::aFolderThatCannotBeWrittenIsReported() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  QVERIFY(QDir(bench.folder.path()).mkdir(QStringLiteral("gone")));
  QTest::keyClick(bench.window.get(), Qt::Key_E, Qt::ControlModifier);
  gui::test::acceptSaveDialog(bench, QStringLiteral("gone/pad.xml"), [&] {
    QVERIFY(QDir(bench.folder.path()).rmdir(QStringLiteral("gone")));
  });
  bench.settle();
  const auto& told = bench.window->messageBar()->messages();
  QCOMPARE(told.size(), 1);
  QVERIFY2(told.first().happened.contains(QStringLiteral("gone")),
           qPrintable(told.first().happened));
  QVERIFY(told.first().safe.contains(QStringLiteral("Nothing half-written")));
  QVERIFY(!told.first().todo.isEmpty());
}

void ExportTest::theCommandCopiedWritesTheSameFile() {
  Bench bench;
  openModel(bench, gui::test::fittedModel(bench), "it's a model.json");
  choose(bench, kRave);
  assume(bench, "friction.mu_s", "0.6");
  bench.window->actions().copyAsCommand->trigger();
  auto command = QApplication::clipboard()->text();
  QVERIFY2(command.startsWith(QStringLiteral("tactelier export ")), qPrintable(command));
  command.replace(0, 9, QString::fromStdString(paths::cli()));
  QProcess shell;
  shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
  QVERIFY(shell.waitForFinished());
  QCOMPARE(shell.exitCode(), 0);
  QCOMPARE(content(bench.folder.filePath("it's a model.xml")), previewText(bench).toUtf8());
  // A model that is only in the window cannot be named on a command line.
  bench.state->modelDocument().set(std::make_shared<const SensorModel>(*bench.state->model()), {});
  bench.settle();
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY(part<QLabel>(bench, "statusText")->text().contains(QStringLiteral("save the model")));
}

void ExportTest::anotherModelStartsWithoutAssumptions() {
  Bench bench;
  const auto model = gui::test::fittedModel(bench);
  openModel(bench, model);
  choose(bench, kRave);
  assume(bench, "friction.mu_s", "0.6");
  // A refit keeps what was assumed of this sensor.
  bench.state->modelDocument().set(std::make_shared<const SensorModel>(model), {});
  bench.settle();
  QVERIFY(previewText(bench).contains(QStringLiteral("<mus>0.6</mus>")));
  bench.state->modelDocument().setMayDiscard([] { return true; });  // the refit was not saved
  openModel(bench, model, "other.json");
  QVERIFY(!previewText(bench).contains(QStringLiteral("<mus>")));
  QVERIFY(!part<QTableView>(bench, "assumptionTable")->isVisible());
  QCOMPARE(bench.window->currentPage(), QStringLiteral("export"));
}

void ExportTest::drawsFromTheCovarianceAreThoseOfTheCommandLine() {
  Bench bench;
  const auto file = openModel(bench, gui::test::fittedModel(bench));
  choose(bench, kRave);
  assume(bench, "friction.mu_s", "0.6");
  auto* seed = part<QSpinBox>(bench, "drawSeed");
  QVERIFY(!seed->isEnabled());
  auto* count = part<QSpinBox>(bench, "drawCount");
  count->setFocus();
  count->selectAll();
  QTest::keyClicks(count, QStringLiteral("3"));
  QVERIFY(seed->isEnabled());
  seed->setFocus();
  seed->selectAll();
  QTest::keyClicks(seed, QStringLiteral("7"));
  auto* button = part<QPushButton>(bench, "exportButton");
  QVERIFY2(button->text().startsWith(QStringLiteral("Export 3 draws")), qPrintable(button->text()));
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("--randomize 3 --seed 7")));
  const QStringList same{file,          "--to", kRave,    "--assume", "friction.mu_s=0.6",
                         "--randomize", "3",    "--seed", "7"};
  commandLineExport(same, bench.folder.filePath("cli.xml"));
  QTest::mouseClick(button, Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad"));
  bench.settle();
  QVERIFY(!QFile::exists(bench.folder.filePath("pad.xml")));
  QByteArray before;
  for (const char* draw : {"_1.xml", "_2.xml", "_3.xml"}) {
    const auto written = content(bench.folder.filePath(QStringLiteral("pad") + draw));
    QVERIFY(written.size() > 300);
    QVERIFY(written != before);
    QCOMPARE(written, content(bench.folder.filePath(QStringLiteral("cli") + draw)));
    before = written;
  }
  // None of them replaces a file.
  QTest::mouseClick(button, Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("pad"));
  bench.settle();
  const auto& told = bench.window->messageBar()->messages();
  QVERIFY2(told.first().happened.contains(QStringLiteral("pad_1.xml")),
           qPrintable(told.first().happened));
}
