#include "tests/app_gui/compare_images_test.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/pages/compare/triptych_content.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/compare_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

namespace {

/// What is drawn on the outermost pixels is cut off there.
bool reachesItsEdge(QWidget* view) {
  const auto picture = view->grab().toImage();
  const int right = picture.width() - 1, bottom = picture.height() - 1;
  const auto ground = picture.pixel(right, bottom);
  for (int x = 0; x <= right; ++x)
    if (picture.pixel(x, 0) != ground || picture.pixel(x, bottom) != ground) return true;
  for (int y = 0; y <= bottom; ++y)
    if (picture.pixel(0, y) != ground || picture.pixel(right, y) != ground) return true;
  return false;
}

/// Of the neighbours that a place of a contour lies between.
std::pair<double, double> besideOf(const std::vector<double>& values, const QPointF& place) {
  const auto value = [&](double column, double row) {
    return values[static_cast<std::size_t>(6 * int(row) + int(column))];
  };
  const double one = value(std::floor(place.x()), std::floor(place.y()));
  const double other = value(std::ceil(place.x()), std::ceil(place.y()));
  return std::minmax({one, other});
}

}  // namespace

void CompareImagesTest::nothingIsCutOffInTheSmallestWindow_data() {
  QTest::addColumn<double>("scale");
  QTest::newRow("100 %") << 1.0;
  QTest::newRow("150 %") << 1.5;
}

void CompareImagesTest::nothingIsCutOffInTheSmallestWindow() {
  QFETCH(double, scale);
  Bench bench;
  theme().setScale(scale);
  const auto restore = qScopeGuard([] { theme().setScale(1); });
  openCompareSample(bench);
  bench.window->resize(1024, 700);
  bench.settle();
  QTest::mouseClick(part<QToolButton>(bench, "nudgeBest"), Qt::LeftButton);
  bench.settle();
  auto* page = comparePage(bench);
  for (const auto* part : page->findChildren<QWidget*>()) {
    if (!part->isVisible() || qobject_cast<const QAbstractScrollArea*>(part->parent()) != nullptr)
      continue;
    const auto* words = qobject_cast<const QLabel*>(part);
    const bool control = qobject_cast<const QAbstractButton*>(part) != nullptr ||
                         qobject_cast<const QAbstractSpinBox*>(part) != nullptr ||
                         (words != nullptr && !words->wordWrap() &&
                          words->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored);
    const auto what = QStringLiteral("%1 %2 %3")
                          .arg(QLatin1String(part->metaObject()->className()), part->objectName(),
                               part->accessibleName());
    if (control) QVERIFY2(part->width() >= part->minimumSizeHint().width(), qPrintable(what));
    for (const auto* up = part->parentWidget(); up != page; up = up->parentWidget())
      if (control && qobject_cast<const QAbstractScrollArea*>(up) == nullptr)
        QVERIFY2(up->rect().contains(QRect(part->mapTo(up, QPoint(0, 0)), part->size())),
                 qPrintable(what));
  }
  QVERIFY(page->width() <= page->parentWidget()->width());  // it scrolls up and down alone
  for (const char* name : {"compareReal", "compareSimulated", "compareDifference"})
    QVERIFY2(map(bench, name)->cell(0).height() > 4, name);
  auto* plot = part<PlotView>(bench, "compareProfile");
  for (auto* view : {static_cast<QWidget*>(plot), static_cast<QWidget*>(map(bench, "compareReal")),
                     static_cast<QWidget*>(map(bench, "compareDifference"))})
    QVERIFY2(!reachesItsEdge(view), qPrintable(view->objectName()));
  const auto top = [&](const QWidget* of) { return of->mapTo(page, QPoint(0, 0)).y(); };
  for (const auto* below : {static_cast<QWidget*>(plot), part<QWidget>(bench, "compareImages")})
    QVERIFY2(top(below) + below->height() <= page->height(), qPrintable(below->objectName()));
  QVERIFY(top(part<QWidget>(bench, "compareReadout")) < top(part<QWidget>(bench, "compareImages")));
}

void CompareImagesTest::contoursOutlineBothImages() {
  Bench bench;
  openCompareSample(bench);
  auto* real = map(bench, "compareReal");
  auto* difference = map(bench, "compareDifference");
  QCOMPARE(real->at({2, 3}), real->cell(3 * 6 + 2).center());
  clickBox(bench, "compareCentreMarks");  // those are lines, too
  clickChoice(bench, "compareContourLevel", QStringLiteral("half"));
  // Each point lies between two neighbours of which one reads more than half of the largest.
  QVERIFY(!real->lines().empty());
  const auto& values = real->values();
  const double half = *std::max_element(values.begin(), values.end()) / 2;
  for (const auto& place : real->lines().front().places) {
    const auto [low, high] = besideOf(values, place);
    QVERIFY(low <= half && high > half);
  }
  const auto& both = difference->lines();
  QVERIFY(both.size() > real->lines().size());
  QVERIFY(!both.front().dashed && both.back().dashed);
  clickChoice(bench, "compareUnit", QStringLiteral("Newtons"));
  QVERIFY(!real->lines().empty());  // of the same places in any unit
  clickBox(bench, "compareContours");
  QVERIFY(real->lines().empty() && difference->lines().empty());
  QVERIFY(!choice(bench, "compareContourLevel", QStringLiteral("half"))->isEnabled());
}

void CompareImagesTest::theOutlineIsThatOfTheContact() {
  Bench bench;
  openCompareSample(bench);
  clickBox(bench, "compareCentreMarks");
  const auto& model = *comparePage(bench)->runner().result()->model;
  const auto levels = TactelReadout(model).contact_levels();
  for (const char* name : {"compareReal", "compareSimulated"}) {
    auto above = map(bench, name)->values();
    for (std::size_t i = 0; i < above.size(); ++i) above[i] -= levels[i];
    std::size_t points = 0;
    for (const auto& line : map(bench, name)->lines())
      for (const auto& place : line.places) {
        const auto [low, high] = besideOf(above, place);
        QVERIFY(low <= 0 && high > 0);
        ++points;
      }
    QVERIFY(points > 4);
  }
}

void CompareImagesTest::aCrossMarksTheCentreOfForce() {
  Bench bench;
  openCompareSample(bench);
  clickBox(bench, "compareContours");
  const auto& image = comparePage(bench)->runner().result()->report.images[0];
  double total = 0, column = 0, row = 0;
  for (std::size_t i = 0; i < image.measured.size(); ++i) {
    if (std::isnan(image.measured[i])) continue;
    total += image.measured[i];
    column += image.measured[i] * static_cast<double>(i % 6);
    row += image.measured[i] * static_cast<double>(i / 6);
  }
  const QPointF centre(column / total, row / total);
  const auto lines = map(bench, "compareReal")->lines();
  QCOMPARE(lines.size(), 3U);  // a cross, and the direction of a bar
  for (const auto& line : lines) {
    const auto middle = (line.places.front() + line.places.back()) / 2;
    QVERIFY(std::hypot(middle.x() - centre.x(), middle.y() - centre.y()) < 1e-9);
  }
  // The bar lies along x, then at 45 degrees.
  const auto slope = [&] {
    const auto& direction = map(bench, "compareReal")->lines()[2].places;
    const auto along = direction.back() - direction.front();
    return std::atan2(along.y(), along.x());
  };
  QVERIFY2(std::abs(slope()) < 0.1, qPrintable(QString::number(slope())));
  const auto words = said(bench, "compareCentres");
  // 6 columns and 14 rows of 3.4 mm about the middle.
  const auto at = QStringLiteral("real x %1 y %2 mm")
                      .arg(fixed(3.4 * (centre.x() - 2.5), 2), fixed(3.4 * (centre.y() - 6.5), 2));
  QVERIFY2(words.contains(at), qPrintable(words + " / " + at));
  QVERIFY2(words.contains(QStringLiteral("direction")), qPrintable(words));
  part<QSlider>(bench, "compareSlider")->setValue(3);
  QVERIFY2(std::abs(slope() - 0.785) < 0.1, qPrintable(QString::number(slope())));
  clickBox(bench, "compareCentreMarks");
  QVERIFY(map(bench, "compareReal")->lines().empty());
  QVERIFY(said(bench, "compareCentres").isEmpty());
}

void CompareImagesTest::realAndSimulatedShareOneScale() {
  const auto model = empty_model(*load_sensor("weiss-wts0614"));
  const ImageUnits units(model);
  ComparedImage one, other;
  one.measured = {1, 5, qQNaN()};
  one.predicted = {7, 2, 90};
  other.measured = {20, 0, 0};
  other.predicted = {19, 0, 0};
  const auto first = units.counts(one), second = units.counts(other);
  // 90 is shown in the simulated image; where nothing was read there is no difference.
  QCOMPARE(scalesOf({first}).image, 90.0);
  QCOMPARE(scalesOf({first}).difference, 6.0);
  QCOMPARE(scalesOf({second}).image, 20.0);
  QCOMPARE(scalesOf({first, second}).difference, 6.0);
  QCOMPARE(scalesOf({}).image, 1.0);         // a bar needs a length
  QCOMPARE(*first.totals[kSimulated], 9.0);  // without what was not read
  QCOMPARE(*first.totals[kDifference], -3.0);
}

void CompareImagesTest::whatIsLeftIsRealLessSimulated() {
  Bench bench;
  openCompareSample(bench);
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

void CompareImagesTest::newtonsAreChosenByKeyAndByMouse() {
  Bench bench;
  openCompareSample(bench);
  const auto& comparison = *comparePage(bench)->runner().result();
  const auto& image = comparison.report.images[0];
  auto* real = map(bench, "compareReal");
  auto* difference = map(bench, "compareDifference");
  QTest::mouseClick(real, Qt::LeftButton, {}, real->cell(38).center().toPoint());
  auto* newtons = choice(bench, "compareUnit", QStringLiteral("Newtons"));
  QVERIFY2(newtons->isEnabled(), qPrintable(newtons->toolTip()));
  newtons->setFocus();
  QTest::keyClick(newtons, Qt::Key_Space);
  const ComparedNewtons expected(*comparison.model);
  const auto read = expected.image(image.measured), predicted = expected.image(image.predicted);
  const auto left_N = expected.difference_N(read, predicted);
  int forces = 0;
  for (std::size_t i = 0; i < left_N.size(); ++i) {
    const bool none = std::isnan(read.force_N[i]);
    QCOMPARE(std::isnan(real->values()[i]), none);
    if (!none) QCOMPARE(real->values()[i], read.force_N[i]);
    if (!std::isnan(left_N[i])) QCOMPARE(difference->values()[i], left_N[i]);
    forces += none ? 0 : 1;
  }
  QVERIFY(forces > 4);
  QVERIFY(real->valueWords(38).endsWith(QStringLiteral(" N")));
  QVERIFY2(said(bench, "compareReadout").contains(QStringLiteral(" N")),
           qPrintable(said(bench, "compareReadout")));
  // One scale from 0 for both images, the difference as far down as up.
  QCOMPARE(real->low(), 0.0);
  QCOMPARE(real->high(), map(bench, "compareSimulated")->high());
  QCOMPARE(difference->low(), -difference->high());
  QVERIFY(difference->high() < real->high());
  auto* plot = part<PlotView>(bench, "compareProfile");
  QCOMPARE(plot->yAxis->label(), QStringLiteral("Force F [N]"));
  QCOMPARE(plot->pointAt({false, 0, 2}).y, real->values()[38]);
  QVERIFY(plot->yAxis->range().lower <= 0);  // a force has a true zero
  QVERIFY(plot->xAxis->range().contains(-8.5) && plot->xAxis->range().contains(8.5));
  const auto counts = image.measured[38];
  clickChoice(bench, "compareUnit", QStringLiteral("Counts"));
  QCOMPARE(real->values()[38], counts);
  QCOMPARE(plot->yAxis->label(), QStringLiteral("Reading c [counts]"));
}

void CompareImagesTest::whatCannotBeReadIsMarked() {
  auto model = empty_model(*load_sensor("weiss-wts0614"));
  model.response.tactels[3].status = TactelStatus::kDead;
  model.response.tactels[4].status = TactelStatus::kStuck;
  model.response.tactels[5].offset.value = 60;  // and no gain
  ComparedImage image;
  image.measured.assign(84, 0);
  image.predicted.assign(84, 0);
  const ImageUnits units(model);
  for (const auto& content : {units.counts(image), units.newtons(image)})
    for (const auto which : {kReal, kSimulated, kDifference}) {
      QCOMPARE(content.marks[which][3], TactelMark::kDead);
      QCOMPARE(content.marks[which][4], TactelMark::kStuck);
    }
  QCOMPARE(units.counts(image).marks[kReal][5], TactelMark::kNone);
  QCOMPARE(units.newtons(image).marks[kReal][5], TactelMark::kNotIdentified);
}

void CompareImagesTest::anotherScaleLeavesTheIndenterWhereItWasMoved() {
  Bench bench;
  openCompareSample(bench);
  auto* x = part<QDoubleSpinBox>(bench, "nudgeX");
  x->setFocus();
  QTest::keyClick(x, Qt::Key_Up);
  QCOMPARE(x->value(), 0.1);
  const auto moved = map(bench, "compareSimulated")->values();
  clickChoice(bench, "compareScale", QStringLiteral("all"));
  clickBox(bench, "compareContours");
  QCOMPARE(x->value(), 0.1);
  QCOMPARE(map(bench, "compareSimulated")->values(), moved);
}
