// The rig in the window: which actions a mode allows, and leaving while something runs.

#include <QMessageBox>
#include <QPushButton>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"

namespace tactelier::gui {

void MainWindow::connectRigActions() {
  auto& a = *actions_;
  auto& rig = rig_;
  connect(a.setUp, &QAction::triggered, this, [&rig] {
    const auto mode = rig.mode();
    if (mode == Mode::kArmed) return rig.disarm();
    rig.setSetUp(mode == Mode::kIdle);
  });
  connect(a.arm, &QAction::triggered, this, [this, &rig] {
    if (rig.mode() == Mode::kArmed) return rig.start();
    showPage(QStringLiteral("session"));
    page(QStringLiteral("session"))->takes(actions_->arm);
  });
  connect(a.pauseRun, &QAction::triggered, this, [&rig] { rig.pause(!rig.status().paused); });
  connect(a.repeatPress, &QAction::triggered, this, [&rig] { rig.repeat(); });
  connect(a.skipPress, &QAction::triggered, this, [&rig] { rig.skip(); });
  connect(a.undoPress, &QAction::triggered, this, [&rig] { rig.undo(); });
  connect(a.marker, &QAction::triggered, this, [&rig] { rig.note(tr("marker")); });
  connect(a.note, &QAction::triggered, this, [this] {
    showPage(QStringLiteral("session"));
    page(QStringLiteral("session"))->takes(actions_->note);
  });
  connect(a.finishRun, &QAction::triggered, this, &MainWindow::askFinish);
  connect(a.disconnectRig, &QAction::triggered, this, [&rig] { rig.disconnectRig(); });
  refreshRig();
}

/// Of the rig while there is one, or was one that nobody has looked after.
void MainWindow::showSafety() {
  auto& rig = rig_;
  auto snapshot = rig.owns() ? snapshotOf(rig) : bench_.snapshot();
  if (!snapshot.recording) snapshot.recording_detail = free_disk_;
  safety_->show(snapshot);
}

void MainWindow::refreshRig() {
  auto& a = *actions_;
  const auto& rig = rig_;
  free_disk_ = freeDisk();
  showSafety();
  const auto mode = rig.mode();
  // A control that is off says why.
  const auto allow = [](QAction* action, bool yes, const QString& why) {
    action->setEnabled(yes);
    action->setToolTip(yes ? action->statusTip() : why);
  };
  const bool runs = mode == Mode::kRunning || mode == Mode::kPaused;
  const auto not_running = tr("Off: no recording runs.");
  const auto taken = rig.isLost() ? tr("Off until somebody has looked after the rig that was lost: "
                                       "Session page.")
                                  : tr("Off: the rig process has the devices. Disconnect from the "
                                       "rig first.");
  const bool by_hand = mode == Mode::kIdle || mode == Mode::kSetUp || mode == Mode::kArmed;
  allow(a.setUp, rig.connected() && by_hand && !rig.working(),
        rig.connected() ? tr("Off while something runs or is locked.")
                        : tr("Off: connect to a rig first."));
  a.setUp->setText(mode == Mode::kSetUp   ? tr("Leave &set-up")
                   : mode == Mode::kArmed ? tr("Di&sarm")
                                          : tr("&Set-up"));
  allow(a.arm, (mode == Mode::kSetUp || mode == Mode::kArmed) && !rig.working(),
        tr("Off: go to set-up first (F4)."));
  a.arm->setText(mode == Mode::kArmed ? tr("St&art") : tr("&Arm"));
  allow(a.pauseRun, runs && !rig.question(), not_running);
  a.pauseRun->setText(rig.status().paused ? tr("&Resume") : tr("&Pause"));
  allow(a.repeatPress, mode == Mode::kRunning, not_running);
  allow(a.skipPress, mode == Mode::kRunning, not_running);
  allow(a.finishRun, runs, not_running);
  // Set-up at the beginning of a run isn't recorded yet.
  for (auto* action : {a.undoPress, a.marker, a.note})
    allow(action, runs && rig.status().recording, not_running);
  refreshUndoKey();
  allow(a.disconnectRig, rig.connected(), tr("Off: no rig is connected."));
  allow(a.connectAll, !rig.owns(), taken);
  a.virtualBench->setText(bench_.isVirtual() ? tr("End the &virtual bench") : tr("&Virtual bench"));
  allow(a.virtualBench, !rig.owns() || (bench_.isVirtual() && !runs),
        runs ? tr("Off while a recording runs.") : taken);
}

/// Nothing is lost by it, but hours may be.
void MainWindow::askFinish() {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setObjectName(QStringLiteral("endSession"));
  box->setWindowTitle(tr("End the session early?"));
  box->setText(tr("The recording ends after the press at hand."));
  box->setInformativeText(
      tr("It goes on until you decide. What is recorded stays, and can be resumed later after "
         "homing."));
  auto* on = box->addButton(tr("Keep recording"), QMessageBox::RejectRole);
  auto* end = box->addButton(tr("End the session"), QMessageBox::AcceptRole);
  on->setObjectName(QStringLiteral("keepRecording"));
  end->setObjectName(QStringLiteral("endNow"));
  box->setDefaultButton(on);
  connect(box, &QMessageBox::finished, this, [this, box, end] {
    const auto mode = rig_.mode();
    const bool runs = mode == Mode::kRunning || mode == Mode::kPaused;
    if (box->clickedButton() == end && runs) rig_.finish();
  });
  connect(&rig_, &RigLink::runEnded, box, &QMessageBox::reject);
  box->open();
}

/// Ctrl+Z takes back what one sees: a press on the page of the recording that runs, elsewhere what
/// was done there.
void MainWindow::refreshUndoKey() {
  auto& a = *actions_;
  const QKeySequence key(Qt::CTRL | Qt::Key_Z);
  const bool press = a.undoPress->isEnabled() && current_ == QStringLiteral("session");
  auto* takes = press ? a.undoPress : a.undo;
  if (takes->shortcut() == key) return;
  (press ? a.undo : a.undoPress)->setShortcut({});
  takes->setShortcut(key);
}

/// The rig process goes on without the window: what runs ends after the press at hand.
bool MainWindow::mayLeaveRig() {
  auto& rig = rig_;
  const auto mode = rig.mode();
  if (mode != Mode::kRunning && mode != Mode::kPaused) return true;
  rig.pause(true);
  QMessageBox box(this);
  box.setObjectName(QStringLiteral("closeWhileRecording"));
  box.setWindowTitle(tr("Close while recording?"));
  box.setIcon(QMessageBox::Warning);
  box.setText(tr("The rig ends the press at hand, raises the tip and waits."));
  box.setInformativeText(
      tr("Everything recorded is already in the file. If you close now, the recording ends as it "
         "is and can be resumed later, after homing.\n\nEsc: stay here. Esc held, F12 or Pause: "
         "STOP, also while this is open."));
  auto* stay = box.addButton(tr("Stay here"), QMessageBox::RejectRole);
  auto* close = box.addButton(tr("Finish the file and close"), QMessageBox::AcceptRole);
  stay->setObjectName(QStringLiteral("stayHere"));
  close->setObjectName(QStringLiteral("finishAndClose"));
  box.setDefaultButton(stay);
  box.exec();
  if (box.clickedButton() == close) {
    rig.finish();
    rig.pause(false);
    return true;
  }
  return false;  // still paused: nothing moves by itself
}

}  // namespace tactelier::gui
