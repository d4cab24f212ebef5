// What somebody does from the first start to a report on file, by mouse and keys alone: clicks go
// to the window, which finds what lies under them; keys to what has the focus. The rig process is
// the real one, over emulated devices.

#include "tests/app_gui/story_test.hpp"

#include <signal.h>

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QWindow>
#include <QtTest>

#include "app/gui/state/event_log.hpp"
#include "app/workflow/find_damage.hpp"
#include "libcalib/session/session.hpp"
#include "tests/app_gui/dialogs.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

constexpr int kSoon_ms = 30'000;
constexpr int kMost_ms = 400'000;
// A round pin between the tactels: no prompt, since it is the one that is mounted.
constexpr auto kPin = R"([{"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0}])";

}  // namespace

struct StoryTest::Story {
  Bench bench;
  RigLink& rig() { return *bench.rig; }
  QString page() { return bench.window->currentPage(); }
  QString words(const char* label) { return part<QLabel>(bench, label)->text(); }

  /// Of two with one name the one that shows, scrolled to as a hand would.
  template <class T = QWidget>
  T* shown(const char* name) {
    for (auto* one : bench.window->findChildren<T*>(QLatin1String(name))) {
      if (!one->isVisible()) continue;
      for (auto* up = one->parentWidget(); up != nullptr; up = up->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(one);
      return one;
    }
    return nullptr;
  }
  /// Enabled, and what a click into its middle meets: nothing lies over it, and its place is its
  /// last.
  bool ready(const char* name) {
    auto* one = shown(name);
    if (one == nullptr || !one->isEnabled()) return false;
    auto* met = one->window()->childAt(one->mapTo(one->window(), one->rect().center()));
    return met != nullptr && (met == one || one->isAncestorOf(met));
  }
  /// A desktop activates the window that is clicked; the tests' own platform doesn't.
  static void clickAt(QWidget* widget, const QPoint& at) {
    auto* window = widget->window();
    if (window->windowType() == Qt::Window && !window->isActiveWindow()) {
      window->activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(window));
    }
    QTest::mouseClick(widget->window()->windowHandle(), Qt::LeftButton, {},
                      widget->mapTo(widget->window(), at));
  }
  void click(const char* name) {
    QTRY_VERIFY2_WITH_TIMEOUT(ready(name), name, kSoon_ms);
    auto* widget = shown(name);
    clickAt(widget, widget->rect().center());
  }
  void key(int code, Qt::KeyboardModifiers with = {}) {
    QTest::keyClick(bench.window->windowHandle(), static_cast<Qt::Key>(code), with);
  }
  void typed(const char* field, const QString& text) {
    click(field);
    key(Qt::Key_A, Qt::ControlModifier);
    key(Qt::Key_Delete);
    for (const auto letter : text) QTest::keyClick(bench.window->windowHandle(), letter.toLatin1());
    QCOMPARE(part<QLineEdit>(bench, field)->text(), text);
    key(Qt::Key_Tab);
    QVERIFY2(!part<QLabel>(bench, "stepTrouble")->isVisible(), qPrintable(words("stepTrouble")));
  }
  /// Down or up to an entry, by keys.
  void choose(const char* box, const QString& entry) {
    click(box);  // opens the list
    auto* list = part<QComboBox>(bench, box)->view();
    QTRY_VERIFY(list->isVisible());
    const auto at = list->model()->match(list->model()->index(0, 0), Qt::DisplayRole, entry, 1,
                                         Qt::MatchStartsWith);
    QVERIFY2(!at.isEmpty(), qPrintable(entry));
    list->scrollTo(at.first());
    clickAt(list->viewport(), list->visualRect(at.first()).center());
    QTRY_VERIFY(!list->isVisible());
  }
  /// As long as it takes. A button that goes off while it is held (the cause of a fault comes back)
  /// is pressed again.
  void hold(const char* name, const std::function<bool()>& until) {
    constexpr int kTries = 5, kHeld_ms = 4000;
    for (int tries = 0; tries < kTries && !until(); ++tries) {
      QTRY_VERIFY2_WITH_TIMEOUT(ready(name), name, kSoon_ms);
      auto* widget = shown(name);
      auto* window = widget->window()->windowHandle();
      const auto at = widget->mapTo(widget->window(), widget->rect().center());
      QTest::mousePress(window, Qt::LeftButton, {}, at);
      const bool held = QTest::qWaitFor(until, kHeld_ms);
      QTest::mouseRelease(window, Qt::LeftButton, {}, at);
      if (held) return;
    }
    QVERIFY2(until(), name);
  }

  /// A desktop gives the window back its focus after a dialog.
  void saveAs(const QString& name) {
    gui::test::acceptSaveDialog(bench, name);
    bench.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(bench.window.get()));
  }

  void startTheBench();
  void setUpByHand();
  void makeTheProtocol();
  void record();
  void pressOn();
  void recordOn();
  void resumeOn();
  void resumeToTheEnd();
  void acknowledge();
  void resume();
  void fault();
  void stop();
  void killTheRigProcess();
  void end();
  void fit();
  void compare();
  void exportIt();
  void report();
  void readTheLog();
  QByteArray written(const char* name) const {
    QFile from(bench.folder.filePath(QLatin1String(name)));
    return from.open(QIODevice::ReadOnly) ? from.readAll() : QByteArray();
  }

  int finished = 0;  // presses that ended well so far
  long planned = 0;  // presses of the protocol
  QString file;      // that was recorded
};

void StoryTest::Story::startTheBench() {
  QCOMPARE(page(), QStringLiteral("welcome"));
  click("rail_bench");
  choose("virtualSpeed", QStringLiteral("8"));
  click("virtualBench");
  QTRY_VERIFY_WITH_TIMEOUT(rig().connected() && rig().feed().forceFresh(), kMost_ms);
  QCOMPARE(rig().facts().time_scale, 8.0);
  QObject::connect(&rig(), &RigLink::pressTold, &rig(), [this](const rig::messages::Press& press) {
    if (press.outcome == rig::messages::PressOutcome::kOk) ++finished;
  });
}

void StoryTest::Story::setUpByHand() {
  click("rail_session");
  key(Qt::Key_F4);
  QTRY_COMPARE(rig().mode(), Mode::kSetUp);
  click("task_home");
  QTRY_VERIFY_WITH_TIMEOUT(rig().status().position_trusted && !rig().working(), kMost_ms);
  key(Qt::Key_J);
  const double from_m = rig().live()->position_m[2];
  auto* window = bench.window->windowHandle();
  QTest::keyPress(window, Qt::Key_PageDown);
  QTRY_VERIFY_WITH_TIMEOUT(rig().live()->position_m[2] < from_m - 0.2e-3, kSoon_ms);
  QTest::keyRelease(window, Qt::Key_PageDown);
  QTRY_VERIFY_WITH_TIMEOUT(!rig().working(), kSoon_ms);
  const double stands_m = rig().live()->position_m[2];
  click("task_surface");
  QTRY_VERIFY_WITH_TIMEOUT(rig().status().surface_found && !rig().working(), kMost_ms);
  QVERIFY(rig().live()->position_m[2] != stands_m);
}

/// A short template with an image on top, kept as a file of one's own.
void StoryTest::Story::makeTheProtocol() {
  click("rail_protocol");
  auto* list = part<QListWidget>(bench, "protocolTemplates");
  for (int row = 0; row < list->count(); ++row)
    if (list->item(row)->data(Qt::UserRole).toString() == QStringLiteral("study")) {
      list->scrollToItem(list->item(row));
      clickAt(list->viewport(), list->visualItemRect(list->item(row)).center());
    }
  auto* steps = part<QTableWidget>(bench, "protocolSteps");
  QTRY_COMPARE_WITH_TIMEOUT(steps->rowCount(), 3, kSoon_ms);
  clickAt(steps->viewport(), steps->visualItemRect(steps->item(2, 1)).center());
  auto* menu = part<QPushButton>(bench, "addStep")->menu();
  QTimer::singleShot(0, menu, [menu] {  // the menu runs a loop of its own
    QTRY_VERIFY(menu->isVisible());
    for (auto* action : menu->actions())
      if (action->objectName() == QStringLiteral("add_images"))
        return clickAt(menu, menu->actionGeometry(action).center());
  });
  click("addStep");
  QTRY_COMPARE_WITH_TIMEOUT(steps->rowCount(), 4, kSoon_ms);
  const std::pair<const char*, const char*> fields[] = {
      {"field_indenters", kPin}, {"field_rz_deg", ""},   {"field_masses_g", ""},
      {"field_force_N", "1"},    {"field_x_mm", "0"},    {"field_y_mm", "1.7"},
      {"field_repeats", "2"},    {"field_dwell_s", "6"}, {"field_tilt_x_deg", ""},
      {"field_tilt_y_deg", ""}};
  for (const auto& [field, text] : fields) typed(field, QString::fromLatin1(text));
  // The dry run of what was there before the last field may still stand.
  QTRY_VERIFY2_WITH_TIMEOUT(words("dryTime").startsWith(QStringLiteral("1 min")),
                            qPrintable(words("dryTime")), kMost_ms);
  QTRY_VERIFY_WITH_TIMEOUT(ready("useButton") && !bench.state->jobs().busy(), kMost_ms);
  planned = words("dryPresses").toLong();
  QVERIFY2(planned > 0, qPrintable(words("dryPresses")));
  click("useButton");
  saveAs(QStringLiteral("short"));
  QTRY_COMPARE(page(), QStringLiteral("session"));
}

/// Checks, arm, start.
void StoryTest::Story::record() {
  if (rig().mode() == Mode::kIdle) key(Qt::Key_F4);
  QTRY_COMPARE(rig().mode(), Mode::kSetUp);
  for (const char* check : {"check_plan", "check_devices"})
    QTRY_COMPARE_WITH_TIMEOUT(words(check), QStringLiteral("●"), kMost_ms);
  key(Qt::Key_F5);
  QTRY_COMPARE(rig().mode(), Mode::kArmed);
  key(Qt::Key_F5);
  QTRY_COMPARE_WITH_TIMEOUT(rig().mode(), Mode::kRunning, kSoon_ms);
  if (file.isEmpty()) file = rig().target();
  QCOMPARE(rig().target(), file);  // it goes on in the same one
}

void StoryTest::Story::pressOn() {
  const int wanted = finished + 3;
  QTRY_VERIFY2_WITH_TIMEOUT(finished >= wanted, qPrintable(words("runWords")), kMost_ms);
}

void StoryTest::Story::acknowledge() {
  hold("acknowledge", [this] { return rig().mode() == Mode::kSetUp; });
}

void StoryTest::Story::resume() {
  QTRY_VERIFY_WITH_TIMEOUT(ready("summaryResume"), kSoon_ms);
  const auto was = words("summaryWords");
  QVERIFY2(was.contains(QStringLiteral(".tact")), qPrintable(was));
  click("summaryResume");
  record();
}

/// The force sensor falls silent in mid-press: the rig stops itself.
void StoryTest::Story::fault() {
  click("rail_bench");
  click("makeFault");
  QTRY_COMPARE_WITH_TIMEOUT(rig().mode(), Mode::kFault, kSoon_ms);
  click("rail_session");
  QVERIFY2(words("lockWords").contains(QStringLiteral("force")), qPrintable(words("lockWords")));
  acknowledge();
}

/// By mouse, with another page in front.
void StoryTest::Story::stop() {
  click("rail_library");
  click("stopButton");
  QTRY_COMPARE_WITH_TIMEOUT(rig().mode(), Mode::kStopped, kSoon_ms);
  QVERIFY(rig().stopAnswer_ms().has_value());
  click("rail_session");
  acknowledge();
}

void StoryTest::Story::killTheRigProcess() {
  QVERIFY(rig().status().process > 1);
  QCOMPARE(::kill(static_cast<pid_t>(rig().status().process), SIGKILL), 0);
  QTRY_COMPARE_WITH_TIMEOUT(rig().mode(), Mode::kUnknown, kSoon_ms);
  click("connectAgain");
  QTRY_VERIFY_WITH_TIMEOUT(rig().connected() && rig().feed().forceFresh(), kMost_ms);
  QCOMPARE(rig().mode(), Mode::kIdle);  // nothing moves by itself
}

void StoryTest::Story::recordOn() {
  record();
  if (!QTest::currentTestFailed()) pressOn();
}

void StoryTest::Story::resumeOn() {
  resume();
  if (!QTest::currentTestFailed()) pressOn();
}

void StoryTest::Story::resumeToTheEnd() {
  resume();
  if (!QTest::currentTestFailed()) end();
}

/// One recording with every press of the protocol, none of them hurt.
void StoryTest::Story::end() {
  QTRY_VERIFY2_WITH_TIMEOUT(
      rig().ended() && words("summaryWords").contains(QStringLiteral("protocol is complete")),
      qPrintable(words("runWords")), kMost_ms);
  QCOMPARE(QFileInfo(rig().ended()->file).absoluteFilePath(), file);
  const auto session = Session::open(file.toStdString());
  QVERIFY(session.has_value());
  QVERIFY(session->finished());
  const auto damage = find_damage(*session, {});
  QVERIFY(damage && damage->whole());
  const auto all = presses(session->events(), session->edits(), session->metadata());
  QVERIFY(all.has_value());
  const auto good =
      std::count_if(all->begin(), all->end(), [](const Press& p) { return p.usable(); });
  QCOMPARE(good, planned);
}

void StoryTest::Story::fit() {
  click("summaryFit");
  QTRY_COMPARE_WITH_TIMEOUT(page(), QStringLiteral("fit"), kSoon_ms);
  auto& state = *bench.state;
  QTRY_VERIFY_WITH_TIMEOUT(state.model() != nullptr && !state.fit().running(), kMost_ms);
  QCOMPARE(state.recording()->recording()->path(), file);
  const auto& model = *state.model();
  QCOMPARE(model.provenance.sessions.size(), 1U);
  const auto& tactels = model.response.tactels;
  const auto gains = std::count_if(tactels.begin(), tactels.end(),
                                   [](const auto& tactel) { return tactel.press_gain.usable(); });
  QVERIFY2(gains >= 5, qPrintable(QString::number(gains)));
  QVERIFY(model.quality.at("contact").figures.at("presses_usable") >=
          0.8 * static_cast<double>(planned));
}

/// Where three interruptions left the presses without a point spread, the page says that instead.
void StoryTest::Story::compare() {
  click("rail_compare");
  const auto told = [this] {
    if (words("compareHeadline").contains(QStringLiteral("prediction error"))) return true;
    const auto labels = bench.window->findChildren<QLabel*>();
    return !bench.state->model()->psf.sigma_x.value &&
           std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
             return label->isVisible() && label->text().contains(QStringLiteral("point spread"));
           });
  };
  QTRY_VERIFY2_WITH_TIMEOUT(told(), qPrintable(words("compareHeadline")), kMost_ms / 4);
}

void StoryTest::Story::exportIt() {
  key(Qt::Key_E, Qt::ControlModifier);
  QTRY_COMPARE(page(), QStringLiteral("export"));
  bench.settle();
  key(Qt::Key_E, Qt::ControlModifier);
  saveAs(bench.folder.filePath(QStringLiteral("pad.json")));
  QTRY_VERIFY_WITH_TIMEOUT(written("pad.json").contains("\"k_punch\""), kSoon_ms);
}

void StoryTest::Story::report() {
  click("rail_report");
  click("savePdf");
  saveAs(bench.folder.filePath(QStringLiteral("pad.pdf")));
  QTRY_VERIFY_WITH_TIMEOUT(written("pad.pdf").trimmed().endsWith("%%EOF"), kMost_ms);
  QVERIFY(written("pad.pdf").startsWith("%PDF"));
  click("saveHtml");
  saveAs(bench.folder.filePath(QStringLiteral("pad.html")));
  QTRY_VERIFY_WITH_TIMEOUT(written("pad.html").contains("</html>"), kMost_ms);
  QVERIFY(written("pad.html").contains(QFileInfo(file).fileName().toUtf8()));
}

/// What somebody can read afterwards of all this.
void StoryTest::Story::readTheLog() {
  QStringList told;
  for (const auto& event : bench.state->log().events()) told << wholeWords(event.message);
  const auto all = told.join(QLatin1Char('\n'));
  for (const char* words :
       {"STOP", "said nothing", "rig process has ended", "recording is complete"})
    QVERIFY2(all.contains(QLatin1String(words)), words);
  click("rail_bench");
  click("virtualBench");  // ends it
  QTRY_VERIFY(!rig().connected());
  bench.settle();
}

StoryTest::StoryTest() = default;
StoryTest::~StoryTest() = default;

void StoryTest::initTestCase() { story_ = std::make_unique<Story>(); }

void StoryTest::init() {
  if (failed_) QSKIP("an earlier part of the story failed");
}

/// What the window told last says where a part that failed stood.
void StoryTest::cleanup() {
  if (!QTest::currentTestFailed()) return;
  failed_ = true;
  const auto& events = story_->bench.state->log().events();
  for (std::size_t i = events.size() - std::min<std::size_t>(events.size(), 12); i < events.size();
       ++i)
    qInfo().noquote() << events[i].time.toString(QStringLiteral("HH:mm:ss.zzz"))
                      << wholeWords(events[i].message);
  qInfo().noquote() << modeLook(story_->rig().mode()).word;
}

void StoryTest::cleanupTestCase() {
  story_->rig().disconnectRig();
  story_->bench.settle();
  story_.reset();
}

void StoryTest::theBenchStartsByTheWindowsOwnButton() { story_->startTheBench(); }
void StoryTest::setUpMovesTheStageByHand() { story_->setUpByHand(); }
void StoryTest::aProtocolIsMadeAndTakenOver() { story_->makeTheProtocol(); }
void StoryTest::itRecords() { story_->recordOn(); }
void StoryTest::aSensorThatFallsSilentIsAFault() { story_->fault(); }
void StoryTest::theRecordingIsResumedAfterIt() { story_->resumeOn(); }
void StoryTest::stopStopsFromAnyPage() { story_->stop(); }
void StoryTest::theStoppedRecordingIsResumed() { story_->resumeOn(); }
void StoryTest::theRigProcessIsKilledAndStartedAgain() { story_->killTheRigProcess(); }
void StoryTest::theRecordingEndsWhole() { story_->resumeToTheEnd(); }
void StoryTest::itsModelIsFitted() { story_->fit(); }
void StoryTest::theModelIsComparedWithImages() { story_->compare(); }
void StoryTest::theModelIsExported() { story_->exportIt(); }
void StoryTest::theReportIsSaved() { story_->report(); }
void StoryTest::theEventLogHasItAll() { story_->readTheLog(); }
