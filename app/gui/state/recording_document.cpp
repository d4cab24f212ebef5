#include "app/gui/state/recording_document.hpp"

#include <QUndoCommand>
#include <algorithm>
#include <cmath>

#include "app/workflow/edit_session.hpp"

namespace tactelier::gui {

class ExcludeCommand : public QUndoCommand {
 public:
  ExcludeCommand(RecordingDocument& document, int press, bool excluded)
      : document_(document), press_(press), excluded_(excluded) {
    setText(excluded ? RecordingDocument::tr("exclude press %1").arg(press)
                     : RecordingDocument::tr("include press %1").arg(press));
  }
  void redo() override { write(excluded_); }
  void undo() override { write(!excluded_); }

 private:
  void write(bool excluded) {
    Edit edit;
    edit.kind = excluded ? Edit::Kind::kExclude : Edit::Kind::kInclude;
    edit.press = press_;
    document_.write(std::move(edit));
  }
  RecordingDocument& document_;
  int press_;
  bool excluded_;
};

class ContactCommand : public QUndoCommand {
 public:
  using Contact = std::optional<double>;  // empty: as found
  ContactCommand(RecordingDocument& document, int press, Contact from_s, Contact to_s)
      : document_(document), press_(press), from_s_(from_s), to_s_(to_s) {
    setText(to_s ? RecordingDocument::tr("move contact of press %1").arg(press)
                 : RecordingDocument::tr("automatic contact of press %1").arg(press));
  }
  void redo() override { write(to_s_); }
  void undo() override { write(from_s_); }

 private:
  void write(Contact contact_s) {
    Edit edit;
    edit.kind = Edit::Kind::kContact;
    edit.press = press_;
    edit.contact_s = contact_s.value_or(std::nan(""));
    document_.write(std::move(edit));
  }
  RecordingDocument& document_;
  int press_;
  Contact from_s_;
  Contact to_s_;
};

RecordingDocument::RecordingDocument(RecordingPtr recording, Jobs& jobs, QObject* parent)
    : QObject(parent), recording_(std::move(recording)), jobs_(jobs) {
  edits_ = recording_->editsAtOpening();
  applyEdits();
}

void RecordingDocument::applyEdits() {
  auto all = tactelier::presses(recording_->events(), edits_, recording_->metadata());
  if (all)
    presses_ = std::move(*all);
  else
    damage_.push_back({"events", all.error().message, recording_->name().toStdString()});
}

const Press* RecordingDocument::press(int number) const {
  const auto found = std::find_if(presses_.begin(), presses_.end(),
                                  [number](const Press& p) { return p.number == number; });
  return found == presses_.end() ? nullptr : &*found;
}

int RecordingDocument::usablePresses() const {
  return static_cast<int>(
      std::count_if(presses_.begin(), presses_.end(), [](const Press& p) { return p.usable(); }));
}

QString RecordingDocument::pressWords() const {
  if (check_ && !check_->whole())
    return tr("%1 of %2 whole").arg(check_->presses_whole()).arg(check_->presses);
  return tr("%1 of %2 used").arg(usablePresses()).arg(static_cast<qlonglong>(presses_.size()));
}

bool RecordingDocument::refuseWhenReadOnly() {
  if (!readOnly()) return false;
  if (damaged())
    emit message({Message::Level::kLook,
                  tr("%1 is damaged, so it is open read-only.").arg(recording_->name()),
                  tr("Nothing was changed."), tr("Restore a copy, then decide there.")});
  else
    emit message(
        {Message::Level::kLook,
         tr("%1 is a session folder: it has no place for decisions.").arg(recording_->name()),
         tr("Nothing was changed."),
         tr("Import it into a .tact file (File › Import), then decide there.")});
  return true;
}

void RecordingDocument::setExcluded(int number, bool excluded) {
  const Press* found = press(number);
  if (found == nullptr || found->excluded == excluded || refuseWhenReadOnly()) return;
  undo_.push(new ExcludeCommand(*this, number, excluded));
}

void RecordingDocument::setContact(int number, std::optional<double> contact_s) {
  const Press* found = press(number);
  if (found == nullptr || found->contact_s == contact_s || refuseWhenReadOnly()) return;
  undo_.push(new ContactCommand(*this, number, found->contact_s, contact_s));
}

void RecordingDocument::write(Edit edit) {
  const int number = edit.press;
  edits_.push_back(edit);
  ++pending_;
  applyEdits();
  emit pressChanged(number);
  jobs_.run<std::vector<Edit>>(
      tr("Save edit"), Lane::kOrdered, this,
      [recording = recording_, edit](const Job&) {
        return recording->use(
            [&](const Session&) { return edit_session(recording->path().toStdString(), {edit}); });
      },
      [this, number](Result<std::vector<Edit>> written) {
        --pending_;
        if (written) {
          if (pending_ == 0) edits_ = std::move(*written);
          emit editsWritten();
          return;
        }
        // Show what the file holds again: the decision was not kept.
        std::erase_if(edits_, [](const Edit& e) { return e.time.empty(); });
        undo_.clear();
        applyEdits();
        emit pressChanged(number);
        emit message({Message::Level::kBad, text(written.error().message),
                      tr("The recording is as it was; this decision was not kept."),
                      tr("Check that the file may be written, then decide again.")});
        emit editsWritten();
      });
}

bool RecordingDocument::hurt(int press) const {
  return check_ && std::find(check_->hurt.begin(), check_->hurt.end(), press) != check_->hurt.end();
}

void RecordingDocument::setCheck(DamageReport check) {
  check_ = std::move(check);
  if (!check_->whole()) emit damageFound();
}

void RecordingDocument::reportDamage(const Warnings& damage) {
  bool news = false;
  for (const auto& warning : damage) {
    if (std::find(damage_.begin(), damage_.end(), warning) != damage_.end()) continue;
    damage_.push_back(warning);
    news = true;
  }
  if (news) emit damageFound();
}

}  // namespace tactelier::gui
