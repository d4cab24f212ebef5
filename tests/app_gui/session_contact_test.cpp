#include "tests/app_gui/session_contact_test.hpp"

#include <QStackedWidget>
#include <QToolButton>
#include <QtTest>

#include "app/gui/pages/session/live_drag.hpp"
#include "app/gui/pages/session/live_plots.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "libcalib/units.hpp"
#include "tests/app_gui/session_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::AtRig;
using gui::test::part;

namespace {

void frame(AtRig& at, double force_N, double z_m) {
  at.fake.frame(force_N, z_m);
  QTRY_COMPARE(at.link().live()->force_N, force_N);
}

/// Values of a curve of the plot: x, y.
QStringList curve(const PlotView* plot, const QString& name) {
  QStringList rows;
  for (const auto& row : plot->asTable().rows)
    if (row[0] == name) rows << row[1] + QLatin1Char(' ') + row[2];
  return rows;
}

QString words(const QWidget* inside) {
  while (inside != nullptr && qobject_cast<const Panel*>(inside) == nullptr)
    inside = inside->parentWidget();
  QStringList all;
  if (inside != nullptr)
    for (const auto* label : inside->findChildren<QLabel*>()) all << label->text();
  return all.join(QStringLiteral(" | "));
}

/// Down at one place, 0.1 mm along x, with 0.3 N and 0.4 N across, and up.
void slide(AtRig& at) {
  at.fake.status.zero_N = {0.1, -0.2, 0};
  at.roundTrip();
  at.fake.across_N = {0.4, 0.2};
  frame(at, 1.0, -0.001);
  at.fake.at_m[0] += 50e-6;
  frame(at, 1.1, -0.001);
  at.fake.at_m[0] += 50e-6;
  frame(at, 1.0, -0.001);
}

bool whole(const QWidget* widget) {
  return widget->visibleRegion().boundingRect() == widget->rect();
}

QString whyNotWhole(const QWidget* widget) {
  const auto seen = widget->visibleRegion().boundingRect();
  return QStringLiteral(": %1 x %2 of %3 x %4")
      .arg(seen.width())
      .arg(seen.height())
      .arg(widget->width())
      .arg(widget->height());
}

}  // namespace

void SessionContactTest::aPressIsDrawnAsLoadingAndUnloading() {
  AtRig at;
  auto* plot = part<LivePressPlot>(at.bench, "livePress");
  frame(at, 0.5, -0.0005);
  frame(at, 1.0, -0.001);
  frame(at, 0.9, -0.001);  // held
  QCOMPARE(curve(plot, QStringLiteral("loading")).size(), 3);
  QVERIFY(curve(plot, QStringLiteral("unloading")).isEmpty());
  frame(at, 0.4, -0.0006);
  QCOMPARE(curve(plot, QStringLiteral("loading")), QStringList({"0.5 0.5", "1 1", "1 0.9"}));
  QCOMPARE(curve(plot, QStringLiteral("unloading")), QStringList({"1 0.9", "0.6 0.4"}));
}

void SessionContactTest::dragIsOfTheAxesAcrossThePressingOne() {
  const std::array<double, 6> wrench{0.4, 0.2, -3, 0, 0, 0};
  QVERIFY(!dragOf(wrench, std::nullopt, 2, 0));
  QCOMPARE(dragOf(wrench, std::array{0.1, -0.2, 5.0}, 2, 0)->size_N, 0.5);
  QCOMPARE(dragOf(wrench, std::array{0.4, 0.2, -3.0}, 0, 0)->size_N, 0.0);
  QCOMPARE(dragOf(wrench, std::array{0.0, 0.2, -3.0}, 1, 0)->size_N, 0.4);
}

void SessionContactTest::dragPointsAlongTheArraysAxes() {
  const std::array<double, 6> wrench{0.4, 0.2, -3, 0, 0, 0};
  const auto degrees = [&](const std::array<double, 3>& zero_N, double rz_deg) {
    const auto drag = dragOf(wrench, zero_N, 2, deg_to_rad(rz_deg));
    return std::lround(rad_to_deg(*drag->towards_rad));
  };
  QCOMPARE(degrees({0.2, 0.0, 0.0}, 0), 45);
  QCOMPARE(degrees({0.4, 0.5, 0.0}, 0), -90);
  QCOMPARE(degrees({0.2, 0.0, 0.0}, 90), 135);
  QCOMPARE(degrees({0.5, 0.2, 0.0}, 90), -90);  // -x turned onto -y
  QVERIFY(!dragOf(wrench, std::array{0.0, 0.0, 0.0}, 1, 0)->towards_rad);
}

void SessionContactTest::aSlideBringsTheDragAndTheNextPressThePress() {
  AtRig at;
  auto* plot = part<LiveDragPlot>(at.bench, "liveDrag");
  const auto* kind = part<Segmented>(at.bench, "contactKind");
  frame(at, 0.5, -0.0005);
  QVERIFY(!plot->isVisible());
  QCOMPARE(kind->current(), 0);
  frame(at, 0, 0.002);
  slide(at);
  QVERIFY(plot->isVisible());
  QCOMPARE(kind->current(), 1);
  QCOMPARE(curve(plot, QStringLiteral("drag")), QStringList({"0.05 0.5", "0.1 0.5"}));
  QCOMPARE(curve(plot, QStringLiteral("normal force")), QStringList({"0.05 1.1", "0.1 1"}));
  QVERIFY2(words(kind).contains(QStringLiteral("drag / force 0.50, at 53°")),
           qPrintable(words(kind)));
  frame(at, 0, 0.002);
  QVERIFY(plot->isVisible());  // still what was measured last
  frame(at, 0.5, -0.0005);
  QVERIFY(!plot->isVisible());
  QVERIFY(!words(kind).contains(QStringLiteral("drag /")));
}

void SessionContactTest::whatWasPickedStays() {
  AtRig at;
  auto* plot = part<LiveDragPlot>(at.bench, "liveDrag");
  auto* press = part<Segmented>(at.bench, "contactKind")->findChildren<QToolButton*>().at(0);
  press->setFocus();
  QTest::keyClick(press, Qt::Key_Space);
  slide(at);
  QVERIFY(!plot->isVisible());
  QCOMPARE(curve(plot, QStringLiteral("drag")).size(), 2);
}

void SessionContactTest::theAllowedSpeedStandsBesideTheJogPad() {
  AtRig at;
  const auto* pace = part<QLabel>(at.bench, "jogPace");
  const auto* pad = part<QWidget>(at.bench, "jogPad");
  const auto size = pad->size();
  QCOMPARE(pace->text(), QStringLiteral("allowed — mm/s\novershoot — N"));
  QVERIFY(pace->toolTip().contains(QStringLiteral("Not known before")));
  at.fake.status.pace = rig::Pace{0.75e-3, 1e-3, 0.12};
  at.roundTrip();
  QCOMPARE(pace->text(), QStringLiteral("allowed 0.75 mm/s\novershoot 0.12 N"));
  QVERIFY2(pace->toolTip().contains(QStringLiteral("asks for 1.00 mm/s: slowed")),
           qPrintable(pace->toolTip()));
  QVERIFY(pace->accessibleName().contains(QStringLiteral("allowed 0.75 mm/s, overshoot")));
  QCoreApplication::processEvents();
  QCOMPARE(pad->size(), size);  // nothing moves under a hand
}

void SessionContactTest::aNarrowWindowKeepsTheImageAndTheJogPadInSight() {
  AtRig at;
  at.bench.window->resize(1024, 700);
  QTRY_VERIFY(at.bench.window->findChild<FoldingColumns*>()->folded());
  QCoreApplication::processEvents();
  const auto* map = part<TactileMapView>(at.bench, "liveMap");
  QTRY_VERIFY2(map->height() >= 90, qPrintable(QString::number(map->height())));
  for (const char* name : {"liveMap", "task_home", "task_retract", "jogPad", "goToTactel"})
    QTRY_VERIFY2(whole(part<QWidget>(at.bench, name)),
                 qPrintable(QLatin1String(name) + whyNotWhole(part<QWidget>(at.bench, name))));
  for (auto* button : part<QWidget>(at.bench, "jogPad")->findChildren<QToolButton*>())
    QVERIFY2(whole(button), qPrintable(button->accessibleName()));
  const auto* badge = part<QLabel>(at.bench, "jogBadge");
  QVERIFY2(badge->text().contains(QStringLiteral("go to set-up first")), qPrintable(badge->text()));
  const auto* pad = part<QWidget>(at.bench, "jogPad");
  const auto place = pad->mapTo(at.bench.window.get(), QPoint());
  at.setUp();
  QCoreApplication::processEvents();
  QVERIFY(badge->text().contains(QStringLiteral("press J")));
  QCOMPARE(pad->mapTo(at.bench.window.get(), QPoint()), place);
  at.bench.window->resize(1440, 900);
  QTRY_VERIFY(part<QLabel>(at.bench, "jogWords")->isVisible());
}

void SessionContactTest::halfAsLargeTextAgainNeedsNoScrolling() {
  AtRig at;
  at.bench.window->resize(1440, 900);
  theme().setScale(1.5);
  const auto restore = qScopeGuard([] { theme().setScale(1); });
  QTRY_VERIFY(at.bench.window->findChild<FoldingColumns*>()->folded());
  for (const char* name : {"liveMap", "stage2", "travelLeft", "task_home", "task_retract", "jogPad",
                           "jogPace", "goToTactel", "stageChip", "liveForce", "liveTraces"})
    QTRY_VERIFY2(whole(part<QWidget>(at.bench, name)),
                 qPrintable(QLatin1String(name) + whyNotWhole(part<QWidget>(at.bench, name))));
  for (auto* button : part<QWidget>(at.bench, "jogPad")->findChildren<QToolButton*>())
    QVERIFY2(whole(button), qPrintable(button->accessibleName()));
  QVERIFY(part<QWidget>(at.bench, "liveForce")->height() >=
          120);  // the contact is a tab of its own
  QVERIFY(!part<QWidget>(at.bench, "contactKind")->isVisible());
  theme().setScale(1);
  QTRY_VERIFY(whole(part<QWidget>(at.bench, "livePress")));
  theme().setScale(1.5);
  QVERIFY(part<TactileMapView>(at.bench, "liveMap")->height() >= 135);
}

void SessionContactTest::armStaysInSight() {
  AtRig at;
  at.setUp();
  at.bench.window->resize(1440, 900);
  QTRY_VERIFY(whole(part<QWidget>(at.bench, "armButton")));
}
