#include "app/gui/pages/session/session_page.hpp"

#include <QFileInfo>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/pages/session/check_list.hpp"
#include "app/gui/pages/session/connect_panel.hpp"
#include "app/gui/pages/session/jog_pad.hpp"
#include "app/gui/pages/session/live_drag.hpp"
#include "app/gui/pages/session/live_image.hpp"
#include "app/gui/pages/session/live_plots.hpp"
#include "app/gui/pages/session/live_traces.hpp"
#include "app/gui/pages/session/lock_notice.hpp"
#include "app/gui/pages/session/prompt_panel.hpp"
#include "app/gui/pages/session/record_form.hpp"
#include "app/gui/pages/session/run_panel.hpp"
#include "app/gui/pages/session/summary_panel.hpp"
#include "app/gui/pages/session/tip_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/press_chooser.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"
#include "app/gui/state/tip_place.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/vertical_scroll.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

using rig::messages::TaskKind;

constexpr double kSpans_s[] = {5, 10, 60};
constexpr int kContactShare = 2;  // of the centre's height; 3 are the times'
constexpr double kLow = 680;      // of the window, at 100 % text

QWidget* column(QWidget* parent, const std::vector<std::pair<QWidget*, int>>& parts) {
  auto* made = new QWidget(parent);
  auto* layout = new QVBoxLayout(made);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  for (const auto& [part, stretch] : parts) layout->addWidget(part, stretch);
  return made;
}

/// The force sensor's x, y turned onto the array's.
double forceTurn_rad(const RigFile& rig) {
  const auto document = nlohmann::json::parse(rig.document, nullptr, false);
  if (!document.is_object() || !document.contains("force_sensor")) return 0;
  return deg_to_rad(get_number(document["force_sensor"], "rz_deg").value_or(0));
}

}  // namespace

SessionPage::SessionPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Session"), parent),
      rig_(context.rig),
      chooser_(new PressChooser(context.state.jobs(), context.rig, this)) {
  auto& a = actions();
  addHeaderAction(a.setUp, QStringLiteral("mode-setup"))->setObjectName(QStringLiteral("setUp"));
  addHeaderAction(a.pauseRun, QStringLiteral("pause"))->setObjectName(QStringLiteral("pauseRun"));
  addHeaderAction(a.repeatPress, QStringLiteral("redo"));
  addHeaderAction(a.skipPress, QStringLiteral("right"));
  addHeaderAction(a.undoPress, QStringLiteral("undo"));
  addHeaderAction(a.finishRun, QStringLiteral("check"))->setObjectName(QStringLiteral("finishRun"));
  addHeaderAction(a.disconnectRig, QStringLiteral("x"));
  body()->addWidget(new LockNotice(rig_, this));
  columns_ = new FoldingColumns(buildLeft(), buildCentre(), buildRight(), tr("Live"),
                                tr("Recording"), this);
  columns_->setSizes({440, 520, 370}, {3, 4, 0});
  // Later: widgets must not move to other parents while a new style goes through all of them.
  connect(columns_, &FoldingColumns::foldedChanged, this, &SessionPage::setCompact,
          Qt::QueuedConnection);
  connect(&theme(), &Theme::changed, this, &SessionPage::followHeight, Qt::QueuedConnection);
  body()->addWidget(columns_, 1);
  auto* jog = new QShortcut(QKeySequence(Qt::Key_J), this);
  jog->setContext(Qt::WidgetWithChildrenShortcut);
  connect(jog, &QShortcut::activated, this, [this] {
    if (hand_->currentWidget() == jog_) jog_->setFocus(Qt::ShortcutFocusReason);
  });
  connectRig();
  refresh();
}

/// A narrow window has no room for a panel of the stage; nothing else moves anything.
void SessionPage::setCompact(bool compact) {
  stage_->setCompact(compact);
  if (compact) {
    image_->take(stage_->coordinates(), stage_->cancel());
    hand_row_->addWidget(stage_->runs(), 0, Qt::AlignTop);
    hand_panel_->body()->addWidget(stage_->standing());
  }
  jog_->setCompact(compact);
  hand_panel_->setHeadShown(!compact);
  left_->layout()->setSpacing(compact ? 8 : 12);
  for (auto* panel : {static_cast<Panel*>(image_), hand_panel_})
    panel->setBodyMargins(compact ? 6 : 12);
  showContactApart(compact && isLow());
}

/// Three plots one over the other would be flat lines.
bool SessionPage::isLow() const { return window()->height() < theme().px(kLow); }

void SessionPage::showContactApart(bool apart) {
  if (apart == contact_apart_) return;
  contact_apart_ = apart;
  if (apart) {
    columns_->showApart(contact_panel_, tr("Contact"));
    return;
  }
  columns_->takeBack(contact_panel_);
  qobject_cast<QVBoxLayout*>(centre_->layout())->insertWidget(0, contact_panel_, kContactShare);
  contact_panel_->show();
}

void SessionPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  QMetaObject::invokeMethod(this, &SessionPage::followHeight, Qt::QueuedConnection);
}

void SessionPage::followHeight() { showContactApart(columns_->folded() && isLow()); }

QWidget* SessionPage::buildLeft() {
  image_ = new LiveImage(this);
  stage_ = new TipPanel(rig_, this);
  hand_panel_ = new Panel(tr("Jog"), this);
  hand_panel_->setCaption(tr("key J"));
  hand_ = new QStackedWidget(hand_panel_);
  jog_ = new JogPad(rig_, hand_);
  prompt_ = new PromptPanel(rig_, hand_);
  hand_->addWidget(jog_);
  hand_->addWidget(prompt_);
  hand_row_ = new QHBoxLayout;
  hand_row_->setSpacing(16);
  hand_row_->addWidget(hand_, 1);
  hand_panel_->body()->addLayout(hand_row_);
  connect(jog_, &JogPad::homeWanted, this, [this] { rig_.run(TaskKind::kHome); });
  connect(jog_, &JogPad::surfaceWanted, this, [this] { rig_.run(TaskKind::kSurface); });
  connect(jog_, &JogPad::retractWanted, this, [this] { rig_.run(TaskKind::kRetract); });
  connect(jog_, &JogPad::goWanted, this, [this] {
    if (const auto tactel = image_->chosen()) rig_.goOver(*tactel, jog_->speed_mm_per_s());
  });
  connect(image_, &LiveImage::goWanted, this,
          [this](int tactel) { rig_.goOver(tactel, jog_->speed_mm_per_s()); });
  return left_ = column(this, {{image_, 1}, {stage_, 0}, {hand_panel_, 0}});
}

QWidget* SessionPage::buildCentre() {
  contact_panel_ = new Panel(tr("Contact"), this);
  contact_kind_ =
      new Segmented(tr("What is shown of the contact"), {tr("Press"), tr("Drag")}, contact_panel_);
  contact_kind_->setObjectName(QStringLiteral("contactKind"));
  contact_kind_->setToolTip(
      tr("Press: force over travel. Drag: force along the pad over the way slid. While none was "
         "picked, a slide brings the drag and the next press the press. Its angle goes from the "
         "array's x towards its y, as the force sensor's signs have it."));
  contact_panel_->addTool(contact_kind_);
  press_ = new LivePressPlot(contact_panel_);
  press_->setObjectName(QStringLiteral("livePress"));
  drag_ = new LiveDragPlot(contact_panel_);
  drag_->setObjectName(QStringLiteral("liveDrag"));
  contact_ = new QStackedWidget(contact_panel_);
  contact_->addWidget(new TableTwin(press_, contact_));
  contact_->addWidget(new TableTwin(drag_, contact_));
  contact_panel_->body()->addWidget(contact_, 1);
  connect(contact_kind_, &Segmented::chosen, this, [this](int kind) {
    contact_picked_ = true;
    showContact(kind);
  });
  auto* time = force_panel_ = new Panel(tr("Force and tactels"), this);
  auto* span = new Segmented(tr("Seconds shown"), {tr("5 s"), tr("10 s"), tr("60 s")}, time);
  span->setCurrent(1);
  time->addTool(span);
  force_ = new LiveForcePlot(time);
  force_->leaveTimesToTheNext();
  force_->setObjectName(QStringLiteral("liveForce"));
  traces_ = new LiveTracePlot(time);
  traces_->setObjectName(QStringLiteral("liveTraces"));
  connect(span, &Segmented::chosen, this, [this](int index) {
    force_->setSpan(kSpans_s[static_cast<std::size_t>(index)]);
    traces_->setSpan(kSpans_s[static_cast<std::size_t>(index)]);
  });
  time->body()->addWidget(new TableTwin(force_, time), 5);
  time->body()->addWidget(new TableTwin(traces_, time), 4);
  return centre_ = column(this, {{contact_panel_, kContactShare}, {time, 3}});
}

void SessionPage::showContact(int kind) {
  contact_->setCurrentIndex(kind);
  contact_kind_->setCurrent(kind);
  QString words;
  if (kind == 1 && drag_->ratio()) {
    words = tr("drag / force %1").arg(fixed(*drag_->ratio(), 2));
    if (const auto towards_rad = drag_->towards_rad())
      words += tr(", at %1°").arg(fixed(rad_to_deg(*towards_rad), 0));
  }
  contact_panel_->setCaption(words);
}

/// A slide brings the drag, the next press without one the press, until somebody picks.
void SessionPage::followContact(const rig::LiveFrame& live, bool fresh) {
  drag_->add(live, fresh,
             dragOf(live.wrench_SI, rig_.status().zero_N, rig_.facts().rig.press_axis.index,
                    force_rz_rad_));
  const int now = contact_->currentIndex();
  int wanted = now;
  if (!contact_picked_ && drag_->sliding()) wanted = 1;
  if (!contact_picked_ && !drag_->sliding() && press_->presses() != presses_seen_) wanted = 0;
  presses_seen_ = press_->presses();
  if (wanted != now || now == 1) showContact(wanted);
}

QWidget* SessionPage::buildRight() {
  right_ = new QStackedWidget(this);
  right_->setObjectName(QStringLiteral("sessionRight"));
  connect_ = new ConnectPanel(state().preferences(), rig_, right_);
  form_ = new RecordForm(state(), rig_, right_);
  checks_ = new CheckList(rig_, *form_, actions().arm, right_);
  run_ = new RunPanel(rig_, right_);
  summary_ = new SummaryPanel(right_);
  auto* content = column(right_, {{form_, 0}, {checks_, 0}, {new QWidget(right_), 1}});
  auto* scroll = new VerticalScroll(content, right_);
  before_ = column(right_, {{scroll, 1}, {checks_->foot(), 0}});  // Arm stays in sight
  for (auto* part : {static_cast<QWidget*>(connect_), before_, static_cast<QWidget*>(run_),
                     static_cast<QWidget*>(summary_)})
    right_->addWidget(part);
  return right_;
}

void SessionPage::connectRig() {
  connect(image_, &LiveImage::chose, traces_, &LiveTracePlot::setChosen);
  connect(&rig_, &RigLink::changed, this, &SessionPage::refresh);
  connect(&rig_, &RigLink::frame, this, &SessionPage::showLive);
  connect(&rig_, &RigLink::linkChanged, this, [this] {
    image_->setSensor(rig_.facts().sensor);
    force_rz_rad_ = forceTurn_rad(rig_.facts().rig);
    if (!rig_.isLost()) {  // what was before it was lost stays to be looked at
      force_->clearAll();
      press_->clearAll();
      drag_->clearAll();
      traces_->setSensor(rig_.facts().sensor);
    }
    force_->setLimit(snapshotOf(rig_).force_limit_N);
    if (rig_.connected()) {
      form_->renew();
      if (!resume_once_connected_.isEmpty()) resume(std::exchange(resume_once_connected_, {}));
      if (isVisible()) firstFocus()->setFocus(Qt::OtherFocusReason);
    }
    refresh();
  });
  connect(&rig_, &RigLink::asked, this, [this] {
    const auto& question = rig_.question();
    if (question) prompt_->show(*question);
    hand_->setCurrentWidget(question ? static_cast<QWidget*>(prompt_) : jog_);
    hand_panel_->setTitle(question ? tr("The rig asks") : tr("Jog"));
    hand_panel_->setCaption(question ? QString() : tr("key J"));
  });
  connect(&rig_, &RigLink::runBegun, this, [this] {
    if (form_->preview() != nullptr) run_->setPlan(*form_->preview());
    press_->clearAll();
    drag_->clearAll();
    contact_picked_ = false;
    image_->beginRun();
    chooser_->begin(form_->adaptive(), form_->request().target);
    image_->setChoosing(chooser_->choosing());
    if (form_->request().resume) readRecorded();
    refresh();
  });
  connect(chooser_, &PressChooser::chosen, this, [this] {
    run_->showChoice(*chooser_->news());
    image_->showStanding(*chooser_->news());
  });
  const auto model = [this] { image_->setModel(state().model()); };
  connect(&state().modelDocument(), &ModelDocument::changed, this, model);
  model();
  connect(&rig_, &RigLink::pressTold, image_, &LiveImage::hear);
  connect(&rig_, &RigLink::wished, this,
          [this](const QString& words) { state().notifications().status(words); });
  // The keys of the run are the run's again.
  connect(run_, &RunPanel::noted, this, [this] { force_->setFocus(Qt::OtherFocusReason); });
  connect(&rig_, &RigLink::runEnded, this, [this] {
    if (rig_.ended()) summary_->show(*rig_.ended());
    refresh();
    // Not on the button beside "End session", which ends the connection. After a STOP or a fault
    // somebody may be holding Acknowledge: taking the focus would let go of it.
    if (isVisible() && rig_.ended() && !rig_.ended()->error)
      summary_->first()->setFocus(Qt::OtherFocusReason);
  });
  connect(summary_, &SummaryPanel::fitWanted, this, &SessionPage::openInFit);
  connect(summary_, &SummaryPanel::moreWanted, this, [this] {
    rig_.forgetEnd();
    form_->renew();
  });
  connect(summary_, &SummaryPanel::resumeWanted, this,
          [this] { resume(QString(rig_.ended()->file)); });
  connect(&state().recordings(), &Recordings::resumeWanted, this, &SessionPage::resume);
}

void SessionPage::resume(const QString& file) {
  const auto mode = rig_.mode();
  if (!rig_.connected()) {
    resume_once_connected_ = file;
    state().notifications().status(tr("Connect the rig first: then %1 is chosen to be resumed.")
                                       .arg(QFileInfo(file).fileName()));
  } else if (mode == Mode::kRunning || mode == Mode::kPaused) {
    state().notifications().status(tr("Something else is being recorded; end it first."));
  } else {
    rig_.forgetEnd();
    form_->resume(file);
  }
}

/// Tactels that were pressed before the recording was cut off are covered.
void SessionPage::readRecorded() {
  state().jobs().run<std::vector<Press>>(
      tr("Read what is recorded"), Lane::kQuiet, this,
      [file = form_->request().target](const Job&) -> Result<std::vector<Press>> {
        const auto session = Session::open(file);
        if (!session) return fail(session.error());
        return presses(session->events(), session->edits(), session->metadata());
      },
      [this](const Result<std::vector<Press>>& presses) {
        if (presses) image_->addRecorded(*presses);
      });
}

void SessionPage::showLive() {
  if (!rig_.live()) return;
  // What hands at a chuck do counts on any page.
  if (rig_.question()) prompt_->see(*rig_.live());
  if (!isVisible()) return;
  const bool fresh = rig_.feed().forceFresh();
  force_->add(*rig_.live(), fresh);
  press_->add(*rig_.live(), fresh);
  followContact(*rig_.live(), fresh);
  const auto& live = *rig_.live();
  image_->see(live);
  traces_->setTip(tipPlace(rig_).over_pad_m);
  traces_->setPressed(image_->pressed());
  traces_->add(live);
  const double age_s = static_cast<double>(live.now_ns - live.frame_ns) * 1e-9;
  image_->show(live.counts, live.frame_ns != 0 && age_s < std::max(1.0, rig_.facts().time_scale));
}

void SessionPage::refresh() {
  const auto mode = rig_.mode();
  const bool runs = mode == Mode::kRunning || mode == Mode::kPaused;
  const bool held = mode == Mode::kFault || mode == Mode::kStopped || rig_.isLost();
  force_->setHeld(held);
  press_->setHeld(held);
  drag_->setHeld(held);
  jog_->showPace(rig_.connected() ? rig_.status().pace : std::nullopt);
  traces_->setHeld(held);
  force_panel_->setCaption(held ? tr("held: what was before") : tr("min/max per 1/60 s"));
  auto* next = runs               ? static_cast<QWidget*>(run_)
               : rig_.ended()     ? summary_
               : rig_.connected() ? before_
                                  : static_cast<QWidget*>(connect_);
  if (next != right_->currentWidget()) {
    right_->setCurrentWidget(next);
    if (!runs) columns_->showRight();
  }
  jog_->setOff(rig_.mayJog()          ? QString()
               : runs                 ? tr("Off while recording. Pause (F6) to jog.")
               : mode == Mode::kIdle  ? tr("Off: go to set-up first (F4).")
               : mode == Mode::kArmed ? tr("Off while armed.")
               : rig_.isLost()        ? tr("Off: the rig process was lost.")
                                      : tr("Locked until acknowledged."));
  image_->setGoOff(whyNoGo());
  if (snapshotOf(rig_).streams[1].lamp == Lamp::kBad) image_->show({}, false);
  const auto& facts = rig_.facts();
  setHeaderState(rig_.busy()         ? tr("connecting")
                 : rig_.isLost()     ? tr("the rig process was lost")
                 : !rig_.connected() ? tr("no rig connected")
                                     : tr("%1%2 · %3")
                                           .arg(facts.is_virtual ? tr("VIRTUAL · ") : QString(),
                                                text(facts.rig.name), text(facts.sensor.model)));
}

QString SessionPage::whyNoGo() const {
  const auto& status = rig_.status();
  if (rig_.mode() != Mode::kSetUp) return tr("Only in set-up (F4).");
  if (rig_.working()) return tr("Once what runs has ended.");
  if (!status.position_trusted) return tr("Home the stage first.");
  if (!status.surface_found || !status.registered)
    return tr("Register the pad first: until then nobody knows where it lies.");
  return {};
}

/// Alone: whatever else is open stays out of it.
void SessionPage::openInFit() {
  const auto file = QFileInfo(rig_.ended()->file).absoluteFilePath();
  auto* once = new QObject(this);
  connect(&state().recordings(), &Recordings::opened, once, [this, once, file] {
    auto* document = state().recording();
    if (document == nullptr || document->recording()->path() != file) return;
    once->deleteLater();
    if (state().fit().runAlone(document)) goTo(QStringLiteral("fit"));
  });
  state().open(file);
}

bool SessionPage::takes(QAction* action) {
  if (action == actions().note) return run_->beginNote(), true;
  if (action != actions().arm) return false;
  checks_->refresh();
  if (checks_->passed())
    rig_.arm(form_->order());
  else
    state().notifications().status(tr("Not armed: see what is missing under 'Before you start'."));
  return true;
}

QWidget* SessionPage::firstFocus() {
  if (!rig_.connected()) columns_->showRight();
  return rig_.connected() ? static_cast<QWidget*>(force_) : connect_->first();
}

QString SessionPage::asCommand() const {
  if (!rig_.connected()) return {};
  const auto request = form_->request();
  auto command = QStringLiteral("tactelier record --devices %1 --rig %2")
                     .arg(shellWord(QString::fromStdString(request.place.devices.string())),
                          shellWord(QString::fromStdString(request.place.rig.string())));
  const auto target = shellWord(QString::fromStdString(request.target.string()));
  if (request.resume) return command + QStringLiteral(" --resume -o %1").arg(target);
  if (request.temperature_degC)
    command += QStringLiteral(" --temperature %1").arg(*request.temperature_degC);
  if (request.adaptive && !request.adaptive->refresh.empty())
    return command +
           QStringLiteral(" --refresh %1 -o %2")
               .arg(shellWord(QString::fromStdString(request.adaptive->refresh.string())), target);
  if (request.adaptive)
    return command + QStringLiteral(" --until %1 --minutes %2 -o %3")
                         .arg(shellWord(QString::fromStdString(request.adaptive->targets)))
                         .arg(request.adaptive->minutes.value_or(60))
                         .arg(target);
  return command + QStringLiteral(" --protocol %1 -o %2")
                       .arg(shellWord(QString::fromStdString(request.protocol)), target);
}

QString SessionPage::whyNoCommand() const { return tr("Connect a rig first."); }

void SessionPage::saveState(QSettings& settings) const { columns_->saveState(settings); }

void SessionPage::restoreState(QSettings& settings) { columns_->restoreState(settings); }

QString SessionPage::helpText() const {
  return tr(
      "<p>Connect a rig, go to set-up, check, arm, start. The rig process moves, watches and "
      "records; this window asks it. Closing the window ends a recording after the press at "
      "hand.</p><p>STOP acts on press. It is software, no emergency stop.</p>"
      "<p><b>Esc, F12, Pause</b> STOP · <b>F4</b> set-up · <b>F5</b> arm, then start · <b>F6</b> "
      "pause, resume · <b>F7</b> repeat press · <b>F8</b> skip press · <b>Ctrl+Z</b> undo press · "
      "<b>M</b> marker · <b>N</b> note · <b>J</b> jog pad, then "
      "arrows, Page up and down, <b>H</b> home, <b>C</b> surface, <b>R</b> retract, <b>G</b> go to "
      "the chosen tactel</p>");
}

}  // namespace tactelier::gui
