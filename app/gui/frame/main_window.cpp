#include "app/gui/frame/main_window.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStorageInfo>
#include <QVBoxLayout>

#include "app/gui/frame/message_bar.hpp"
#include "app/gui/frame/rail.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/frame/sounds.hpp"
#include "app/gui/frame/stop_keys.hpp"
#include "app/gui/frame/tour.hpp"
#include "app/gui/frame/tour_steps.hpp"
#include "app/gui/frame/tour_strip.hpp"
#include "app/gui/pages/import/import_page.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_log.hpp"
#include "app/gui/state/tour_recordings.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/job_strip.hpp"

namespace tactelier::gui {
namespace {

constexpr auto kWelcome = "welcome";
constexpr int kStatus_ms = 20'000;

/// A page keeps the size that it needs; the window gives what it has.
QScrollArea* scrolled(Page* page) {
  auto* frame = new QScrollArea;
  frame->setFrameShape(QFrame::NoFrame);
  frame->setWidgetResizable(true);
  frame->setFocusPolicy(Qt::NoFocus);
  frame->setWidget(page);
  return frame;
}

}  // namespace

MainWindow::MainWindow(AppState& state, RigLink& rig, BenchDevices& bench, QWidget* parent)
    : QMainWindow(parent), state_(state), rig_(rig), bench_(bench), infos_(pages()) {
  actions_ = new Actions(state.recordings().undoGroup(), this);
  setWindowTitle(tr("Tactelier"));
  setWindowIcon(QIcon(iconPixmap(QStringLiteral("tactelier"), 128, Qt::black)));
  setAcceptDrops(true);
  // 1440 x 900 at 200 % with a title bar: what doesn't fit scrolls, STOP is always there.
  const auto smallest = [this] { setMinimumSize(theme().px(704), theme().px(424)); };
  smallest();
  connect(&theme(), &Theme::changed, this, smallest);
  buildFrame();
  buildMenus();
  connectFileActions();
  connectViewActions();
  connectRigActions();
  buildTour();
  new RigLog(state_.log(), rig_, bench_, this);
  new Sounds(
      state_.preferences(), rig_, [] { QApplication::beep(); }, this);
  connectState();
  refreshActions();
  refreshDocumentName();
  restore();
}

/// Where recordings go.
QString MainWindow::freeDisk() const {
  const auto folder = state_.files().libraryFolder();
  const QStorageInfo disk(QFileInfo::exists(folder) ? folder : QDir::homePath());
  if (!disk.isValid()) return {};
  return tr("%1 GB free").arg(disk.bytesAvailable() / 1'000'000'000);
}

MainWindow::~MainWindow() {
  // Pages observe the state until the end; it lives longer than the window.
  for (QObject* part : std::initializer_list<QObject*>{
           &state_.notifications(), &state_.preferences(), &state_.files(), &state_.selection(),
           &state_.recordings(), &state_.modelDocument(), &state_.fit(), &state_.jobs(), &rig_,
           &bench_})
    part->disconnect(this);
  state_.modelDocument().setMayDiscard({});
  state_.fit().setAskJoin({});
}

void MainWindow::buildFrame() {
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  safety_ = new SafetyBar(centre);
  // Both write the request in this very call.
  const auto stop = [this] {
    if (rig_.motionPossible()) return rig_.stop();
    state_.notifications().status(tr("STOP: no stage is connected, nothing moves."));
  };
  connect(safety_->stopButton(), &QPushButton::pressed, this, stop);
  stop_keys_ = new StopKeys([this] { return rig_.motionPossible(); }, stop, this);
  messages_ = new MessageBar(centre);
  tour_strip_ = new TourStrip(centre);
  rail_ = new Rail(centre);
  stack_ = new QStackedWidget(centre);
  column->addWidget(safety_);
  column->addWidget(messages_);
  column->addWidget(tour_strip_);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  row->addWidget(rail_);
  row->addWidget(stack_, 1);
  column->addLayout(row, 1);
  setCentralWidget(centre);
  int number = 1;
  for (const auto& info : infos_) {
    if (info.icon.isEmpty()) continue;
    const auto key = QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number++ % 10));
    rail_->addPage(info.id, info.title, info.icon,
                   tr("%1 (%2)").arg(info.tip, key.toString(QKeySequence::NativeText)));
    auto* action = new QAction(info.title, this);
    action->setShortcut(key);
    action->setObjectName(QStringLiteral("page_") + info.id);
    connect(action, &QAction::triggered, this, [this, id = info.id] { showPage(id); });
    addAction(action);
  }
  rail_->addFoot(actions_->settings, tr("Settings"), QStringLiteral("settings"));
  rail_->addFoot(actions_->help, tr("Help F1"), QStringLiteral("help"));
  connect(rail_, &Rail::chosen, this, &MainWindow::showPage);
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("statusText"));
  strip_ = new JobStrip(state_.jobs(), this);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->addWidget(status_, 1);
  statusBar()->addPermanentWidget(strip_);
}

void MainWindow::buildTour() {
  auto* recordings = new TourRecordings(state_.jobs(), state_.notifications(),
                                        TourRecordings::usualFolder(), this);
  tour_ = new Tour(
      *this, *tour_strip_, *recordings, [this](const QString& id) { showPage(id); },
      [this](const QString& id) { return titleOf(id); },
      [this](TourRecordings& made) {
        return tourSteps({state_, rig_, bench_, *actions_}, made);
      },
      this);
  auto* tour = actions_->tour;
  connect(tour, &QAction::triggered, this,
          [this] { tour_->running() ? tour_->end() : tour_->start(); });
  connect(tour_, &Tour::changed, this,
          [this, tour] { tour->setText(tour_->running() ? tr("End the &tour") : tr("&Tour")); });
}

Page* MainWindow::page(const QString& id) {
  if (auto* known = built_.value(id)) return known;
  for (const auto& info : infos_) {
    if (info.id != id) continue;
    const PageContext context{state_,
                              rig_,
                              bench_,
                              *actions_,
                              [this](const QString& to) { showPage(to); },
                              [this](const QString& of) { return titleOf(of); }};
    auto* made = info.create(context, stack_);
    made->setObjectName(QStringLiteral("page_") + id);
    made->setAccessibleName(info.title);
    frames_.insert(id, scrolled(made));
    stack_->addWidget(frames_.value(id));
    built_.insert(id, made);
    state_.settings().beginGroup(QStringLiteral("page_") + id);
    made->restoreState(state_.settings());
    state_.settings().endGroup();
    return made;
  }
  return nullptr;
}

QString MainWindow::titleOf(const QString& id) const {
  for (const auto& info : infos_)
    if (info.id == id) return info.title;
  return {};
}

void MainWindow::showPage(const QString& id) {
  auto* wanted = page(id);
  if (wanted == nullptr) return;
  current_ = id;
  if (id != QStringLiteral("log")) state_.log().setPage(id);
  stack_->setCurrentWidget(frames_.value(id));
  rail_->setCurrent(id);
  refreshUndoKey();
  actions_->find->setEnabled(wanted->searchField() != nullptr);
  // Never nobody: the next one would be STOP.
  for (auto* focus : {wanted->firstFocus(), wanted->headerFocus(),
                      rail_->findChild<QWidget*>(QStringLiteral("rail_") + id)}) {
    if (focus == nullptr || !focus->isVisibleTo(this) || !focus->isEnabled()) continue;
    focus->setFocus(Qt::OtherFocusReason);
    break;
  }
  state_.settings().setValue(QStringLiteral("page"), id);
}

void MainWindow::connectState() {
  state_.modelDocument().setMayDiscard([this] { return mayDiscardModel(); });
  state_.fit().setAskJoin([this](const auto& question) { return askJoin(question); });
  connect(&state_.notifications(), &Notifications::messageRaised, messages_, &MessageBar::add);
  connect(&state_.notifications(), &Notifications::matterSettled, messages_, &MessageBar::settle);
  connect(&rig_, &RigLink::changed, this, &MainWindow::refreshRig);
  connect(&rig_, &RigLink::linkChanged, this, &MainWindow::refreshRig);
  connect(&bench_, &BenchDevices::changed, this, &MainWindow::showSafety);
  connect(&rig_, &RigLink::frame, this, &MainWindow::showSafety);
  // What was said a while ago is not true for ever; the event log keeps it.
  status_age_.setObjectName(QStringLiteral("statusAge"));
  status_age_.setSingleShot(true);
  status_age_.setInterval(kStatus_ms);
  connect(&status_age_, &QTimer::timeout, status_, &QLabel::clear);
  connect(&state_.notifications(), &Notifications::statusChanged, this,
          [this](const QString& words) {
            status_->setText(words);
            status_age_.start();
          });
  connect(&state_.recordings(), &Recordings::lookWanted, this, [this](const QString& table) {
    const auto id = QStringLiteral("import");
    if (auto* import = qobject_cast<ImportPage*>(page(id))) import->open(table);
    showPage(id);
  });
  connect(&state_.recordings(), &Recordings::opened, this, [this] {
    if (current_ != QStringLiteral("compare")) showPage(QStringLiteral("recording"));
  });
  connect(&state_.modelDocument(), &ModelDocument::opened, this, [this] {
    const bool wanted_here =
        current_ == QStringLiteral("export") || current_ == QStringLiteral("compare");
    if (!wanted_here) showPage(QStringLiteral("fit"));
  });
  connect(&state_.files(), &FileHistory::libraryFolderChanged, this, [this] {
    if (current_ != QStringLiteral("settings")) showPage(QStringLiteral("library"));
  });
  connect(&state_.selection(), &Selection::recordingChanged, this, &MainWindow::refreshDocument);
  connect(&state_.selection(), &Selection::pressChosen, this, &MainWindow::refreshDocument);
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &MainWindow::refreshDocument);
  connect(&state_.fit(), &FitRunner::started, this, &MainWindow::refreshDocument);
  connect(&state_.recordings(), &Recordings::pressChanged, this, &MainWindow::refreshActions);
  connect(&state_.fit(), &FitRunner::finished, this, &MainWindow::refreshActions);
}

void MainWindow::refreshDocument() {
  refreshActions();
  refreshDocumentName();
}

void MainWindow::refreshActions() {
  const bool has_recording = state_.recording() != nullptr;
  actions_->closeRecording->setEnabled(has_recording);
  actions_->excludePress->setEnabled(has_recording && state_.selection().press().has_value());
  const auto chosen = state_.selection().press();
  const Press* press = has_recording && chosen ? state_.recording()->press(*chosen) : nullptr;
  actions_->excludePress->setText(press == nullptr  ? tr("E&xclude press")
                                  : press->excluded ? tr("Include press %1").arg(press->number)
                                                    : tr("E&xclude press %1").arg(press->number));
  actions_->fit->setEnabled(has_recording && page(QStringLiteral("fit")) != nullptr);
  actions_->saveModel->setEnabled(state_.model() != nullptr);
  actions_->exportModel->setEnabled(state_.model() != nullptr);
}

/// A model of other recordings than the one shown says whose it is.
QString MainWindow::modelName() const {
  if (!state_.modelDocument().file().isEmpty())
    return QFileInfo(state_.modelDocument().file()).fileName();
  QStringList sources;
  for (const auto& session : state_.model()->provenance.sessions) sources << text(session.file);
  const auto* shown = state_.recording();
  if (shown == nullptr || sources.contains(shown->recording()->name()))
    return tr("unsaved model *");
  return tr("unsaved model of %1 *").arg(sources.join(tr(", ")));
}

void MainWindow::refreshDocumentName() {
  QStringList names;
  if (state_.recording() != nullptr) names << state_.recording()->recording()->name();
  if (state_.model() != nullptr) names << modelName();
  document_name_->setText(names.join(QStringLiteral(" · ")));
  setWindowTitle(names.isEmpty() ? tr("Tactelier")
                                 : tr("%1 – Tactelier").arg(names.join(QStringLiteral(" · "))));
  // A menu bar gives its corner widget the size hint at layout time only.
  document_name_->setMinimumHeight(menuBar()->sizeHint().height());
  document_name_->setMinimumWidth(document_name_->sizeHint().width());
  menuBar()->adjustSize();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayLeaveRig() || !mayDiscardModel()) {
    event->ignore();
    return;
  }
  save();
  state_.jobs().cancelAll();
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const auto& url : event->mimeData()->urls())
    if (url.isLocalFile()) state_.open(url.toLocalFile());
  event->acceptProposedAction();
}

void MainWindow::restore() {
  auto& settings = state_.settings();
  state_.preferences().apply();
  resize(1440, 900);
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  if (screen() != nullptr) {
    // A window on a screen that is gone would be lost; one larger than its screen hides STOP.
    const auto room = screen()->availableGeometry();
    if (!room.intersects(geometry())) move(room.topLeft());
    resize(size().boundedTo(room.size()));
  }
  actions_->largeBanner->setChecked(state_.preferences().largeBanner());
  const auto last = settings.value(QStringLiteral("page")).toString();
  const bool at_start = state_.preferences().welcomeAtStart();
  showPage(at_start || last.isEmpty() ? QString::fromLatin1(kWelcome) : last);
  if (current_.isEmpty() && !infos_.empty()) showPage(infos_.front().id);
}

void MainWindow::save() const {
  auto& settings = state_.settings();
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  for (auto it = built_.begin(); it != built_.end(); ++it) {
    settings.beginGroup(QStringLiteral("page_") + it.key());
    it.value()->saveState(settings);
    settings.endGroup();
  }
  settings.sync();
}

}  // namespace tactelier::gui
