#include "tests/app_gui/tour_test.hpp"

#include <QLabel>
#include <QPushButton>
#include <QtTest>
#include <numeric>

#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/frame/tour.hpp"
#include "app/gui/frame/tour_strip.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/tour_recordings.hpp"
#include "libcalib/session/session.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::FakeRig;
using gui::test::part;

namespace {

constexpr int kMost_ms = 60'000;

/// Small ones in the place of those that the tour would make.
void bringRecordings() {
  const auto folder = TourRecordings::usualFolder();
  QDir().mkpath(folder);
  for (const auto* name : {"tour-presses.tact", "tour-images.tact"})
    if (!QFileInfo::exists(folder + '/' + name))
      gui::test::makeRecording(folder, QString::fromLatin1(name));
}

void key(const Bench& bench, Qt::Key code, Qt::KeyboardModifiers with = {}) {
  QTest::keyClick(bench.window.get(), code, with);
}

QString words(const Bench& bench) { return part<QLabel>(bench, "tourWords")->text(); }

}  // namespace

void TourTest::initTestCase() { bringRecordings(); }

void TourTest::itLeadsThroughTheWholeAppByKeys() {
  Bench bench;
  auto& tour = *bench.window->tour();
  auto& rig = *bench.rig;
  QTest::mouseClick(part<QWidget>(bench, "takeTour"), Qt::LeftButton);  // of Welcome
  QVERIFY(tour.running());
  QVERIFY(part<QWidget>(bench, "tourStrip")->isVisible());
  QCOMPARE(bench.window->currentPage(), QStringLiteral("bench"));
  QVERIFY(!rig.owns());  // nothing is begun by itself
  // "Do it" for each step that asks for something, Next for those that are read.
  QStringList seen;
  const int last = static_cast<int>(tour.steps().size()) - 1;
  while (tour.step() <= last && tour.running()) {
    const int step = tour.step();
    seen << bench.window->currentPage();
    const auto& now = tour.steps()[static_cast<std::size_t>(step)];
    if (now.done && !now.done()) {
      const auto act = [&] {
        if (tour.step() == step) key(bench, Qt::Key_Return, Qt::AltModifier);
        return tour.step() != step;
      };
      QTRY_VERIFY2_WITH_TIMEOUT(act(), qPrintable(words(bench)), kMost_ms);
    } else {
      key(bench, Qt::Key_Right, Qt::AltModifier);
    }
    QVERIFY2(tour.step() != step, qPrintable(words(bench)));
  }
  QVERIFY(!tour.running());
  QVERIFY(!part<QWidget>(bench, "tourStrip")->isVisible());
  seen.removeDuplicates();
  QCOMPARE(seen, (QStringList{"bench", "protocol", "session", "recording", "fit", "compare",
                              "export", "report"}));
  QVERIFY(bench.state->model() != nullptr);
  // What was recorded is a file, and STOP ended it.
  QVERIFY(rig.ended().has_value());
  QVERIFY(rig.stopAnswer_ms().has_value());
  QCOMPARE(rig.facts().time_scale, 4.0);
  rig.disconnectRig();
  bench.settle();
}

void TourTest::stepsGoBackAreSkippedAndEndByKeys() {
  Bench bench;
  auto& tour = *bench.window->tour();
  key(bench, Qt::Key_F1, Qt::ControlModifier);
  QVERIFY(tour.running());
  QVERIFY(!part<QPushButton>(bench, "tourBack")->isEnabled());
  auto* outline = part<TourOutline>(bench, "tourOutline");
  auto* start = part<QPushButton>(bench, "virtualBench");
  QCOMPARE(outline->target(), start);
  QVERIFY(outline->isVisible());
  QTRY_VERIFY(outline->geometry().contains(
      QRect(start->mapTo(bench.window.get(), QPoint(0, 0)), start->size())));
  QVERIFY(outline->testAttribute(Qt::WA_TransparentForMouseEvents));
  auto* next = part<QPushButton>(bench, "tourNext");
  QCOMPARE(next->text(), QStringLiteral("Skip"));
  key(bench, Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(tour.step(), 1);
  QCOMPARE(outline->target(), bench.window->safetyBar());
  QCOMPARE(next->text(), QStringLiteral("Next"));  // there is nothing to do
  QVERIFY(!part<QPushButton>(bench, "tourDo")->isVisible());
  // It follows where the window goes.
  bench.window->resize(1100, 720);
  QTRY_VERIFY(outline->geometry().width() <= bench.window->width() &&
              outline->geometry().right() >= bench.window->width() - 4);
  QTest::mouseClick(part<QPushButton>(bench, "tourBack"), Qt::LeftButton);
  QCOMPARE(tour.step(), 0);
  // Somebody looks at another page meanwhile: nothing is outlined, nothing is lost.
  bench.window->showPage(QStringLiteral("library"));
  QTRY_VERIFY(!outline->isVisible());
  bench.window->showPage(QStringLiteral("bench"));
  QTRY_VERIFY(outline->isVisible());
  key(bench, Qt::Key_End, Qt::AltModifier);
  QVERIFY(!tour.running());
  QVERIFY(!outline->isVisible());
  QCOMPARE(bench.window->currentPage(), QStringLiteral("bench"));  // everything stays
  key(bench, Qt::Key_F1, Qt::ControlModifier);
  key(bench, Qt::Key_F1, Qt::ControlModifier);  // the same key ends it
  QVERIFY(!tour.running());
  bench.settle();
}

/// As the strip promises it.
void TourTest::itTakesUnderFiveMinutes() {
  Bench bench;
  auto& tour = *bench.window->tour();
  tour.start();
  const int seconds =
      std::accumulate(tour.steps().begin(), tour.steps().end(), 0,
                      [](int sum, const TourStep& step) { return sum + step.seconds; });
  QVERIFY2(seconds < 300, qPrintable(QString::number(seconds)));
  QVERIFY(part<QLabel>(bench, "tourPlace")
              ->text()
              .contains(QStringLiteral("about %1 min left").arg((seconds + 30) / 60)));
  for (const auto& step : tour.steps()) QVERIFY(step.seconds > 0);
  bench.settle();
}

void TourTest::everyControlThatItNamesIsThere() {
  Bench bench;
  auto& tour = *bench.window->tour();
  tour.start();
  for (const auto& step : tour.steps()) {
    bench.window->showPage(step.page);
    QVERIFY2(bench.window->findChild<QWidget*>(step.target) != nullptr, qPrintable(step.target));
    QVERIFY(!step.words().isEmpty());
  }
  bench.settle();
}

void TourTest::itLeavesARigOfOnesOwnAlone() {
  FakeRig fake;
  Bench bench;
  bench.rig->take(fake.connect());
  QTRY_VERIFY(fake.watched());
  bench.window->tour()->start();
  QVERIFY2(words(bench).contains(QStringLiteral("A rig of your own")), qPrintable(words(bench)));
  for (int step = 0; step < 9; ++step) {
    key(bench, Qt::Key_Return, Qt::AltModifier);
    key(bench, Qt::Key_Right, Qt::AltModifier);
  }
  QVERIFY(bench.rig->connected());
  QVERIFY2(fake.requests.empty(), fake.requests.empty() ? "" : fake.last().dump().c_str());
  QCOMPARE(bench.rig->mode(), Mode::kIdle);
  bench.settle();
}

void TourTest::itsRecordingsAreMadeOnceAndWhole() {
  const QTemporaryDir folder;
  Bench bench;
  auto& state = *bench.state;
  TourRecordings recordings(state.jobs(), state.notifications(), folder.filePath("tour"), nullptr);
  QVERIFY(recordings.presses().isEmpty());
  recordings.make();
  QVERIFY(recordings.making());
  QTRY_VERIFY_WITH_TIMEOUT(!recordings.making(), 4 * kMost_ms);
  for (const auto& file : {recordings.presses(), recordings.images()}) {
    const auto session = Session::open(file.toStdString());
    QVERIFY(session.has_value());
    QVERIFY(session->finished());
  }
  recordings.make();
  QVERIFY(!recordings.making());
  // A place that can't be written is told.
  QFile blocked(folder.filePath("blocked"));
  QVERIFY(blocked.open(QIODevice::WriteOnly));
  TourRecordings refused(state.jobs(), state.notifications(), blocked.fileName() + "/tour",
                         nullptr);
  const QSignalSpy told(&state.notifications(), &Notifications::messageRaised);
  refused.make();
  QTRY_VERIFY(!refused.making());
  QCOMPARE(told.count(), 1);
}
