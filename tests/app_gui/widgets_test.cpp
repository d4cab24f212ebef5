#include "tests/app_gui/widgets_test.hpp"

#include <QLabel>
#include <QtTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "app/gui/pages/session/live_image.hpp"
#include "app/gui/state/jobs.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/gui/widgets/series.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"

using namespace tactelier;
using namespace tactelier::gui;

namespace {

SensorDescription pad_of_12() {
  SensorDescription sensor;
  sensor.arrays.push_back({3, 4, 3.4e-3, 3.4e-3, {}, {}, {}, {}});
  return sensor;
}

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// WCAG 2.1.
double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& c) {
    return 0.2126 * linear(c.red()) + 0.7152 * linear(c.green()) + 0.0722 * linear(c.blue());
  };
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace

void WidgetsTest::theMapOfARefreshFramesWhatHasChanged() {
  LiveImage image;
  image.setSensor(*load_sensor("weiss-wts0614"));
  image.setChoosing(true);
  AdaptiveNews news;
  news.state.refreshing = true;
  adaptive::Standing gains;
  gains.target = {adaptive::TargetKind::kGain, 0.02};
  gains.reached = 70;
  gains.of = 84;
  news.state.targets = {gains};
  news.state.changed = {18, 19};
  news.next.resize(3);
  image.showStanding(news);
  const auto& lines = image.findChild<TactileMapView*>(QStringLiteral("standingMap"))->lines();
  const auto whole = [](const MapLine& line) { return !line.dashed; };
  QCOMPARE(std::count_if(lines.begin(), lines.end(), whole), 2);
  QCOMPARE(lines.size(), std::size_t{5});
  const auto first = std::find_if(lines.begin(), lines.end(), whole);
  // Tactel 18 of 6 columns is the first of its fourth row.
  QCOMPARE(first->places.front(), QPointF(-0.4, 3 - 0.4));
  QStringList words;
  for (const auto* label : image.findChildren<QLabel*>()) words << label->text();
  QVERIFY2(words.contains(QStringLiteral("70 of 84 looked at, 2 changed (framed)")),
           qPrintable(words.join(u'|')));
}

void WidgetsTest::decimationKeepsEverySpike() {
  std::vector<Point> points;
  for (int i = 0; i < 100000; ++i) points.push_back({i * 1e-3, 0.0});
  points[54321].y = 7;
  points[777].y = -3;
  const auto drawn = decimate(points, 0, 100, 500);
  QVERIFY(drawn.size() <= 4 * 501);
  QCOMPARE(
      std::max_element(drawn.begin(), drawn.end(), [](auto& a, auto& b) { return a.y < b.y; })->y,
      7.0);
  QCOMPARE(
      std::min_element(drawn.begin(), drawn.end(), [](auto& a, auto& b) { return a.y < b.y; })->y,
      -3.0);
  QVERIFY(std::is_sorted(drawn.begin(), drawn.end(), [](auto& a, auto& b) { return a.x < b.x; }));
}

void WidgetsTest::decimationKeepsGaps() {
  std::vector<Point> points;
  for (int i = 0; i < 10000; ++i) points.push_back({double(i), i == 5000 ? std::nan("") : 1.0});
  const auto drawn = decimate(points, 0, 10000, 100);
  QCOMPARE(std::count_if(drawn.begin(), drawn.end(), [](auto& p) { return std::isnan(p.y); }), 1);
}

void WidgetsTest::rowZeroIsAtTheBottomOfTheMap() {
  TactileMapView map;
  map.resize(400, 360);
  map.setSensor(pad_of_12());
  map.show();
  QVERIFY(map.cell(0).center().y() > map.cell(4).center().y());
  QVERIFY(map.cell(0).center().x() < map.cell(1).center().x());
  for (int tactel = 0; tactel < 12; ++tactel)
    QCOMPARE(map.tactelAt(map.cell(tactel).center()).value_or(-1), tactel);
}

void WidgetsTest::aTallArrayInAFlatViewIsTurnedWithItsAxes() {
  SensorDescription tall;
  tall.arrays.push_back({14, 6, 3.4e-3, 3.4e-3, {}, {}, {}, {}});
  TactileMapView map;
  map.resize(560, 200);
  map.setSensor(tall);
  map.show();
  QVERIFY(map.turned());
  // +y (rows) to the right, +x (columns) down: turned, not mirrored.
  QVERIFY(map.cell(6).center().x() > map.cell(0).center().x());
  QVERIFY(map.cell(1).center().y() > map.cell(0).center().y());
  for (int tactel = 0; tactel < 84; ++tactel)
    QCOMPARE(map.tactelAt(map.cell(tactel).center()).value_or(-1), tactel);
  QTest::mouseClick(&map, Qt::LeftButton, {}, map.cell(14).center().toPoint());
  QTest::keyClick(&map, Qt::Key_Right);  // as the picture shows it
  QCOMPARE(map.cursorTactel().value_or(-1), 20);
  QTest::keyClick(&map, Qt::Key_Down);
  QCOMPARE(map.cursorTactel().value_or(-1), 21);
  map.resize(300, 500);
  QVERIFY(!map.turned());
}

void WidgetsTest::theArrowKeysMoveTheTactelCursor() {
  TactileMapView map;
  map.resize(400, 360);
  map.setSensor(pad_of_12());
  map.show();
  QTest::mouseClick(&map, Qt::LeftButton, {}, map.cell(5).center().toPoint());
  QCOMPARE(map.cursorTactel().value_or(-1), 5);
  QTest::keyClick(&map, Qt::Key_Up);
  QCOMPARE(map.cursorTactel().value_or(-1), 9);
  QTest::keyClick(&map, Qt::Key_Right);
  QTest::keyClick(&map, Qt::Key_Up);  // the edge holds
  QCOMPARE(map.cursorTactel().value_or(-1), 10);
}

void WidgetsTest::theMapSaysTheValueUnderTheCursor() {
  TactileMapView map;
  map.setSensor(pad_of_12());
  map.setScale(0, 4095, QStringLiteral("counts"));
  std::vector<double> values(12, 0.0);
  values[9] = 224;
  map.setValues(values);
  QCOMPARE(map.describe(9), QStringLiteral("Tactel 9, row 2, column 1: 224 counts"));
}

void WidgetsTest::nothingOfTheMapIsCutOff_data() {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<double>("scale");
  for (const double scale : {1.0, 1.5})
    for (const auto& size : {QSize(273, 130), QSize(273, 300), QSize(440, 320), QSize(700, 160)})
      QTest::addRow("%d x %d at %.0f %%", size.width(), size.height(), 100 * scale)
          << size << scale;
}

void WidgetsTest::nothingOfTheMapIsCutOff() {
  QFETCH(QSize, size);
  QFETCH(double, scale);
  theme().setScale(scale);
  const auto restore = qScopeGuard([] { theme().setScale(1); });
  SensorDescription sensor;
  sensor.arrays.push_back({14, 6, 3.4e-3, 3.4e-3, {}, {}, {}, {}});
  TactileMapView map;
  map.setSensor(sensor);
  map.setValues(std::vector<double>(84, 0.0));
  map.setScale(-44.7, 44.7, QStringLiteral("counts"));
  map.setNumbers([](double value) { return fixed(value, 1); });
  map.setBarNote(QStringLiteral("9 × finer"));
  map.resize(size * scale);
  map.show();
  // What reaches the outermost pixels is cut off there.
  const auto picture = map.grab().toImage();
  const auto ground = picture.pixel(picture.width() - 1, 0);
  int drawn = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      if (picture.pixel(x, y) == ground) continue;
      ++drawn;
      QVERIFY2(x > 0 && y > 0 && x + 1 < picture.width() && y + 1 < picture.height(),
               qPrintable(QStringLiteral("at %1, %2").arg(x).arg(y)));
    }
  QVERIFY(drawn > 1000);
}

void WidgetsTest::aFlowGoesOnOnAnotherLineWhereItsWidthEnds() {
  QWidget box;
  auto* flow = new FlowLayout(10, 5, &box);
  std::array<QWidget*, 3> parts{};
  for (auto*& part : parts) {
    part = new QWidget(&box);
    part->setFixedSize(100, 20);
    flow->addWidget(part);
  }
  box.show();  // what is hidden takes no room
  QCOMPARE(flow->heightForWidth(320), 20);
  QCOMPARE(flow->heightForWidth(319), 45);
  QCOMPARE(flow->heightForWidth(100), 70);
  QCOMPARE(flow->minimumSize(), QSize(100, 20));
  flow->setGeometry({0, 0, 250, 45});
  QCOMPARE(parts[1]->pos(), QPoint(110, 0));
  QCOMPARE(parts[2]->pos(), QPoint(0, 25));
  parts[0]->hide();  // leaves no gap
  flow->setGeometry({0, 0, 250, 45});
  QCOMPARE(parts[2]->pos(), QPoint(110, 0));
}

void WidgetsTest::numbersAreWrittenWithTheirUncertainty() {
  const auto shown = [](double value, double u95, const char* unit) {
    Parameter parameter;
    parameter.value = value;
    parameter.u_total = u95;
    parameter.unit = unit;
    return valueWithUncertainty(parameter);
  };
  // docs/desktop-app.md 5.
  QCOMPARE(shown(2012, 12, "N/m"), QStringLiteral("2012 ± 12 N/m"));
  QCOMPARE(shown(-0.15e-3, 0.0059e-3, "m"), QStringLiteral("−150.0 ± 5.9 µm"));
  QCOMPARE(shown(417.2e-6, 4.1e-6, "N/count"), QStringLiteral("417.2 ± 4.1 µN/count"));
  QCOMPARE(valueWithUncertainty(Parameter{}), QStringLiteral("–"));
  QCOMPARE(fixed(-12345.678, 1), QStringLiteral("−12\u2009345.7"));
}

void WidgetsTest::textIsReadableOnItsSurfaceInBothThemes() {
  for (const auto choice : {Theme::Choice::kLight, Theme::Choice::kDark}) {
    theme().choose(choice);
    const auto color = [](Token token) { return theme().color(token); };
    for (const auto token :
         {Token::kText, Token::kText2, Token::kAccent, Token::kOk, Token::kWarn, Token::kBad})
      for (const auto ground : {Token::kWindow, Token::kSurface})
        QVERIFY(contrast(color(token), color(ground)) >= 4.5);
    QVERIFY(contrast(color(Token::kAccentText), color(Token::kAccent)) >= 4.5);
    QVERIFY(contrast(color(Token::kControl), color(Token::kSurface)) >= 3.0);
    for (const auto line : {Token::kLine1, Token::kLine2, Token::kLine3, Token::kLine4})
      QVERIFY(contrast(color(line), color(Token::kPlot)) >= 3.0);
  }
}

void WidgetsTest::aJobReportsAndCanBeCancelled() {
  Jobs jobs;
  std::atomic<bool> started = false;
  std::optional<ErrorCode> ended;
  const int id = jobs.run<int>(
      QStringLiteral("Count"), Lane::kWork, this,
      [&started](const Job& job) -> Result<int> {
        job.progress("counting", 3, 10);
        started = true;
        while (!job.stopped()) std::this_thread::yield();
        return Job::cancelled();
      },
      [&](Result<int> result) { ended = result ? ErrorCode::kUsage : result.error().code; });
  QTRY_VERIFY(started.load());
  QCOMPARE(jobs.running().size(), 1U);
  QCOMPARE(jobs.running()[0].fraction, 0.3);
  jobs.cancel(id);
  QTRY_VERIFY(ended.has_value());
  QVERIFY(*ended == ErrorCode::kCancelled);
  QVERIFY(!jobs.busy());
}

void WidgetsTest::anAxisTooShortForItsNameShowsItsUnit() {
  PlotView plot;
  plot.setAxisLabels(QStringLiteral("Time t [s]"), QStringLiteral("Reading above rest [counts]"));
  plot.resize(400, 500);
  plot.show();
  plot.replot();
  plot.replot();  // its rooms are known after the first
  QCOMPARE(plot.yAxis->label(), QStringLiteral("Reading above rest [counts]"));
  plot.resize(400, 130);
  plot.replot();
  plot.replot();
  QCOMPARE(plot.yAxis->label(), QStringLiteral("[counts]"));
  QCOMPARE(plot.asTable().columns.at(2), QStringLiteral("Reading above rest [counts]"));
  plot.setAxisLabels(QStringLiteral("Time t [s]"),
                     QStringLiteral("Force gained while loading F [N]"));
  plot.replot();
  QCOMPARE(plot.yAxis->label(), QStringLiteral("F [N]"));
}

void WidgetsTest::hyphensBeforeNumbersBecomeMinusSigns() {
  QCOMPARE(withTrueMinus(QStringLiteral("-0.006, 0.012, -.5 N (-3; ±-2)")),
           QStringLiteral("−0.006, 0.012, −.5 N (−3; ±−2)"));
  const auto kept = QStringLiteral("2025-11-20, press axis -z, P5-6, SI-25-0.25");
  QCOMPARE(withTrueMinus(kept), kept);
}
