#pragma once
// The recordings that are open: opened from .tact files and session folders, or imported first.

#include <QObject>
#include <QSet>
#include <QUndoGroup>
#include <memory>
#include <vector>

#include "app/gui/state/recording_document.hpp"

namespace tactelier::gui {

class FileHistory;
class Jobs;
class Notifications;
class Selection;

class Recordings : public QObject {
  Q_OBJECT
 public:
  /// All outlive the recordings. What is opened becomes the selection's recording.
  Recordings(Jobs& jobs, Notifications& notifications, FileHistory& files, Selection& selection);

  std::vector<RecordingDocument*> all() const;
  /// Edits of the recording that pages show.
  QUndoGroup& undoGroup() { return undo_; }

  /// A .tact or a session folder; shown again where it is open.
  void open(const QString& path);
  /// The example that travels with the program; imported into the user's data folder once.
  void openExample();
  /// A session folder, or a table with its map, into a .tact; opens it.
  void importInto(const QString& source, const QString& map, const QString& target);
  /// The Import page looks at this table.
  void look(const QString& table) { emit lookWanted(table); }
  void close(RecordingDocument* document);
  /// The Session page goes on with this recording, which was cut off.
  void resume(const QString& recording) { emit resumeWanted(recording); }

 signals:
  void listChanged();
  void added(RecordingDocument* document);  // before it is shown
  void closed(RecordingDocument* document);
  void resumeWanted(const QString& recording);
  void lookWanted(const QString& table);
  void opened();                 // pages may come to the front
  void edited();                 // any of them
  void editsWritten();           // any of them
  void pressChanged(int press);  // of the one that pages show
  void damageFound();            // in the one that pages show

 private:
  void add(RecordingPtr recording);
  /// Whether it is open; pages show it then.
  bool showOpen(const QString& path);
  /// Looks at the whole recording: what views read is only a part of it, and the stored minima and
  /// maxima hide what lies between them.
  void check(RecordingDocument* document);
  void notifyDamage(const RecordingDocument& document);

  Jobs& jobs_;
  Notifications& notifications_;
  FileHistory& files_;
  Selection& selection_;
  QUndoGroup undo_;
  std::vector<std::unique_ptr<RecordingDocument>> documents_;
  QSet<QString> damaged_;  // open files whose damage was told
};

}  // namespace tactelier::gui
