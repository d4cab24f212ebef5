#pragma once
// A recording with its presses and the decisions on them. Decisions show at once and are written
// in order by edit_session on a worker; each one is undoable: the undo is an edit, too.

#include <QObject>
#include <QUndoStack>
#include <optional>
#include <vector>

#include "app/gui/state/jobs.hpp"
#include "app/gui/state/recording.hpp"
#include "app/gui/text/message.hpp"
#include "app/workflow/find_damage.hpp"

namespace tactelier::gui {

class RecordingDocument : public QObject {
  Q_OBJECT
 public:
  RecordingDocument(RecordingPtr recording, Jobs& jobs, QObject* parent = nullptr);

  const RecordingPtr& recording() const { return recording_; }
  const std::vector<Press>& presses() const { return presses_; }
  const Press* press(int number) const;
  int usablePresses() const;
  /// "118 of 120 used"; of a damaged one "119 of 120 whole".
  QString pressWords() const;
  QUndoStack* undoStack() { return &undo_; }
  /// Decisions on their way to the file.
  bool writing() const { return pending_ > 0; }
  /// Damage that reads have met so far, one message line each.
  const Warnings& damage() const { return damage_; }
  /// Once every chunk has been looked at.
  const std::optional<DamageReport>& check() const { return check_; }
  void setCheck(DamageReport check);
  /// Nothing is written into a damaged file, and a session folder has no place for decisions.
  bool readOnly() const { return damaged() || recording_->folder(); }
  bool damaged() const { return !damage_.empty() || (check_ && !check_->whole()); }
  /// Damage lies between its begin and end.
  bool hurt(int press) const;

  /// Decisions of the user, each on the undo stack.
  void setExcluded(int press, bool excluded);
  /// Empty: where the data have it.
  void setContact(int press, std::optional<double> contact_s);

  /// Called by views that read samples: takes over what the session found damaged.
  void reportDamage(const Warnings& damage);

 signals:
  void pressChanged(int press);
  void damageFound();
  void message(const Message& message);
  /// The edits on disk are now what is shown, kept or refused.
  void editsWritten();

 private:
  friend class ExcludeCommand;
  friend class ContactCommand;
  bool refuseWhenReadOnly();
  void write(Edit edit);
  void applyEdits();

  RecordingPtr recording_;
  Jobs& jobs_;
  std::vector<Edit> edits_;  // those not yet written have no time
  int pending_ = 0;          // edits on their way to the file
  std::vector<Press> presses_;
  Warnings damage_;
  std::optional<DamageReport> check_;
  QUndoStack undo_;
};

}  // namespace tactelier::gui
