#include "tests/app_gui/settings_test.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>

#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/frame/sounds.hpp"
#include "app/gui/pages/session/record_form.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/theme/theme.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::FakeRig;
using gui::test::part;

namespace {

void openSettings(const Bench& bench) {
  QTest::keyClick(bench.window.get(), Qt::Key_Comma, Qt::ControlModifier);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("settings"));
}

QToolButton* themeButton(const Bench& bench, int index) {
  return part<QWidget>(bench, "settingsTheme")->findChildren<QToolButton*>().at(index);
}

void type(QLineEdit* field, const QString& words) {
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, words);
  QTest::keyClick(field, Qt::Key_Return);
}

}  // namespace

void SettingsTest::cleanup() {
  theme().setScale(1);
  theme().choose(Theme::Choice::kLight);
}

void SettingsTest::appearanceIsAppliedAtOnceAndKept() {
  Bench bench;
  openSettings(bench);
  QTest::mouseClick(themeButton(bench, 2), Qt::LeftButton);
  QVERIFY(theme().dark());
  auto* scale = part<QSpinBox>(bench, "settingsScale");
  const int before = bench.window->fontMetrics().height();
  scale->setFocus();
  scale->selectAll();
  QTest::keyClicks(scale, QStringLiteral("150"));
  QTest::keyClick(scale, Qt::Key_Return);
  QCOMPARE(theme().scale(), 1.5);
  QVERIFY(bench.window->fontMetrics().height() > before);
  auto* banner = part<QCheckBox>(bench, "settingsBanner");
  QTest::keyClick(banner, Qt::Key_Space);
  QVERIFY(bench.window->safetyBar()->large());
  QTest::keyClick(part<QCheckBox>(bench, "settingsWelcome"), Qt::Key_Space);
  theme().setScale(1);
  theme().choose(Theme::Choice::kLight);
  bench.restart();
  QVERIFY(theme().dark());
  QCOMPARE(theme().scale(), 1.5);
  QVERIFY(bench.window->safetyBar()->large());
  QCOMPARE(bench.window->currentPage(), QStringLiteral("settings"));  // not Welcome
}

void SettingsTest::whatMenusChangeIsShown() {
  Bench bench;
  openSettings(bench);
  theme().choose(Theme::Choice::kLight);
  QVERIFY(themeButton(bench, 1)->isChecked());
  QTest::keyClick(bench.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(themeButton(bench, 2)->isChecked());
  QTest::keyClick(bench.window.get(), Qt::Key_Minus, Qt::ControlModifier);
  QCOMPARE(part<QSpinBox>(bench, "settingsScale")->value(), 90);
}

void SettingsTest::theFolderIsTheLibrarysAndTheRecordings() {
  Bench bench;
  openSettings(bench);
  auto* folder = part<QLineEdit>(bench, "settingsFolder");
  auto* words = part<QLabel>(bench, "settingsFolderWords");
  QCOMPARE(folder->text(), bench.folder.path());
  QVERIFY(!words->isVisible());
  const auto wanted = bench.folder.filePath(QStringLiteral("new"));
  type(folder, wanted);
  QCOMPARE(bench.state->files().libraryFolder(), wanted);
  QVERIFY(words->isVisible());  // it isn't there yet
  QCOMPARE(bench.window->currentPage(), QStringLiteral("settings"));
  bench.restart();
  QCOMPARE(bench.state->files().libraryFolder(), wanted);
}

void SettingsTest::aFolderThatIsNoneIsRefusedBesideTheField() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  openSettings(bench);
  auto* folder = part<QLineEdit>(bench, "settingsFolder");
  auto* words = part<QLabel>(bench, "settingsFolderWords");
  for (const auto& wrong : {file, QStringLiteral("somewhere")}) {
    type(folder, wrong);
    QVERIFY(folder->property("wrong").toBool());
    QCOMPARE(folder->text(), wrong);  // to be mended
    QVERIFY2(words->isVisible() && words->text().contains(wrong), qPrintable(words->text()));
    QCOMPARE(bench.state->files().libraryFolder(), bench.folder.path());
  }
  type(folder, bench.folder.path());
  QVERIFY(!folder->property("wrong").toBool());
  QVERIFY(!words->isVisible());
}

void SettingsTest::operatorAndRigFilesAreTheSameOnEveryPage() {
  Bench bench;
  openSettings(bench);
  type(part<QLineEdit>(bench, "settingsOperator"), QStringLiteral("Anna Weiss"));
  type(part<QLineEdit>(bench, "settingsDeviceFile"), QStringLiteral("/rig/devices.json"));
  bench.window->showPage(QStringLiteral("session"));
  QCOMPARE(part<QLineEdit>(bench, "deviceFile")->text(), QStringLiteral("/rig/devices.json"));
  QCOMPARE(part<QLineEdit>(bench, "operatorName")->text(), QStringLiteral("Anna Weiss"));
  QCOMPARE(bench.window->findChild<RecordForm*>()->request().operator_name,
           std::string("Anna Weiss"));
  bench.window->showPage(QStringLiteral("station"));
  auto* at_station = part<QLineEdit>(bench, "stationOperator");
  QCOMPARE(at_station->text(), QStringLiteral("Anna Weiss"));
  at_station->selectAll();
  QTest::keyClicks(at_station, QStringLiteral("Bo"));
  QCOMPARE(part<QLineEdit>(bench, "operatorName")->text(), QStringLiteral("Bo"));
  // Kept at once: what is killed now has lost nothing.
  bench.settings->sync();
  const QSettings kept(bench.settings->fileName(), QSettings::IniFormat);
  QCOMPARE(kept.value("operator").toString(), QStringLiteral("Bo"));
  QCOMPARE(kept.value("device_file").toString(), QStringLiteral("/rig/devices.json"));
}

void SettingsTest::recentFilesAreForgotten() {
  Bench bench;
  bench.state->files().note(QStringLiteral("/x.tact"));
  openSettings(bench);
  auto* forget = part<QPushButton>(bench, "settingsForget");
  QVERIFY(forget->isEnabled());
  QTest::mouseClick(forget, Qt::LeftButton);
  QVERIFY(bench.state->files().recent().isEmpty());
  QVERIFY(!forget->isEnabled());
}

void SettingsTest::defaultsComeBackAndGoAgain() {
  Bench bench;
  openSettings(bench);
  QTest::mouseClick(themeButton(bench, 2), Qt::LeftButton);
  part<QSpinBox>(bench, "settingsScale")->setValue(140);
  type(part<QLineEdit>(bench, "settingsOperator"), QStringLiteral("Anna"));
  auto* reset = part<QPushButton>(bench, "settingsReset");
  QTest::mouseClick(reset, Qt::LeftButton);
  QCOMPARE(theme().choice(), Theme::Choice::kSystem);
  QCOMPARE(theme().scale(), theme().usualScale());
  QVERIFY(part<QLineEdit>(bench, "settingsOperator")->text().isEmpty());
  QCOMPARE(bench.state->files().libraryFolder(), FileHistory::usualLibraryFolder());
  QTest::mouseClick(reset, Qt::LeftButton);
  QVERIFY(theme().dark());
  QCOMPARE(theme().scale(), 1.4);
  QCOMPARE(part<QLineEdit>(bench, "settingsOperator")->text(), QStringLiteral("Anna"));
  QCOMPARE(bench.state->files().libraryFolder(), bench.folder.path());
  // Once something else was chosen there is nothing to give back.
  QTest::mouseClick(reset, Qt::LeftButton);
  QTest::mouseClick(themeButton(bench, 1), Qt::LeftButton);
  QTest::mouseClick(reset, Qt::LeftButton);
  QCOMPARE(theme().choice(), Theme::Choice::kSystem);
}

void SettingsTest::soundsAreMadeOnlyWhereSomebodyWantsThem() {
  FakeRig fake;
  Bench bench;
  int sounds = 0;
  const Sounds made(
      bench.state->preferences(), *bench.rig, [&] { ++sounds; }, nullptr);
  bench.rig->take(fake.connect());
  QTRY_VERIFY(fake.watched());
  fake.trip("pad force 5.02 N, limit 5 N");
  QTRY_COMPARE(bench.rig->mode(), Mode::kFault);
  QCOMPARE(sounds, 0);
  bench.rig->acknowledge();
  QTRY_VERIFY(bench.rig->mode() != Mode::kFault);
  openSettings(bench);
  QTest::keyClick(part<QCheckBox>(bench, "settingsSounds"), Qt::Key_Space);
  fake.trip("pad force 5.03 N, limit 5 N");
  QTRY_COMPARE(bench.rig->mode(), Mode::kFault);
  QCOMPARE(sounds, 1);  // once, however long it lasts
}
