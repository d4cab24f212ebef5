#include "tests/app_gui/window_test.hpp"
#include "tests/app_gui/dialogs.hpp"

#include <QtTest>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/item_models/press_model.hpp"
#include "app/gui/pages/recording/force_depth_plot.hpp"
#include "app/gui/pages/recording/force_time_plot.hpp"
#include "app/gui/pages/recording/press_panel.hpp"
#include "app/gui/pages/recording/recording_page.hpp"
#include "app/gui/pages/recording/tactile_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/action_button.hpp"
#include "app/gui/widgets/newton_switch.hpp"
#include "app/workflow/session_info.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "tests/app_gui/support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;

namespace {

RecordingPage* recordingPage(Bench& bench) {
  return qobject_cast<RecordingPage*>(bench.window->page(QStringLiteral("recording")));
}

void openSample(Bench& bench) {
  bench.state->open(gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact")));
  bench.settle();
}

QString messageText(const Bench& bench) {
  const auto& all = bench.window->messageBar()->messages();
  return all.isEmpty() ? QString() : all.first().happened + all.first().safe + all.first().todo;
}

}  // namespace

void WindowTest::theExampleOpensAndAPressIsExcludedWithKeys() {
  Bench bench;
  QCOMPARE(bench.window->currentPage(), QStringLiteral("welcome"));
  QTest::mouseClick(part<QWidget>(bench, "openExample"), Qt::LeftButton);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("recording"));
  auto* document = bench.state->recording();
  QVERIFY(document != nullptr);
  QCOMPARE(document->presses().size(), 41U);  // as the README of the data says
  auto* table = part<QTableView>(bench, "pressTable");
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(bench.state->selection().press().value_or(-1), document->presses()[1].number);
  QTest::keyClick(table, Qt::Key_X);
  QVERIFY(document->presses()[1].excluded);
  bench.settle();
  QTest::keyClick(bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!document->presses()[1].excluded);
  bench.settle();
}

void WindowTest::aRecordingIsLookedAtWithTheMouse() {
  Bench bench;
  openSample(bench);
  auto* page = recordingPage(bench);
  auto* map = part<TactileMapView>(bench, "tactileMap");
  // Middle of press 1: tactel 5 carries 1.6 N at the deepest point, 100 + 500 counts/N.
  QVERIFY(map->values().size() == 12U);
  QVERIFY2(map->values()[5] > 800, qPrintable(QString::number(map->values()[5])));
  QTest::mouseMove(map, map->cell(5).center().toPoint());
  QTRY_VERIFY(part<QLabel>(bench, "tactelReadout")->text().contains(QStringLiteral("Tactel 5")));
  QVERIFY(map->describe(0).contains(QStringLiteral("dead")));
  QVERIFY(map->describe(11).contains(QStringLiteral("stuck")));
  // A click into the third press of the force plot chooses it.
  auto* plot = page->forceTime();
  const QPoint third(int(plot->xAxis->coordToPixel(5.0)), int(plot->yAxis->coordToPixel(0.1)));
  QTest::mouseClick(plot, Qt::LeftButton, {}, third);
  QCOMPARE(bench.state->selection().press().value_or(-1), 3);
  bench.settle();
  QVERIFY(map->values()[9] > 800);
  // Play moves on.
  const double before = page->tactile()->time_s();
  QTest::mouseClick(part<QToolButton>(bench, "play"), Qt::LeftButton);
  QTRY_VERIFY(page->tactile()->time_s() > before);
}

void WindowTest::aModelThatFitsShowsNewtons() {
  Bench bench;
  openSample(bench);
  auto* map = part<TactileMapView>(bench, "tactileMap");
  auto* unit = part<NewtonSwitch>(bench, "recordedUnit");
  auto* newtons = unit->findChildren<QToolButton*>().at(1);
  QVERIFY(!newtons->isEnabled());
  QVERIFY(newtons->toolTip().contains(QStringLiteral("no model is open")));
  // Rest 100, 500 counts/N, no dead zone; tactel 6 is not calibrated, tactel 9 ends at 600.
  auto model = empty_model(bench.state->recording()->recording()->metadata().sensor);
  const auto set = [](Parameter& parameter, double value) {
    parameter.value = value;
    parameter.status = Status::kIdentified;
  };
  for (auto& tactel : model.response.tactels) {
    set(tactel.offset, 100);
    set(tactel.press_threshold, 0);
    if (tactel.index != 6) set(tactel.press_gain, 1 / 500.0);
  }
  set(model.response.tactels[9].saturation, 600);
  const auto open = [&](const char* serial) {
    model.serial = serial;
    bench.state->modelDocument().set(std::make_shared<const SensorModel>(model), {});
  };
  open("T-2");
  QVERIFY(!newtons->isEnabled());
  QVERIFY2(
      newtons->toolTip().contains(QStringLiteral("serial number T-2, the readings are of T-1")),
      qPrintable(newtons->toolTip()));
  open("T-1");
  QVERIFY(newtons->isEnabled());

  const double counts = map->values()[5];
  QVERIFY(counts > 800);
  QTest::mouseClick(newtons, Qt::LeftButton);
  QVERIFY(std::abs(map->values()[5] - (counts - 100) / 500) < 1e-12);
  QVERIFY(map->describe(5).endsWith(QStringLiteral(" N")));
  QVERIFY(map->describe(6).contains(QStringLiteral("not identified")));
  QVERIFY(map->describe(0).contains(QStringLiteral("dead")));
  bench.state->selection().choosePress(3);  // of tactel 9
  bench.settle();
  QCOMPARE(map->values()[9], 1.0);  // (600 - 100) / 500, at least
  QVERIFY2(map->describe(9).endsWith(QStringLiteral("1.00 N, saturated")),
           qPrintable(map->describe(9)));
  open("T-3");  // another array's: back to counts
  QVERIFY(!newtons->isEnabled());
  QVERIFY(map->values()[9] > 800);
  QVERIFY(map->describe(9).endsWith(QStringLiteral("counts")));
}

void WindowTest::theContactPointIsDragged() {
  Bench bench;
  openSample(bench);
  auto* plot = recordingPage(bench)->forceDepth();
  QVERIFY(plot->contactPosition().has_value());
  // First touch at 0.2 mm: 0.4 s of rest, then 1 mm in 0.6 s: 0.52 s. The threshold is late by the
  // noise: 5 sd of 3 mN are 15 mN or 8 µm, at 1.67 mm/s 5 ms.
  const double found_s = *plot->curve()->contact_s;
  QVERIFY2(found_s > 0.515 && found_s < 0.535, qPrintable(QString::number(found_s)));
  const auto at = [plot](double mm) {
    return QPoint(int(std::lround(plot->xAxis->coordToPixel(mm))), plot->axisRect()->center().y());
  };
  QTest::mousePress(plot, Qt::LeftButton, {}, at(0));
  QTest::mouseMove(plot, at(0.05));
  QTest::mouseMove(plot, at(0.1));
  QTest::mouseRelease(plot, Qt::LeftButton, {}, at(0.1));
  bench.settle();
  const auto* press = bench.state->recording()->press(1);
  QVERIFY(press->contact_s.has_value());
  // 0.1 mm at 1.667 mm/s is 60 ms; a pixel is about 3 µm or 2 ms.
  QVERIFY2(std::abs(*press->contact_s - found_s - 0.06) < 0.006,
           qPrintable(QString::number(*press->contact_s - found_s)));
  QVERIFY(plot->curve()->by_hand);
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);  // 10 µm: 6 ms
  bench.settle();
  QVERIFY(*bench.state->recording()->press(1)->contact_s > found_s + 0.06 - 0.001);
  QCOMPARE(bench.state->recording()->undoStack()->count(), 2);
}

void WindowTest::anUndoneContactMoveIsAsFoundAgain() {
  Bench bench;
  openSample(bench);
  auto* plot = recordingPage(bench)->forceDepth();
  const double found_s = *plot->curve()->contact_s;
  const auto isAsFound = [&] {
    const auto& curve = recordingPage(bench)->forceDepth()->curve();
    return curve && !curve->by_hand && curve->contact_s == found_s &&
           !bench.state->recording()->press(1)->contact_s;
  };
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
  bench.settle();
  QVERIFY(plot->curve()->by_hand);
  QTest::keyClick(bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  bench.settle();
  QVERIFY(isAsFound());
  const auto* table = part<QTableView>(bench, "pressTable");
  QCOMPARE(table->model()->index(0, PressModel::kVerdict).data().toString(),
           QStringLiteral("used"));
  const auto file = bench.state->recording()->recording()->path();
  bench.restart();
  bench.state->open(file);
  bench.settle();
  QVERIFY(isAsFound());
  // Moved twice: the first undo gives back the first place.
  plot = recordingPage(bench)->forceDepth();
  plot->setFocus();
  QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
  bench.settle();
  const auto first_s = bench.state->recording()->press(1)->contact_s;
  QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
  bench.settle();
  QVERIFY(bench.state->recording()->press(1)->contact_s != first_s);
  QTest::keyClick(bench.window.get(), Qt::Key_Z, Qt::ControlModifier);
  bench.settle();
  QCOMPARE(bench.state->recording()->press(1)->contact_s, first_s);
}

void WindowTest::aDamagedFileOpensAndSaysSo() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("hurt.tact"));
  gui::test::damage(file);
  bench.state->open(file);
  bench.settle();
  QVERIFY(bench.state->recording() != nullptr);
  for (const auto& press : bench.state->recording()->presses()) {
    bench.state->selection().choosePress(press.number);
    bench.settle();
  }
  const auto told = messageText(bench);
  QVERIFY2(told.contains(QStringLiteral("hurt.tact is damaged")), qPrintable(told));
  QVERIFY(part<QWidget>(bench, "messageBar")->isVisible());
  QTest::mouseClick(part<QPushButton>(bench, "messageDismiss"), Qt::LeftButton);
}

void WindowTest::aDamagedFileOpensReadOnlyWithItsWholePresses() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("hurt.tact"));
  gui::test::damageTail(file, 5.0);  // the third press; the first one is shown
  bench.state->open(file);
  bench.settle();
  const auto header = recordingPage(bench)->findChild<QLabel*>(QStringLiteral("pageState"))->text();
  QVERIFY2(header.contains(QStringLiteral("2 of 3 whole")), qPrintable(header));
  QVERIFY2(header.contains(QStringLiteral("read-only")), qPrintable(header));
  const auto told = messageText(bench);
  QVERIFY2(told.contains(QStringLiteral("hurt.tact is damaged: tactile")), qPrintable(told));
  QVERIFY2(told.contains(QStringLiteral("2 of 3 presses are whole")), qPrintable(told));
  const auto* table = part<QTableView>(bench, "pressTable")->model();
  QCOMPARE(table->index(2, PressModel::kVerdict).data().toString(), QStringLiteral("damaged"));
  QCOMPARE(table->index(0, PressModel::kVerdict).data().toString(), QStringLiteral("used"));
  // The same as `info` counts.
  const auto report = session_info(file.toStdString(), {});
  QVERIFY(report && report->presses_whole == 2 && report->presses == 3);
  bench.state->recording()->setExcluded(1, true);
  bench.settle();
  QVERIFY(!bench.state->recording()->press(1)->excluded);
  QVERIFY(session_info(file.toStdString(), {})->edits.empty());
  QVERIFY2(messageText(bench).contains(QStringLiteral("read-only")),
           qPrintable(messageText(bench)));
}

void WindowTest::aBrokenFileIsRefusedInTheMessageBar() {
  Bench bench;
  QFile file(bench.folder.filePath(QStringLiteral("broken.tact")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("this is no recording");
  file.close();
  bench.state->open(file.fileName());
  bench.settle();
  QVERIFY(bench.state->recording() == nullptr);
  QVERIFY2(messageText(bench).contains(QStringLiteral("broken.tact")),
           qPrintable(messageText(bench)));
  QVERIFY(messageText(bench).contains(QStringLiteral("Nothing was opened.")));
}

void WindowTest::aFileAskedForTwiceWhileItOpensIsOpenOnce() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("twice.tact"));
  bench.state->open(file);
  bench.state->open(file);
  bench.settle();
  QCOMPARE(bench.state->recordings().all().size(), std::size_t{1});
}

void WindowTest::theThemeIsSwitchedWithAKey() {
  Bench bench;
  theme().choose(Theme::Choice::kLight);
  const auto light = bench.window->palette().color(QPalette::Window);
  QTest::keyClick(bench.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(theme().dark());
  QVERIFY(bench.window->palette().color(QPalette::Window).lightness() < light.lightness());
  const auto picture = bench.window->grab().toImage();
  QCOMPARE(picture.pixelColor(picture.width() / 2, picture.height() - 60),
           theme().color(Token::kWindow));
  theme().choose(Theme::Choice::kLight);
}

void WindowTest::theStateSurvivesARestart() {
  Bench bench;
  openSample(bench);
  QTest::keyClick(bench.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  const bool dark = theme().dark();
  bench.state->settings().setValue(QStringLiteral("welcome_at_start"), false);
  bench.window->showPage(QStringLiteral("library"));
  bench.window->resize(1200, 800);
  QVERIFY(bench.window->close());
  theme().choose(dark ? Theme::Choice::kLight : Theme::Choice::kDark);
  bench.restart();
  QCOMPARE(theme().dark(), dark);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("library"));
  QCOMPARE(bench.window->size(), QSize(1200, 800));
  QVERIFY(bench.state->files().recent().first().endsWith(QStringLiteral("a.tact")));
  QVERIFY(bench.state->recording() == nullptr);  // nothing opens by itself
  bench.settle();
  theme().choose(Theme::Choice::kLight);
}

void WindowTest::everyPageIsReachedWithItsKey() {
  Bench bench;
  int number = 0;
  for (const auto& info : pages()) {
    if (info.icon.isEmpty()) continue;
    QTest::keyClick(bench.window.get(), Qt::Key(Qt::Key_0 + ++number % 10), Qt::ControlModifier);
    QCOMPARE(bench.window->currentPage(), info.id);
    QVERIFY(part<QAbstractButton>(bench, qPrintable("rail_" + info.id))->isChecked());
  }
  QVERIFY(number >= 2);
  bench.settle();
}

void WindowTest::theSafetyBarIsThereOnEveryPage() {
  Bench bench;
  for (const auto& info : pages()) {
    bench.window->showPage(info.id);
    auto* bar = bench.window->safetyBar();
    QVERIFY(bar->isVisible());
    QVERIFY(bar->stopButton()->isEnabled());
    QVERIFY(bar->stopButton()->width() >= 176 && bar->stopButton()->height() >= 64);
    QCOMPARE(bar->mapTo(bench.window.get(), QPoint()).x(), 0);
  }
  bench.settle();
}

namespace {

/// Nothing of the safety bar lies outside of the window or over another part.
void checkSafetyBar(const MainWindow& window, const QString& where) {
  const auto* bar = window.safetyBar();
  const auto placeOf = [&](const QWidget* part) {
    return QRect(part->mapTo(&window, QPoint(0, 0)), part->size());
  };
  QList<const QWidget*> parts{bar->stopButton(), bar->findChild<ModeBanner*>(),
                              bar->findChild<ForceBar*>(), bar->findChild<RecordClock*>()};
  for (const auto* lamp : bar->findChildren<StreamLamp*>()) {
    QVERIFY2(lamp->width() >= theme().px(60), qPrintable(where));
    parts << lamp;
  }
  const QSize stop(theme().px(176), theme().px(64));
  QVERIFY2(bar->stopButton()->size() == stop, qPrintable(where));
  for (const auto* part : parts) {
    QVERIFY2(window.rect().contains(placeOf(part)), qPrintable(where));
    for (const auto* other : parts)
      QVERIFY2(part == other || !placeOf(part).intersects(placeOf(other)), qPrintable(where));
  }
}

/// Within the window, or scrolled to.
bool reachable(QWidget* button, const MainWindow& window) {
  for (auto* up = button->parentWidget(); up != nullptr; up = up->parentWidget())
    if (auto* frame = qobject_cast<QScrollArea*>(up)) frame->ensureWidgetVisible(button, 0, 0);
  const QRect at(button->mapTo(&window, QPoint(0, 0)), button->size());
  return window.rect().contains(at) && button->width() >= button->sizeHint().width();
}

}  // namespace

void WindowTest::theSmallestWindowCutsNoButtonOff_data() {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<double>("scale");
  QTest::newRow("1440 x 900 at 100 %") << QSize(1440, 900) << 1.0;
  QTest::newRow("1024 x 700 at 100 %") << QSize(1024, 700) << 1.0;
  QTest::newRow("1440 x 900 at 150 %") << QSize(1440, 900) << 1.5;
  QTest::newRow("1440 x 900 at 200 %") << QSize(1440, 900) << 2.0;
  QTest::newRow("1440 x 900 of a screen with 1.5 dots per pixel") << QSize(960, 600) << 1.0;
  QTest::newRow("the same with 2") << QSize(720, 450) << 1.0;
}

void WindowTest::theSmallestWindowCutsNoButtonOff() {
  QFETCH(QSize, size);
  QFETCH(double, scale);
  Bench bench;
  auto& window = *bench.window;
  theme().setScale(scale);
  const auto restore = qScopeGuard([] { theme().setScale(1); });
  window.resize(size);
  QCOMPARE(window.size(), size);
  for (const auto& info : pages()) {
    window.showPage(info.id);
    bench.settle();
    QCOMPARE(window.size(), size);
    checkSafetyBar(window, info.id);
    for (auto* button : window.findChildren<ActionButton*>())
      if (button->isVisible())
        QVERIFY2(reachable(button, window), qPrintable(info.id + ' ' + button->accessibleName()));
    for (auto* item : window.findChildren<QToolButton*>())
      if (item->objectName().startsWith(QStringLiteral("rail_")))
        QVERIFY2(window.rect().contains(QRect(item->mapTo(&window, QPoint(0, 0)), item->size())),
                 qPrintable(info.id + ' ' + item->objectName()));
  }
}

void WindowTest::aLargeBannerLeavesRoomForStop() {
  Bench bench;
  bench.window->safetyBar()->setLarge(true);
  for (const auto& size : {QSize(1440, 900), QSize(1024, 700), QSize(720, 450)}) {
    bench.window->resize(size);
    QCoreApplication::processEvents();
    const auto* stop = bench.window->safetyBar()->stopButton();
    QCOMPARE(stop->height(), 128);
    QVERIFY(bench.window->rect().contains(
        QRect(stop->mapTo(bench.window.get(), QPoint(0, 0)), stop->size())));
  }
}

void WindowTest::aWindowIsNeverLargerThanItsScreen() {
  Bench bench;
  bench.window->resize(4000, 3000);
  QVERIFY(bench.window->close());
  bench.restart();
  const auto room = bench.window->screen()->availableGeometry();
  QVERIFY(room.contains(QRect(room.topLeft(), bench.window->size())));
}

void WindowTest::filesAreDroppedIntoTheWindow() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(600, 400), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(bench.window.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(600, 400), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(bench.window.get(), &drop);
  bench.settle();
  QVERIFY(bench.state->recording() != nullptr);
}

void WindowTest::closingDuringWorkIsSafe() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  bench.state->open(file);  // not waited for
  bench.window->showPage(QStringLiteral("library"));
  QVERIFY(bench.window->close());
  bench.window.reset();
  bench.state.reset();  // waits for the workers; their answers come to nobody
}

void WindowTest::whatTheStatusBarSaysGoesAfterAWhile() {
  Bench bench;
  auto* age = part<QTimer>(bench, "statusAge");
  bench.state->notifications().status(QStringLiteral("Cancelling: Fit"));
  auto* words = part<QLabel>(bench, "statusText");
  QCOMPARE(words->text(), QStringLiteral("Cancelling: Fit"));
  QVERIFY(age->isActive());
  QVERIFY(age->interval() >= 10'000);  // long enough to be read
  age->start(0);
  QTRY_VERIFY(words->text().isEmpty());
  QCOMPARE(bench.state->log().events().back().message.happened, QStringLiteral("Cancelling: Fit"));
}

void WindowTest::noPageBeginsWithTheFocusOnStop() {
  Bench bench;
  const auto* stop = part<QWidget>(bench, "stopButton");
  for (const auto* id : {"welcome", "bench", "protocol", "session", "recording", "fit", "compare",
                         "export", "report", "library", "station", "log", "settings", "import"}) {
    bench.window->showPage(QLatin1String(id));
    QCoreApplication::processEvents();
    QVERIFY2(QApplication::focusWidget() != stop, id);
  }
  bench.settle();
}

void WindowTest::forceOverDepthShowsWhereTheReplayIs() {
  Bench bench;
  openSample(bench);
  const auto* plot = recordingPage(bench)->forceDepth();
  const auto curve = plot->curve();
  QVERIFY(curve != nullptr && curve->contact_m.has_value());
  const auto shown = [&] {
    QStringList at;
    for (const auto& row : plot->asTable().rows)
      if (row[0] == QStringLiteral("at the time shown")) at = row;
    return at;
  };
  emit recordingPage(bench)->forceTime()->timeClicked(curve->time_s[curve->peak]);
  QCOMPARE(shown().size(), 3);
  QVERIFY(std::abs(shown()[1].toDouble() -
                   1e3 * (curve->travel_m[curve->peak] - *curve->contact_m)) < 1e-6);
  QVERIFY(std::abs(shown()[2].toDouble() - curve->force_N[curve->peak]) < 1e-9);
  emit recordingPage(bench)->forceTime()->timeClicked(curve->time_s.back() + 1);
  QVERIFY(shown().isEmpty());  // another press is under way
}

void WindowTest::recentFilesShowWhatTheyHold() {
  Bench bench;
  openSample(bench);
  bench.window->showPage(QStringLiteral("welcome"));
  bench.settle();
  const auto* picture = part<QLabel>(bench, "recentPicture");
  const auto size = picture->pixmap().deviceIndependentSize().toSize();
  QCOMPARE(size.height(), theme().px(40));
  // 4 x 3 cells, of which the pressed ones have the largest swing: more than one colour.
  const auto image = picture->pixmap().toImage();
  QSet<QRgb> colours;
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y) colours.insert(image.pixel(x, y));
  QVERIFY(colours.size() > 3);
}
