#include "tests/app_gui/compare_images_test.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/pages/compare/image_triptych.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "tests/app_gui/compare_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

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
  QVERIFY(plot->height() >= plot->minimumSizeHint().height());
  const auto top = [&](const QWidget* of) { return of->mapTo(page, QPoint(0, 0)).y(); };
  QVERIFY(top(part<QWidget>(bench, "compareReadout")) < top(part<QWidget>(bench, "compareImages")));
}

void CompareImagesTest::contoursOutlineBothImages() {
  Bench bench;
  openCompareSample(bench);
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

void CompareImagesTest::realAndSimulatedShareOneScale() {
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
