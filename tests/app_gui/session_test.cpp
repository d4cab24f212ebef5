#include "tests/app_gui/session_test.hpp"

#include <QLabel>
#include <QToolButton>
#include <QtTest>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/pages/session/hold_button.hpp"
#include "app/gui/pages/session/jog_pad.hpp"
#include "app/gui/pages/session/record_form.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"
#include "app/gui/widgets/newton_switch.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"
#include "tests/app_gui/session_support.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::AtRig;
using gui::test::Bench;
using gui::test::FakeRig;
using gui::test::part;
using rig::messages::PressOutcome;
using rig::messages::TaskKind;

void SessionTest::connectingMovesNothingAndShowsWhatComes() {
  AtRig at;
  QVERIFY(at.fake.requests.empty());
  at.fake.frame(1.25, -0.0135);
  at.fake.status.position_trusted = true;
  QTRY_COMPARE(snapshotOf(at.link()).force_N, std::optional(1.25));
  QTRY_VERIFY(at.link().status().position_trusted);
  QCOMPARE(at.bench.window->safetyBar()->findChild<ForceBar*>()->accessibleName(),
           QStringLiteral("Force 1.25 newtons, limit 5.00 N"));
  QCOMPARE(part<QLabel>(at.bench, "stage2")->text(), QStringLiteral("−13.500"));
  QVERIFY(part<TactileMapView>(at.bench, "liveMap")->describe(37).contains("1474"));
  QVERIFY(at.banner().startsWith(QStringLiteral("Mode IDLE")));
  QCOMPARE(at.bench.window->safetyBar()->stopButton()->accessibleDescription(),
           QStringLiteral("Esc"));
}

void SessionTest::liveReadingsBecomeNewtonsWithAModelThatFits() {
  AtRig at;
  auto* map = part<TactileMapView>(at.bench, "liveMap");
  auto* newtons = part<NewtonSwitch>(at.bench, "liveUnit")->findChildren<QToolButton*>().at(1);
  QVERIFY(!newtons->isEnabled());
  // Rest 224, 1000 counts/N, a dead zone of 0.1 N.
  auto model = empty_model(at.link().facts().sensor);
  const auto set = [](Parameter& parameter, double value) {
    parameter.value = value;
    parameter.status = Status::kIdentified;
  };
  for (auto& tactel : model.response.tactels) {
    set(tactel.offset, 224);
    set(tactel.noise, 4);
    set(tactel.press_threshold, 0.1);
    set(tactel.press_gain, 1e-3);
  }
  at.bench.state->modelDocument().set(std::make_shared<const SensorModel>(model), {});
  QVERIFY(newtons->isEnabled());
  QTest::mouseClick(newtons, Qt::LeftButton);
  at.fake.frame(1.25, -0.0135);
  QTRY_VERIFY2(map->describe(37).endsWith(QStringLiteral("1.35 N")), qPrintable(map->describe(37)));
  QVERIFY(map->describe(36).endsWith(QStringLiteral("no value, below the threshold")));
}

void SessionTest::shearIsDrawnForArraysThatHaveIt() {
  {
    AtRig at;
    QVERIFY(!part<QToolButton>(at.bench, "liveShear")->isVisibleTo(at.bench.window.get()));
  }
  AtRig at(R"({"rows": 4, "columns": 4, "pitch_x_mm": 4.7, "pitch_y_mm": 4.7, "channels": 3,
                   "adc": {"bits": 16, "min": 0, "max": 65535}})");
  auto* button = part<QToolButton>(at.bench, "liveShear");
  auto* map = part<TactileMapView>(at.bench, "liveMap");
  QVERIFY(button->isVisibleTo(at.bench.window.get()));
  QVERIFY(map->shear().empty());
  QTest::mouseClick(button, Qt::LeftButton);
  // What x and y read at rest is no shear.
  QTRY_COMPARE(map->shear(), std::vector<QPointF>(16));
  const auto without = map->grab().toImage();
  at.fake.shear = {1200, -900};
  at.fake.frame(0, 0.002);
  QTRY_COMPARE(map->shear().at(5), QPointF(1200, -900));
  QCOMPARE(map->shear().at(6), QPointF());
  QCOMPARE(map->describe(5),
           QStringLiteral("Tactel 5, row 1, column 1: 224 counts, x 1200, y −900"));
  QCOMPARE(map->asTable().rows.at(5).mid(5),
           QStringList({QStringLiteral("1200"), QStringLiteral("−900")}));
  // The arrow goes from its cell to the right and down, one cell long; no other cell has one.
  const auto with = map->grab().toImage();
  const auto changed = [&](const QPointF& place) {
    const auto pixel = (map->at(place) * with.devicePixelRatio()).toPoint();
    return with.pixel(pixel) != without.pixel(pixel);
  };
  QVERIFY(changed({1.4, 0.7}));
  QVERIFY(!changed({0.6, 1.3}));
  QVERIFY(!changed({2.4, 0.7}));
  QCOMPARE(map->barNote(), QStringLiteral("arrow of one cell: 1500"));
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(map->shear().empty());
}

void SessionTest::stopIsWrittenOnPressByMouse() {
  AtRig at;
  QTest::mousePress(at.bench.window->safetyBar()->stopButton(), Qt::LeftButton);
  // Neither released nor any event handled since: it lies in the connection that serves nothing
  // else.
  QCOMPARE(at.fake.unreadStop(), std::string("{\"do\": \"stop\"}\n"));
  QTRY_COMPARE(at.link().mode(), Mode::kStopped);
  QVERIFY(at.banner().contains(QStringLiteral("STOPPED")));
  QTRY_VERIFY(snapshotOf(at.link()).stop_p99_ms.has_value());
}

void SessionTest::stopButtonTellsHowFastItsLineAnswersAndWhenItDoesNot() {
  AtRig at;
  auto* stop = at.bench.window->safetyBar()->stopButton();
  QTRY_VERIFY(stop->accessibleDescription().startsWith(QStringLiteral("Esc · p99 ")));
  QVERIFY(!at.fake.asked("stop"));
  at.fake.setDeafToStop(true);
  QTRY_COMPARE(stop->accessibleDescription(), QStringLiteral("no answer"));
  QVERIFY(stop->toolTip().contains(QStringLiteral("emergency stop")));
  at.fake.setDeafToStop(false);
  QTRY_VERIFY(stop->accessibleDescription().startsWith(QStringLiteral("Esc · p99 ")));
}

void SessionTest::stopKeysWorkEverywhere_data() {
  QTest::addColumn<int>("key");
  QTest::newRow("Esc") << int(Qt::Key_Escape);
  QTest::newRow("F12") << int(Qt::Key_F12);
  QTest::newRow("Pause") << int(Qt::Key_Pause);
}

void SessionTest::stopKeysWorkEverywhere() {
  QFETCH(int, key);
  AtRig at;
  auto* field = part<QLineEdit>(at.bench, "notes");  // a widget that takes keys itself
  at.bench.window->showPage(QStringLiteral("session"));
  field->setFocus();
  QTest::keyPress(field, Qt::Key(key));
  QCOMPARE(at.fake.unreadStop(), std::string("{\"do\": \"stop\"}\n"));  // once
  QTest::keyRelease(field, Qt::Key(key));
  at.bench.window->showPage(QStringLiteral("library"));
  QTRY_COMPARE(at.link().mode(), Mode::kStopped);
  QTest::keyClick(at.bench.window.get(), Qt::Key(key));
  QVERIFY(!at.fake.unreadStop().empty());
}

void SessionTest::escClosesADialogAndStopsOnlyWhenHeld() {
  AtRig at;
  QDialog dialog(at.bench.window.get());
  dialog.setModal(true);
  dialog.show();
  QVERIFY(QTest::qWaitForWindowExposed(&dialog));
  QTest::keyPress(&dialog, Qt::Key_F12);
  QVERIFY(!at.fake.unreadStop().empty());
  QTRY_VERIFY(at.fake.asked("stop"));
  QTest::keyRelease(&dialog, Qt::Key_F12);
  at.fake.requests.clear();
  QTest::keyClick(&dialog, Qt::Key_Escape);
  QVERIFY(!dialog.isVisible());
  QVERIFY(at.fake.unreadStop().empty());
  dialog.show();
  QVERIFY(QTest::qWaitForWindowExposed(&dialog));
  QTest::keyPress(&dialog, Qt::Key_Escape);
  QTRY_VERIFY(at.fake.asked("stop"));  // held
  QTest::keyRelease(at.bench.window.get(), Qt::Key_Escape);
}

void SessionTest::stopGetsThroughWhenTheOtherConnectionIsStuck() {
  AtRig at;
  at.fake.setDeaf(true);
  for (int i = 0; i < 20'000; ++i) at.link().skip();  // more than a socket takes
  QTest::mousePress(at.bench.window->safetyBar()->stopButton(), Qt::LeftButton);
  QCOMPARE(at.fake.unreadStop(), std::string("{\"do\": \"stop\"}\n"));
}

void SessionTest::aStopLocksUntilItIsAcknowledgedByHolding() {
  AtRig at;
  at.setUp();
  at.key(Qt::Key_F12);
  QTRY_COMPARE(at.link().mode(), Mode::kStopped);
  auto* button = part<QPushButton>(at.bench, "acknowledge");
  QVERIFY(button->isVisible());
  QVERIFY(!part<QPushButton>(at.bench, "task_home")->isEnabled());
  QTest::mouseClick(button, Qt::LeftButton);  // too short
  at.roundTrip();
  QVERIFY(!at.fake.asked("acknowledge"));
  QTest::mousePress(button, Qt::LeftButton);
  QTRY_VERIFY(at.fake.asked("acknowledge"));
  QTest::mouseRelease(button, Qt::LeftButton);
  QTRY_COMPARE(at.link().mode(), Mode::kSetUp);
  QVERIFY(!at.fake.asked("home"));  // nothing moves by itself
  at.fake.trip("pad force 5.02 N, limit 5 N");
  QTRY_COMPARE(at.link().mode(), Mode::kFault);
  QVERIFY(part<QLabel>(at.bench, "lockWords")->text().contains(QStringLiteral("5.02 N")));
  QVERIFY(at.bench.window->messageBar()->messages().first().happened.contains("5.02 N"));
  button->setFocus();
  QTest::keyPress(button, Qt::Key_Space);
  QTRY_COMPARE(at.link().mode(), Mode::kSetUp);
  QTest::keyRelease(button, Qt::Key_Space);
}

void SessionTest::modesFollowTheRigProcess() {
  AtRig at;
  at.record();
  QCOMPARE(at.link().mode(), Mode::kRunning);
  at.fake.progress("record", 10, 100, "step 2 scan, press 3 of 84");
  QTRY_VERIFY(at.banner().contains(QStringLiteral("press 3 of 84")));
  at.fake.status.stage = rig::messages::StageActivity::kRun;
  at.fake.status.paused = true;
  QTRY_VERIFY(at.banner().contains(QStringLiteral("Pauses after this press")));
  QCOMPARE(at.link().mode(), Mode::kRunning);  // it still moves
  at.fake.status.resting = true;
  QTRY_COMPARE(at.link().mode(), Mode::kPaused);
  at.fake.status.recording->recorded_s = 552.0;
  QTRY_COMPARE(snapshotOf(at.link()).recording, std::optional(QStringLiteral("9:12")));
}

void SessionTest::oldForceIsNoNumber() {
  AtRig at;
  at.fake.frame(2, 0);
  QTRY_COMPARE(snapshotOf(at.link()).force_N, std::optional(2.0));
  QTRY_VERIFY(!snapshotOf(at.link()).force_N);  // half a second later
  QCOMPARE(snapshotOf(at.link()).streams[0].lamp, Lamp::kBad);
}

void SessionTest::setUpRunsByMouseAndKey() {
  AtRig at;
  auto* home = part<QPushButton>(at.bench, "task_home");
  QVERIFY(!home->isEnabled());
  at.setUp();
  QTRY_VERIFY(home->isEnabled());
  QTest::mouseClick(home, Qt::LeftButton);
  QTRY_VERIFY(at.fake.asked("home"));
  QVERIFY(!home->isEnabled());  // one at a time
  QTRY_VERIFY(at.link().status().task == TaskKind::kHome);
  QCOMPARE(at.link().mode(), Mode::kSetUp);
  at.fake.done({});
  QTRY_VERIFY(home->isEnabled());
  at.key(Qt::Key_J);
  auto* pad = part<JogPad>(at.bench, "jogPad");
  QVERIFY(pad->hasFocus());
  QTest::keyClick(pad, Qt::Key_C);
  QTRY_VERIFY(at.fake.asked("surface"));
  at.fake.failed(ErrorCode::kDeviceFault, "the pad is not there");
  QTRY_VERIFY(!at.bench.window->messageBar()->messages().isEmpty());
  QVERIFY(at.bench.window->messageBar()->messages().first().happened.contains("not there"));
}

void SessionTest::jogMovesOnlyWhileHeldAndFocused() {
  AtRig at;
  auto* pad = part<JogPad>(at.bench, "jogPad");
  at.setUp();
  at.key(Qt::Key_J);
  QTest::keyPress(pad, Qt::Key_Right);
  QTRY_COMPARE(at.fake.requests.size(), std::size_t{1});
  QVERIFY(at.fake.last()["by_mm"] == nlohmann::json({0.2, 0, 0}));
  at.fake.done({});
  QTRY_COMPARE(at.fake.requests.size(), std::size_t{2});  // still held: the next one
  QVERIFY(at.fake.last()["do"] == "jog");
  QTest::keyRelease(pad, Qt::Key_Right);
  QTRY_VERIFY(at.fake.asked("halt"));
  at.fake.failed(ErrorCode::kCancelled, "stopped on request");
  QTRY_VERIFY(!at.link().working());
  QCOMPARE(at.fake.requests.size(), std::size_t{3});  // and no more
  QTest::keyPress(pad, Qt::Key_PageUp);
  QTRY_COMPARE(at.fake.requests.size(), std::size_t{4});
  QVERIFY(at.fake.last()["by_mm"] == nlohmann::json({0, 0, 0.2}));
  part<QLineEdit>(at.bench, "notes")->setFocus();  // the key is still down
  QTRY_COMPARE(at.fake.requests.size(), std::size_t{5});
  QVERIFY(at.fake.last()["do"] == "halt");
  QTest::keyRelease(pad, Qt::Key_PageUp);
}

void SessionTest::jogWorksWhilePausedAndNotWhileRunning() {
  AtRig at;
  auto* pad = part<JogPad>(at.bench, "jogPad");
  at.record();
  at.key(Qt::Key_J);
  QTest::keyClick(pad, Qt::Key_Right);
  QVERIFY(!at.fake.asked("jog"));
  QVERIFY(part<QLabel>(at.bench, "jogWords")->text().contains(QStringLiteral("Pause (F6)")));
  at.fake.status.paused = at.fake.status.resting = true;
  QTRY_COMPARE(at.link().mode(), Mode::kPaused);
  const auto before = at.fake.requests.size();
  QTest::keyPress(pad, Qt::Key_Right);
  QTRY_VERIFY(at.fake.requests.size() >= before + 2);  // goes on while it is held
  QVERIFY(at.fake.last()["do"] == "jog");
  QVERIFY(at.fake.last()["by_mm"] == nlohmann::json({0.2, 0, 0}));
  QTest::keyRelease(pad, Qt::Key_Right);
  QTRY_VERIFY(at.fake.asked("halt"));
  QVERIFY(!at.fake.asked("cancel"));  // that would end the recording
  at.fake.status.jog_refused = "a move enters the box 'clamp'";
  QTRY_VERIFY(part<QLabel>(at.bench, "statusText")->text().contains(QStringLiteral("clamp")));
}

void SessionTest::jogStepsMoveOncePerPress() {
  AtRig at;
  auto* pad = part<JogPad>(at.bench, "jogPad");
  auto* up = pad->findChild<QToolButton*>(QStringLiteral("jog001"));
  QVERIFY(!up->isEnabled());
  at.setUp();
  QTRY_VERIFY(up->isEnabled());
  QTest::mouseClick(
      pad->findChild<Segmented*>(QStringLiteral("jogKind"))->findChildren<QToolButton*>()[1],
      Qt::LeftButton);
  QTest::mousePress(up, Qt::LeftButton);
  QTRY_COMPARE(at.fake.requests.size(), std::size_t{1});
  QVERIFY(at.fake.last()["by_mm"] == nlohmann::json({0, 0, 0.1}));
  at.fake.done({});
  QTRY_VERIFY(!at.link().working());
  QTest::mouseRelease(up, Qt::LeftButton);
  QCOMPARE(at.fake.requests.size(), std::size_t{1});
}

void SessionTest::armingNeedsTheChecksAndStartsOnTheSecondF5() {
  AtRig at;
  at.setUp();
  auto* file = part<QLineEdit>(at.bench, "recordFile");
  file->setText(QString());
  at.form()->refresh();
  at.key(Qt::Key_F5);
  QCOMPARE(at.link().mode(), Mode::kSetUp);
  file->setText(at.bench.folder.filePath(QStringLiteral("a")));
  at.form()->refresh();
  QTRY_VERIFY_WITH_TIMEOUT(at.form()->preview() != nullptr, 20'000);
  at.fake.frame(0, 0.002);
  QTRY_VERIFY(at.link().feed().forceFresh());
  at.key(Qt::Key_F5);
  QCOMPARE(at.link().mode(), Mode::kArmed);
  QVERIFY(at.banner().contains(QStringLiteral("Starts on F5")));
  QVERIFY(!at.fake.asked("record"));
  at.link().disarm();
  QCOMPARE(at.link().mode(), Mode::kSetUp);
  at.fake.frame(0, 0.002);
  QTRY_VERIFY(at.link().feed().forceFresh());
  auto* arm = part<QPushButton>(at.bench, "armButton");
  QTest::mouseClick(arm, Qt::LeftButton);
  QTest::mouseClick(arm, Qt::LeftButton);
  QTRY_VERIFY(at.fake.asked("record"));
  const auto& order = at.fake.last();
  QVERIFY(order["file"].get<std::string>().ends_with("/a.tact"));
  QVERIFY(order["protocol"]["name"] == "quick");
  QVERIFY(order["set_up"] == true);
  QVERIFY(order["resume"] == false);
}

void SessionTest::aRecordingThatWasCutOffIsOfferedAtTheStart() {
  Bench bench;
  FakeRig fake;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("night.tact"));
  bench.state->files().note(file);
  bench.restart();
  bench.settle();
  const auto notice = [&] {
    return bench.window->findChild<QFrame*>(QStringLiteral("cutOffNotice"));
  };
  QVERIFY(notice() == nullptr);  // it was closed
  gui::test::cutOff(file);
  bench.restart();
  QTRY_VERIFY(notice() != nullptr);
  QVERIFY(notice()->accessibleName().contains(QStringLiteral("night.tact")));
  QVERIFY(notice()->accessibleName().contains(QStringLiteral("presses are whole")));
  QTest::mouseClick(part<QPushButton>(bench, "cutOffLater"), Qt::LeftButton);
  QTRY_VERIFY(notice() == nullptr);
  bench.window->showPage(QStringLiteral("library"));
  bench.window->showPage(QStringLiteral("welcome"));
  bench.settle();
  QVERIFY(notice() == nullptr);
  bench.restart();
  QTRY_VERIFY(notice() != nullptr);
  QTest::mouseClick(part<QPushButton>(bench, "cutOffResume"), Qt::LeftButton);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("session"));
  auto& link = *bench.rig;
  QVERIFY(!link.connected());
  link.take(fake.connect());
  const auto* form = bench.window->findChild<RecordForm*>();
  QTRY_VERIFY(form->request().resume);
  QCOMPARE(form->request().target, std::filesystem::path(file.toStdString()));
  QVERIFY(!fake.asked("record"));  // nothing moves by itself
}

void SessionTest::pauseRepeatSkipAndEndReachTheRig() {
  AtRig at;
  at.record();
  at.key(Qt::Key_F6);
  QTRY_VERIFY(at.fake.asked("pause"));
  QTRY_VERIFY(at.link().status().paused);
  at.key(Qt::Key_F6);
  QTRY_VERIFY(at.fake.asked("resume"));
  QTRY_VERIFY(!at.link().status().paused);
  at.key(Qt::Key_F7);
  QTRY_VERIFY(at.fake.asked("repeat"));
  at.key(Qt::Key_F8);
  QTRY_VERIFY(at.fake.asked("skip"));
  QTest::mouseClick(part<QPushButton>(at.bench, "finishRun"), Qt::LeftButton);
  gui::test::answer(at.bench, "endSession", "endNow", QStringLiteral("End the session"));
  QTRY_VERIFY(at.fake.asked("finish"));
  // What would move by hand is off meanwhile.
  QVERIFY(!part<QPushButton>(at.bench, "task_home")->isEnabled());
  QTest::keyClick(part<JogPad>(at.bench, "jogPad"), Qt::Key_Left);
  at.roundTrip();
  QVERIFY(!at.fake.asked("jog"));
}

void SessionTest::ctrlZTakesAPressBackWhereTheRunIsSeen() {
  AtRig at;
  const QKeySequence key(Qt::CTRL | Qt::Key_Z);
  auto* undo = at.bench.window->findChild<QAction*>(QStringLiteral("undoPress"));
  QVERIFY(undo != nullptr);
  QVERIFY(!undo->isEnabled());
  at.record();
  at.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY(at.fake.asked("undo"));
  // On another page the key belongs to what is done there.
  at.bench.window->showPage(QStringLiteral("fit"));
  QCOMPARE(undo->shortcut(), QKeySequence());
  at.bench.window->showPage(QStringLiteral("session"));
  QCOMPARE(undo->shortcut(), key);
}

void SessionTest::notesAndMarkersReachTheRecording() {
  AtRig at;
  auto* field = part<QLineEdit>(at.bench, "note");
  QVERIFY(!field->isVisible());
  at.record();
  QTRY_VERIFY(field->isVisible());
  at.key(Qt::Key_M);
  QTRY_VERIFY(at.fake.asked("note"));
  QVERIFY(at.fake.last()["text"] == "marker");
  at.key(Qt::Key_N);
  QTRY_VERIFY(field->hasFocus());
  // Letters are text here, no keys.
  QTest::keyClicks(field, QStringLiteral("mind the gap"));
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_VERIFY(at.fake.last()["text"] == "mind the gap");
  QVERIFY(field->text().isEmpty());
  QTRY_VERIFY(!field->hasFocus());
  at.key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY(at.fake.asked("undo"));
}

void SessionTest::whatIsNotRecordedYetTakesNoNotes() {
  AtRig at;
  at.record();
  at.fake.status.recording.reset();
  auto* field = part<QLineEdit>(at.bench, "note");
  QTRY_VERIFY(!field->isVisible());
  at.key(Qt::Key_M);
  at.key(Qt::Key_Z, Qt::ControlModifier);
  at.roundTrip();
  QVERIFY(!at.fake.asked("note") && !at.fake.asked("undo"));
}

void SessionTest::coverageShowsWhatTheRunHasPressed() {
  AtRig at;
  at.record();
  auto* map = part<TactileMapView>(at.bench, "coverageMap");
  auto* choice = part<Segmented>(at.bench, "imageOrCoverage");
  QVERIFY(!map->isVisible());
  QTest::mouseClick(choice->findChildren<QToolButton*>().at(1), Qt::LeftButton);
  QVERIFY(map->isVisible());
  QVERIFY(std::isnan(map->values()[37]));
  at.fake.press(1, 37, PressOutcome::kBegun);
  QTRY_VERIFY(at.coverage().contains(QStringLiteral("0 of 84")));
  for (const double force_N : {0.0, 1.0, 2.0, 0.5}) {
    at.fake.frame(force_N, 0);
    QTRY_COMPARE(at.link().live()->force_N, force_N);
  }
  at.fake.press(1, 37, PressOutcome::kOk);
  QTRY_VERIFY(at.coverage().contains(QStringLiteral("1 of 84")));
  QCOMPARE(map->values()[37], 1000.0);
  // Aborted is no coverage, withdrawn takes it back.
  at.fake.press(2, 38, PressOutcome::kBegun);
  at.fake.press(2, 38, PressOutcome::kAborted);
  at.fake.press(1, 37, PressOutcome::kWithdrawn);
  QTRY_VERIFY(at.coverage().contains(QStringLiteral("0 of 84")));
  QVERIFY(std::isnan(map->values()[37]));
  map->setCursor(38);
  QVERIFY(map->describe(38).contains(QStringLiteral("aborted")));
}

void SessionTest::aQuestionIsAnsweredInThePanel() {
  AtRig at;
  at.record();
  at.fake.question("Put 100 g on the pad and read the gauge.", "compression_mm");
  auto* value = part<QLineEdit>(at.bench, "promptValue");
  QTRY_VERIFY(value->isVisible());
  QCOMPARE(at.link().mode(), Mode::kPaused);
  value->setText(QStringLiteral("much"));
  QTest::keyClick(value, Qt::Key_Return);
  at.roundTrip();
  QVERIFY(!at.fake.asked("answer"));
  value->setText(QStringLiteral("0.25"));
  QTest::keyClick(value, Qt::Key_Return);
  QTRY_VERIFY(at.fake.asked("answer"));
  QVERIFY(at.fake.last()["value"] == 0.25);
  QVERIFY(!value->isVisible());
  at.fake.question("Take it off.", "");
  auto* go = part<QPushButton>(at.bench, "promptContinue");
  QTRY_VERIFY(go->isVisible());
  QTest::mouseClick(go, Qt::LeftButton);
  QTRY_VERIFY(!at.fake.last().contains("value"));
}

/// Not tared, and as far as it went: a chuck is tightened within a second.
void SessionTest::aQuestionShowsTheForceSensorsAxes() {
  AtRig at;
  at.record();
  at.fake.question("Mount the ball.", "");
  auto* axes = part<QLabel>(at.bench, "promptAxes");
  QTRY_VERIFY(axes->isVisible());
  const auto see = [&](double across_N, double force_N) {
    at.fake.across_N = {across_N, 0};
    for (int i = 0; i < 3; ++i) at.fake.frame(force_N, 0);
    QTRY_COMPARE(at.link().live()->wrench_SI[0], across_N);
  };
  see(0.5, 0.25);
  see(4.5, 0.25);
  see(0.75, 0.25);
  const auto shown = [&] {
    at.fake.frame(0.25, 0);
    return axes->text().contains(QStringLiteral(">0.75<")) &&
           axes->text().contains(QStringLiteral(">4.00<"));
  };
  QTRY_VERIFY2(shown(), qPrintable(axes->text()));
  QVERIFY(axes->text().contains(QStringLiteral(">−0.25<")));
  QVERIFY(!axes->text().contains(QStringLiteral("Tz")));  // this sensor says nothing of it
}

void SessionTest::theSummaryOffersFitAndResume() {
  AtRig at;
  at.record();
  // The recording that the rig process would have written.
  const auto file = QString::fromStdString(at.fake.last()["file"].get<std::string>());
  gui::test::makeRecording(QFileInfo(file).path(), QFileInfo(file).fileName());
  at.fake.done({{"presses", 41},
                {"aborted", 1},
                {"repeated", 2},
                {"complete", false},
                {"peak_force_N", 2.5},
                {"duration_s", 754.0}});
  auto* words = part<QLabel>(at.bench, "summaryWords");
  QTRY_VERIFY(words->isVisible());
  QVERIFY(words->text().contains(
      QStringLiteral("41 presses in 12:34, 2 repeated, 0 withdrawn, 1 aborted")));
  QVERIFY2(words->text().contains(QStringLiteral("✓ warm after 62 s: the force's zero drifts 0.4")),
           qPrintable(words->text()));
  QTest::mouseClick(part<QPushButton>(at.bench, "summaryResume"), Qt::LeftButton);
  const auto request = at.form()->request();
  QVERIFY(request.resume);
  QVERIFY(request.protocol.empty());
  QCOMPARE(QString::fromStdString(request.target.string()), file);
  at.roundTrip();
  QVERIFY(!at.fake.asked("home"));  // nothing moves before it was armed and started
}

void SessionTest::aRigProcessThatDiesLeavesTheStageUnknown() {
  AtRig at;
  at.record();
  at.fake.die();
  QTRY_COMPARE(at.link().mode(), Mode::kUnknown);
  QVERIFY(!at.link().connected());
  QVERIFY(at.bench.window->messageBar()->messages().first().happened.contains("has ended"));
  QVERIFY(part<QLabel>(at.bench, "summaryWords")->isVisible());
  const auto* stop = at.bench.window->safetyBar()->stopButton();
  const auto isUnknown = [&] {
    for (const auto* lamp : at.bench.window->safetyBar()->findChildren<StreamLamp*>())
      if (!lamp->accessibleName().endsWith(QStringLiteral("unknown"))) return false;
    return at.banner() == QStringLiteral("Mode UNKNOWN. The stage may still move") &&
           stop->accessibleDescription() == QStringLiteral("no answer");
  };
  QVERIFY(isUnknown());
  // Whatever the Bench page does: nothing of it looks like this rig's.
  at.bench.window->showPage(QStringLiteral("bench"));
  at.key(Qt::Key_T, Qt::ControlModifier);
  at.bench.settle();
  QVERIFY(isUnknown());
  // STOP tells that nobody hears it.
  at.key(Qt::Key_F12);
  QVERIFY2(part<QLabel>(at.bench, "statusText")->text().contains(QStringLiteral("emergency stop")),
           qPrintable(part<QLabel>(at.bench, "statusText")->text()));
  // Until somebody has looked.
  at.bench.window->showPage(QStringLiteral("session"));
  auto* stands = part<QPushButton>(at.bench, "stageStands");
  QVERIFY(stands->isVisible());
  QVERIFY(!part<QPushButton>(at.bench, "acknowledge")->isVisible());
  QTest::mouseClick(stands, Qt::LeftButton);  // too short
  QVERIFY(isUnknown());
  QTest::mousePress(stands, Qt::LeftButton);
  QTRY_COMPARE(at.link().mode(), Mode::kIdle);
  QTest::mouseRelease(stands, Qt::LeftButton);
  QCOMPARE(stop->accessibleDescription(), QStringLiteral("no motion possible"));
  QVERIFY(!stands->isVisible());
}

void SessionTest::aLostRigIsUnknownUntilItIsConnectedAgain() {
  AtRig at;
  at.fake.die();
  QTRY_COMPARE(at.link().mode(), Mode::kUnknown);
  at.link().take(at.fake.connect());
  QTRY_COMPARE(at.link().mode(), Mode::kIdle);
  QVERIFY(!at.link().isLost());
  QVERIFY(!part<QPushButton>(at.bench, "stageStands")->isVisible());
}

void SessionTest::aFaultIsAcknowledgedOnlyOnceItsCauseIsGone() {
  AtRig at;
  at.setUp();
  at.fake.status.waits_for = "force data, none for 812 ms";
  at.fake.trip("the force sensor has said nothing for 20 ms");
  QTRY_COMPARE(at.link().mode(), Mode::kFault);
  auto* button = part<QPushButton>(at.bench, "acknowledge");
  QVERIFY(button->isVisible() && !button->isEnabled());
  QVERIFY(part<QLabel>(at.bench, "lockWords")->text().contains(QStringLiteral("none for 812 ms")));
  QVERIFY(button->toolTip().contains(QStringLiteral("none for 812 ms")));
  at.fake.status.waits_for.reset();
  QTRY_VERIFY(button->isEnabled());
  QVERIFY(!part<QLabel>(at.bench, "lockWords")->text().contains(QStringLiteral("812 ms")));
}

void SessionTest::aButtonSwitchedOffWhileItIsHeldDoesNothing() {
  HoldButton off(QStringLiteral("off"));
  HoldButton later(QStringLiteral("later"));
  const QSignalSpy off_held(&off, &HoldButton::held);
  const QSignalSpy later_held(&later, &HoldButton::held);
  emit off.pressed();
  off.setEnabled(false);
  emit later.pressed();
  QTRY_COMPARE(later_held.count(), 1);
  QCOMPARE(off_held.count(), 0);
}

void SessionTest::anAcknowledgementThatIsRefusedSaysWhy() {
  AtRig at;
  at.fake.trip("the force sensor has said nothing for 20 ms");
  QTRY_COMPARE(at.link().mode(), Mode::kFault);
  at.fake.acknowledge_error = "no force data for 812 ms; check its cable";
  auto* button = part<QPushButton>(at.bench, "acknowledge");
  QTest::mousePress(button, Qt::LeftButton);
  QTRY_VERIFY(part<QLabel>(at.bench, "statusText")->text().contains(QStringLiteral("812 ms")));
  QTest::mouseRelease(button, Qt::LeftButton);
  QCOMPARE(at.link().mode(), Mode::kFault);
}

void SessionTest::theMagnitudeOfAForceIsOfAllAxesAndNeverNegative() {
  AtRig at;
  const auto bar = [&] {
    return at.bench.window->safetyBar()->findChild<ForceBar*>()->accessibleName();
  };
  at.fake.frame(-0.02, 0.002);  // noise around the tare
  QTRY_VERIFY2(bar().startsWith(QStringLiteral("Force 0.02 newtons")), qPrintable(bar()));
  // Pressing along -z, so x and y are across: 1.2 and 1.6 N beside 1.5 N are 2.5 N.
  at.fake.across_N = {1.7, 1.4};
  at.fake.status.zero_N = {0.5, -0.2, 3.0};
  at.roundTrip();
  at.fake.frame(1.5, 0.002);
  QTRY_VERIFY2(bar().startsWith(QStringLiteral("Force 2.50 newtons")), qPrintable(bar()));
}

void SessionTest::openInFitFitsThatRecordingAlone() {
  AtRig at;
  at.bench.state->open(
      gui::test::makeRecording(at.bench.folder.path(), QStringLiteral("old.tact")));
  at.bench.settle();
  at.bench.window->showPage(QStringLiteral("session"));
  at.record();
  const auto file = QString::fromStdString(at.fake.last()["file"].get<std::string>());
  gui::test::makeRecording(QFileInfo(file).path(), QFileInfo(file).fileName());
  at.fake.done({{"presses", 3}, {"complete", true}});
  QTRY_VERIFY(part<QWidget>(at.bench, "summaryFit")->isVisible());
  QTest::mouseClick(part<QPushButton>(at.bench, "summaryFit"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(at.bench.window->currentPage(), QStringLiteral("fit"), 20'000);
  at.bench.settle();
  QVERIFY(at.bench.state->model() != nullptr);
  const auto& sessions = at.bench.state->model()->provenance.sessions;
  QCOMPARE(sessions.size(), 1U);
  QCOMPARE(QString::fromStdString(sessions.front().file), QFileInfo(file).fileName());
}

void SessionTest::closingWhileRecordingPausesAndAsks() {
  AtRig at;
  at.record();
  QTimer::singleShot(0, at.bench.window.get(), [&] {
    gui::test::answer(at.bench, "closeWhileRecording", "stayHere", QStringLiteral("Stay here"));
  });
  at.bench.window->close();
  QVERIFY(at.bench.window->isVisible());
  QTRY_VERIFY(at.fake.asked("pause"));
  QVERIFY(!at.fake.asked("finish"));
  QVERIFY(!at.fake.asked("resume"));
}

/// The real thing: emulated devices, a rig process of its own, STOP over its own connection.
void SessionTest::theVirtualRigConnectsAndStops() {
  Bench bench;
  auto& link = *bench.rig;
  link.setProgram(paths::cli());
  bench.window->showPage(QStringLiteral("session"));
  link.connectVirtual(5);
  QTRY_VERIFY_WITH_TIMEOUT(link.connected(), 60'000);
  QTRY_VERIFY_WITH_TIMEOUT(link.live() && link.live()->counts.size() == 84, 20'000);
  QTRY_VERIFY_WITH_TIMEOUT(link.feed().forceFresh(), 20'000);
  QTest::keyClick(bench.window.get(), Qt::Key_F4);
  QTest::mouseClick(part<QPushButton>(bench, "task_home"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(link.status().position_trusted && !link.working(), 60'000);
  const double from_m = link.live()->position_m[0];
  const double by_mm = from_m > 0 ? -20 : 20;
  const auto gone_m = [&] { return std::abs(link.live()->position_m[0] - from_m); };
  QVERIFY(link.jog({by_mm, 0, 0}, 1));
  QTRY_VERIFY_WITH_TIMEOUT(gone_m() > 0.2e-3, 20'000);
  QTest::keyClick(bench.window.get(), Qt::Key_F12);
  QTRY_COMPARE_WITH_TIMEOUT(link.mode(), Mode::kStopped, 20'000);
  QTRY_VERIFY_WITH_TIMEOUT(!link.working(), 20'000);
  QVERIFY(gone_m() < 19e-3);
  link.acknowledge();
  QTRY_COMPARE_WITH_TIMEOUT(link.mode(), Mode::kSetUp, 20'000);
  link.disconnectRig();
  bench.settle();
}
