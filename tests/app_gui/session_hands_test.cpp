#include "tests/app_gui/session_hands_test.hpp"

#include <QToolButton>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/pages/session/coverage.hpp"
#include "app/gui/pages/session/live_plots.hpp"
#include "app/gui/pages/session/live_traces.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/text_file.hpp"
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

/// The rig file as a set-up run leaves it: the pad's surface at that height of the stage.
void findSurface(const AtRig& at, double z0_mm) {
  auto rig = nlohmann::json::parse(virtual_bench_rig().document);
  rig["surface"] = {{"z0_mm", z0_mm}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
  QVERIFY(write_text_file(at.fake.place().rig, rig.dump()));
}

void beRegistered(AtRig& at) {
  auto& status = at.fake.status;
  status.position_trusted = status.surface_found = status.registered = true;
  QTRY_VERIFY(at.link().status().registered);
  at.bench.settle();
}

QString words(const AtRig& at, const char* label) { return part<QLabel>(at.bench, label)->text(); }

void chooseTactel(AtRig& at, int tactel) {
  auto* map = part<TactileMapView>(at.bench, "liveMap");
  QTest::mouseClick(map, Qt::LeftButton, {}, map->cell(tactel).center().toPoint());
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

void SessionHandsTest::depthAndTheWayLeftStandBesideThePosition() {
  AtRig at;
  at.fake.status.position_trusted = true;
  at.roundTrip();
  QTRY_COMPARE(words(at, "stage2"), QStringLiteral("2.000"));
  QCOMPARE(words(at, "tipDepth"), QStringLiteral("—"));  // the surface is not found
  findSurface(at, -12);
  beRegistered(at);
  at.fake.frame(0, -0.010);
  QTRY_COMPARE(words(at, "tipDepth"), QStringLiteral("−2.000"));
  at.fake.frame(1, -0.0125);
  QTRY_COMPARE(words(at, "tipDepth"), QStringLiteral("0.500"));
  const double limit_m = at.link().facts().limits.depth_m.value();
  QTRY_COMPARE(words(at, "travelLeft"), QString::number(1e3 * limit_m - 0.5, 'f', 3));
  QVERIFY(part<QLabel>(at.bench, "travelLeft")->toolTip().contains(QStringLiteral("depth limit")));
  // Homed again: whatever was found is void.
  at.fake.status.surface_found = at.fake.status.registered = false;
  QTRY_COMPARE(words(at, "tipDepth"), QStringLiteral("—"));
}

void SessionHandsTest::theTipGoesOverTheChosenTactelAndNeverLowOrFurtherThanAsked() {
  AtRig at;
  auto* go = part<QPushButton>(at.bench, "goToTactel");
  chooseTactel(at, 0);
  QVERIFY(!go->isEnabled());
  beRegistered(at);
  QVERIFY(!go->isEnabled());
  QVERIFY(go->toolTip().contains(QStringLiteral("set-up")));
  at.setUp();
  at.fake.frame(0, 0.0005);  // below the safe height of 1 mm
  QTRY_COMPARE(at.link().live()->position_m[2], 0.0005);
  QTRY_VERIFY(go->isEnabled());
  QTest::mouseClick(go, Qt::LeftButton);
  QTRY_VERIFY(at.fake.asked("retract"));
  QVERIFY(!at.fake.asked("jog"));
  at.fake.frame(0, 0.001);
  QTRY_COMPARE(at.link().live()->position_m[2], 0.001);
  at.fake.done({});
  QTRY_VERIFY(at.fake.asked("jog"));
  const auto by_mm = at.fake.last()["by_mm"];
  const auto centre_m = at.link().facts().sensor.position_m(0);
  QVERIFY(std::abs(by_mm[0].get<double>() - (1e3 * centre_m[0] - 8.5)) < 1e-6);
  QVERIFY(std::abs(by_mm[1].get<double>() - (1e3 * centre_m[1] + 1.7)) < 1e-6);
  QVERIFY(std::abs(by_mm[2].get<double>()) < 1e-6);
  at.fake.done({});
  QTRY_VERIFY(words(at, "statusText").contains(QStringLiteral("over tactel 0")));
  // High enough already, and cancelled on the way: nothing follows.
  at.fake.requests.clear();
  at.fake.frame(0, 0.0002);
  QTRY_COMPARE(at.link().live()->position_m[2], 0.0002);
  QTRY_VERIFY(go->isEnabled());
  QTest::mouseClick(go, Qt::LeftButton);
  QTRY_VERIFY(at.fake.asked("retract"));
  QTest::mouseClick(part<QPushButton>(at.bench, "cancelTask"), Qt::LeftButton);
  at.fake.done({});
  at.roundTrip();
  QVERIFY(!at.fake.asked("jog"));
}

void SessionHandsTest::theTactelsUnderTheTipAreTraced() {
  AtRig at;
  auto* plot = part<LiveTracePlot>(at.bench, "liveTraces");
  const auto names = [&] {
    QStringList all;
    for (const auto& row : plot->asTable().rows)
      if (!all.contains(row[0])) all << row[0];
    return all;
  };
  const auto frames = [&](double force_N) {
    for (int i = 0; i < 4; ++i) at.fake.frame(force_N, 0);
    QTRY_COMPARE(at.link().live()->force_N, force_N);
  };
  frames(0.5);
  QVERIFY2(plot->emptyText().contains(QStringLiteral("Register")), qPrintable(plot->emptyText()));
  beRegistered(at);
  frames(1.5);
  const auto& sensor = at.link().facts().sensor;
  int under = 0;
  const auto away_m = [&](int tactel) {
    const auto at_m = sensor.position_m(tactel);
    return std::hypot(at_m[0] - 0.0085, at_m[1] + 0.0017);
  };
  for (int i = 0; i < sensor.tactels(); ++i)
    if (away_m(i) < away_m(under)) under = i;
  QTRY_COMPARE(names().size(), 3);
  QCOMPARE(names().first(), QString::number(under));
  chooseTactel(at, 37);  // reads 224 + 1000 counts/N
  QTRY_VERIFY(names().contains(QStringLiteral("37 (chosen)")));
  QVERIFY2(plot->accessibleDescription().contains(QStringLiteral("tactel 37 reads 1724")),
           qPrintable(plot->accessibleDescription()));
}

void SessionHandsTest::theRoomsTemperatureGoesIntoTheRecording() {
  AtRig at;
  auto* room = part<QLineEdit>(at.bench, "roomTemperature");
  QTest::keyClicks(room, QStringLiteral("22.4x"));  // letters are not taken
  QCOMPARE(room->text(), QStringLiteral("22.4"));
  at.record();
  QVERIFY(at.fake.last()["temperature_degC"] == 22.4);
  QVERIFY(at.form()->request().temperature_degC == 22.4);
}
