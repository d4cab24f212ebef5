#include "tests/app_gui/station_test.hpp"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <atomic>
#include <mutex>
#include <semaphore>

#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/pages/station/verdict_card.hpp"
#include "app/gui/state/actions.hpp"
#include "app/workflow/catalogue/catalogue.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::answer;
using gui::test::Bench;
using gui::test::FakeRig;
using gui::test::part;

namespace {

constexpr const char* kPath = "stiffness.k_punch";
constexpr const char* kPad = "Pad 3 x 4";  // of the recordings

/// What the station's rig does is the test's to say; fit, verdict, label and catalogue are real.
struct Plan {
  std::map<std::string, QString> recordings;  // by serial number
  std::atomic<bool> refuse = false, trip = false, asks = false, holds = false;
  std::binary_semaphore go_on{0};
  std::mutex mutex;
  std::vector<std::string> done;  // guarded by the mutex

  void note(const std::string& what) {
    const std::lock_guard lock(mutex);
    done.push_back(what);
  }
  std::vector<std::string> did() {
    const std::lock_guard lock(mutex);
    return done;
  }
};

class PlannedRig : public StationRig {
 public:
  explicit PlannedRig(Plan& plan) : plan_(plan) {}
  Result<void> make_room(const AskPerson&, const Job&) override {
    plan_.note("room");
    return {};
  }
  Result<RecordReport> record(const RecordRequest& request, const AskPerson& ask,
                              const Job& job) override {
    plan_.note("record " + request.sensor_serial);
    job.progress("scan: press 2 of 5", 2, 5);
    if (plan_.asks) {
      const auto read = ask("Put 100 g on. What does the display say?", "force_N");
      if (!read) return fail(read.error());
      plan_.note(fmt::format("answer {}", read->value_or(0)));
    }
    if (plan_.holds) plan_.go_on.acquire();
    if (job.stopped()) return Job::cancelled();
    if (plan_.refuse) return fail(ErrorCode::kUnidentifiable, "surface: nothing within 4 mm");
    if (plan_.trip) return fail(ErrorCode::kDeviceFault, "pad force 3.12 N, limit 3 N");
    const auto& from = plan_.recordings.at(request.sensor_serial);
    if (!QFile::copy(from, QString::fromStdString(request.target.string())))
      return fail(ErrorCode::kIo, "{}: not copied", request.target.string());
    return RecordReport{};
  }
  bool complete(const RecordRequest&) override { return false; }
  std::optional<std::string> locked() override {
    return plan_.trip ? std::optional<std::string>("pad force") : std::nullopt;
  }

 private:
  Plan& plan_;
};

/// A window on the Station page, a fake rig connected, the form filled in.
struct AtStation {
  AtStation() {
    for (const char* serial : {"G1", "G2"})
      plan.recordings[serial] = gui::test::makeRecording(
          bench.folder.path(), QStringLiteral("%1.tact").arg(QLatin1String(serial)), serial);
    attach();
    writeFleet("fleet.sqlite", 2000);
    fill();
  }
  /// To a window that was opened again.
  void attach() {
    bench.state->station().setRig([this](const RigPlace&) -> std::unique_ptr<StationRig> {
      return std::make_unique<PlannedRig>(plan);
    });
    bench.state->station().setSettleTime(0);
    bench.rig->take(fake.connect());
    bench.window->showPage(QStringLiteral("station"));
    QTRY_VERIFY(fake.watched());
    QTRY_VERIFY(bench.rig->statusFresh());
  }
  void fill() {
    edit("stationFolder")->setText(bench.folder.filePath(QStringLiteral("line3")));
    edit("stationCatalogue")->setText(bench.folder.filePath(QStringLiteral("fleet.sqlite")));
    edit("stationParameters")->setText(QLatin1String(kPath));
    edit("stationOperator")->setText(QStringLiteral("anna"));
    bench.settle();
  }
  /// Nine sensors about `k` N/m, the limits 36 % to either side; of the rig's description, too, for
  /// that is what is asked before anybody scans.
  void writeFleet(const char* name, double k) {
    auto catalogue = Catalogue::open(bench.folder.filePath(QLatin1String(name)).toStdString());
    QVERIFY(catalogue);
    const auto& described = bench.rig->facts().sensor;
    for (const auto& sensor :
         {std::string(kPad), described.name.empty() ? described.model : described.name})
      for (int i = -4; i <= 4; ++i) {
        CatalogueFit fit;
        fit.key = fmt::format("{} {}", sensor, i);
        fit.sensor = sensor;
        fit.serial = fmt::format("{} F{}", sensor, i);
        fit.state = "identified";
        CatalogueValue row;
        row.path = kPath;
        row.value = k * (1 + 0.04 * i);
        row.unit = "N/m";
        row.status = "identified";
        fit.values = {row};
        QVERIFY(catalogue->add(fit));
      }
  }
  StationRunner& station() { return bench.state->station(); }
  QLineEdit* edit(const char* name) { return part<QLineEdit>(bench, name); }
  QLineEdit* field() { return edit("stationField"); }
  QString words(const char* name) { return part<QLabel>(bench, name)->text(); }
  QPushButton* button(const char* name) { return part<QPushButton>(bench, name); }
  void begin() {
    QTRY_VERIFY(button("stationBegin")->isEnabled());
    QTest::mouseClick(button("stationBegin"), Qt::LeftButton);
    awaits(StationStep::kScan);
  }
  void awaits(StationStep step) {
    QTRY_VERIFY_WITH_TIMEOUT(
        station().now() && station().now()->waits && station().now()->at.step == step, 60'000);
  }
  /// Types where the focus is, as a scanner does.
  void scan(const QString& code) {
    QCOMPARE(bench.window->focusWidget(), field());
    QTest::keyClicks(bench.window->focusWidget(), code);
    QTest::keyClick(bench.window->focusWidget(), Qt::Key_Return);
  }
  void measure(const QString& code) {
    scan(code);
    QTRY_VERIFY(station().now() && station().now()->waits);
    if (station().now()->at.step == StationStep::kHandsOff) {
      scan({});
      awaits(StationStep::kClamp);
    }
    scan({});
  }
  QString cell(int row, int column) {
    const auto* item = part<QTableWidget>(bench, "todayTable")->item(row, column);
    return item == nullptr ? QString() : item->text();
  }

  Plan plan;
  FakeRig fake;
  Bench bench;
};

}  // namespace

void StationTest::aSensorGoesFromItsCodeToItsVerdictByKeysAlone() {
  AtStation at;
  QTRY_VERIFY(at.button("stationBegin")->isEnabled());
  at.button("stationBegin")->setFocus();
  QTest::keyClick(at.bench.window->focusWidget(), Qt::Key_Space);
  at.awaits(StationStep::kScan);
  QCOMPARE(at.words("nowInstruction"), QStringLiteral("Scan the serial number"));
  at.scan(QStringLiteral("G1"));
  at.awaits(StationStep::kHandsOff);
  QVERIFY(at.words("nowInstruction").contains(QStringLiteral("the tip goes up first")));
  QVERIFY(at.plan.did().empty());
  at.scan({});
  at.awaits(StationStep::kClamp);
  QCOMPARE(at.words("nowSerial"), QStringLiteral("G1"));
  QCOMPARE(part<QWidget>(at.bench, "stationSteps")->accessibleName(),
           QStringLiteral("Step 3 of 6: Clamp"));
  at.scan(QStringLiteral("G1"));  // the same code again
  at.awaits(StationStep::kScan);
  QCOMPARE(at.plan.did(), (std::vector<std::string>{"room", "record G1", "room"}));
  QCOMPARE(at.words("verdictWord"), QStringLiteral("ACCEPT"));
  QCOMPARE(at.words("verdictSerial"), QStringLiteral("G1"));
  QVERIFY(at.words("verdictTodo").contains(QStringLiteral("good")));
  QVERIFY(part<VerdictCard>(at.bench, "verdict")->accessibleName().startsWith("G1 ACCEPT"));
  QCOMPARE(at.cell(0, 1), QStringLiteral("G1"));
  QCOMPARE(at.cell(0, 2), QStringLiteral("● ACCEPT"));
  QVERIFY(at.words("todayCounts").contains(QStringLiteral("● accept 1")));
  const auto label = part<QPlainTextEdit>(at.bench, "labelPreview")->toPlainText();
  QVERIFY2(label.startsWith(QStringLiteral("G1  ACCEPT")), qPrintable(label));
  QVERIFY(label.contains(QStringLiteral("punch stiffness k_punch")));
  const QDir labels(at.bench.folder.filePath(QStringLiteral("line3/labels")));
  QCOMPARE(labels.entryList({QStringLiteral("G1-*.json")}).size(), 1);
  QCOMPARE(at.bench.window->focusWidget(), at.field());  // for the next code
  at.measure(QStringLiteral("G2"));                      // the tip is up: nothing but clamping
  at.awaits(StationStep::kScan);
  QCOMPARE(at.cell(0, 1), QStringLiteral("G2"));
  QVERIFY(at.words("todayCounts").contains(QStringLiteral("● accept 2")));
}

void StationTest::theSameByMouse() {
  AtStation at;
  at.begin();
  at.field()->setText(QStringLiteral("G1"));
  auto* go = at.button("stationGo");
  QTest::mouseClick(go, Qt::LeftButton);
  at.awaits(StationStep::kHandsOff);
  QCOMPARE(go->text(), QStringLiteral("Hands are off"));
  QTest::mouseClick(go, Qt::LeftButton);
  at.awaits(StationStep::kClamp);
  QTest::mouseClick(go, Qt::LeftButton);
  at.awaits(StationStep::kScan);
  QCOMPARE(at.words("verdictWord"), QStringLiteral("ACCEPT"));
  QTest::mouseClick(at.button("stationEnd"), Qt::LeftButton);
  QTRY_VERIFY(!at.station().running());
  QVERIFY(at.edit("stationFolder")->isVisible());
  QVERIFY(!part<QLabel>(at.bench, "stationTrouble")->isVisible());
}

void StationTest::aRejectedSensorSaysWhyAndWhatToDo() {
  AtStation at;
  at.writeFleet("other.sqlite", 6000);
  at.edit("stationCatalogue")->setText(at.bench.folder.filePath(QStringLiteral("other.sqlite")));
  at.begin();
  at.measure(QStringLiteral("G1"));
  at.awaits(StationStep::kScan);
  QCOMPARE(at.words("verdictWord"), QStringLiteral("REJECT"));
  const auto why = at.words("verdictReasons");
  QVERIFY2(why.startsWith(QStringLiteral("punch stiffness k_punch 19")), qPrintable(why));
  QVERIFY2(why.endsWith(QStringLiteral("limits 3865 to 8135")), qPrintable(why));
  QVERIFY(at.words("verdictTodo").contains(QStringLiteral("rejected")));
  QCOMPARE(at.cell(0, 2), QStringLiteral("■ REJECT"));
  QCOMPARE(at.cell(0, 3), why);
}

void StationTest::aScannersSecondLineEndDoesNotSayThatHandsAreOff() {
  AtStation at;
  at.station().setSettleTime(1'000'000);
  at.begin();
  at.scan(QStringLiteral("G1"));
  at.awaits(StationStep::kHandsOff);
  at.scan({});                    // CR, LF
  at.scan(QStringLiteral("G1"));  // read twice
  QVERIFY(at.station().now()->waits);
  QVERIFY(at.plan.did().empty());
  at.scan(QStringLiteral("G2"));  // another code is no confirmation, and never too early
  at.awaits(StationStep::kHandsOff);
  QTRY_COMPARE(at.words("nowSerial"), QStringLiteral("G2"));
  QVERIFY(at.plan.did().empty());
  at.station().setSettleTime(0);
  at.scan({});
  at.awaits(StationStep::kClamp);
  QCOMPARE(at.plan.did(), std::vector<std::string>{"room"});
}

void StationTest::whatIsNotExpectedIsSaidAndMovesNothing() {
  AtStation at;
  QFile list(at.bench.folder.filePath(QStringLiteral("serials.txt")));
  QVERIFY(list.open(QIODevice::WriteOnly));
  list.write("G1\n");
  list.close();
  at.edit("stationSerials")->setText(list.fileName());
  at.begin();
  at.scan(QStringLiteral("../G1"));
  at.awaits(StationStep::kScan);
  QTRY_VERIFY(at.words("nowRemark").contains(QStringLiteral("'../G1' is no serial number")));
  at.scan(QStringLiteral("G7"));
  at.awaits(StationStep::kScan);
  QTRY_VERIFY(at.words("nowRemark").contains(QStringLiteral("G7 is not on the list")));
  QVERIFY(part<QLabel>(at.bench, "nowRemark")->isVisible());
  QVERIFY(at.plan.did().empty());
}

void StationTest::aSensorThatCanNotBeMeasuredIsNoVerdictOfTheRecord() {
  AtStation at;
  at.plan.refuse = true;
  at.begin();
  at.measure(QStringLiteral("G1"));
  at.awaits(StationStep::kScan);
  QCOMPARE(at.words("verdictWord"), QStringLiteral("NOT MEASURED"));
  QCOMPARE(at.words("verdictReasons"), QStringLiteral("surface: nothing within 4 mm"));
  QVERIFY(at.words("verdictTodo").contains(QStringLiteral("Clamp it properly")));
  QCOMPARE(part<QTableWidget>(at.bench, "todayTable")->rowCount(), 0);
}

void StationTest::aLockedRigEndsItInTheCommandsWords() {
  AtStation at;
  at.plan.trip = true;
  at.begin();
  at.measure(QStringLiteral("G1"));
  QTRY_VERIFY(!at.station().running());
  const auto said = at.words("stationTrouble");
  QVERIFY2(said.startsWith(QStringLiteral("pad force 3.12 N, limit 3 N. The rig is locked: call "
                                          "whoever looks after it")),
           qPrintable(said));
  QVERIFY(part<QLabel>(at.bench, "stationTrouble")->isVisible());
  QVERIFY(at.button("stationBegin")->isEnabled());
}

void StationTest::endWaitsForTheSensorAtHandAndBreaksOffWhenAskedAgain() {
  AtStation at;
  at.plan.holds = true;
  at.begin();
  at.measure(QStringLiteral("G1"));
  QTRY_VERIFY(at.words("nowDetail").contains(QStringLiteral("press 2 of 5")));
  QCOMPARE(part<QProgressBar>(at.bench, "stationBar")->value(), 400);
  QVERIFY(at.field()->isReadOnly());
  QCOMPARE(at.bench.window->focusWidget(), at.field());
  auto* end = at.button("stationEnd");
  QTest::mouseClick(end, Qt::LeftButton);
  QVERIFY(at.station().running());
  QVERIFY(end->text().startsWith(QStringLiteral("Break off now")));
  at.plan.go_on.release();
  QTRY_VERIFY_WITH_TIMEOUT(!at.station().running(), 60'000);
  QCOMPARE(at.cell(0, 2), QStringLiteral("● ACCEPT"));
  at.begin();
  at.measure(QStringLiteral("G2"));
  QTRY_VERIFY(at.words("nowDetail").contains(QStringLiteral("press 2 of 5")));
  QTest::mouseClick(end, Qt::LeftButton);
  QTest::mouseClick(end, Qt::LeftButton);
  at.plan.go_on.release();
  QTRY_VERIFY(!at.station().running());
  QCOMPARE(part<QTableWidget>(at.bench, "todayTable")->rowCount(), 1);
  QVERIFY(!part<QLabel>(at.bench, "stationTrouble")->isVisible());
}

void StationTest::aQuestionOfTheRigIsAnsweredInTheField() {
  AtStation at;
  at.plan.asks = true;
  at.begin();
  at.measure(QStringLiteral("G1"));
  QTRY_VERIFY(at.words("nowInstruction").startsWith(QStringLiteral("Put 100 g on")));
  at.scan(QStringLiteral("about one"));
  QVERIFY(at.words("nowRemark").contains(QStringLiteral("A number")));
  at.field()->clear();
  at.scan(QStringLiteral("0.981"));
  at.awaits(StationStep::kScan);
  QCOMPARE(at.plan.did().at(2), std::string("answer 0.981"));
}

void StationTest::stopWorksWhileTheFieldHasTheFocus() {
  AtStation at;
  at.begin();
  QCOMPARE(at.bench.window->focusWidget(), at.field());
  QTest::keyPress(at.field(), Qt::Key_Escape);
  QCOMPARE(at.fake.unreadStop(), std::string("{\"do\": \"stop\"}\n"));
  QTest::keyRelease(at.field(), Qt::Key_Escape);
  QTRY_COMPARE(at.bench.rig->mode(), Mode::kStopped);
  QVERIFY(part<QWidget>(at.bench, "lock")->isVisible());
}

void StationTest::theLabelIsSavedAsPdfAndAsText() {
  AtStation at;
  at.begin();
  at.measure(QStringLiteral("G1"));
  at.awaits(StationStep::kScan);
  auto* save = part<QToolButton>(at.bench, "saveLabel");
  const auto saved = [&](const char* name) {
    const auto path =
        at.bench.folder.filePath(QStringLiteral("line3/labels/") + QLatin1String(name));
    QTest::mouseClick(save, Qt::LeftButton);
    gui::test::acceptSaveDialog(at.bench, QLatin1String(name));
    [&] {
      QTRY_VERIFY2(QFile::exists(path), qPrintable(at.words("statusText")));
      QTRY_VERIFY(at.bench.window->findChild<QFileDialog*>() == nullptr);
    }();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  QVERIFY(saved("label.pdf").startsWith("%PDF"));
  const auto text = saved("words.txt");
  QVERIFY(text.startsWith("G1  ACCEPT\n"));
  QVERIFY(text.contains("tactelier " TACTELIER_VERSION));
}

void StationTest::theDayAndTheSettingsAreThereAgainAfterARestart() {
  AtStation at;
  at.begin();
  at.measure(QStringLiteral("G1"));
  at.awaits(StationStep::kScan);
  QTest::mouseClick(at.button("stationEnd"), Qt::LeftButton);
  QTRY_VERIFY(!at.station().running());
  at.bench.window->close();
  at.bench.restart();
  at.attach();
  QCOMPARE(at.edit("stationOperator")->text(), QStringLiteral("anna"));
  QCOMPARE(at.edit("stationParameters")->text(), QLatin1String(kPath));
  at.begin();
  QCOMPARE(at.cell(0, 1), QStringLiteral("G1"));
}

void StationTest::withoutARigOrFolderItSaysWhatIsMissing() {
  Bench bench;
  bench.window->showPage(QStringLiteral("station"));
  auto* begin = part<QPushButton>(bench, "stationBegin");
  QVERIFY(!begin->isEnabled());
  QVERIFY(begin->toolTip().contains(QStringLiteral("no rig is connected")));
  QVERIFY(part<QPushButton>(bench, "virtualRig")->isVisible());
  FakeRig fake;
  bench.rig->take(fake.connect());
  QTRY_VERIFY(begin->toolTip().contains(QStringLiteral("name the folder")));
  part<QLineEdit>(bench, "stationFolder")->setText(bench.folder.filePath(QStringLiteral("l")));
  part<QLineEdit>(bench, "stationCatalogue")
      ->setText(bench.folder.filePath(QStringLiteral("c.sqlite")));
  QVERIFY(begin->isEnabled());
  // Parameters without a fleet: said before anybody scans.
  part<QLineEdit>(bench, "stationParameters")->setText(QLatin1String(kPath));
  QTest::mouseClick(begin, Qt::LeftButton);
  QTRY_VERIFY(part<QLabel>(bench, "stationTrouble")->text().contains(QStringLiteral("c.sqlite")));
  QVERIFY(!bench.state->station().running());
}

void StationTest::closingTheWindowEndsItInOrder() {
  AtStation at;
  at.begin();
  at.scan(QStringLiteral("G1"));
  at.awaits(StationStep::kHandsOff);
  at.bench.window->close();
  at.bench.close();  // waits for the station's thread
  QVERIFY(at.plan.did().empty());
}

void StationTest::parametersWithLimitsAreOffered() {
  AtStation at;
  at.edit("stationParameters")->clear();
  auto* add = part<QToolButton>(at.bench, "addParameter");
  QTRY_VERIFY(add->isEnabled());
  QCOMPARE(add->menu()->actions().size(), 1);
  add->menu()->actions().at(0)->trigger();
  QCOMPARE(at.edit("stationParameters")->text(), QLatin1String(kPath));
  add->menu()->actions().at(0)->trigger();  // not twice
  QCOMPARE(at.edit("stationParameters")->text(), QLatin1String(kPath));
}
