#include "tests/app_gui/compare_test.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/plot_view.hpp"
#include "app/workflow/compare_images.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/compare_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

namespace {

/// Rows as the command line would print them.
QStringList rowsOf(const QAbstractItemModel* model) {
  QStringList rows;
  for (int row = 0; row < model->rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < model->columnCount(); ++column)
      cells << model->index(row, column).data().toString().replace(u'–', u'-').replace(u'−', u'-');
    rows << cells.join(' ').simplified();
  }
  return rows;
}

}  // namespace

void CompareTest::withoutAModelThePageSaysWhatItNeeds() {
  Bench bench;
  bench.window->showPage(QStringLiteral("compare"));
  QVERIFY(part<QLabel>(bench, "compareEmpty")->isVisible());
  QVERIFY(comparePage(bench)->asCommand().isEmpty());
  bench.state->open(compareSample().recording);
  bench.settle();
  QVERIFY(part<QLabel>(bench, "compareEmpty")->isVisible());
  QCOMPARE(said(bench, "pageState").isEmpty(), false);
}

void CompareTest::theWindowShowsTheNumbersOfTheCommandLine() {
  Bench bench;
  openCompareSample(bench);
  QTest::mouseClick(part<QCheckBox>(bench, "method_soft-contact"), Qt::LeftButton);
  bench.settle();
  const auto printed = printedBy({"compare", "--model", compareSample().model,
                                  compareSample().recording, "--method", "psf,soft-contact"});
  const auto headlines = said(bench, "compareHeadline").split('\n');
  QCOMPARE(headlines.size(), 2);
  for (const auto& headline : headlines) {
    QVERIFY(headline.contains(QStringLiteral("over sum measured")));  // the denominator
    QVERIFY2(printed.contains(headline.simplified()), qPrintable(headline));
  }
  const auto* figures = part<QTableView>(bench, "compareFigures")->model();
  for (const auto* which : {"Methods", "Spread"}) {
    clickChoice(bench, "compareWhich", QLatin1String(which));
    const auto rows = rowsOf(figures);
    QVERIFY(rows.size() > 8);
    for (const auto& row : rows) QVERIFY2(printed.contains(row), qPrintable(row));
  }
  QVERIFY(rowsOf(figures).join('\n').contains(QStringLiteral("rel_l1")));
  // Session and method are left out here: they stand above the list.
  QStringList images;
  for (const auto& row : rowsOf(part<QTableView>(bench, "compareImages")->model()))
    images
        << QStringLiteral("shapes.tact %1 psf %2").arg(row.section(' ', 0, 0), row.section(' ', 1));
  const auto psf = printed.filter(QRegularExpression(QStringLiteral("^shapes\\.tact \\d+ psf ")));
  QCOMPARE(psf.size(), 4);
  QCOMPARE(images, psf);
}

void CompareTest::sliderKeysAndListChooseTheSameImage() {
  Bench bench;
  openCompareSample(bench);
  const auto& images = comparePage(bench)->runner().result()->report.images;
  QCOMPARE(images.size(), 4U);
  auto* slider = part<QSlider>(bench, "compareSlider");
  auto* table = part<QTableView>(bench, "compareImages");
  const auto shows = [&](int place) {
    return slider->value() == place && table->currentIndex().row() == place &&
           said(bench, "comparePress").startsWith(QStringLiteral("Image %1 of 4").arg(place + 1)) &&
           map(bench, "compareReal")->values() == images[static_cast<std::size_t>(place)].measured;
  };
  QVERIFY(shows(0));
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_Right);
  QVERIFY(shows(1));
  QTest::mouseClick(part<QToolButton>(bench, "compareOn"), Qt::LeftButton);
  QVERIFY(shows(2));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  QVERIFY(shows(3));
  QVERIFY(!part<QToolButton>(bench, "compareOn")->isEnabled());
  QVERIFY(images[0].measured != images[3].measured);  // else this would prove nothing
}

void CompareTest::oneCursorGoesThroughAllThreeImages() {
  Bench bench;
  openCompareSample(bench);
  auto* real = map(bench, "compareReal");
  auto* simulated = map(bench, "compareSimulated");
  auto* difference = map(bench, "compareDifference");
  QTest::mouseClick(simulated, Qt::LeftButton, {}, simulated->cell(37).center().toPoint());
  for (const auto* view : {real, simulated, difference})
    QCOMPARE(view->cursorTactel().value_or(-1), 37);
  QCOMPARE(bench.state->selection().tactel().value_or(-1), 37);
  QTest::keyClick(part<QTableView>(bench, "compareImages"), Qt::Key_Up, Qt::ShiftModifier);
  QVERIFY(real->cursorTactel().value_or(-1) != 37);
  QCOMPARE(difference->cursorTactel(), real->cursorTactel());
  bench.settle();  // a headline that wraps moves the images
  QTest::mouseMove(difference, difference->cell(12).center().toPoint());
  QTRY_COMPARE(real->hovered().value_or(-1), 12);
  const auto words = said(bench, "compareReadout");
  QVERIFY2(words.contains(QStringLiteral("Tactel 12")), qPrintable(words));
  QVERIFY(words.contains(simulated->valueWords(12)));
}

void CompareTest::theProfileIsTheRowOrColumnOfTheCursor() {
  Bench bench;
  openCompareSample(bench);
  auto* real = map(bench, "compareReal");
  const auto* plot = part<PlotView>(bench, "compareProfile");
  const auto shows = [&](int place, std::size_t tactel, double at_mm) {
    for (const auto& [series, name] :
         {std::pair{0, "compareReal"}, std::pair{1, "compareSimulated"}}) {
      const auto point = plot->pointAt({false, series, static_cast<std::size_t>(place)});
      QCOMPARE(point.x, at_mm);
      QCOMPARE(point.y, map(bench, name)->values()[tactel]);
    }
  };
  // Tactel 38 is column 2 of row 6; 14 rows and 6 columns of 3.4 mm.
  QTest::mouseClick(real, Qt::LeftButton, {}, real->cell(38).center().toPoint());
  shows(0, 36, -8.5);
  shows(5, 41, 8.5);
  QVERIFY(real->values()[38] > 100);  // else this would prove nothing
  clickChoice(bench, "compareAlong", QStringLiteral("Column"));
  shows(0, 2, -22.1);
  shows(6, 38, -1.7);
  QTest::keyClick(part<QTableView>(bench, "compareImages"), Qt::Key_Down, Qt::ShiftModifier);
  const int now = real->cursorTactel().value_or(38);
  QVERIFY(now != 38);
  shows(6, static_cast<std::size_t>(36 + now % 6), -1.7);
  QTest::keyClick(part<QTableView>(bench, "compareImages"), Qt::Key_Down);
  shows(6, static_cast<std::size_t>(36 + now % 6), -1.7);  // of the next image
}

void CompareTest::theSimulatedIndenterIsMovedByKeysAndByMouse() {
  Bench bench;
  openCompareSample(bench);
  const auto& image = comparePage(bench)->runner().result()->report.images[0];
  auto* x = part<QDoubleSpinBox>(bench, "nudgeX");
  auto* turn = part<QDoubleSpinBox>(bench, "nudgeTurn");
  auto* table = part<QTableView>(bench, "compareImages");
  const auto simulated = [&] { return map(bench, "compareSimulated")->values(); };
  QCOMPARE(simulated(), image.predicted);
  const auto both = Qt::ControlModifier | Qt::ShiftModifier;
  for (int i = 0; i < 20; ++i) QTest::keyClick(table, Qt::Key_Right, both);
  QTest::keyClick(table, Qt::Key_PageUp, both);
  QCOMPARE(x->value(), 2.0);
  QCOMPARE(turn->value(), 1.0);
  QVERIFY(simulated() != image.predicted);
  QCOMPARE(map(bench, "compareReal")->values(), image.measured);
  const auto error = [&] { return said(bench, "nudgeWords").section(u' ', 1, 1).toDouble(); };
  const double moved = error();
  QVERIFY2(moved > 10, qPrintable(said(bench, "nudgeWords")));
  QTest::mouseClick(part<QToolButton>(bench, "nudgeBest"), Qt::LeftButton);
  QVERIFY2(error() < moved / 5, qPrintable(said(bench, "nudgeWords")));
  QVERIFY(std::abs(x->value()) < 0.2);
  QTest::mouseClick(part<QToolButton>(bench, "nudgeBack"), Qt::LeftButton);
  QCOMPARE(x->value(), 0.0);
  QCOMPARE(simulated(), image.predicted);
  QTest::keyClick(table, Qt::Key_Right, both);
  QTest::mouseClick(part<QToolButton>(bench, "compareOn"), Qt::LeftButton);
  QCOMPARE(x->value(), 0.0);  // another press stands where it was recorded
}

void CompareTest::aRegisteredComparisonStandsBesideTheOther() {
  Bench bench;
  openCompareSample(bench);
  clickBox(bench, "compareRegistered");
  bench.settle();
  auto* shown = part<QComboBox>(bench, "compareShownMethod");
  QCOMPARE(shown->count(), 2);
  QVERIFY(comparePage(bench)->asCommand().endsWith(QStringLiteral(" --registered")));
  const auto printed = printedBy(
      {"compare", "--model", compareSample().model, compareSample().recording, "--registered"});
  const auto headlines = said(bench, "compareHeadline").split('\n');
  QCOMPARE(headlines.size(), 2);
  for (const auto& headline : headlines)
    QVERIFY2(printed.contains(headline.simplified()), qPrintable(headline));
  const auto recorded = map(bench, "compareSimulated")->values();
  shown->setFocus();
  QTest::keyClick(shown, Qt::Key_Down);
  QCOMPARE(shown->currentText(), QStringLiteral("psf registered"));
  // The boxes say how far; back takes the prediction to where the recording says.
  const auto& images = comparePage(bench)->runner().result()->report.images;
  const auto shift = images[images.size() / 2].shift;
  QVERIFY(shift);
  QVERIFY(std::abs(part<QDoubleSpinBox>(bench, "nudgeX")->value() - 1e3 * shift->x_m) < 0.006);
  QTest::mouseClick(part<QToolButton>(bench, "nudgeBack"), Qt::LeftButton);
  QCOMPARE(map(bench, "compareSimulated")->values(), recorded);
}

void CompareTest::aCancelledComparisonStaysCancelledUntilAsked() {
  Bench bench;
  bench.window->showPage(QStringLiteral("library"));
  bench.state->modelDocument().set(
      std::make_shared<const SensorModel>(*read_model(compareSample().model.toStdString())), {},
      compareSample().model);
  bench.state->open(compareSample().recording);
  bench.settle();
  bench.window->showPage(QStringLiteral("compare"));  // begins by itself
  auto* button = part<QPushButton>(bench, "compareRun");
  QVERIFY(comparePage(bench)->runner().running());
  QVERIFY(button->text().contains(QStringLiteral("Cancel")));
  QTest::mouseClick(button, Qt::LeftButton);
  bench.settle();
  QVERIFY(comparePage(bench)->runner().result() == nullptr);
  QVERIFY2(said(bench, "compareHeadline").contains(QStringLiteral("Cancelled")),
           qPrintable(said(bench, "compareHeadline")));
  bench.window->showPage(QStringLiteral("library"));
  bench.window->showPage(QStringLiteral("compare"));
  QVERIFY(!comparePage(bench)->runner().running());
  button->setFocus();
  QTest::keyClick(button, Qt::Key_Space);
  bench.settle();
  QVERIFY(comparePage(bench)->runner().result() != nullptr);
  QVERIFY2(!said(bench, "statusText").contains(QStringLiteral("Cancelled")),
           qPrintable(said(bench, "statusText")));
}

void CompareTest::whatCannotBeComparedSaysWhy() {
  Bench bench;
  openCompareSample(bench);
  const auto shown = said(bench, "compareHeadline");
  QTest::mouseClick(part<QCheckBox>(bench, "method_hydroelastic"), Qt::LeftButton);
  bench.settle();
  CompareRequest request;
  request.model = compareSample().model.toStdString();
  request.sessions = {compareSample().recording.toStdString()};
  request.methods = {"psf", "hydroelastic"};
  const auto refused = compare_with_sessions(request, {});
  if (refused) QSKIP("this pad's model knows a pressure field");
  QCOMPARE(said(bench, "compareHeadline"), QString::fromStdString(refused.error().message));
  QVERIFY(said(bench, "compareNotes").contains(QStringLiteral("earlier comparison")));
  QTest::mouseClick(part<QCheckBox>(bench, "method_hydroelastic"), Qt::LeftButton);
  bench.settle();
  QCOMPARE(said(bench, "compareHeadline"), shown);
}
