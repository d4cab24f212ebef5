#include "tests/app_gui/log_test.hpp"

#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/item_models/event_model.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/event_log.hpp"
#include "app/gui/state/rig_link.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::FakeRig;
using gui::test::part;
using rig::messages::PressOutcome;
using Level = Message::Level;

namespace {

/// On its page, by the menu.
void openLog(const Bench& bench) {
  bench.window->actions().eventLog->trigger();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("log"));
}

/// A column of the table as it is shown.
QStringList shown(const Bench& bench, int column = EventModel::kWhat) {
  QStringList words;
  const auto* model = part<QTableView>(bench, "logTable")->model();
  for (int row = 0; row < model->rowCount(); ++row)
    words << model->index(row, column).data().toString();
  return words;
}

const LogEvent* find(const Bench& bench, const QString& words) {
  for (const auto& event : bench.state->log().events())
    if (event.message.happened.contains(words)) return &event;
  return nullptr;
}

void choose(const Bench& bench, const QString& words) {
  auto* table = part<QTableView>(bench, "logTable");
  const int row = static_cast<int>(shown(bench).indexOf(words));
  QVERIFY2(row >= 0, qPrintable(shown(bench).join(" | ")));
  table->setCurrentIndex(table->model()->index(row, 0));
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A window whose Session page is connected to a fake rig.
struct Connected {
  Connected() {
    bench.window->showPage(QStringLiteral("session"));
    bench.rig->take(fake.connect());
    QTRY_VERIFY(fake.watched());
    fake.frame(0, 0.002);
    QTRY_VERIFY(bench.rig->live().has_value());
  }
  FakeRig fake;
  Bench bench;
};

}  // namespace

void LogTest::messagesAndStatusWordsAreKeptNewestFirst() {
  Bench bench;
  auto& notifications = bench.state->notifications();
  notifications.notify(Level::kLook, QStringLiteral("first"), QStringLiteral("safe"),
                       QStringLiteral("todo"));
  notifications.status(QStringLiteral("second"));
  notifications.status({});  // clears the status bar, tells nothing
  notifications.notify(Level::kBad, QStringLiteral("third"), {}, {});
  notifications.notify(Level::kBad, QStringLiteral("third"), {}, {});  // at once again
  openLog(bench);
  QCOMPARE(shown(bench), (QStringList{"third", "second", "first"}));
  QCOMPARE(shown(bench, EventModel::kLevel), (QStringList{"Error", "Information", "Warning"}));
  choose(bench, QStringLiteral("first"));
  const auto words = part<QLabel>(bench, "eventWords")->text();
  QVERIFY2(words.contains(QStringLiteral("safe")) && words.contains(QStringLiteral("todo")),
           qPrintable(words));
  // While the page shows.
  notifications.status(QStringLiteral("fourth"));
  QCOMPARE(shown(bench).first(), QStringLiteral("fourth"));
  // The bar leads there, also once the message was dismissed there.
  bench.window->showPage(QStringLiteral("bench"));
  QTest::mouseClick(part<QPushButton>(bench, "messageLog"), Qt::LeftButton);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("log"));
}

void LogTest::eventsAreSearchedAndFilteredBySeverity() {
  Bench bench;
  auto& notifications = bench.state->notifications();
  notifications.notify(Level::kBad, QStringLiteral("the pad is gone"), {},
                       QStringLiteral("look under the tip"));
  notifications.notify(Level::kLook, QStringLiteral("two presses overlap"), {}, {});
  notifications.status(QStringLiteral("Saved the pad's model"));
  openLog(bench);
  auto* levels = part<QWidget>(bench, "logLevels");
  QTest::mouseClick(levels->findChildren<QToolButton*>().at(1), Qt::LeftButton);
  QCOMPARE(shown(bench), (QStringList{"two presses overlap", "the pad is gone"}));
  QTest::mouseClick(levels->findChildren<QToolButton*>().at(2), Qt::LeftButton);
  QCOMPARE(shown(bench), QStringList{"the pad is gone"});
  QTest::mouseClick(levels->findChildren<QToolButton*>().at(0), Qt::LeftButton);
  QTest::keyClick(bench.window.get(), Qt::Key_F, Qt::ControlModifier);
  auto* search = part<QLineEdit>(bench, "logSearch");
  QVERIFY(search->hasFocus());
  QTest::keyClicks(search, QStringLiteral("TIP pad"));  // of all its words
  QCOMPARE(shown(bench), QStringList{"the pad is gone"});
  QTest::keyClicks(search, QStringLiteral(" nowhere"));
  QVERIFY(part<QLabel>(bench, "logEmpty")->isVisible());
  QVERIFY(!part<QPushButton>(bench, "logCopy")->isEnabled());
  search->clear();
  QCOMPARE(shown(bench).size(), 3);
}

void LogTest::theLogOutlivesTheWindow() {
  Bench bench;
  bench.state->notifications().notify(
      {Level::kBad, "a fault", "safe", "todo", "/x/y.tact", "pad force", "session"});
  const auto before = bench.state->log().events();
  QVERIFY(!before.empty());
  bench.restart();
  QCOMPARE(bench.state->log().events(), before);
  openLog(bench);
  QCOMPARE(shown(bench).first(), QStringLiteral("a fault"));
  QCOMPARE(shown(bench, EventModel::kCode).first(), QStringLiteral("pad force"));
  QVERIFY(bench.window->messageBar()->messages().isEmpty());  // it isn't told again
}

void LogTest::onlyTheNewestEventsAreReadAgain() {
  const QTemporaryDir folder;
  const auto path = folder.filePath(QStringLiteral("events.jsonl"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  for (int i = 0; i < EventLog::kKept + 10; ++i)
    file.write(R"({"time":"2026-11-20T10:00:00.000Z","level":"warning","happened":")" +
               QByteArray::number(i) + "\"}\n");
  file.write("cut off in the mid");  // as a crash leaves it
  file.close();
  const EventLog log(path);
  QCOMPARE(log.events().size(), std::size_t{EventLog::kKept});
  QCOMPARE(log.events().front().message.happened, QStringLiteral("10"));
  QCOMPARE(log.events().front().message.level, Level::kLook);
  QCOMPARE(contentOf(path).count('\n'), EventLog::kKept);
}

void LogTest::aLogThatCannotBeWrittenSaysSo() {
  Bench bench;
  bench.state->notifications().status(QStringLiteral("written"));
  openLog(bench);
  auto* problem = part<QLabel>(bench, "logProblem");
  QVERIFY(!problem->isVisible());
  const auto file = bench.state->log().file();
  QVERIFY(QFile::remove(file) && QDir().mkdir(file));  // in the place of the file
  bench.state->notifications().status(QStringLiteral("not written"));
  QVERIFY(problem->isVisible());
  QVERIFY2(problem->text().contains(file), qPrintable(problem->text()));
  QCOMPARE(shown(bench).first(), QStringLiteral("not written"));  // it is told nevertheless
  QVERIFY(QDir().rmdir(file));
  bench.state->notifications().status(QStringLiteral("written again"));
  QVERIFY(!problem->isVisible());
}

void LogTest::stopFaultAndAcknowledgementAreReported() {
  Connected at;
  const auto& bench = at.bench;
  QVERIFY(find(bench, QStringLiteral("Connected to the rig")) != nullptr);
  QTest::keyClick(bench.window.get(), Qt::Key_F4);
  QTRY_VERIFY(find(bench, QStringLiteral("Set-up:")) != nullptr);
  QTest::keyClick(bench.window.get(), Qt::Key_F12);
  QTRY_VERIFY(find(bench, QStringLiteral("STOP: motion is locked")) != nullptr);
  QTRY_VERIFY(find(bench, QStringLiteral("the rig process answered in")) != nullptr);
  const auto* stop = find(bench, QStringLiteral("STOP: motion is locked"));
  QCOMPARE(stop->message.level, Level::kLook);
  QCOMPARE(stop->message.code, QStringLiteral("STOP"));
  QVERIFY(find(bench, QStringLiteral("Acknowledged")) == nullptr);
  bench.rig->acknowledge();
  QTRY_VERIFY(find(bench, QStringLiteral("Acknowledged: ")) != nullptr);
  at.fake.trip("pad force 5.02 N, limit 5 N");
  QTRY_VERIFY(find(bench, QStringLiteral("pad force 5.02 N")) != nullptr);
  const auto* fault = find(bench, QStringLiteral("The rig has stopped itself"));
  QCOMPARE(fault->message.level, Level::kBad);
  QVERIFY(!fault->message.code.isEmpty());
  QCOMPARE(fault->message.page, QStringLiteral("session"));  // whatever page was in front
  at.fake.die();
  QTRY_VERIFY(find(bench, QStringLiteral("The rig process has ended")) != nullptr);
  // A STOP that this rig doesn't hear is told, too.
  QTest::keyClick(bench.window.get(), Qt::Key_F12);
  QVERIFY(find(bench, QStringLiteral("emergency stop")) != nullptr);
}

void LogTest::aRecordingIsReportedFromBeginToEnd() {
  Connected at;
  const auto& bench = at.bench;
  auto& link = *bench.rig;
  const auto file = bench.folder.filePath(QStringLiteral("run.tact"));
  link.setSetUp(true);
  rig::messages::RecordOrder order;
  order.file = file.toStdString();
  link.arm(order);
  link.start();
  QTRY_VERIFY(at.fake.asked("record"));
  const auto* begin = find(bench, QStringLiteral("The recording begins."));
  QVERIFY(begin != nullptr);
  QCOMPARE(begin->message.about, file);
  at.fake.press(1, 37, PressOutcome::kBegun);
  at.fake.press(1, 37, PressOutcome::kOk);
  at.fake.press(2, 38, PressOutcome::kAborted);
  QTRY_VERIFY(find(bench, QStringLiteral("Press 2, tactel 38: aborted")) != nullptr);
  QVERIFY(find(bench, QStringLiteral("Press 1")) == nullptr);  // as it should be
  QTRY_VERIFY(link.status().recording.has_value());
  QTest::keyClick(bench.window.get(), Qt::Key_M);
  QTRY_VERIFY(find(bench, QStringLiteral("Note: marker")) != nullptr);
  at.fake.question("Put on 100 g.", "");
  QTRY_VERIFY(find(bench, QStringLiteral("The rig asks: Put on 100 g.")) != nullptr);
  at.fake.done({{"presses", 41}, {"complete", true}, {"duration_s", 754.0}});
  QTRY_VERIFY(find(bench, QStringLiteral("The recording is complete: 41 presses in 12:34")) !=
              nullptr);
}

void LogTest::anEventLeadsToItsFileAndItsPage() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  auto& notifications = bench.state->notifications();
  bench.window->showPage(QStringLiteral("fit"));
  notifications.notify({Level::kLook, "about a file", {}, {}, file});
  notifications.notify({Level::kLook, "about a file that went", {}, {}, file + "x"});
  openLog(bench);
  choose(bench, QStringLiteral("about a file that went"));
  auto* open = part<QPushButton>(bench, "eventFile");
  QVERIFY(open->isVisible() && !open->isEnabled());
  choose(bench, QStringLiteral("about a file"));
  auto* go = part<QPushButton>(bench, "eventPage");
  QCOMPARE(go->text(), QStringLiteral("Go to Fit"));  // that was in front
  QTest::mouseClick(go, Qt::LeftButton);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  openLog(bench);
  choose(bench, QStringLiteral("about a file"));
  QTest::keyClick(part<QTableView>(bench, "logTable"), Qt::Key_Return);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("recording"));
  QCOMPARE(bench.state->recording()->recording()->path(), file);
}

void LogTest::aReasonCodeIsExplained() {
  Bench bench;
  bench.state->notifications().notify({Level::kLook, "coded", {}, {}, {}, "FR-05"});
  bench.state->notifications().notify({Level::kLook, "plain", {}, {}, {}, "pad force"});
  openLog(bench);
  choose(bench, QStringLiteral("coded"));
  auto* code = part<QLabel>(bench, "eventCode");
  QVERIFY2(code->text().contains(QStringLiteral("normal force varied")), qPrintable(code->text()));
  choose(bench, QStringLiteral("plain"));
  QVERIFY(!code->isVisible());
}

void LogTest::eventsAreCopiedAndSaved() {
  Bench bench;
  bench.state->notifications().notify(Level::kBad, QStringLiteral("a \"bad\" one, indeed"),
                                      QStringLiteral("two\nlines"), {});
  bench.state->notifications().status(QStringLiteral("saved"));
  openLog(bench);
  auto* table = part<QTableView>(bench, "logTable");
  table->setFocus();
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
  const auto lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), 2);
  QVERIFY(lines.at(0).endsWith(QStringLiteral("\tInformation\t\tsaved\t")));
  QVERIFY2(lines.at(1).contains(QStringLiteral("\tError\t\ta \"bad\" one, indeed. two lines\t")),
           qPrintable(lines.at(1)));
  QTest::mouseClick(part<QPushButton>(bench, "logSave"), Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("log.csv"));
  const auto saved = bench.folder.filePath(QStringLiteral("log.csv"));
  QTRY_VERIFY(QFileInfo::exists(saved));
  const auto csv = contentOf(saved);
  QVERIFY2(csv.startsWith("time_utc,severity,code,happened,safe,todo,file\n"), csv.constData());
  QVERIFY2(csv.contains("Error,\"\",\"a \"\"bad\"\" one, indeed\",\"two\nlines\",\"\",\"\""),
           csv.constData());
  QVERIFY(find(bench, QStringLiteral("2 events saved")) != nullptr);
}
