#include "tests/app_gui/fit_test.hpp"

#include <QtTest>
#include <cmath>
#include <semaphore>

#include "app/gui/frame/actions.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/models/result_model.hpp"
#include "app/gui/models/stage_model.hpp"
#include "app/gui/pages/fit/contact_plot.hpp"
#include "app/gui/pages/fit/map_panel.hpp"
#include "app/gui/pages/fit/response_plot.hpp"
#include "app/gui/pages/fit/result_panel.hpp"
#include "app/gui/pages/fit/stage_panel.hpp"
#include "app/gui/pages/fit/stiffness_plot.hpp"
#include "app/gui/pages/fit/verdict_strip.hpp"
#include "app/gui/pages/fit_page.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "tests/app_gui/support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;

namespace {

FitPage* fitPage(const Bench& bench) {
  return qobject_cast<FitPage*>(bench.window->page(QStringLiteral("fit")));
}

template <class T>
T* part(const Bench& bench, const char* name) {
  auto* found = fitPage(bench)->findChild<T*>(QLatin1String(name));
  if (found == nullptr) qFatal("no %s", name);
  return found;
}

void openSample(const Bench& bench) {
  bench.state->open(gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact")));
  bench.settle();
}

void openAndFit(const Bench& bench) {
  openSample(bench);
  bench.window->showPage(QStringLiteral("fit"));  // runs what the data allow
  bench.settle();
  QVERIFY(bench.state->model() != nullptr);
}

/// What the results say of a path, column by column.
QString result(const Bench& bench, const char* path, ResultModel::Column column) {
  const auto* model = fitPage(bench)->results()->model();
  const auto at = model->indexOf(QLatin1String(path));
  return at.isValid() ? at.siblingAtColumn(column).data().toString() : QStringLiteral("no row");
}

QString status(const Bench& bench) {
  return bench.window->findChild<QLabel*>(QStringLiteral("statusText"))->text();
}

/// Row of a stage in the registry.
int place(std::string_view stage) {
  int row = 0;
  for (const auto& known : stages()) {
    if (known.id == stage) return row;
    ++row;
  }
  return -1;
}

/// Makes the fit wait after its first stage.
struct Gate {
  explicit Gate(const Bench& bench) {
    bench.state->setFitHook([this](std::string_view stage) {
      if (stage != "contact") return;
      reached.release();
      open.acquire();
    });
  }
  std::binary_semaphore reached{0};
  std::binary_semaphore open{0};
};

}  // namespace

void FitTest::theExampleIsFittedAndAnExcludedPressChangesTheNumbers() {
  Bench bench;
  auto* card = bench.window->findChild<QWidget*>(QStringLiteral("openExample"));
  QTest::mouseClick(card, Qt::LeftButton);
  bench.settle();
  auto* rail = bench.window->findChild<QAbstractButton*>(QStringLiteral("rail_fit"));
  QTest::mouseClick(rail, Qt::LeftButton);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  const auto before = result(bench, "stiffness.k_affine", ResultModel::kValue);
  QVERIFY2(before.contains(QStringLiteral(" ± ")) && before.endsWith(QStringLiteral(" N/m")),
           qPrintable(before));
  QCOMPARE(result(bench, "stiffness.k_affine", ResultModel::kStatus), QStringLiteral("identified"));
  auto* table = part<QTableView>(bench, "fitPressTable");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualRect(table->model()->index(2, 1)).center());
  const int press = bench.state->chosenPress().value_or(-1);
  QCOMPARE(press, bench.state->recording()->presses()[2].number);
  QTest::keyClick(table, Qt::Key_X);
  QVERIFY(bench.state->modelOutdated());
  QVERIFY(bench.state->fitting());
  // Readable while it refits, and said to be of before.
  QCOMPARE(result(bench, "stiffness.k_affine", ResultModel::kValue), before);
  QVERIFY2(fitPage(bench)->verdict()->words().contains(QStringLiteral("Refitting")),
           qPrintable(fitPage(bench)->verdict()->words()));
  const auto labels = fitPage(bench)->results()->findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text() == QStringLiteral("refitting");
  }));
  bench.settle();
  QVERIFY(!bench.state->modelOutdated());
  const auto after = result(bench, "stiffness.k_affine", ResultModel::kValue);
  QVERIFY2(after != before && after.contains(QStringLiteral(" ± ")), qPrintable(after));
  const auto& edits = bench.state->model()->provenance.sessions.front().edits;
  QCOMPARE(edits.back(), "exclude press " + std::to_string(press));
}

void FitTest::theResultsAreTheTruthOfTheRecording() {
  Bench bench;
  openAndFit(bench);
  // 500 counts/N and 2000 N/m, as the recording was made.
  const auto& tactel = bench.state->model()->response.tactels[5];
  QVERIFY(tactel.press_gain.identified());
  QVERIFY2(std::abs(*tactel.press_gain.value - 2e-3) < 2e-5,
           qPrintable(QString::number(*tactel.press_gain.value)));
  QTest::mouseClick(fitPage(bench)->results()->scope()->findChildren<QToolButton*>()[1],
                    Qt::LeftButton);
  QVERIFY2(result(bench, "response.tactels[5].press_gain", ResultModel::kValue)
               .contains(QStringLiteral(" mN/count")),
           qPrintable(result(bench, "response.tactels[5].press_gain", ResultModel::kValue)));
  const auto& k_punch = bench.state->model()->stiffness.k_punch;
  QVERIFY(k_punch.identified() && std::abs(*k_punch.value - 2000) < 20);
  fitPage(bench)->stagePanel()->chooseStage("stiffness");
  bench.settle();
  const auto* plot = qobject_cast<StiffnessPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(plot != nullptr && plot->curve() != nullptr && plot->curve()->loading.has_value());
  QVERIFY(std::abs(plot->curve()->loading->line.slope - 2000) < 20);
  fitPage(bench)->stagePanel()->chooseStage("contact");
  bench.settle();
  const auto* contact = qobject_cast<ContactPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(contact != nullptr && contact->curve() != nullptr && contact->curve()->from_contact);
  QVERIFY(!contact->curve()->fitted.empty());
  // The law runs through the middle of the samples: their ripple is -4 ... 4 mN.
  double sum = 0;
  for (const auto& [depth_m, residual_N] : contact->curve()->residuals) sum += residual_N;
  QVERIFY(std::abs(sum / double(contact->curve()->residuals.size())) < 1e-3);
}

void FitTest::theVerdictNamesWhatIsMissing() {
  Bench bench;
  openAndFit(bench);
  const auto words = fitPage(bench)->verdict()->words();
  QVERIFY2(words.startsWith(QStringLiteral("3 of 12 tactels calibrated")), qPrintable(words));
  QVERIFY2(words.contains(QStringLiteral("P4")), qPrintable(words));  // no plate press
  QCOMPARE(result(bench, "stiffness.foundation_modulus", ResultModel::kValue),
           QStringLiteral("add P4: a punch is not a plate"));
  QCOMPARE(result(bench, "stiffness.foundation_modulus", ResultModel::kStatus),
           QStringLiteral("not identified"));
  auto* tree = fitPage(bench)->results()->tree();
  tree->setCurrentIndex(
      fitPage(bench)->results()->model()->indexOf(QStringLiteral("stiffness.foundation_modulus")));
  const auto details = part<QLabel>(bench, "resultDetails")->text();
  QVERIFY2(details.contains(QStringLiteral("ST-05")) &&
               details.contains(QStringLiteral("Record P4: a flat plate")),
           qPrintable(details));
  QVERIFY(part<QLabel>(bench, "tactelNotes")->text().contains(QStringLiteral("not pressed")));
}

void FitTest::anExcludedPressIsUndoneFromTheFitPage() {
  Bench bench;
  openAndFit(bench);
  bench.state->choosePress(1);
  QTest::keyClick(part<QTableView>(bench, "fitPressTable"), Qt::Key_X);
  bench.settle();
  QVERIFY(!bench.state->model()->response.tactels[5].press_gain.usable());
  QTest::keyClick(bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  bench.settle();
  QVERIFY(bench.state->model()->response.tactels[5].press_gain.usable());
}

void FitTest::aFitIsCancelledWithTheButtonAndKeepsTheStagesThatEnded() {
  Bench bench;
  openSample(bench);
  Gate gate(bench);
  bench.window->showPage(QStringLiteral("fit"));
  gate.reached.acquire();
  const auto ended = std::size_t(place("contact")) + 1;
  QTRY_COMPARE(bench.state->fitStages().size(), ended);
  auto* cancel = part<QPushButton>(bench, "fitCancel");
  QTRY_VERIFY(cancel->isVisible());
  QTest::mouseClick(cancel, Qt::LeftButton);
  QCOMPARE(status(bench), QStringLiteral("Cancelling: Fit"));
  gate.open.release();
  bench.settle();
  QVERIFY(!bench.state->fitting());
  QVERIFY(!cancel->isVisible());
  QCOMPARE(status(bench),
           QStringLiteral("Cancelled: %1 of %2 stages kept.").arg(ended).arg(stages().size()));
  // The contact points are there, the response says that it was not reached.
  QVERIFY(bench.state->model() != nullptr);
  QVERIFY(bench.state->model()->presses.front().contact_point.usable());
  const auto& reason = bench.state->model()->response.tactels[5].press_gain.reason;
  QCOMPARE(QString::fromStdString(reason),
           QStringLiteral("NOT-FITTED stopped before the stage 'response'"));
}

void FitTest::aCancelledRefitKeepsTheLastValidNumbers() {
  Bench bench;
  openAndFit(bench);
  const auto model = bench.state->model();
  Gate gate(bench);
  QTest::keyClick(bench.window.get(), Qt::Key_R, Qt::ControlModifier);
  gate.reached.acquire();
  bench.state->cancelFit();
  gate.open.release();
  bench.settle();
  QCOMPARE(bench.state->model().get(), model.get());
  QCOMPARE(status(bench), QStringLiteral("Cancelled. The last valid numbers stay."));
}

void FitTest::theWindowClosesDuringAFit() {
  Bench bench;
  openSample(bench);
  Gate gate(bench);
  bench.window->showPage(QStringLiteral("fit"));
  gate.reached.acquire();
  QVERIFY(bench.window->close());
  bench.window.reset();
  QVERIFY(bench.state->fitting());
  gate.open.release();
  bench.state.reset();  // waits for the worker; its answer comes to nobody
  QCOMPARE(QThreadPool::globalInstance()->activeThreadCount(), 0);
}

void FitTest::anEditDuringAFitIsInItsResult() {
  Bench bench;
  openSample(bench);
  Gate gate(bench);
  bench.window->showPage(QStringLiteral("fit"));
  gate.reached.acquire();
  bench.state->setFitHook({});
  bench.state->recording()->setExcluded(2, true);  // tactel 6
  gate.open.release();
  bench.settle();
  QVERIFY(!bench.state->modelOutdated());
  QVERIFY(!bench.state->model()->response.tactels[6].press_gain.usable());
  QVERIFY(bench.state->model()->response.tactels[5].press_gain.usable());
}

void FitTest::theArrowKeysInTheMapChooseTheCurve() {
  Bench bench;
  openAndFit(bench);
  auto* map = part<TactileMapView>(bench, "parameterMap");
  QTest::mouseClick(map, Qt::LeftButton, {}, map->cell(5).center().toPoint());
  bench.settle();
  const auto* plot = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  QVERIFY(plot->curve() != nullptr);
  QCOMPARE(plot->curve()->tactel, 5);
  QCOMPARE(plot->curve()->traces.front().press, 1);
  QTest::keyClick(plot->plot(), Qt::Key_Right, Qt::ShiftModifier);  // from anywhere
  bench.settle();
  QCOMPARE(plot->curve()->tactel, 6);
  QCOMPARE(plot->curve()->traces.front().press, 2);
  QCOMPARE(bench.state->chosenPress().value_or(-1), 2);
  // The line is the model's: 100 + 500 counts/N.
  QVERIFY(plot->curve()->line.has_value());
  QVERIFY(std::abs(plot->curve()->line->counts(1.0) - 600) < 5);
  QTest::keyClick(map, Qt::Key_Right);  // tactel 7 was not pressed
  bench.settle();
  QVERIFY(plot->curve() == nullptr);
  QVERIFY(part<QLabel>(bench, "parameterReadout")->text().contains(QStringLiteral("add P2")));
  QVERIFY(map->describe(7).contains(QStringLiteral("not identified")));
}

void FitTest::aPointOfTheChosenPressIsClickedToExcludeIt() {
  Bench bench;
  openAndFit(bench);
  bench.state->choosePress(1);
  bench.settle();
  auto* plot = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  QVERIFY(plot->curve() != nullptr);
  const auto& trace = plot->curve()->traces.front();
  const auto middle = trace.loading_N.size() / 2;
  const QPoint at(
      int(std::lround(plot->plot()->xAxis->coordToPixel(trace.loading_N[middle]))),
      int(std::lround(plot->plot()->yAxis->coordToPixel(trace.loading_counts[middle]))));
  QTest::mouseClick(plot->plot(), Qt::LeftButton, {}, at);
  QVERIFY(bench.state->recording()->press(1)->excluded);
  bench.settle();
  // Its readings stay in sight, crossed out.
  QVERIFY(plot->curve() != nullptr);
  QVERIFY(!plot->curve()->traces.front().used);
  QCOMPARE(QString::fromStdString(plot->curve()->traces.front().why),
           QStringLiteral("left out by an edit"));
}

void FitTest::anUntickedStageIsNotFitted() {
  Bench bench;
  openAndFit(bench);
  auto* table = part<QTableView>(bench, "stageTable");
  const auto stiffness = table->model()->index(place("stiffness"), 0);
  QCOMPARE(stiffness.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
  table->setCurrentIndex(stiffness);
  QTest::keyClick(table, Qt::Key_Space);
  QCOMPARE(stiffness.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
  bench.settle();
  QVERIFY(!bench.state->model()->stiffness.k_punch.usable());
  QVERIFY(bench.state->model()->response.tactels[5].press_gain.usable());
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY2(QGuiApplication::clipboard()->text().contains(
               QStringLiteral("contact,response -o 'model.json'")),
           qPrintable(QGuiApplication::clipboard()->text()));
}

void FitTest::everythingIsReachedWithTheKeyboardAlone() {
  Bench bench;
  openSample(bench);
  auto* window = bench.window.get();
  const auto focus = [] { return QApplication::focusWidget(); };
  const auto press = [&](int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(focus() != nullptr ? focus() : window, Qt::Key(key), modifiers);
  };
  press(Qt::Key_2, Qt::ControlModifier);
  bench.settle();
  QCOMPARE(focus(), part<QTableView>(bench, "stageTable"));
  press(Qt::Key_R, Qt::ControlModifier);
  bench.settle();
  QVERIFY(bench.state->model() != nullptr);
  // One round with Tab meets every part, and comes back.
  QStringList met;
  auto* start = focus();
  for (int i = 0; i < 60; ++i) {
    press(Qt::Key_Tab);
    met << focus()->objectName();
    if (focus() == start) break;
  }
  QVERIFY2(focus() == start, qPrintable(met.join(QLatin1Char(' '))));
  for (const auto* name : {"fitData", "stageTable", "fitPressTable", "responseCurve",
                           "mapParameter", "parameterMap", "resultTree"})
    QVERIFY2(met.contains(QLatin1String(name)), name);
  // Exclude press 2 and look at its stiffness.
  part<QTableView>(bench, "fitPressTable")->setFocus(Qt::TabFocusReason);
  press(Qt::Key_Down);
  press(Qt::Key_X);
  bench.settle();
  QVERIFY(bench.state->recording()->press(2)->excluded);
  // Values of the curve's points.
  auto* plot = part<ResidualPlot>(bench, "responseCurve");
  plot->setFocus(Qt::TabFocusReason);
  press(Qt::Key_Return);
  QVERIFY(plot->hovered().has_value());
  const auto first = *plot->hovered();
  press(Qt::Key_Right);
  QCOMPARE(plot->hovered()->index, first.index + 1);
  QVERIFY2(plot->accessibleDescription().contains(QStringLiteral("counts")),
           qPrintable(plot->accessibleDescription()));
}

void FitTest::anUnsavedModelAsksBeforeItIsDiscarded() {
  Bench bench;
  openAndFit(bench);
  const auto answer = [](const char* object_name, int button) {
    QTimer::singleShot(0, [object_name, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      QVERIFY(box != nullptr);
      QCOMPARE(box->objectName(), QLatin1String(object_name));
      if (button < 0)
        QTest::keyClick(box, Qt::Key_Return);  // the default is the safe one
      else
        box->buttons()[button]->click();
    });
  };
  answer("discardModel", -1);
  QVERIFY(!bench.window->close());
  QVERIFY(bench.window->isVisible());
  // Opening another model asks as well.
  const auto file = bench.folder.filePath(QStringLiteral("m.json"));
  const auto fitted = bench.state->model();
  bench.state->saveModel(file);
  bench.settle();
  QVERIFY(bench.state->modelSaved());
  bench.window->actions().fit->trigger();
  bench.settle();
  QVERIFY(!bench.state->modelSaved());
  const auto unsaved = bench.state->model();
  answer("discardModel", -1);
  bench.state->open(file);
  bench.settle();
  QCOMPARE(bench.state->model().get(), unsaved.get());
  bench.state->saveModel(file);
  bench.settle();
  QVERIFY(bench.window->close());
}

void FitTest::aModelFileAloneShowsItsNumbers() {
  Bench bench;
  openAndFit(bench);
  const auto file = bench.folder.filePath(QStringLiteral("m.json"));
  bench.state->saveModel(file);
  bench.settle();
  const auto value = result(bench, "stiffness.k_punch", ResultModel::kValue);
  bench.restart();
  bench.state->open(file);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  QCOMPARE(result(bench, "stiffness.k_punch", ResultModel::kValue), value);
  QVERIFY(bench.state->fitRequest().sessions.empty());
}

void FitTest::thePageIsEmptyWithoutData() {
  Bench bench;
  bench.window->showPage(QStringLiteral("fit"));
  QVERIFY(!bench.state->fitting());
  QVERIFY(!part<QTreeView>(bench, "resultTree")->isVisible());
  const auto buttons = fitPage(bench)->findChildren<QPushButton*>();
  QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
    return button->isVisible() && button->text().startsWith(QStringLiteral("Open the example"));
  }));
  openSample(bench);  // with the page already built
  QVERIFY(bench.state->recording() != nullptr);
}

void FitTest::aPlotAndAMapAreReadAsTables() {
  Bench bench;
  openAndFit(bench);
  bench.state->chooseTactel(5);
  bench.settle();
  auto* plot = part<ResidualPlot>(bench, "responseCurve");
  auto* twin = TableTwin::of(plot, nullptr);
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(twin->showsTable() && twin->table()->hasFocus());
  const auto* stage = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  const auto& trace = stage->curve()->traces.front();
  const auto* model = twin->table()->model();
  QCOMPARE(model->headerData(1, Qt::Horizontal).toString(), QStringLiteral("Force F [N]"));
  const auto rows =
      model->match(model->index(0, 0), Qt::DisplayRole, QStringLiteral("loading"), -1);
  QCOMPARE(rows.size(), qsizetype(trace.loading_N.size()));
  QCOMPARE(rows.first().siblingAtColumn(1).data().toDouble(), trace.loading_N.front());
  QCOMPARE(rows.first().siblingAtColumn(2).data().toDouble(), trace.loading_counts.front());
  QTest::keyClick(twin->table(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(!twin->showsTable() && plot->hasFocus());
  auto* map = part<TactileMapView>(bench, "parameterMap");
  map->setFocus();
  QTest::keyClick(map, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  auto* cells = TableTwin::of(map, nullptr)->table();
  QCOMPARE(cells->model()->rowCount(), 12);
  QCOMPARE(cells->model()->index(7, 4).data().toString(), QStringLiteral("not identified"));
  // The Recording page has it, too.
  bench.window->showPage(QStringLiteral("recording"));
  auto* image = bench.window->findChild<TactileMapView*>(QStringLiteral("tactileMap"));
  image->setFocus();
  QTest::keyClick(image, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(TableTwin::of(image, nullptr)->table()->model()->rowCount(), 12);
}

void FitTest::theNearestPointSaysItsValuesAndItsResidualLightsUp() {
  Bench bench;
  openAndFit(bench);
  bench.state->chooseTactel(5);
  bench.settle();
  auto* plot = part<ResidualPlot>(bench, "responseCurve");
  const auto* stage = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  const auto& curve = *stage->curve();
  const auto middle = curve.traces.front().loading_N.size() / 2;
  const double force_N = curve.traces.front().loading_N[middle];
  const double counts = curve.traces.front().loading_counts[middle];
  QTest::mouseMove(plot, QPoint(5, 5));
  QTest::mouseMove(plot, QPoint(int(std::lround(plot->xAxis->coordToPixel(force_N))),
                                int(std::lround(plot->yAxis->coordToPixel(counts)))));
  QTRY_VERIFY(plot->hovered().has_value());
  const auto at = plot->pointAt(*plot->hovered());
  QVERIFY(std::abs(at.x - force_N) < 0.05);
  const auto words = plot->accessibleDescription();
  QVERIFY2(words.contains(QStringLiteral(" N · ")) && words.contains(QStringLiteral("residual")) &&
               words.endsWith(QStringLiteral("press 1")),
           qPrintable(words));
  int rings = 0;
  for (int i = 0; i < plot->itemCount(); ++i)
    if (auto* ring = qobject_cast<QCPItemTracer*>(plot->item(i));
        ring != nullptr && ring->visible())
      ++rings;
  QCOMPARE(rings, 2);  // on the curve and on its residual
}

void FitTest::aNarrowWindowFoldsTheRightColumnIntoATab() {
  Bench bench;
  openAndFit(bench);
  bench.window->resize(1440, 900);
  auto* columns = fitPage(bench)->columns();
  auto* tree = part<QTreeView>(bench, "resultTree");
  QTRY_VERIFY(!columns->folded());
  QVERIFY(tree->isVisible());
  bench.window->resize(1100, 760);
  QTRY_VERIFY(columns->folded());
  QVERIFY(!tree->isVisible());
  QVERIFY(part<ResidualPlot>(bench, "responseCurve")->isVisible());
  auto* bar = columns->findChild<QTabBar*>();
  QVERIFY(bar->isVisible());
  QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
  QVERIFY(tree->isVisible());
  QVERIFY(bench.window->safetyBar()->isVisible());
  bench.window->resize(1440, 900);
  QTRY_VERIFY(!columns->folded());
  QVERIFY(tree->isVisible() && part<ResidualPlot>(bench, "responseCurve")->isVisible());
  bench.window->showPage(QStringLiteral("recording"));
  bench.settle();
  bench.window->resize(1100, 760);
  auto* presses = bench.window->findChild<QTableView*>(QStringLiteral("pressTable"));
  QTRY_VERIFY(!presses->isVisible());
}

void FitTest::aRecordingIsLeftOutByItsTick() {
  Bench bench;
  openSample(bench);
  bench.state->open(gui::test::makeRecording(bench.folder.path(), QStringLiteral("b.tact")));
  bench.settle();
  bench.window->showPage(QStringLiteral("fit"));
  bench.settle();
  const auto sessions = [&] { return bench.state->model()->provenance.sessions.size(); };
  QCOMPARE(sessions(), 2U);
  auto* list = part<QListWidget>(bench, "fitData");
  QCOMPARE(list->count(), 2);
  QCOMPARE(list->currentRow(), 1);  // the one opened last
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Space);
  QCOMPARE(list->item(1)->checkState(), Qt::Unchecked);
  bench.settle();
  QCOMPARE(sessions(), 1U);
  QCOMPARE(QString::fromStdString(bench.state->model()->provenance.sessions.front().file),
           QStringLiteral("a.tact"));
  QTest::keyClick(list, Qt::Key_Up);
  QCOMPARE(bench.state->recording()->recording()->name(), QStringLiteral("a.tact"));
  bench.settle();
}

void FitTest::theModelsOfTheFitKeepTheRulesOfModels() {
  Bench bench;
  openSample(bench);
  StageModel stage_model(*bench.state);
  ResultModel result_model;
  using Tester = QAbstractItemModelTester;
  const Tester of_stages(&stage_model, Tester::FailureReportingMode::QtTest);
  const Tester of_results(&result_model, Tester::FailureReportingMode::QtTest);
  QCOMPARE(stage_model.rowCount(), int(stages().size()));
  const auto state = stage_model.index(0, StageModel::kState);
  QCOMPARE(state.data().toString(), QStringLiteral("not run"));
  bench.window->showPage(QStringLiteral("fit"));
  bench.settle();
  QVERIFY(state.data().toString() != QStringLiteral("not run"));
  result_model.setGroups(array_results(*bench.state->model()));
  QVERIFY(result_model.rowCount() >= 3);  // response, stiffness, time ...
  const auto gain = result_model.indexOf(QStringLiteral("response.tactels[].press_gain"));
  QVERIFY(gain.isValid() && result_model.row(gain)->spread.have == 3);
  QCOMPARE(gain.siblingAtColumn(ResultModel::kStatus).data().toString(), QStringLiteral("3 of 12"));
  QVERIFY(result_model.asText().contains(QStringLiteral("gain\t")));
  result_model.setDimmed(true);
  result_model.setGroups({});
  QCOMPARE(result_model.rowCount(), 0);
}
