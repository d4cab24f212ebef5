#include "tests/app_gui/fit_test.hpp"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <cmath>
#include <semaphore>

#include "app/gui/item_models/result_model.hpp"
#include "app/gui/pages/fit/contact_plot.hpp"
#include "app/gui/pages/fit/fit_page.hpp"
#include "app/gui/pages/fit/stage_panel.hpp"
#include "app/gui/pages/fit/stiffness_plot.hpp"
#include "app/gui/pages/fit/verdict_strip.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fit_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

namespace {

QString status(const Bench& bench) {
  return bench.window->findChild<QLabel*>(QStringLiteral("statusText"))->text();
}

/// Row of a stage in the registry.
int place(std::string_view stage) {
  int row = 0;
  for (const auto& known : stages()) {
    if (known.id == stage) return row;
    ++row;
  }
  return -1;
}

/// Makes the fit wait after its first stage.
struct Gate {
  explicit Gate(const Bench& bench) {
    bench.state->fit().setHook([this](std::string_view stage) {
      if (stage != "contact") return;
      reached.release();
      open.acquire();
    });
  }
  std::binary_semaphore reached{0};
  std::binary_semaphore open{0};
};

}  // namespace

void FitTest::theExampleIsFittedAndAnExcludedPressChangesTheNumbers() {
  Bench bench;
  auto* card = bench.window->findChild<QWidget*>(QStringLiteral("openExample"));
  QTest::mouseClick(card, Qt::LeftButton);
  bench.settle();
  auto* rail = bench.window->findChild<QAbstractButton*>(QStringLiteral("rail_fit"));
  QTest::mouseClick(rail, Qt::LeftButton);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  const auto before = result(bench, "stiffness.k_affine", ResultModel::kValue);
  QVERIFY2(before.contains(QStringLiteral(" ± ")) && before.endsWith(QStringLiteral(" N/m")),
           qPrintable(before));
  QCOMPARE(result(bench, "stiffness.k_affine", ResultModel::kStatus), QStringLiteral("identified"));
  auto* table = fitPart<QTableView>(bench, "fitPressTable");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualRect(table->model()->index(2, 1)).center());
  const int press = bench.state->selection().press().value_or(-1);
  QCOMPARE(press, bench.state->recording()->presses()[2].number);
  QTest::keyClick(table, Qt::Key_X);
  QVERIFY(bench.state->modelDocument().outdated());
  QVERIFY(bench.state->fit().running());
  // Readable while it refits, and said to be of before.
  QCOMPARE(result(bench, "stiffness.k_affine", ResultModel::kValue), before);
  QVERIFY2(fitPage(bench)->verdict()->words().contains(QStringLiteral("Refitting")),
           qPrintable(fitPage(bench)->verdict()->words()));
  const auto labels = fitPage(bench)->results()->findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text() == QStringLiteral("refitting");
  }));
  bench.settle();
  QVERIFY(!bench.state->modelDocument().outdated());
  const auto after = result(bench, "stiffness.k_affine", ResultModel::kValue);
  QVERIFY2(after != before && after.contains(QStringLiteral(" ± ")), qPrintable(after));
  const auto& edits = bench.state->model()->provenance.sessions.front().edits;
  QCOMPARE(edits.back(), "exclude press " + std::to_string(press));
}

void FitTest::theResultsAreTheTruthOfTheRecording() {
  Bench bench;
  openAndFit(bench);
  // 500 counts/N and 2000 N/m, as the recording was made.
  const auto& tactel = bench.state->model()->response.tactels[5];
  QVERIFY(tactel.press_gain.identified());
  QVERIFY2(std::abs(*tactel.press_gain.value - 2e-3) < 2e-5,
           qPrintable(QString::number(*tactel.press_gain.value)));
  QTest::mouseClick(fitPage(bench)->results()->scope()->findChildren<QToolButton*>()[1],
                    Qt::LeftButton);
  QVERIFY2(result(bench, "response.tactels[5].press_gain", ResultModel::kValue)
               .contains(QStringLiteral(" mN/count")),
           qPrintable(result(bench, "response.tactels[5].press_gain", ResultModel::kValue)));
  const auto& k_punch = bench.state->model()->stiffness.k_punch;
  QVERIFY(k_punch.identified() && std::abs(*k_punch.value - 2000) < 20);
  fitPage(bench)->stagePanel()->chooseStage("stiffness");
  bench.settle();
  const auto* plot = qobject_cast<StiffnessPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(plot != nullptr && plot->curve() != nullptr && plot->curve()->loading.has_value());
  QVERIFY(std::abs(plot->curve()->loading->line.slope - 2000) < 20);
  fitPage(bench)->stagePanel()->chooseStage("contact");
  bench.settle();
  const auto* contact = qobject_cast<ContactPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(contact != nullptr && contact->curve() != nullptr && contact->curve()->from_contact);
  QVERIFY(!contact->curve()->fitted.empty());
  // The law runs through the middle of the samples: their ripple is -4 ... 4 mN.
  double sum = 0;
  for (const auto& [depth_m, residual_N] : contact->curve()->residuals) sum += residual_N;
  QVERIFY(std::abs(sum / double(contact->curve()->residuals.size())) < 1e-3);
}

void FitTest::anExcludedPressIsUndoneFromTheFitPage() {
  Bench bench;
  openAndFit(bench);
  bench.state->selection().choosePress(1);
  QTest::keyClick(fitPart<QTableView>(bench, "fitPressTable"), Qt::Key_X);
  bench.settle();
  QVERIFY(!bench.state->model()->response.tactels[5].press_gain.usable());
  QTest::keyClick(bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  bench.settle();
  QVERIFY(bench.state->model()->response.tactels[5].press_gain.usable());
}

void FitTest::aFitIsCancelledWithTheButtonAndKeepsTheStagesThatEnded() {
  Bench bench;
  openSample(bench);
  Gate gate(bench);
  bench.window->showPage(QStringLiteral("fit"));
  gate.reached.acquire();
  const auto ended = std::size_t(place("contact")) + 1;
  QTRY_COMPARE(bench.state->fit().stages().size(), ended);
  auto* cancel = fitPart<QPushButton>(bench, "fitCancel");
  QTRY_VERIFY(cancel->isVisible());
  // Where the curve will be stands what is going on, not how to begin.
  const auto* curve = fitPart<ResidualPlot>(bench, "responseCurve");
  const auto running = QStringLiteral("The fit is running: %1 stages have ended").arg(ended);
  QTRY_VERIFY2(curve->emptyText().startsWith(running), qPrintable(curve->emptyText()));
  QTest::mouseClick(cancel, Qt::LeftButton);
  QCOMPARE(status(bench), QStringLiteral("Cancelling: Fit"));
  gate.open.release();
  bench.settle();
  QVERIFY(!bench.state->fit().running());
  QVERIFY(!cancel->isVisible());
  QCOMPARE(status(bench),
           QStringLiteral("Cancelled: %1 of %2 stages kept.").arg(ended).arg(stages().size()));
  // The contact points are there, the response says that it was not reached.
  QVERIFY(bench.state->model() != nullptr);
  QVERIFY(bench.state->model()->presses.front().contact_point.usable());
  const auto& reason = bench.state->model()->response.tactels[5].press_gain.reason;
  QCOMPARE(QString::fromStdString(reason),
           QStringLiteral("NOT-FITTED stopped before the stage 'response'"));
}

void FitTest::nothingStartsByItselfAfterACancel() {
  Bench bench;
  openSample(bench);
  bench.state->recording()->setExcluded(2, true);  // on its way to the file: the fit waits for it
  bench.window->showPage(QStringLiteral("fit"));
  QVERIFY(bench.state->fit().running());
  bench.state->fit().cancel();
  QVERIFY(!bench.state->fit().running());
  bench.settle();
  bench.window->showPage(QStringLiteral("recording"));
  bench.window->showPage(QStringLiteral("fit"));
  QVERIFY(!bench.state->fit().running());
  bench.settle();
  QVERIFY(bench.state->model() == nullptr);
}

void FitTest::aCancelledRefitKeepsTheLastValidNumbers() {
  Bench bench;
  openAndFit(bench);
  const auto model = bench.state->model();
  Gate gate(bench);
  QTest::keyClick(bench.window.get(), Qt::Key_R, Qt::ControlModifier);
  gate.reached.acquire();
  bench.state->fit().cancel();
  gate.open.release();
  bench.settle();
  QCOMPARE(bench.state->model().get(), model.get());
  QCOMPARE(status(bench), QStringLiteral("Cancelled. The last valid numbers stay."));
}

void FitTest::theWindowClosesDuringAFit() {
  Bench bench;
  openSample(bench);
  Gate gate(bench);
  bench.window->showPage(QStringLiteral("fit"));
  gate.reached.acquire();
  QVERIFY(bench.window->close());
  bench.window.reset();
  QVERIFY(bench.state->fit().running());
  gate.open.release();
  bench.state.reset();  // waits for the worker; its answer comes to nobody
  QCOMPARE(QThreadPool::globalInstance()->activeThreadCount(), 0);
}

void FitTest::anEditDuringAFitIsInItsResult() {
  Bench bench;
  openSample(bench);
  Gate gate(bench);
  bench.window->showPage(QStringLiteral("fit"));
  gate.reached.acquire();
  bench.state->fit().setHook({});
  bench.state->recording()->setExcluded(2, true);  // tactel 6
  gate.open.release();
  bench.settle();
  QVERIFY(!bench.state->modelDocument().outdated());
  QVERIFY(!bench.state->model()->response.tactels[6].press_gain.usable());
  QVERIFY(bench.state->model()->response.tactels[5].press_gain.usable());
}

void FitTest::anUntickedStageIsNotFitted() {
  Bench bench;
  openAndFit(bench);
  auto* table = fitPart<QTableView>(bench, "stageTable");
  const auto stiffness = table->model()->index(place("stiffness"), 0);
  QCOMPARE(stiffness.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
  table->setCurrentIndex(stiffness);
  QTest::keyClick(table, Qt::Key_Space);
  QCOMPARE(stiffness.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
  bench.settle();
  QVERIFY(!bench.state->model()->stiffness.k_punch.usable());
  const auto damping = table->model()->index(place("damping"), 0);  // needs it
  QCOMPARE(damping.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
  QVERIFY(bench.state->model()->response.tactels[5].press_gain.usable());
  bench.window->actions().copyAsCommand->trigger();
  const auto command = QGuiApplication::clipboard()->text();
  QVERIFY2(command.contains(QStringLiteral("contact,response,psf")) &&
               command.endsWith(QStringLiteral(" -o 'model.json'")) &&
               !command.contains(QStringLiteral("stiffness")),
           qPrintable(command));
}

void FitTest::anUnsavedModelAsksBeforeItIsDiscarded() {
  Bench bench;
  openAndFit(bench);
  const auto answer = [](const char* object_name, int button) {
    QTimer::singleShot(0, [object_name, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      QVERIFY(box != nullptr);
      QCOMPARE(box->objectName(), QLatin1String(object_name));
      if (button < 0)
        QTest::keyClick(box, Qt::Key_Return);  // the default is the safe one
      else
        box->buttons()[button]->click();
    });
  };
  answer("discardModel", -1);
  QVERIFY(!bench.window->close());
  QVERIFY(bench.window->isVisible());
  // Opening another model asks as well.
  const auto file = bench.folder.filePath(QStringLiteral("m.json"));
  const auto fitted = bench.state->model();
  bench.state->modelDocument().save(file);
  bench.settle();
  QVERIFY(bench.state->modelDocument().saved());
  bench.window->actions().fit->trigger();
  bench.settle();
  QVERIFY(!bench.state->modelDocument().saved());
  const auto unsaved = bench.state->model();
  answer("discardModel", -1);
  bench.state->open(file);
  bench.settle();
  QCOMPARE(bench.state->model().get(), unsaved.get());
  bench.state->modelDocument().save(file);
  bench.settle();
  QVERIFY(bench.window->close());
}

void FitTest::aModelFileAloneShowsItsNumbers() {
  Bench bench;
  openAndFit(bench);
  const auto file = bench.folder.filePath(QStringLiteral("m.json"));
  bench.state->modelDocument().save(file);
  bench.settle();
  const auto value = result(bench, "stiffness.k_punch", ResultModel::kValue);
  bench.restart();
  bench.state->open(file);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  QCOMPARE(result(bench, "stiffness.k_punch", ResultModel::kValue), value);
  QVERIFY(bench.state->fit().request().sessions.empty());
}

namespace {

/// a.tact is fitted; another one is opened beside it, and the Fit page comes back.
void openAnother(const Bench& bench, const char* serial) {
  openAndFit(bench);
  bench.state->open(makeRecording(bench.folder.path(), QStringLiteral("b.tact"), serial));
  bench.settle();
  bench.window->showPage(QStringLiteral("fit"));
  bench.settle();
}

QStringList fitted(const Bench& bench) {
  QStringList names;
  if (bench.state->model() != nullptr)
    for (const auto& session : bench.state->model()->provenance.sessions)
      names << QString::fromStdString(session.file);
  return names;
}

/// Answers the question as soon as it is there; returns whether it came.
std::shared_ptr<bool> whenAsked(const Bench& bench, const std::function<void()>& reply) {
  auto asked = std::make_shared<bool>(false);
  auto* timer = new QTimer(bench.window.get());
  QObject::connect(timer, &QTimer::timeout, timer, [timer, asked, reply, &bench] {
    for (auto* box : bench.window->findChildren<QMessageBox*>(QStringLiteral("joinFit"))) {
      if (!box->isVisible()) continue;
      timer->stop();
      *asked = true;
      return reply();
    }
  });
  timer->start(10);
  return asked;
}

/// Ticks the second recording and answers what is asked.
void tickSecond(const Bench& bench, const std::function<void()>& reply) {
  auto* list = fitPart<QListWidget>(bench, "fitData");
  list->setCurrentRow(1);
  list->setFocus();
  const auto asked = whenAsked(bench, reply);
  QTest::keyClick(list, Qt::Key_Space);
  QTRY_VERIFY(*asked);
  bench.settle();
}

QString words(const Bench& bench) {
  for (auto* box : bench.window->findChildren<QMessageBox*>(QStringLiteral("joinFit")))
    if (box->isVisible()) return box->text() + QLatin1Char('\n') + box->informativeText();
  return {};
}

}  // namespace

void FitTest::aSecondRecordingIsOnlyLookedAt() {
  Bench bench;
  openAnother(bench, "T-1");
  QCOMPARE(fitted(bench), QStringList{QStringLiteral("a.tact")});
  QVERIFY(!bench.state->modelDocument().outdated());
  const auto* list = fitPart<QListWidget>(bench, "fitData");
  QCOMPARE(list->currentRow(), 1);
  QCOMPARE(list->item(0)->checkState(), Qt::Checked);
  QCOMPARE(list->item(1)->checkState(), Qt::Unchecked);
  // The title doesn't couple one's name with the other's model.
  QVERIFY(bench.window->windowTitle().contains(QStringLiteral("unsaved model of a.tact")));
  const auto header = fitPage(bench)->findChild<QLabel*>(QStringLiteral("pageState"))->text();
  QVERIFY2(header.startsWith(QStringLiteral("a.tact · 3 presses")), qPrintable(header));
  QVERIFY2(header.contains(QStringLiteral("b.tact is shown, not fitted")), qPrintable(header));
}

void FitTest::joiningAsksAndTheDefaultIsAlone() {
  Bench bench;
  openAnother(bench, "T-1");
  bench.state->modelDocument().setMayDiscard([] { return true; });
  tickSecond(bench, [&] {
    QVERIFY(words(bench).contains(QStringLiteral("Fit b.tact together with a.tact?")));
    auto* box = bench.window->findChild<QMessageBox*>(QStringLiteral("joinFit"));
    QVERIFY(box->defaultButton() == box->findChild<QPushButton*>(QStringLiteral("joinAlone")));
    QTest::keyClick(box, Qt::Key_Return);
  });
  QCOMPARE(fitted(bench), QStringList{QStringLiteral("b.tact")});
  auto* list = fitPart<QListWidget>(bench, "fitData");
  QCOMPARE(list->item(0)->checkState(), Qt::Unchecked);
  QCOMPARE(list->item(1)->checkState(), Qt::Checked);
}

void FitTest::recordingsAreFittedTogetherWhenSomebodySaysSo() {
  Bench bench;
  openAnother(bench, "T-1");
  tickSecond(bench, [&] {
    gui::test::answer(bench, "joinFit", "joinTogether", QStringLiteral("Fit them together"));
  });
  QCOMPARE(fitted(bench), (QStringList{QStringLiteral("a.tact"), QStringLiteral("b.tact")}));
  auto* list = fitPart<QListWidget>(bench, "fitData");
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Space);  // unticked: no question
  bench.settle();
  QCOMPARE(fitted(bench), QStringList{QStringLiteral("a.tact")});
}

void FitTest::sensorsAreNeverMixed() {
  Bench bench;
  openAnother(bench, "T-2");
  tickSecond(bench, [&] {
    QVERIFY(words(bench).contains(QStringLiteral("serial number T-2 against T-1")));
    auto* box = bench.window->findChild<QMessageBox*>(QStringLiteral("joinFit"));
    QVERIFY(box->findChild<QPushButton*>(QStringLiteral("joinTogether")) == nullptr);
    QTest::keyClick(box, Qt::Key_Escape);
  });
  QCOMPARE(fitted(bench), QStringList{QStringLiteral("a.tact")});
  QCOMPARE(fitPart<QListWidget>(bench, "fitData")->item(1)->checkState(), Qt::Unchecked);
}

void FitTest::aRecordingWithoutASerialNumberIsTakenOnTrust() {
  Bench bench;
  openAnother(bench, "");
  tickSecond(bench, [&] {
    QVERIFY(words(bench).contains(QStringLiteral("b.tact names no serial number")));
    gui::test::answer(bench, "joinFit", "joinTogether", QStringLiteral("Fit them together"));
  });
  QCOMPARE(fitted(bench).size(), 2);
  const auto& warnings = bench.state->modelDocument().warnings();
  QVERIFY(std::any_of(warnings.begin(), warnings.end(),
                      [](const auto& warning) { return warning.code == "serial"; }));
}

void FitTest::theFitKeyFitsWhatIsShown() {
  Bench bench;
  openAnother(bench, "T-2");
  bench.state->modelDocument().setMayDiscard([] { return true; });
  bench.window->showPage(QStringLiteral("recording"));
  const auto asked = whenAsked(bench, [&] {
    gui::test::answer(bench, "joinFit", "joinAlone", QStringLiteral("Fit b.tact alone"));
  });
  QTest::keyClick(bench.window.get(), Qt::Key_R, Qt::ControlModifier);
  QTRY_VERIFY(*asked);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  QCOMPARE(fitted(bench), QStringList{QStringLiteral("b.tact")});
}

void FitTest::aMissingNumberLeadsToItsProtocol() {
  Bench bench;
  openAndFit(bench);
  auto* results = fitPage(bench)->results();
  auto* add = fitPart<QToolButton>(bench, "addProtocol");
  const auto choose = [&](const char* path) {
    results->tree()->setCurrentIndex(results->model()->indexOf(QLatin1String(path)));
  };
  choose("stiffness.k_punch");
  QVERIFY(!add->isVisible());
  choose("damping.c_n");
  QVERIFY(add->isVisible());
  QCOMPARE(add->text(), QStringLiteral("Add P5 to a protocol"));
  QTest::mouseClick(add, Qt::LeftButton);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("protocol"));
  const auto* steps = gui::test::part<QTableWidget>(bench, "protocolSteps");
  const auto has = [&](const QString& kind) {
    for (int row = 0; row < steps->rowCount(); ++row)
      if (steps->item(row, 1)->text().endsWith(kind)) return true;
    return false;
  };
  QTRY_VERIFY(has(QStringLiteral("speeds")));
  const int rows = steps->rowCount();
  bench.settle();
  // Once: the page that is left and shown again adds nothing.
  bench.window->showPage(QStringLiteral("fit"));
  bench.window->showPage(QStringLiteral("protocol"));
  QCOMPARE(steps->rowCount(), rows);
  bench.window->showPage(QStringLiteral("fit"));
  QTest::mouseClick(fitPart<QToolButton>(bench, "recordProtocol"), Qt::LeftButton);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("session"));
  QCOMPARE(bench.state->protocol().choice()->protocol, QStringLiteral("p5"));
  bench.settle();
}

void FitTest::theTruthOfASimulatedPadLiesOverItsNumbers() {
  Bench bench;
  auto truth = fittedModel(bench);
  truth.response.tactels[5].press_gain.value = 2 * *truth.response.tactels[5].press_gain.value;
  const auto file = bench.folder.filePath(QStringLiteral("a.truth.json"));
  QVERIFY(write_model(truth, file.toStdString()).has_value());
  openAndFit(bench);
  auto* show = fitPart<QToolButton>(bench, "resultTruth");
  QTRY_VERIFY(show->isVisible());
  QCOMPARE(result(bench, "stiffness.k_punch", ResultModel::kStatus), QStringLiteral("identified"));
  QTest::mouseClick(show, Qt::LeftButton);
  const auto inside = result(bench, "stiffness.k_punch", ResultModel::kStatus);
  const auto fitted = result(bench, "stiffness.k_punch", ResultModel::kValue);
  QCOMPARE(inside, fitted.section(QStringLiteral(" ± "), 0, 0) + QStringLiteral(" ✓"));
  QVERIFY(result(bench, "response.tactels[].press_gain", ResultModel::kStatus)
              .endsWith(QStringLiteral(" ▲")));
  // Another recording has none.
  bench.state->recordings().close(bench.state->recording());
  QTRY_VERIFY(!show->isVisible());
}

void FitTest::anotherModelLiesBesideTheNumbers() {
  Bench bench;
  auto other = fittedModel(bench);
  *other.stiffness.k_punch.value *= 1.5;
  const auto file = bench.folder.filePath(QStringLiteral("earlier.json"));
  QVERIFY(write_model(other, file.toStdString()).has_value());
  openAndFit(bench);
  QTest::mouseClick(fitPart<QPushButton>(bench, "compareWith"), Qt::LeftButton);
  auto* dialog = fitPart<QFileDialog>(bench, "otherDialog");
  QTRY_VERIFY(dialog->isVisible());
  dialog->selectFile(file);
  QTest::keyClick(dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")), Qt::Key_Return);
  bench.settle();
  const auto* model = fitPage(bench)->results()->model();
  QTRY_COMPARE(model->headerData(ResultModel::kStatus, Qt::Horizontal, Qt::DisplayRole).toString(),
               QStringLiteral("In earlier.json"));
  const auto stiffness = result(bench, "stiffness.k_punch", ResultModel::kStatus);
  QVERIFY2(stiffness.endsWith(QStringLiteral(" ▲")) && stiffness.startsWith(QStringLiteral("29")),
           qPrintable(stiffness));
  const auto gain = result(bench, "response.tactels[].press_gain", ResultModel::kStatus);
  const auto shown = result(bench, "response.tactels[].press_gain", ResultModel::kValue);
  QCOMPARE(gain, shown.section(QStringLiteral(" ± "), 0, 0) + QStringLiteral(" ✓"));
  fitPage(bench)->results()->tree()->setCurrentIndex(
      model->indexOf(QStringLiteral("stiffness.k_punch")));
  const auto details = fitPart<QLabel>(bench, "resultDetails")->text();
  QVERIFY2(details.contains(QStringLiteral("−33.33 %")), qPrintable(details));
  QTest::mouseClick(fitPart<QToolButton>(bench, "resultOther"), Qt::LeftButton);
  QCOMPARE(result(bench, "stiffness.k_punch", ResultModel::kStatus), QStringLiteral("identified"));
}

void FitTest::optionsOfTheFitAreThoseOfTheCommandLine() {
  Bench bench;
  openAndFit(bench);
  const auto option = [&](const char* name) {
    return bench.state->model()->provenance.options.at(name);
  };
  QCOMPARE(option("holdout"), std::string("0"));
  const auto* verdict = fitPage(bench)->verdict();
  QTest::mouseClick(fitPart<QPushButton>(bench, "fitOptionsButton"), Qt::LeftButton);
  auto* dialog = fitPart<QDialog>(bench, "fitOptions");
  dialog->findChild<QDoubleSpinBox*>(QStringLiteral("holdout"))->setValue(25);
  dialog->findChild<QCheckBox*>(QStringLiteral("require_friction"))->setChecked(true);
  QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("useOptions")), Qt::LeftButton);
  bench.settle();
  QCOMPARE(option("holdout"), std::string("0.25"));  // fitted again, with it
  QVERIFY2(verdict->toolTip().contains(QStringLiteral("friction")), qPrintable(verdict->toolTip()));
  const auto command = fitPage(bench)->asCommand();
  QVERIFY2(command.contains(QStringLiteral(" --holdout 0.25 --require friction ")),
           qPrintable(command));
  // Only another verdict is asked for: the numbers stay.
  const auto model = bench.state->model();
  auto settings = bench.state->fit().choice().settings();
  settings.required = {"stiffness"};
  bench.state->fit().choice().setSettings(settings);
  QCOMPARE(bench.state->model(), model);
  QVERIFY(!bench.state->fit().running());
  QVERIFY(!verdict->toolTip().contains(QStringLiteral("friction")));
}
