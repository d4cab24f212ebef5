#pragma once
// Every button, menu entry and key is one of these shared actions.

#include <QAction>
#include <QList>
#include <QObject>

class QUndoGroup;

namespace tactelier::gui {

class Actions : public QObject {
  Q_OBJECT
 public:
  Actions(QUndoGroup& undo_group, QObject* parent);

  QAction* open;  // Ctrl+O
  QAction* openModel;
  QAction* openFolder;  // a session folder, or a folder for the Library
  QAction* openExample;
  QAction* importFolder;  // into a .tact
  QAction* importTable;
  QAction* saveModel;    // Ctrl+S
  QAction* exportModel;  // Ctrl+E: the Export page writes on it
  QAction* closeRecording;
  QAction* quit;
  QAction* undo;
  QAction* redo;
  QAction* copyAsCommand;
  QAction* excludePress;  // X
  QAction* find;          // Ctrl+F: pages focus their search
  QAction* fit;           // Ctrl+R
  QAction* virtualBench;  // Ctrl+T: starts it, or ends it
  QAction* connectAll;    // Ctrl+K: by a device file
  QAction* setUp;         // F4: IDLE <-> SET-UP
  QAction* arm;           // F5: arms, then starts
  QAction* pauseRun;      // F6: or goes on
  QAction* repeatPress;   // F7
  QAction* skipPress;     // F8
  QAction* undoPress;     // Ctrl+Z on the Session page while it records
  QAction* marker;        // M
  QAction* note;          // N: pages focus their note
  QAction* finishRun;
  QAction* disconnectRig;
  QAction* asTable;    // Ctrl+Shift+T: plot or map with the focus
  QAction* lightDark;  // Ctrl+Shift+D
  QAction* themeSystem;
  QAction* themeLight;
  QAction* themeDark;
  QAction* largeBanner;
  QAction* larger;
  QAction* smaller;
  QAction* settings;  // Ctrl+,
  QAction* welcome;
  QAction* tour;  // Ctrl+F1: starts it, or ends it
  QAction* help;  // F1
  QAction* eventLog;
  QAction* about;
  QAction* nextArea;  // Ctrl+Tab

 private:
  QAction* make(const QString& text, const QKeySequence& key, const QString& tip);
};

}  // namespace tactelier::gui
