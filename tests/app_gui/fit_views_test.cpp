#include "tests/app_gui/fit_views_test.hpp"

#include <QScrollArea>
#include <QScrollBar>
#include <QtTest>
#include <cmath>

#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/item_models/result_model.hpp"
#include "app/gui/item_models/stage_model.hpp"
#include "app/gui/pages/fit/map_panel.hpp"
#include "app/gui/pages/fit/response_plot.hpp"
#include "app/gui/pages/fit/stage_panel.hpp"
#include "app/gui/pages/fit/verdict_strip.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "tests/app_gui/fit_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

void FitViewsTest::theVerdictNamesWhatIsMissing() {
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
  const auto details = fitPart<QLabel>(bench, "resultDetails")->text();
  QVERIFY2(details.contains(QStringLiteral("ST-05")) &&
               details.contains(QStringLiteral("Record P4: a flat plate")),
           qPrintable(details));
  QVERIFY(fitPart<QLabel>(bench, "tactelNotes")->text().contains(QStringLiteral("not pressed")));
}

void FitViewsTest::theArrowKeysInTheMapChooseTheCurve() {
  Bench bench;
  openAndFit(bench);
  auto* map = fitPart<TactileMapView>(bench, "parameterMap");
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
  QCOMPARE(bench.state->selection().press().value_or(-1), 2);
  // The line is the model's: 100 + 500 counts/N.
  QVERIFY(plot->curve()->line.has_value());
  QVERIFY(std::abs(plot->curve()->line->counts(1.0) - 600) < 5);
  QTest::keyClick(map, Qt::Key_Right);  // tactel 7 was not pressed
  bench.settle();
  QVERIFY(plot->curve() == nullptr);
  QVERIFY(fitPart<QLabel>(bench, "parameterReadout")->text().contains(QStringLiteral("add P2")));
  QVERIFY(map->describe(7).contains(QStringLiteral("not identified")));
}

void FitViewsTest::aPointOfTheChosenPressIsClickedToExcludeIt() {
  Bench bench;
  openAndFit(bench);
  bench.state->selection().choosePress(1);
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

void FitViewsTest::everythingIsReachedWithTheKeyboardAlone() {
  Bench bench;
  openSample(bench);
  auto* window = bench.window.get();
  const auto focus = [] { return QApplication::focusWidget(); };
  const auto press = [&](int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(focus() != nullptr ? focus() : window, Qt::Key(key), modifiers);
  };
  press(Qt::Key_5, Qt::ControlModifier);
  bench.settle();
  QCOMPARE(focus(), fitPart<QTableView>(bench, "stageTable"));
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
  fitPart<QTableView>(bench, "fitPressTable")->setFocus(Qt::TabFocusReason);
  press(Qt::Key_Down);
  press(Qt::Key_X);
  bench.settle();
  QVERIFY(bench.state->recording()->press(2)->excluded);
  // Values of the curve's points.
  auto* plot = fitPart<ResidualPlot>(bench, "responseCurve");
  plot->setFocus(Qt::TabFocusReason);
  press(Qt::Key_Return);
  QVERIFY(plot->hovered().has_value());
  const auto first = *plot->hovered();
  press(Qt::Key_Right);
  QCOMPARE(plot->hovered()->index, first.index + 1);
  QVERIFY2(plot->accessibleDescription().contains(QStringLiteral("counts")),
           qPrintable(plot->accessibleDescription()));
}

void FitViewsTest::thePageIsEmptyWithoutData() {
  Bench bench;
  bench.window->showPage(QStringLiteral("fit"));
  QVERIFY(!bench.state->fit().running());
  QVERIFY(!fitPart<QTreeView>(bench, "resultTree")->isVisible());
  const auto buttons = fitPage(bench)->findChildren<QPushButton*>();
  QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
    return button->isVisible() && button->text().startsWith(QStringLiteral("Open the example"));
  }));
  openSample(bench);  // with the page already built
  QVERIFY(bench.state->recording() != nullptr);
}

void FitViewsTest::aPlotAndAMapAreReadAsTables() {
  Bench bench;
  openAndFit(bench);
  bench.state->selection().chooseTactel(5);
  bench.settle();
  auto* plot = fitPart<ResidualPlot>(bench, "responseCurve");
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
  auto* map = fitPart<TactileMapView>(bench, "parameterMap");
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

void FitViewsTest::theNearestPointSaysItsValuesAndItsResidualLightsUp() {
  Bench bench;
  openAndFit(bench);
  bench.state->selection().chooseTactel(5);
  bench.settle();
  auto* plot = fitPart<ResidualPlot>(bench, "responseCurve");
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

void FitViewsTest::aNarrowWindowFoldsTheRightColumnIntoATab() {
  Bench bench;
  openAndFit(bench);
  bench.window->resize(1440, 900);
  auto* columns = fitPage(bench)->columns();
  auto* tree = fitPart<QTreeView>(bench, "resultTree");
  QTRY_VERIFY(!columns->folded());
  QVERIFY(tree->isVisible());
  bench.window->resize(1100, 760);
  QTRY_VERIFY(columns->folded());
  QVERIFY(!tree->isVisible());
  QVERIFY(fitPart<ResidualPlot>(bench, "responseCurve")->isVisible());
  auto* bar = columns->findChild<QTabBar*>();
  QVERIFY(bar->isVisible());
  QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
  QVERIFY(tree->isVisible());
  QVERIFY(bench.window->safetyBar()->isVisible());
  bench.window->resize(1440, 900);
  QTRY_VERIFY(!columns->folded());
  QVERIFY(tree->isVisible() && fitPart<ResidualPlot>(bench, "responseCurve")->isVisible());
  bench.window->showPage(QStringLiteral("recording"));
  bench.settle();
  bench.window->resize(1100, 760);
  auto* presses = bench.window->findChild<QTableView*>(QStringLiteral("pressTable"));
  QTRY_VERIFY(!presses->isVisible());
}

void FitViewsTest::theModelsOfTheFitKeepTheRulesOfModels() {
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

void FitViewsTest::theMapShowsWhatTheReadingsLieOffTheModel() {
  Bench bench;
  openAndFit(bench);
  auto* map = fitPart<TactileMapView>(bench, "parameterMap");
  QTest::mouseClick(map, Qt::LeftButton, {}, map->cell(5).center().toPoint());
  QTest::mouseClick(fitPage(bench)->map()->what()->findChildren<QToolButton*>().at(2),
                    Qt::LeftButton);
  bench.settle();
  const auto* plot = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  QVERIFY(plot->curve() != nullptr);
  QCOMPARE(plot->curve()->tactel, 5);
  const auto expected = residual_rms_counts(*plot->curve());
  QVERIFY(expected && *expected > 0);
  QVERIFY(std::abs(map->values().at(5) - *expected) < 1e-9);
  QVERIFY(std::isnan(map->values().at(7)));  // not pressed
  QVERIFY(map->describe(5).contains(QStringLiteral("counts rms")));
  const auto words = fitPart<QLabel>(bench, "parameterReadout")->text();
  QVERIFY2(words.startsWith(QStringLiteral("Tactel 5: residual ")), qPrintable(words));
  // An edit changes it.
  bench.state->recording()->setExcluded(1, true);
  bench.settle();
  QVERIFY(std::isnan(map->values().at(5)));
}

void FitViewsTest::readingsAndResidualsAreSeenOverTime() {
  Bench bench;
  openAndFit(bench);
  bench.state->selection().choosePress(2);
  bench.settle();
  auto* plot = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  QVERIFY(plot->curve() != nullptr);
  QTest::mouseClick(plot->view()->findChildren<QToolButton*>().at(2), Qt::LeftButton);
  bench.settle();
  const auto table = plot->plot()->asTable();
  QCOMPARE(table.columns.at(1), QStringLiteral("Time in the recording t [s]"));
  const auto* press = bench.state->recording()->press(2);
  const double origin = bench.state->recording()->recording()->begin_s();
  int readings = 0;
  for (const auto& row : table.rows) {
    if (row[0] != QStringLiteral("loading")) continue;
    ++readings;
    const double time_s = row[1].toDouble() + origin;
    QVERIFY(time_s >= press->begin_s && time_s <= press->end_s);
  }
  QCOMPARE(readings, static_cast<int>(plot->curve()->traces.front().loading_counts.size()));
  QTest::mouseClick(plot->view()->findChildren<QToolButton*>().at(0), Qt::LeftButton);
  bench.settle();
  QCOMPARE(plot->plot()->asTable().columns.at(1), QStringLiteral("Force F [N]"));
}

void FitViewsTest::allTactelsAreSeenOverEachOther() {
  Bench bench;
  openAndFit(bench);
  bench.state->selection().chooseTactel(6);
  auto* plot = qobject_cast<ResponsePlot*>(fitPage(bench)->stagePlot());
  QTest::mouseClick(plot->view()->findChildren<QToolButton*>().at(1), Qt::LeftButton);
  bench.settle();
  QStringList names;
  for (const auto& row : plot->plot()->asTable().rows) {
    if (!names.contains(row[0])) names << row[0];
    // 500 counts/N above rest, whatever the tactel.
    if (row[0].contains(QStringLiteral("tactel")))
      QVERIFY(std::abs(row[2].toDouble() - 500 * row[1].toDouble()) < 8);
  }
  QVERIFY(names.contains(QStringLiteral("tactel 6")) &&
          names.contains(QStringLiteral("other tactels")));
  // A click on another one's point chooses it.
  const auto point = plot->plot()->asTable().rows.front();
  const bool other = point[0] == QStringLiteral("other tactels");
  QVERIFY2(other, qPrintable(point[0]));
  const QPoint at(int(std::lround(plot->plot()->xAxis->coordToPixel(point[1].toDouble()))),
                  int(std::lround(plot->plot()->yAxis->coordToPixel(point[2].toDouble()))));
  QTest::mouseClick(plot->plot(), Qt::LeftButton, {}, at);
  QVERIFY(bench.state->selection().tactel().has_value());
  bench.settle();
  QTest::mouseClick(plot->view()->findChildren<QToolButton*>().at(0), Qt::LeftButton);
  bench.settle();
  QVERIFY(plot->curve() != nullptr);
}

void FitViewsTest::nothingIsScrolledForInAUsualWindow() {
  Bench bench;
  openAndFit(bench);
  QWidget* area = fitPage(bench)->parentWidget();
  while (qobject_cast<QScrollArea*>(area) == nullptr) area = area->parentWidget();
  const auto* scroll = qobject_cast<QScrollArea*>(area);
  bench.window->resize(1440, 900);
  bench.settle();
  QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
  QVERIFY(fitPart<QWidget>(bench, "parameterMap")->height() >= 130);
  bench.window->resize(1024, 700);
  bench.settle();
  QTRY_COMPARE(scroll->horizontalScrollBar()->maximum(), 0);
}

void FitViewsTest::heldOutPressesHaveAColumnWhereThereAreAny() {
  Bench bench;
  openAndFit(bench);
  auto* table = fitPart<QTableView>(bench, "stageTable");
  QVERIFY(table->isColumnHidden(StageModel::kHoldOut));
  auto model = *bench.state->model();
  model.quality["response"].holdout_ratio = 1.04;
  bench.state->modelDocument().set(std::make_shared<const SensorModel>(model), {});
  QVERIFY(table->isColumnHidden(StageModel::kHoldOut));  // the stages' names need the room
  const int response = StageModel(*bench.state).rowOf("response");
  const auto tip = table->model()->index(response, StageModel::kState).data(Qt::ToolTipRole);
  QVERIFY2(tip.toString().contains(QStringLiteral("Hold-out ratio 1.04.")),
           qPrintable(tip.toString()));
  fitPage(bench)->stagePanel()->setMinimumWidth(340);
  QTRY_VERIFY(!table->isColumnHidden(StageModel::kHoldOut));
  QVERIFY(table->horizontalHeader()->isVisible());
  QStringList column;
  for (int row = 0; row < table->model()->rowCount(); ++row)
    if (const auto cell = table->model()->index(row, StageModel::kHoldOut).data().toString();
        !cell.isEmpty())
      column << cell;
  QCOMPARE(column, QStringList{QStringLiteral("× 1.04")});
  model.quality["response"].holdout_ratio.reset();
  bench.state->modelDocument().set(std::make_shared<const SensorModel>(model), {});
  QVERIFY(table->isColumnHidden(StageModel::kHoldOut));
}

void FitViewsTest::warningsOfAStageAreOpenedByMouseAndKey() {
  Bench bench;
  openAndFit(bench);
  auto model = *bench.state->model();
  model.quality["response"].warnings = {{"XY-01", "drift < 3 µN", "press 4"}, {"XY-02", "b", ""}};
  bench.state->modelDocument().set(std::make_shared<const SensorModel>(model), {});
  bench.settle();
  auto* quality = fitPage(bench)->stagePlot()->findChild<QLabel*>(QStringLiteral("stageQuality"));
  QVERIFY(quality != nullptr);
  QVERIFY2(quality->text().contains(QStringLiteral(">2 warnings</a>")),
           qPrintable(quality->text()));
  const auto dialog = [&] {
    return bench.window->findChild<QDialog*>(QStringLiteral("stageWarnings"));
  };
  quality->setFocus(Qt::TabFocusReason);
  QTest::keyClick(quality, Qt::Key_Tab);  // to the link
  QTest::keyClick(quality, Qt::Key_Return);
  QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
  const auto words = dialog()->findChild<QTextBrowser*>()->toPlainText();
  QVERIFY2(words.contains(QStringLiteral("XY-01 drift < 3 µN\npress 4")) &&
               words.contains(QStringLiteral("XY-02 b")),
           qPrintable(words));
  QTest::keyClick(dialog(), Qt::Key_Escape);
  QTRY_VERIFY(dialog() == nullptr);
  emit quality->linkActivated(QStringLiteral("warnings"));  // as a click does
  QTRY_VERIFY(dialog() != nullptr && dialog()->isVisible());
}
