#include "tests/app_gui/frame_test.hpp"

#include <QtTest>

#include "app/gui/frame/help_dialog.hpp"
#include "app/gui/frame/message_bar.hpp"
#include "app/gui/frame/pages.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/state/actions.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/dialogs.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

ForceBar* forceBar(const Bench& bench) { return bench.window->safetyBar()->findChild<ForceBar*>(); }

/// All entries of all menus, submenus that fill themselves left out.
QList<QAction*> menuEntries(const Bench& bench) {
  QList<QAction*> entries;
  for (auto* menu : bench.window->menuBar()->actions())
    for (auto* entry : menu->menu()->actions())
      if (!entry->isSeparator() && entry->menu() == nullptr) entries << entry;
  return entries;
}

}  // namespace

void FrameTest::withoutDevicesTheSafetyBarShowsNoNumber() {
  Bench bench;
  QCOMPARE(forceBar(bench)->accessibleName(), QStringLiteral("Force unknown, no force sensor"));
  QVERIFY(!forceBar(bench)->toolTip().contains(QStringLiteral("Solid")));
  QCOMPARE(bench.window->safetyBar()->stopButton()->accessibleDescription(),
           QStringLiteral("no motion possible"));
  for (auto* lamp : bench.window->safetyBar()->findChildren<StreamLamp*>())
    QVERIFY(lamp->accessibleName().endsWith(QStringLiteral("not connected")));
}

void FrameTest::aLimitIsShownOnceSomebodySetsOne() {
  Bench bench;
  const auto before = forceBar(bench)->grab().toImage();
  RigSnapshot rig;
  rig.streams[0].lamp = Lamp::kGood;
  rig.force_N = 1.25;
  bench.window->safetyBar()->show(rig);
  QCOMPARE(forceBar(bench)->accessibleName(), QStringLiteral("Force 1.25 newtons, no limit set"));
  rig.force_limit_N = 5;
  rig.force_slow_N = 4;
  bench.window->safetyBar()->show(rig);
  QCOMPARE(forceBar(bench)->accessibleName(), QStringLiteral("Force 1.25 newtons, limit 5.00 N"));
  QVERIFY(forceBar(bench)->grab().toImage() != before);
}

void FrameTest::pressingStopWithoutAStageSaysSo() {
  Bench bench;
  QTest::mousePress(bench.window->safetyBar()->stopButton(), Qt::LeftButton);  // not the release
  QVERIFY(part<QLabel>(bench, "statusText")->text().contains(QStringLiteral("no stage")));
}

void FrameTest::everyMenuEntryExplainsItselfAndKeysAreUnique() {
  Bench bench;
  QStringList titles;
  for (auto* menu : bench.window->menuBar()->actions()) titles << menu->text();
  QCOMPARE(titles, (QStringList{"&File", "&Edit", "&View", "&Device", "&Session", "&Help"}));
  QHash<QString, QString> keys;
  for (const auto* entry : menuEntries(bench)) {
    QVERIFY2(!entry->toolTip().isEmpty(), qPrintable(entry->text()));
    const auto key = entry->shortcut().toString();
    if (key.isEmpty()) continue;
    QVERIFY2(!keys.contains(key), qPrintable(key + ' ' + entry->text() + ' ' + keys.value(key)));
    keys.insert(key, entry->text());
  }
  // docs/desktop-app.md 4, as far as there is something to do.
  for (const auto* key : {"Ctrl+O", "Ctrl+S", "Ctrl+E", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+R",
                          "Ctrl+F", "F1", "Ctrl+Shift+D", "X", "Ctrl+1"})
    QVERIFY2(keys.contains(QLatin1String(key)), key);
}

void FrameTest::controlTabGoesRoundTheAreas() {
  Bench bench;
  gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  bench.window->showPage(QStringLiteral("library"));
  bench.settle();
  bench.window->page(QStringLiteral("library"))->firstFocus()->setFocus();
  const auto tab = [&] {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab, Qt::ControlModifier);
    return QApplication::focusWidget();
  };
  QCOMPARE(tab(), bench.window->safetyBar()->stopButton());
  QCOMPARE(tab()->objectName(), QStringLiteral("rail_library"));
  QCOMPARE(tab(), bench.window->page(QStringLiteral("library"))->headerFocus());
  QCOMPARE(tab(), bench.window->page(QStringLiteral("library"))->firstFocus());
}

void FrameTest::f1HelpsOnEveryPage() {
  Bench bench;
  for (const auto& info : pages()) {
    bench.window->showPage(info.id);
    QTest::keyClick(bench.window.get(), Qt::Key_F1);
    const HelpDialog* dialog = nullptr;
    for (auto* found : bench.window->findChildren<HelpDialog*>())
      if (found->isVisible()) dialog = found;
    QVERIFY2(dialog != nullptr, qPrintable(info.id));
    const auto* words = dialog->findChild<QTextBrowser*>(QStringLiteral("helpWords"));
    QVERIFY2(words->toPlainText().size() > 60, qPrintable(info.id));
    const auto* manual = dialog->findChild<ManualView*>(QStringLiteral("manual"));
    QVERIFY2(manual != nullptr, qPrintable(info.id + ": no page " + info.manual));
    QCOMPARE(manual->source().fileName(), info.manual);
    QVERIFY2(manual->document()->firstBlock().blockFormat().headingLevel() == 1,
             qPrintable(manual->toPlainText().left(80)));
    for (auto block = manual->document()->begin(); block.isValid(); block = block.next()) {
      const auto format = block.blockFormat();
      if (format.hasProperty(QTextFormat::BlockCodeFence))
        QVERIFY2(format.background().style() == Qt::SolidPattern, qPrintable(block.text()));
      else if (QTextCursor(block).currentTable() == nullptr)
        QVERIFY2(format.bottomMargin() > 0, qPrintable(block.text()));
    }
    QTest::keyClick(words->window(), Qt::Key_Escape);
    QVERIFY(!words->isVisible());
  }
  bench.settle();
}

void FrameTest::linksOfTheManualLeadToItsOtherPagesAndBack() {
  Bench bench;
  bench.window->showPage(QStringLiteral("fit"));
  QTest::keyClick(bench.window.get(), Qt::Key_F1);
  auto* manual = bench.window->findChild<ManualView*>(QStringLiteral("manual"));
  QVERIFY(manual != nullptr);
  manual->setSource(QUrl(QStringLiteral("theory/README.md")));
  QVERIFY(manual->toPlainText().startsWith(QStringLiteral("Theory")));
  for (auto* button : manual->window()->findChildren<QPushButton*>())
    if (button->text() == QStringLiteral("Back")) button->click();
  QCOMPARE(manual->source().fileName(), QStringLiteral("numbers.md"));
  manual->setSource(QUrl(QStringLiteral("exports.md")));
  const QUrl picture(QStringLiteral("images/mujoco.png"));
  const auto shown = manual->loadResource(QTextDocument::ImageResource, picture).value<QImage>();
  QVERIFY(!shown.isNull());
  QVERIFY2(shown.width() <= manual->window()->width() - 40, "wider than the view");
}

void FrameTest::aDamagedFileSaysWhatIsSafeAndWhatToDo() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("hurt.tact"));
  gui::test::damageForce(file, 0.0, 1.9);  // the first press, 0 to 2 s
  bench.state->open(file);
  bench.settle();
  QVERIFY(bench.state->recording() != nullptr);
  const auto& told = bench.window->messageBar()->messages();
  QCOMPARE(told.size(), 1);
  const auto& message = told.first();
  QVERIFY2(message.happened.startsWith(QStringLiteral("hurt.tact is damaged: force")),
           qPrintable(message.happened));
  QVERIFY2(message.safe.contains(QStringLiteral("2 of 3 presses are whole")),
           qPrintable(message.safe));
  QVERIFY2(message.todo.contains(QStringLiteral("restore a copy")), qPrintable(message.todo));
  for (const char* line : {"messageHappened", "messageSafe", "messageTodo"})
    QVERIFY(part<QLabel>(bench, line)->isVisible());
}

void FrameTest::onlyTheNewestMessageAboutAFileStays() {
  Bench bench;
  bench.state->notifications().notify({Message::Level::kBad, "a", {}, {}, "/x"});
  bench.state->notifications().notify({Message::Level::kBad, "b", {}, {}, "/y"});
  bench.state->notifications().notify({Message::Level::kBad, "c", {}, {}, "/x"});
  bench.state->notifications().notify({Message::Level::kBad, "d", {}, {}, {}});
  bench.state->notifications().notify({Message::Level::kBad, "e", {}, {}, {}});
  QStringList words;
  for (const auto& message : bench.window->messageBar()->messages()) words << message.happened;
  QCOMPARE(words, (QStringList{"e", "d", "c", "b"}));
}

void FrameTest::aModelIsSavedThroughTheDialog() {
  Bench bench;
  bench.state->modelDocument().set(
      std::make_shared<const SensorModel>(gui::test::fittedModel(bench)), {});
  QVERIFY(!bench.state->modelDocument().saved());
  QTest::keyClick(bench.window.get(), Qt::Key_S, Qt::ControlModifier);
  gui::test::acceptSaveDialog(bench, QStringLiteral("fresh"));
  bench.settle();
  QVERIFY2(bench.state->modelDocument().saved(),
           qPrintable(bench.window->messageBar()->messages().value(0).happened));
  QVERIFY(read_model(bench.folder.filePath("fresh.json").toStdString()).has_value());
  QVERIFY(part<QLabel>(bench, "documentName")->text().contains(QStringLiteral("fresh.json")));
}

void FrameTest::theModesDetailIsReadWithoutItsTip() {
  Bench bench;
  auto* banner = bench.window->safetyBar()->findChild<ModeBanner*>();
  RigSnapshot rig;
  for (const char* detail :
       {"Rig connected, nothing armed · VIRTUAL", "Jog allowed · not recording",
        "No force data for 35 ms (limit 20 ms) · motion locked"}) {
    rig.detail = QString::fromUtf8(detail);
    bench.window->safetyBar()->show(rig);
    QCOMPARE(banner->detailLines().join(QLatin1Char(' ')), rig.detail);
  }
  rig.detail = QString(200, u'w');
  bench.window->safetyBar()->show(rig);
  QVERIFY(banner->detailLines().last().endsWith(u'…'));
}
