#include "tests/app_gui/session_hands_test.hpp"

#include <QToolButton>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/pages/session/coverage.hpp"
#include "app/gui/pages/session/live_plots.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "tests/app_gui/session_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::AtRig;
using gui::test::part;

namespace {

double mostForce(const LiveForcePlot* plot) {
  double most = 0;
  for (const auto& row : plot->asTable().rows)
    if (row.size() > 2 && row[0] != QStringLiteral("limit"))
      most = std::max(most, row[2].toDouble());
  return most;
}

}  // namespace

void SessionHandsTest::aFaultKeepsTheForceThatWasBeforeIt() {
  AtRig at;
  at.setUp();
  auto* plot = part<LiveForcePlot>(at.bench, "liveForce");
  const auto press = [&](double force_N) {
    for (int i = 0; i < 4; ++i) at.fake.frame(force_N, 0);
    QTRY_COMPARE(at.link().live()->force_N, force_N);
  };
  press(2.5);
  QTRY_VERIFY(mostForce(plot) == 2.5);
  at.fake.trip("the force sensor has said nothing for 20 ms", rig::LimitKind::kForceAge);
  QTRY_COMPARE(at.link().mode(), Mode::kFault);
  press(0.25);
  press(4.0);  // somebody takes out what was stuck
  QCOMPARE(mostForce(plot), 2.5);
  at.link().acknowledge();
  QTRY_COMPARE(at.link().mode(), Mode::kSetUp);
  press(3.0);
  QTRY_COMPARE(mostForce(plot), 3.0);
}

void SessionHandsTest::theMessageOfALockSaysWhatToLookAtAndGoesWithIt() {
  AtRig at;
  at.setUp();
  const auto& messages = at.bench.window->messageBar()->messages();
  at.fake.trip("the force sensor has said nothing for 20 ms", rig::LimitKind::kForceAge);
  QTRY_COMPARE(messages.size(), 1);
  QVERIFY2(messages.first().todo.contains(QStringLiteral("cable")),
           qPrintable(messages.first().todo));
  QVERIFY(!messages.first().safe.contains(QStringLiteral("recorded")));  // nothing was
  at.link().acknowledge();
  QTRY_VERIFY(messages.isEmpty());
  at.fake.trip("pad force 5.02 N, limit 5 N");
  QTRY_COMPARE(messages.size(), 1);
  QVERIFY(messages.first().todo.contains(QStringLiteral("under the tip")));
  at.fake.die();
  QTRY_COMPARE(at.link().mode(), Mode::kUnknown);
  QVERIFY(messages.first().happened.contains(QStringLiteral("has ended")));
  at.link().take(at.fake.connect());
  QTRY_VERIFY(messages.isEmpty());
}

void SessionHandsTest::nothingMovesUnderAHandInSetUp() {
  AtRig at;
  const auto places = [&] {
    QList<QRect> all;
    for (const char* name : {"task_home", "task_surface", "task_retract", "jogPad"}) {
      auto* widget = part<QWidget>(at.bench, name);
      all << QRect(widget->mapTo(at.bench.window.get(), QPoint(0, 0)), widget->size());
    }
    return all;
  };
  QCoreApplication::processEvents();
  const auto idle = places();
  at.setUp();
  QCoreApplication::processEvents();
  QCOMPARE(places(), idle);
  QTest::mouseClick(part<QPushButton>(at.bench, "task_home"), Qt::LeftButton);
  QTRY_VERIFY(part<QPushButton>(at.bench, "cancelTask")->isVisible());
  at.fake.progress("home", 1, 3, "Z");
  at.roundTrip();
  QCoreApplication::processEvents();
  QCOMPARE(places(), idle);
}

void SessionHandsTest::anArmedRecordingIsDisarmedByKey() {
  AtRig at;
  at.setUp();
  part<QLineEdit>(at.bench, "recordFile")->setText(at.bench.folder.filePath("run.tact"));
  at.form()->refresh();
  QTRY_VERIFY_WITH_TIMEOUT(at.form()->preview() != nullptr, 20'000);
  at.fake.frame(0, 0.002);
  QTRY_VERIFY(at.link().feed().forceFresh());
  at.key(Qt::Key_F5);
  QCOMPARE(at.link().mode(), Mode::kArmed);
  QTRY_VERIFY(at.actions().setUp->text().contains(QStringLiteral("sarm")));
  at.key(Qt::Key_F4);
  QCOMPARE(at.link().mode(), Mode::kSetUp);
  QVERIFY(!at.fake.asked("record"));
}

void SessionHandsTest::endingEarlyIsAskedAndKeepsRecordingByDefault() {
  AtRig at;
  at.record();
  QTRY_VERIFY(part<QPushButton>(at.bench, "finishRun")->isEnabled());
  QTest::mouseClick(part<QPushButton>(at.bench, "finishRun"), Qt::LeftButton);
  gui::test::answer(at.bench, "endSession", "keepRecording", QStringLiteral("Keep recording"));
  at.roundTrip();
  QVERIFY(!at.fake.asked("finish"));
  QTest::mouseClick(part<QPushButton>(at.bench, "finishRun"), Qt::LeftButton);
  gui::test::answer(at.bench, "endSession", "endNow", QStringLiteral("End the session"));
  QTRY_VERIFY(at.fake.asked("finish"));
}

void SessionHandsTest::aMarkerHasAButton() {
  AtRig at;
  auto* button = part<QToolButton>(at.bench, "markerButton");
  at.record();
  QTRY_VERIFY(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(at.fake.asked("note"));
  QVERIFY(at.fake.last()["text"] == "marker");
  QVERIFY(part<QLabel>(at.bench, "statusText")->text().contains(QStringLiteral("marker")));
}

void SessionHandsTest::whatWasPressedBeforeAResumeIsCovered() {
  Coverage coverage;
  coverage.clear(*load_sensor("weiss-wts0614"));
  std::vector<Press> recorded(4);
  recorded[0].tactel = 5;
  recorded[1].tactel = 6;
  recorded[2].tactel = 7;
  recorded[2].outcome = "aborted";
  coverage.add(recorded);  // the last lies between tactels
  QCOMPARE(coverage.done(), 2);
  QCOMPARE(coverage.tactels()[7].aborted, 1);
  coverage.hear({5, 8, rig::messages::PressOutcome::kBegun});
  coverage.hear({5, 8, rig::messages::PressOutcome::kOk});
  QCOMPARE(coverage.done(), 3);
}

void SessionHandsTest::aRecordingThatEndsLetsNoHeldButtonGo() {
  AtRig at;
  at.record();
  at.key(Qt::Key_F12);
  QTRY_COMPARE(at.link().mode(), Mode::kStopped);
  auto* button = part<QPushButton>(at.bench, "acknowledge");
  button->setFocus();
  QTest::mousePress(button, Qt::LeftButton);
  at.fake.failed(ErrorCode::kCancelled, "stopped by hand");
  QTRY_VERIFY(part<QLabel>(at.bench, "summaryWords")->isVisible());
  QTRY_VERIFY(at.fake.asked("acknowledge"));
  QTest::mouseRelease(button, Qt::LeftButton);
}
