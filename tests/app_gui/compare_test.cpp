#include "tests/app_gui/compare_test.hpp"

#include <QCheckBox>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/gui/pages/compare/compare_page.hpp"
#include "app/gui/pages/compare/image_triptych.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "app/workflow/compare_images.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/support.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

/// A bar at two angles, each twice.
constexpr const char* kShapes = R"({
  "format": "tactelier/protocol", "version": 1, "name": "shapes", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 3},
    {"do": "images", "rz_deg": [0, 45], "masses_g": [500], "repeats": 2, "dwell_s": 2,
     "indenters": [{"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 3}]},
    {"do": "zero", "time_s": 3}]})";

/// Made once: a recording of the simulated pad, and the pad itself as the model that predicts it.
struct Sample {
  QTemporaryDir folder;
  QString recording, model;
};
Sample* sample() {
  static Sample made;
  return &made;
}

ComparePage* comparePage(const Bench& bench) {
  return qobject_cast<ComparePage*>(bench.window->page(QStringLiteral("compare")));
}

void openSample(const Bench& bench) {
  bench.window->showPage(QStringLiteral("compare"));
  bench.state->open(sample()->recording);
  bench.settle();
  bench.state->open(sample()->model);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("compare"));
  QVERIFY2(comparePage(bench)->runner().result() != nullptr,
           qPrintable(comparePage(bench)->runner().problem()));
}

/// What the command line prints, line by line, one space between words.
QStringList commandLine(const QStringList& arguments) {
  QProcess program;
  program.start(QString::fromStdString(paths::cli()), arguments);
  if (!program.waitForFinished(120000) || program.exitCode() != 0)
    qFatal("tactelier compare: %s", program.readAllStandardError().constData());
  QStringList lines;
  for (const auto& line : QString::fromUtf8(program.readAllStandardOutput()).split('\n'))
    lines << line.simplified();
  return lines;
}

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

void clickChoice(const Bench& bench, const char* segmented, const QString& words) {
  for (auto* button : part<QWidget>(bench, segmented)->findChildren<QToolButton*>())
    if (button->text() == words) return QTest::mouseClick(button, Qt::LeftButton);
  QFAIL("no such choice");
}

QString said(const Bench& bench, const char* label) { return part<QLabel>(bench, label)->text(); }

TactileMapView* map(const Bench& bench, const char* name) {
  return part<TactileMapView>(bench, name);
}

}  // namespace

void CompareTest::initTestCase() {
  const std::filesystem::path folder = sample()->folder.path().toStdString();
  std::ofstream(folder / "shapes.json") << kShapes;
  SynthRequest synth;
  synth.protocol = (folder / "shapes.json").string();
  synth.seed = 7;
  synth.target = folder / "shapes.tact";
  const auto made = synth_session(synth, {});
  QVERIFY2(made, made ? "" : made.error().message.c_str());
  sample()->recording = QString::fromStdString(made->recording.string());
  sample()->model = QString::fromStdString(made->truth.string());
}

void CompareTest::withoutAModelThePageSaysWhatItNeeds() {
  Bench bench;
  bench.window->showPage(QStringLiteral("compare"));
  QVERIFY(part<QLabel>(bench, "compareEmpty")->isVisible());
  QVERIFY(comparePage(bench)->asCommand().isEmpty());
  bench.state->open(sample()->recording);
  bench.settle();
  QVERIFY(part<QLabel>(bench, "compareEmpty")->isVisible());
  QCOMPARE(said(bench, "pageState").isEmpty(), false);
}

void CompareTest::contoursOutlineBothImages() {
  Bench bench;
  openSample(bench);
  auto* real = map(bench, "compareReal");
  auto* difference = map(bench, "compareDifference");
  QCOMPARE(real->at({2, 3}), real->cell(3 * 6 + 2).center());
  // Each point lies between two neighbours of which one reads more than half of the largest.
  QVERIFY(!real->lines().empty());
  const auto& values = real->values();
  const double half = *std::max_element(values.begin(), values.end()) / 2;
  for (const auto& place : real->lines().front().places) {
    const auto value = [&](double column, double row) {
      return values[static_cast<std::size_t>(6 * int(row) + int(column))];
    };
    const double low = value(std::floor(place.x()), std::floor(place.y()));
    const double high = value(std::ceil(place.x()), std::ceil(place.y()));
    QVERIFY(std::min(low, high) <= half && std::max(low, high) > half);
  }
  const auto& both = difference->lines();
  QVERIFY(both.size() > real->lines().size());
  QVERIFY(!both.front().dashed && both.back().dashed);
  QTest::mouseClick(part<QCheckBox>(bench, "compareContours"), Qt::LeftButton, {},
                    QPoint(8, part<QCheckBox>(bench, "compareContours")->height() / 2));
  QVERIFY(real->lines().empty() && difference->lines().empty());
}

void CompareTest::theWindowShowsTheNumbersOfTheCommandLine() {
  Bench bench;
  openSample(bench);
  QTest::mouseClick(part<QCheckBox>(bench, "method_soft-contact"), Qt::LeftButton);
  bench.settle();
  const auto printed = commandLine(
      {"compare", "--model", sample()->model, sample()->recording, "--method", "psf,soft-contact"});
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
  openSample(bench);
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
  openSample(bench);
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
  openSample(bench);
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
  openSample(bench);
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

void CompareTest::realAndSimulatedShareOneScale() {
  ComparedImage one, other;
  one.measured = {1, 5, qQNaN()};
  one.predicted = {7, 2, 90};
  other.measured = {20, 0, 0};
  other.predicted = {19, 0, 0};
  // 90 is shown in the simulated image; where nothing was read there is no difference.
  QCOMPARE(scalesOf({&one}).counts, 90.0);
  QCOMPARE(scalesOf({&one}).difference, 6.0);
  QCOMPARE(scalesOf({&other}).counts, 20.0);
  QCOMPARE(scalesOf({&one, &other}).difference, 6.0);
  QCOMPARE(scalesOf({}).counts, 1.0);  // a bar needs a length
}

void CompareTest::whatIsLeftIsRealLessSimulated() {
  Bench bench;
  openSample(bench);
  const auto& real = map(bench, "compareReal")->values();
  const auto& simulated = map(bench, "compareSimulated")->values();
  const auto& difference = map(bench, "compareDifference")->values();
  int brighter = 0;
  for (std::size_t i = 0; i < real.size(); ++i) {
    if (std::isnan(real[i])) continue;
    QCOMPARE(difference[i] + simulated[i], real[i]);
    brighter += difference[i] > 0;
  }
  QVERIFY(brighter > 0 && brighter < static_cast<int>(real.size()));
}

void CompareTest::aCancelledComparisonStaysCancelledUntilAsked() {
  Bench bench;
  bench.window->showPage(QStringLiteral("library"));
  bench.state->modelDocument().set(
      std::make_shared<const SensorModel>(*read_model(sample()->model.toStdString())), {},
      sample()->model);
  bench.state->open(sample()->recording);
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
}

void CompareTest::whatCannotBeComparedSaysWhy() {
  Bench bench;
  openSample(bench);
  const auto shown = said(bench, "compareHeadline");
  QTest::mouseClick(part<QCheckBox>(bench, "method_hydroelastic"), Qt::LeftButton);
  bench.settle();
  CompareRequest request;
  request.model = sample()->model.toStdString();
  request.sessions = {sample()->recording.toStdString()};
  request.methods = {"psf", "hydroelastic"};
  const auto refused = compare_with_sessions(request, {});
  if (refused) QSKIP("this pad's model knows a pressure field");
  QCOMPARE(said(bench, "compareHeadline"), QString::fromStdString(refused.error().message));
  QVERIFY(said(bench, "compareNotes").contains(QStringLiteral("earlier comparison")));
  QTest::mouseClick(part<QCheckBox>(bench, "method_hydroelastic"), Qt::LeftButton);
  bench.settle();
  QCOMPARE(said(bench, "compareHeadline"), shown);
}
