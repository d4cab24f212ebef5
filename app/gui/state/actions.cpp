#include "app/gui/state/actions.hpp"

#include <QActionGroup>
#include <QUndoGroup>

namespace tactelier::gui {

QAction* Actions::make(const QString& text, const QKeySequence& key, const QString& tip) {
  auto* action = new QAction(text, this);
  action->setShortcut(key);
  action->setToolTip(tip);
  action->setStatusTip(tip);
  return action;
}

Actions::Actions(QUndoGroup& undo_group, QObject* parent) : QObject(parent) {
  open = make(tr("&Open…"), QKeySequence(Qt::CTRL | Qt::Key_O),
              tr("Opens a recording (.tact) or a sensor model (.json)."));
  openModel = make(tr("Open &model…"), {}, tr("Opens a sensor model (.json)."));
  openFolder = make(tr("Open &folder…"), {},
                    tr("Opens a session folder, or shows the recordings of any folder."));
  openExample = make(tr("Open the &example"), {},
                     tr("A real recording that comes with the program: a fluid-filled tactile "
                        "strip, pressed at 41 places."));
  importFolder =
      make(tr("&Import a session folder…"), {},
           tr("Makes a .tact file of a session folder.\ntactelier import FOLDER -o FILE"));
  importTable = make(tr("Import a &table…"), {},
                     tr("Looks at a table, says what it understood, and makes a .tact file of it.\n"
                        "tactelier import TABLE --guess"));
  saveModel = make(tr("&Save model…"), QKeySequence(Qt::CTRL | Qt::Key_S),
                   tr("Writes the sensor model to a file."));
  exportModel = make(tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                     tr("Writes the model for a simulator.\ntactelier export MODEL --to FORMAT"));
  closeRecording = make(tr("&Close recording"), QKeySequence(Qt::CTRL | Qt::Key_W),
                        tr("Closes the recording shown. It stays as it is on disk."));
  quit = make(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), tr("Closes the window."));
  undo = undo_group.createUndoAction(this, tr("&Undo:"));
  redo = undo_group.createRedoAction(this, tr("&Redo:"));
  // Behind Qt's own: without anything to take back no colon stands alone.
  const auto name = [](QAction* action, const QString& verb, const QString& what) {
    action->setText(what.isEmpty() ? verb : QStringLiteral("%1: %2").arg(verb, what));
  };
  connect(&undo_group, &QUndoGroup::undoTextChanged, this,
          [this, name](const QString& what) { name(undo, tr("&Undo"), what); });
  connect(&undo_group, &QUndoGroup::redoTextChanged, this,
          [this, name](const QString& what) { name(redo, tr("&Redo"), what); });
  name(undo, tr("&Undo"), undo_group.undoText());
  name(redo, tr("&Redo"), undo_group.redoText());
  undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
  redo->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
  copyAsCommand = make(tr("Copy as &command"), {},
                       tr("Puts the command line that does the same on the clipboard."));
  excludePress = make(tr("E&xclude or include the press"), QKeySequence(Qt::Key_X),
                      tr("Leaves the chosen press out of fits, or takes it in again. The data "
                         "stay.\ntactelier edit FILE --exclude PRESS"));
  find = make(tr("&Find"), QKeySequence(Qt::CTRL | Qt::Key_F), tr("Searches this page."));
  fit = make(tr("&Fit"), QKeySequence(Qt::CTRL | Qt::Key_R),
             tr("Fits the open recordings.\ntactelier fit FILE -o MODEL"));
  virtualBench = make(tr("&Virtual bench"), QKeySequence(Qt::CTRL | Qt::Key_T),
                      tr("Starts emulated devices over a simulated pad and connects to them, or "
                         "ends them.\ntactelier bench"));
  connectAll = make(tr("&Connect…"), QKeySequence(Qt::CTRL | Qt::Key_K),
                    tr("Opens a device file and connects to what it names. Nothing moves.\n"
                       "tactelier devices test FILE"));
  setUp =
      make(tr("&Set-up"), QKeySequence(Qt::Key_F4),
           tr("Allows moving by hand: home, jog, surface, registration. Again: nothing may move."));
  arm = make(tr("&Arm"), QKeySequence(Qt::Key_F5),
             tr("Arms the recording for 30 s; the same key again starts it.\ntactelier record"));
  pauseRun = make(tr("&Pause"), QKeySequence(Qt::Key_F6),
                  tr("Ends the press at hand, raises the tip and waits. Again: goes on."));
  repeatPress = make(tr("&Repeat press"), QKeySequence(Qt::Key_F7),
                     tr("Does the press at hand again once it has ended. Its data stay."));
  skipPress = make(tr("S&kip press"), QKeySequence(Qt::Key_F8),
                   tr("Ends the press at hand and marks it as aborted. Its data stay."));
  undoPress = make(tr("&Undo press"), {},
                   tr("Breaks the press at hand off, or withdraws the last one, and does it again. "
                      "Its data stay, left out of fits."));
  undoPress->setObjectName(QStringLiteral("undoPress"));
  marker = make(tr("&Marker"), QKeySequence(Qt::Key_M),
                tr("Marks this moment in the recording, as a note that says so."));
  note = make(tr("&Note…"), QKeySequence(Qt::Key_N), tr("Writes a note into the recording."));
  finishRun = make(tr("&End session"), {},
                   tr("Ends the recording after the press at hand. It can be resumed later."));
  disconnectRig = make(tr("&Disconnect from the rig"), {},
                       tr("Closes the connection to the rig process. A recording ends after the "
                          "press at hand."));
  asTable = make(tr("As &table"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                 tr("Shows the plot or map that has the focus as a table, and back."));
  lightDark = make(tr("&Light or dark"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
                   tr("Changes between the light and the dark theme."));
  themeSystem = make(tr("Theme of the &system"), {}, tr("Light or dark as the desktop is."));
  themeLight = make(tr("L&ight theme"), {}, tr("Always light."));
  themeDark = make(tr("&Dark theme"), {}, tr("Always dark."));
  auto* themes = new QActionGroup(this);
  for (auto* action : {themeSystem, themeLight, themeDark}) {
    action->setCheckable(true);
    themes->addAction(action);
  }
  largeBanner = make(tr("Large &banner"), {}, tr("Doubles mode word and banner."));
  largeBanner->setCheckable(true);
  larger = make(tr("L&arger text"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
                tr("Enlarges everything by 10 %, up to 200 %."));
  smaller = make(tr("S&maller text"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
                 tr("Shrinks everything by 10 %, down to 80 %."));
  settings = make(tr("S&ettings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
                  tr("Appearance, folder, operator, the rig's files."));
  tour = make(tr("&Tour"), QKeySequence(Qt::CTRL | Qt::Key_F1),
              tr("From the virtual bench to a report in under five minutes, step by step. Again: "
                 "ends it."));
  welcome = make(tr("&Welcome"), {}, tr("Shows the page of the start."));
  help = make(tr("&Help on this page"), QKeySequence(Qt::Key_F1),
              tr("What this page shows and which keys it knows."));
  eventLog = make(tr("&Event log"), {},
                  tr("All that the app has told and the rig has reported, also before the last "
                     "start."));
  about = make(tr("&About Tactelier"), {}, tr("Version and licence."));
  nextArea = make(tr("Next area"), QKeySequence(Qt::CTRL | Qt::Key_Tab),
                  tr("Focus: safety bar, pages, page header, page body."));
}

}  // namespace tactelier::gui
