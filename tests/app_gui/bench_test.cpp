#include "tests/app_gui/bench_test.hpp"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <filesystem>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/item_models/check_model.hpp"
#include "app/gui/item_models/limit_model.hpp"
#include "app/gui/pages/bench/bench_page.hpp"
#include "app/gui/pages/bench/rig_panels.hpp"
#include "app/gui/pages/bench/stop_plot.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "devices/link/link.hpp"
#include "devices/server/rig_socket.hpp"
#include "tests/app_gui/dialogs.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

constexpr int kMost_ms = 90'000;  // on two busy cores

BenchPage* benchPage(const Bench& bench) {
  bench.window->showPage(QStringLiteral("bench"));
  return qobject_cast<BenchPage*>(bench.window->page(QStringLiteral("bench")));
}

QString fact(const Bench& bench, const char* device, const char* name) {
  const auto* panel = part<QWidget>(bench, device);
  return panel->findChild<QLabel*>(QLatin1String(name))->text();
}

/// A busy computer may lose a frame.
bool allSend(BenchPage* page) {
  const auto& health = page->devices().health();
  return health.size() == 3 && std::all_of(health.begin(), health.end(), [](const auto& one) {
           return one.state == HealthState::kGood || one.state == HealthState::kLook;
         });
}

QStringList lamps(const Bench& bench) {
  QStringList names;
  for (auto* lamp : bench.window->safetyBar()->findChildren<StreamLamp*>())
    names << lamp->accessibleName();
  return names;
}

}  // namespace

void BenchTest::theVirtualBenchStartsByMouseAndShowsItsDevices() {
  Bench bench;
  auto* page = benchPage(bench);
  QCOMPARE(fact(bench, "device_force", "values"), QStringLiteral("—"));
  QTest::mouseClick(part<QPushButton>(bench, "virtualBench"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(allSend(page), kMost_ms);
  QVERIFY(fact(bench, "device_tactile", "answers").contains(QStringLiteral("14 x 6 tactels")));
  QVERIFY(fact(bench, "device_force", "values").endsWith(QStringLiteral(" N")));
  QVERIFY(fact(bench, "device_stage", "values").contains(QStringLiteral("not homed")));
  QVERIFY(fact(bench, "device_force", "losses").contains(QStringLiteral(" of ")));
  for (const auto& lamp : lamps(bench))
    QVERIFY2(lamp.contains(QStringLiteral(" · age ")), qPrintable(lamp));
  QTest::mouseClick(part<QPushButton>(bench, "disconnect"), Qt::LeftButton);
  QVERIFY(!page->devices().connected());
  QCOMPARE(fact(bench, "device_force", "values"), QStringLiteral("—"));
  for (const auto& lamp : lamps(bench)) QVERIFY(lamp.endsWith(QStringLiteral("not connected")));
}

void BenchTest::theVirtualBenchIsTheRigOfTheSessionPage() {
  Bench bench;
  auto* page = benchPage(bench);
  page->devices().startVirtualBench();
  QTRY_VERIFY_WITH_TIMEOUT(allSend(page), kMost_ms);
  const auto& rig = *bench.rig;
  QVERIFY(rig.connected());
  bench.window->showPage(QStringLiteral("session"));
  QVERIFY(part<QWidget>(bench, "page_session")
              ->findChild<QLabel*>(QStringLiteral("pageState"))
              ->text()
              .contains(QStringLiteral("VIRTUAL")));
  // One reader: nothing is opened beside the rig process.
  QVERIFY(!bench.window->actions().connectAll->isEnabled());
  QSignalSpy told(&bench.state->notifications(), &Notifications::messageRaised);
  page->devices().openFile(QString::fromStdString(rig.facts().place.devices.string()));
  QCOMPARE(told.count(), 1);
  QVERIFY(told[0][0].value<Message>().happened.contains(QStringLiteral("rig process")));
  bench.rig->disconnectRig();
  QVERIFY(!page->devices().connected());
  for (const auto& lamp : lamps(bench)) QVERIFY(lamp.endsWith(QStringLiteral("not connected")));
  bench.settle();
}

void BenchTest::devicesThatARigProcessHasAreNotOpenedBesideIt() {
  Bench bench;
  auto* page = benchPage(bench);
  const auto path = bench.folder.filePath(QStringLiteral("devices.json"));
  QFile out(path);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(
      R"({"format": "tactelier/devices", "version": 1, "stage": {"driver": "grbl", "url": "serial:)");
  out.write(bench.folder.filePath(QStringLiteral("stage")).toUtf8() + "\"}}");
  out.close();
  // The rig process of another window.
  const auto file = devices::load_device_file(path.toStdString());
  QVERIFY(file.has_value());
  const auto socket = rig::socket_of(*file);
  std::filesystem::create_directories(socket.parent_path());
  const auto listening = rig::listen_socket(socket);
  QVERIFY(listening.has_value());
  QSignalSpy told(&bench.state->notifications(), &Notifications::messageRaised);
  page->devices().openFile(path);
  QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, kMost_ms);
  QVERIFY(told[0][0].value<Message>().happened.contains(QStringLiteral("second reader")));
  QVERIFY(!page->devices().connected());
  std::filesystem::remove(socket);
}

void BenchTest::theVirtualBenchStartsAndEndsByKey() {
  Bench bench;
  QTest::keyClick(bench.window.get(), Qt::Key_T, Qt::ControlModifier);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("bench"));
  auto* page = benchPage(bench);
  QTRY_VERIFY_WITH_TIMEOUT(page->devices().isVirtual(), kMost_ms);
  QTest::keyClick(bench.window.get(), Qt::Key_T, Qt::ControlModifier);
  QVERIFY(!page->devices().isVirtual());
}

void BenchTest::aDeviceThatFallsSilentIsBadAndItsNumbersAreGone() {
  Bench bench;
  auto* page = benchPage(bench);
  page->devices().startVirtualBench();
  QTRY_VERIFY_WITH_TIMEOUT(allSend(page), kMost_ms);
  const auto hands = devices::open_link(page->devices().control().toStdString());
  QVERIFY(hands.has_value());
  QVERIFY(
      (*hands)
          ->send(devices::view_of("{\"fault\": {\"device\": \"force\", \"kind\": \"freeze\"}}\n"),
                 devices::Timeout(1000))
          .has_value());
  QTRY_COMPARE_WITH_TIMEOUT(fact(bench, "device_force", "chip"), QStringLiteral("■ bad"), kMost_ms);
  QVERIFY(fact(bench, "device_force", "words").contains(QStringLiteral("no data for")));
  QCOMPARE(fact(bench, "device_force", "values"), QStringLiteral("—"));
  QVERIFY(fact(bench, "device_tactile", "chip") != QStringLiteral("■ bad"));
}

void BenchTest::aDeviceFileConnectsAndAWrongOneIsExplained() {
  Bench bench;
  auto* page = benchPage(bench);
  const auto path = bench.folder.filePath(QStringLiteral("rig.json"));
  const auto write = [&](const char* stage) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "tactelier/devices", "version": 1, "stage": )");
    file.write(stage);
    file.write("}");
  };
  QSignalSpy told(&bench.state->notifications(), &Notifications::messageRaised);
  write(R"({"driver": "grbl", "url": "serial:/dev/nothing", "pol_hz": 5})");
  page->devices().openFile(path);
  QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, kMost_ms);
  QVERIFY(told[0][0].value<Message>().happened.contains(QStringLiteral("did you mean 'poll_hz'?")));
  QVERIFY(!page->devices().connected());
  write(R"({"driver": "grbl", "url": "serial:/dev/nothing"})");
  page->devices().openFile(path);
  QTRY_COMPARE_WITH_TIMEOUT(fact(bench, "device_stage", "chip"), QStringLiteral("■ bad"), kMost_ms);
  QVERIFY(fact(bench, "device_stage", "words").contains(QStringLiteral("is it plugged in?")));
  QCOMPARE(fact(bench, "device_force", "chip"), QStringLiteral("○ not connected"));
}

void BenchTest::portsAndChecksFollowTheRulesOfModels() {
  PortModel ports;
  const QAbstractItemModelTester port_rules(&ports);
  ports.setPorts({{"/dev/ttyUSB0", "", "Adapter", "", "", "", "0403:6001", false}});
  QCOMPARE(ports.index(0, PortModel::kUsb).data().toString(), QStringLiteral("0403:6001"));
  QVERIFY(ports.index(0, PortModel::kDescription)
              .data()
              .toString()
              .contains(QStringLiteral("may not open")));
  CheckModel checks;
  const QAbstractItemModelTester check_rules(&checks);
  checks.setChecks({{"socket buffer", CheckState::kLook, "212992", "sudo sysctl"}});
  QCOMPARE(checks.index(0, CheckModel::kWhat).data().toString(), QStringLiteral("▲ socket buffer"));
  QCOMPARE(checks.index(0, CheckModel::kRemedy).data().toString(), QStringLiteral("sudo sysctl"));
}

void BenchTest::theCommandFitsWhatIsConnected() {
  Bench bench;
  auto* page = benchPage(bench);
  QCOMPARE(page->asCommand(), QString());
  page->devices().startVirtualBench();
  QTRY_VERIFY_WITH_TIMEOUT(page->devices().isVirtual(), kMost_ms);
  QCOMPARE(page->asCommand(), QStringLiteral("tactelier bench"));
}

void BenchTest::limitsAndGeometryAreThoseOfTheRig() {
  Bench bench;
  auto* page = benchPage(bench);
  auto* limits = part<QTableView>(bench, "limits")->model();
  const QAbstractItemModelTester rules(limits);
  QCOMPARE(limits->rowCount(), 0);
  QVERIFY(part<QLabel>(bench, "emergencyStop")->text().startsWith(QStringLiteral("No rig file")));
  page->devices().startVirtualBench();
  QTRY_VERIFY_WITH_TIMEOUT(page->devices().isVirtual(), kMost_ms);
  QVERIFY(limits->rowCount() > 8);
  QCOMPARE(limits->index(0, LimitModel::kLimit).data().toString(), QStringLiteral("pad force"));
  QCOMPARE(limits->index(0, LimitModel::kValue).data().toString(), QStringLiteral("25 N"));
  QVERIFY(limits->index(0, LimitModel::kAction).data().toString().contains("next press"));
  QVERIFY(limits->index(0, LimitModel::kOvershoot).data().toString().endsWith(" N"));
  QVERIFY(part<QLabel>(bench, "emergencyStop")->text().contains(QStringLiteral("not declared")));
  QStringList words;
  for (const auto* label : part<QWidget>(bench, "geometry")->findChildren<QLabel*>())
    words << label->text();
  QVERIFY2(words.contains(QStringLiteral("-z · tip at (0, 0, 25) mm")),
           qPrintable(words.join(QStringLiteral(" | "))));
  QVERIFY(!part<QToolButton>(bench, "rigFile")->isEnabled());
  page->devices().disconnectAll();
  QCOMPARE(limits->rowCount(), 0);
}

void BenchTest::aRigFileIsChosenAndAWrongOneIsExplained() {
  Bench bench;
  auto* page = benchPage(bench);
  const auto path = bench.folder.filePath(QStringLiteral("rig.json"));
  const auto write = [&](const char* more) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "tactelier/rig", "version": 1, "stage": {"acceleration_mm_s2": 100,
      "xy_speed_mm_s": 10, "z_speed_mm_s": 4, "safe_height_mm": 3}, "limits": {"max_force_N": 5})");
    file.write(more);
    file.write("}");
  };
  QSignalSpy told(&bench.state->notifications(), &Notifications::messageRaised);
  write(R"(, "emergency_stopp": true)");
  page->devices().openRig(path);
  QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, kMost_ms);
  QVERIFY(told[0][0].value<Message>().happened.contains(QStringLiteral("emergency_stopp")));
  QVERIFY(page->devices().rig() == nullptr);
  write(R"(, "emergency_stop": true)");
  page->devices().openRig(path);
  QTRY_VERIFY_WITH_TIMEOUT(page->devices().rig() != nullptr, kMost_ms);
  auto* limits = part<QTableView>(bench, "limits")->model();
  QCOMPARE(limits->index(0, LimitModel::kValue).data().toString(), QStringLiteral("5 N"));
  QVERIFY(
      part<QLabel>(bench, "emergencyStop")->text().contains(QStringLiteral("declared present")));
}

void BenchTest::theLimitsArePrinted() {
  Bench bench;
  auto* page = benchPage(bench);
  auto* print = part<QToolButton>(bench, "printLimits");
  QVERIFY(!print->isEnabled());
  QVERIFY(print->toolTip().contains(QStringLiteral("no rig file")));
  page->devices().startVirtualBench();
  QTRY_VERIFY_WITH_TIMEOUT(page->devices().isVirtual(), kMost_ms);
  QVERIFY(print->isEnabled());
  const auto words = part<LimitPanel>(bench, "limitPanel")->asHtml();
  for (const char* word : {"Safety limits of virtual bench", "pad force", "25 N", "next press",
                           "Hardware emergency stop: not declared"})
    QVERIFY2(words.contains(QLatin1String(word)), word);
  print->setFocus();
  QTest::keyClick(print, Qt::Key_Space);
  const auto paper = bench.folder.filePath(QStringLiteral("limits.pdf"));
  gui::test::printInto(bench, paper);
  QFile file(paper);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().startsWith("%PDF"));
}

void BenchTest::theVirtualBenchFailsAndWorksAgainByMouse() {
  Bench bench;
  auto* page = benchPage(bench);
  auto* fail = part<QPushButton>(bench, "makeFault");
  auto* speed = part<QComboBox>(bench, "virtualSpeed");
  QVERIFY(!fail->isEnabled());
  QVERIFY(speed->isEnabled());
  page->devices().setVirtualSpeed(4);
  QCOMPARE(speed->currentData().toDouble(), 4.0);
  QTest::mouseClick(part<QPushButton>(bench, "virtualBench"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(allSend(page), kMost_ms);
  QVERIFY(!speed->isEnabled());
  QCOMPARE(bench.rig->facts().time_scale, 4.0);
  part<QDoubleSpinBox>(bench, "faultAmount")->setValue(0);  // until ended
  QTest::mouseClick(fail, Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(fact(bench, "device_force", "chip"), QStringLiteral("■ bad"), kMost_ms);
  QVERIFY(part<QLabel>(bench, "statusText")->text().contains(QStringLiteral("Force sensor")));
  QTest::mouseClick(part<QPushButton>(bench, "mendFaults"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(allSend(page), kMost_ms);
  // What a kind takes is asked for in its unit.
  auto* kind = part<QComboBox>(bench, "faultKind");
  kind->setCurrentIndex(kind->findData(QStringLiteral("drop")));
  QVERIFY(part<QDoubleSpinBox>(bench, "faultAmount")->suffix().contains(QStringLiteral("times")));
}

void BenchTest::answersToStopAreShownByTheirTime() {
  Bench bench;
  auto* page = benchPage(bench);
  auto* views = part<Segmented>(bench, "computerViews");
  QTest::mouseClick(views->findChildren<QToolButton*>().at(2), Qt::LeftButton);
  QCOMPARE(part<StopPlot>(bench, "stopPlot")->emptyText(), QStringLiteral("No rig is connected."));
  page->devices().startVirtualBench();
  QTRY_VERIFY_WITH_TIMEOUT(
      part<QLabel>(bench, "stopWords")->text().contains(QStringLiteral("99 % within")), kMost_ms);
  QVERIFY(part<StopPlot>(bench, "stopPlot")->asTable().rows.size() > 20);
}
