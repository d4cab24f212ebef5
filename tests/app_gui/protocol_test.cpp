#include "tests/app_gui/protocol_test.hpp"

#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QtTest>
#include <algorithm>

#include "app/gui/pages/protocol/plan_plots.hpp"
#include "app/gui/pages/protocol/step_form.hpp"
#include "app/gui/pages/session/record_form.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::FakeRig;
using gui::test::part;

namespace {

/// The Protocol page with a template, its dry run worked out.
struct Opened {
  explicit Opened(const char* name) {
    bench.window->showPage(QStringLiteral("protocol"));
    settle();
    choose(name);
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!caption().contains(QStringLiteral("working")), 60'000);
    bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(!caption().contains(QStringLiteral("working")), 60'000);
  }
  void choose(const QString& name) {
    auto* list = part<QListWidget>(bench, "protocolTemplates");
    for (int row = 0; row < list->count(); ++row)
      if (list->item(row)->data(Qt::UserRole).toString() == name)
        QTest::mouseClick(
            list->viewport(), Qt::LeftButton, {},
            (list->scrollToItem(list->item(row)), list->visualItemRect(list->item(row)).center()));
    settle();
  }
  /// Of the panel of steps.
  QString caption() {
    for (const auto* label : steps()->parentWidget()->findChildren<QLabel*>())
      if (label->text().contains(QStringLiteral("working")) ||
          label->text().contains(QStringLiteral("presses")))
        return label->text();
    return {};
  }
  QTableWidget* steps() { return part<QTableWidget>(bench, "protocolSteps"); }
  QStringList kinds() {
    QStringList all;
    for (int row = 0; row < steps()->rowCount(); ++row)
      all << steps()->item(row, 1)->text().section(' ', -1);
    return all;
  }
  void type(const char* field, const QString& words) {
    auto* line = part<QLineEdit>(bench, field);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, words);
    QTest::keyClick(line, Qt::Key_Return);
    settle();
  }
  QString told(const QString& parameter) {
    auto* table = part<QTableWidget>(bench, "toldTable");
    for (int row = 0; row < table->rowCount(); ++row)
      if (table->item(row, 1)->text().split(QStringLiteral(", ")).contains(parameter))
        return table->item(row, 2)->text();
    return {};
  }
  QString words(const char* label) { return part<QLabel>(bench, label)->text(); }
  QStringList notices() {
    QStringList all;
    for (const auto* label : bench.window->findChildren<QLabel*>(QStringLiteral("dryNotice")))
      all << label->text();
    return all;
  }

  Bench bench;
};

}  // namespace

void ProtocolTest::aTemplateShowsItsStepsAndWhatItTells() {
  Opened at("p5");
  QCOMPARE(at.kinds(),
           QStringList({"zero", "plate", "plate", "cycles", "speeds", "repeat", "zero"}));
  QCOMPARE(at.steps()->item(4, 1)->text(), QStringLiteral("P5 speeds"));
  QVERIFY2(at.words("dryTime").contains(QStringLiteral("min")), qPrintable(at.words("dryTime")));
  QVERIFY(at.words("dryPeak").endsWith(QStringLiteral(" N")));
  QVERIFY2(at.told(QStringLiteral("frame compliance")).startsWith(QStringLiteral("± ")),
           qPrintable(at.told(QStringLiteral("frame compliance"))));
  const auto* path = part<PathPlot>(at.bench, "protocolPath");
  QVERIFY2(path->accessibleDescription().contains(QStringLiteral("press")),
           qPrintable(path->accessibleDescription()));
  at.bench.window->actions().copyAsCommand->trigger();
  QCOMPARE(QGuiApplication::clipboard()->text(),
           QStringLiteral("tactelier record --dry-run --protocol p5"));
}

void ProtocolTest::aFieldIsTypedAndTheDryRunFollows() {
  Opened at("p2");
  const auto row = at.kinds().indexOf(QStringLiteral("scan"));
  QVERIFY(row >= 0);
  at.steps()->setCurrentCell(static_cast<int>(row), 1);
  const auto before = at.words("dryPresses").toInt();
  const auto repeats = part<QLineEdit>(at.bench, "field_repeats")->text();
  at.type("field_repeats", QString::number(2 * std::max(1, repeats.toInt())));
  QVERIFY(at.words("dryPresses").toInt() > before);
  QTest::keyClick(at.bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  at.settle();
  QCOMPARE(at.words("dryPresses").toInt(), before);
  QCOMPARE(part<QLineEdit>(at.bench, "field_repeats")->text(), repeats);
}

void ProtocolTest::whatIsNoNumberIsToldAndChangesNothing() {
  Opened at("p2");
  at.steps()->setCurrentCell(static_cast<int>(at.kinds().indexOf(QStringLiteral("scan"))), 1);
  const auto before = at.words("dryPresses");
  at.type("field_speed_mm_s", QStringLiteral("fast"));
  QVERIFY(part<QLabel>(at.bench, "stepTrouble")->isVisible());
  QCOMPARE(at.words("stepTrouble"), QStringLiteral("Speed: 'fast' is no number"));
  QCOMPARE(at.words("dryPresses"), before);
}

void ProtocolTest::aSpeedThatTheStageCantDoKeepsItFromRunning() {
  Opened at("p2");
  at.steps()->setCurrentCell(static_cast<int>(at.kinds().indexOf(QStringLiteral("scan"))), 1);
  auto* use = part<QPushButton>(at.bench, "useButton");
  QVERIFY(use->isEnabled());
  at.type("field_speed_mm_s", QStringLiteral("900"));
  QVERIFY(!use->isEnabled());
  QCOMPARE(at.notices().size(), 1);
  QVERIFY2(at.notices().front().contains(QStringLiteral("(scan)")),
           qPrintable(at.notices().front()));
  QTest::keyClick(at.bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  at.settle();
  QVERIFY(use->isEnabled());
}

void ProtocolTest::stepsAreMovedRemovedAndBroughtBackByKeys() {
  Opened at("p5");
  auto* steps = at.steps();
  steps->setFocus();
  steps->setCurrentCell(3, 1);
  QTest::keyClick(steps, Qt::Key_Down, Qt::AltModifier);
  QCOMPARE(at.kinds(),
           QStringList({"zero", "plate", "plate", "speeds", "cycles", "repeat", "zero"}));
  QCOMPARE(steps->currentRow(), 4);
  QTest::keyClick(steps, Qt::Key_Delete);
  QCOMPARE(at.kinds(), QStringList({"zero", "plate", "plate", "speeds", "repeat", "zero"}));
  QTest::keyClick(at.bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  QTest::keyClick(at.bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(at.kinds(),
           QStringList({"zero", "plate", "plate", "cycles", "speeds", "repeat", "zero"}));
  at.settle();
}

void ProtocolTest::aRefusedNumberAddsTheProtocolThatRecordsIt() {
  Opened at("p2");
  const auto missing = QStringLiteral("normal damping c_n");
  QVERIFY(!at.told(missing).startsWith(QStringLiteral("±")));
  auto* table = part<QTableWidget>(at.bench, "toldTable");
  QToolButton* add = nullptr;
  for (int row = 0; row < table->rowCount() && add == nullptr; ++row)
    if (auto* one = qobject_cast<QToolButton*>(table->cellWidget(row, 3)))
      if (one->text() == QStringLiteral("Add P5")) add = one;
  QVERIFY(add != nullptr);
  const auto before = at.kinds();
  add->click();
  at.settle();
  QVERIFY2(at.kinds().contains(QStringLiteral("speeds")),
           qPrintable(at.kinds().join(' ') + part<QLabel>(at.bench, "statusText")->text()));
  QCOMPARE(at.kinds().count(QStringLiteral("zero")), before.count(QStringLiteral("zero")));
  QVERIFY2(at.told(QStringLiteral("dissipation d")).startsWith(QStringLiteral("±")) ||
               at.told(missing).startsWith(QStringLiteral("±")),
           qPrintable(at.told(missing)));
}

void ProtocolTest::changedStepsAreSavedBeforeTheSessionTakesThem() {
  Opened at("p2");
  at.bench.state->files().setLibraryFolder(at.bench.folder.path());  // shows the Library
  at.bench.window->showPage(QStringLiteral("protocol"));
  at.steps()->setCurrentCell(static_cast<int>(at.kinds().indexOf(QStringLiteral("scan"))), 1);
  at.type("field_speed_mm_s", QStringLiteral("0.4"));
  QTest::mouseClick(part<QPushButton>(at.bench, "useButton"), Qt::LeftButton);
  gui::test::acceptSaveDialog(at.bench, QStringLiteral("mine"));
  at.bench.settle();
  QCOMPARE(at.bench.window->currentPage(), QStringLiteral("session"));
  const auto file = at.bench.folder.filePath(QStringLiteral("mine.json"));
  const auto saved = load_protocol(file.toStdString());
  QVERIFY(saved.has_value());
  QCOMPARE(saved->name, std::string("mine"));
  QCOMPARE(part<QComboBox>(at.bench, "protocol")->currentData().toString(), file);
}

void ProtocolTest::fieldsOfEveryKindOfStepComeFromTheSchema() {
  for (const auto& name : step_names()) {
    QVERIFY2(!step_description(name).empty(), name.c_str());
    const auto fields = step_fields(name);
    QVERIFY2(!fields.empty(), name.c_str());
    for (const auto& field : fields) {
      const bool meant = !field.words.empty() || field.kind == StepField::Kind::kFlag ||
                         field.kind == StepField::Kind::kJson;
      QVERIFY2(meant || field.label.size() > 3, (name + " " + field.key).c_str());
      QVERIFY2(!field.label.empty(), field.key.c_str());
    }
  }
  const auto scan = step_fields("scan");
  const auto speed = std::find_if(scan.begin(), scan.end(),
                                  [](const auto& field) { return field.key == "speed_mm_s"; });
  QVERIFY(speed != scan.end());
  QCOMPARE(speed->label, std::string("Speed"));
  QCOMPARE(speed->unit, std::string("mm/s"));
  QVERIFY(speed->required);
  QCOMPARE(scan.back().key, std::string("until.time_s"));
  QVERIFY(step_fields("dance").empty());
}

void ProtocolTest::whatIsTypedBecomesWhatAFileSays() {
  const auto typed = [](const char* key, StepField::Kind kind, const QString& words) {
    StepField field;
    field.key = key;
    field.label = key;
    field.kind = kind;
    const auto step = withField(field, StepForm::Json{{"do", "scan"}}, words);
    return step ? step->dump() : "refused: " + step.error().message;
  };
  using Kind = StepField::Kind;
  QCOMPARE(typed("speed_mm_s", Kind::kNumber, "0.5"), R"({"do":"scan","speed_mm_s":0.5})");
  QCOMPARE(typed("speed_mm_s", Kind::kNumber, "2"), R"({"do":"scan","speed_mm_s":2})");
  QCOMPARE(typed("loads", Kind::kNumbers, "0.5, 1,2"), R"({"do":"scan","loads":[0.5,1,2]})");
  QCOMPARE(typed("loads", Kind::kNumbers, "3"), R"({"do":"scan","loads":3})");
  QCOMPARE(typed("until.force_N", Kind::kNumber, "2.5"),
           R"({"do":"scan","until":{"force_N":2.5}})");
  QCOMPARE(typed("sites", Kind::kJson, "all"), R"({"do":"scan","sites":"all"})");
  QCOMPARE(typed("sites", Kind::kJson, "3, [1.5, 2]"), R"({"do":"scan","sites":[3,[1.5,2]]})");
  QCOMPARE(typed("sites", Kind::kJson, "3, [1.5"),
           "refused: sites: '3, [1.5' is neither a word nor a list like 3, 4, [1.5, 2]");
  QCOMPARE(typed("repeats", Kind::kInteger, "2.5"), "refused: repeats: '2.5' is no whole number");
  QCOMPARE(typed("repeats", Kind::kInteger, ""), R"({"do":"scan"})");
  StepField force;
  force.key = "until.force_N";
  force.kind = Kind::kNumber;
  const auto gone =
      withField(force, StepForm::Json{{"do", "scan"}, {"until", {{"force_N", 2}}}}, "");
  QVERIFY(gone.has_value());
  QCOMPARE(gone->dump(), std::string(R"({"do":"scan"})"));
}

void ProtocolTest::targetsTellTheirTimeAndTheSessionTakesThem() {
  Bench bench;
  bench.window->showPage(QStringLiteral("protocol"));
  bench.settle();
  auto* kind = part<Segmented>(bench, "protocolKind");
  QTest::mouseClick(kind->findChildren<QToolButton*>().at(1), Qt::LeftButton);
  const auto expected = [&] { return part<QLabel>(bench, "targetTime")->text(); };
  QTRY_VERIFY_WITH_TIMEOUT(expected().startsWith(QStringLiteral("Expected")), 60'000);
  // An ordinary rig scatters too much for the usual targets: it says what would be reached.
  const auto usual = expected();
  QVERIFY2(usual.contains(QStringLiteral(" minutes of rig time")) ||
               usual.contains(QStringLiteral("sigma ± ")),
           qPrintable(usual));
  // The slider by keys: looser gains take less time.
  auto* slider = part<QSlider>(bench, "slide_gain");
  slider->setFocus();
  for (int i = 0; i < 4; ++i) QTest::keyClick(slider, Qt::Key_PageUp);
  auto* percent = part<QDoubleSpinBox>(bench, "percent_gain");
  QVERIFY(percent->value() > 4);
  QTRY_VERIFY_WITH_TIMEOUT(expected() != usual && expected().startsWith(QStringLiteral("Expected")),
                           60'000);
  QTest::mouseClick(part<QCheckBox>(bench, "want_k"), Qt::LeftButton, {}, QPoint(8, 8));
  percent->setValue(5);
  bench.settle();
  auto* use = part<QPushButton>(bench, "useButton");
  QTRY_VERIFY_WITH_TIMEOUT(use->isEnabled(), 60'000);
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY2(QGuiApplication::clipboard()->text().contains(
               QStringLiteral("--until 'gain 5 %, sigma 1 %' --minutes 60")),
           qPrintable(QGuiApplication::clipboard()->text()));
  QTest::mouseClick(use, Qt::LeftButton);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("session"));
  const auto request = bench.window->findChild<RecordForm*>()->request();
  QVERIFY(request.adaptive.has_value());
  QCOMPARE(request.adaptive->targets, std::string("gain 5 %, sigma 1 %"));
  QVERIFY(request.protocol.empty());
}

void ProtocolTest::aRunThatChoosesItsPressesIsAnsweredAndShown() {
  FakeRig fake;
  Bench bench;
  auto& link = *bench.rig;
  bench.window->showPage(QStringLiteral("session"));
  link.take(fake.connect());
  QTRY_VERIFY(fake.watched());
  bench.state->protocol().choose({{}, QStringLiteral("gain 2 %, sigma 1 %"), 30});
  auto* form = bench.window->findChild<RecordForm*>();
  part<QLineEdit>(bench, "recordFile")->setText(bench.folder.filePath(QStringLiteral("run.tact")));
  form->refresh();
  QTRY_VERIFY_WITH_TIMEOUT(form->preview() != nullptr && form->adaptive() != nullptr, 30'000);
  fake.frame(0, 0.002);
  QTRY_VERIFY(link.feed().forceFresh());
  QTest::keyClick(bench.window.get(), Qt::Key_F4);
  QTest::keyClick(bench.window.get(), Qt::Key_F5);
  QTest::keyClick(bench.window.get(), Qt::Key_F5);
  QTRY_VERIFY(fake.asked("record"));
  const auto order = rig::messages::record_order_in(fake.last());
  QVERIFY(order.grows.is_array());
  QCOMPARE(order.protocol["name"], "adaptive");
  fake.wanting(60);
  QTRY_VERIFY_WITH_TIMEOUT(fake.asked("further"), 30'000);
  const auto further = rig::messages::further_order_in(fake.last());
  QVERIFY(!further.last);
  int sites = 0;
  for (const auto& step : further.steps) sites += static_cast<int>(step["sites"].size());
  QCOMPARE(sites, 10);
  auto* standing = part<QLabel>(bench, "standing");
  QTRY_VERIFY(standing->isVisible());
  QVERIFY2(standing->text().contains(QStringLiteral("Next 10 presses")),
           qPrintable(standing->text()));
  QCOMPARE(part<TactileMapView>(bench, "standingMap")->lines().size(), std::size_t{10});
  // A step that the plan did not have gets its row.
  auto* rows = part<QTableWidget>(bench, "runSteps");
  const int known = rows->rowCount();
  fake.progress("record", 3, 10, "step 9 scan, press 3", "9 scan", 30);
  QTRY_COMPARE(rows->rowCount(), known + 1);
  fake.done({{"presses", 12}, {"complete", true}});
  QTRY_VERIFY(link.ended().has_value());
}
