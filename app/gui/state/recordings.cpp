#include "app/gui/state/recordings.hpp"

#include <QFileInfo>
#include <algorithm>

#include "app/gui/state/file_history.hpp"
#include "app/gui/state/jobs.hpp"
#include "app/gui/state/notifications.hpp"
#include "app/gui/state/selection.hpp"
#include "app/gui/text/check_words.hpp"

namespace tactelier::gui {

Recordings::Recordings(Jobs& jobs, Notifications& notifications, FileHistory& files,
                       Selection& selection)
    : jobs_(jobs), notifications_(notifications), files_(files), selection_(selection) {
  connect(&selection_, &Selection::recordingChanged, this, [this] {
    auto* shown = selection_.recording();
    undo_.setActiveStack(shown != nullptr ? shown->undoStack() : nullptr);
  });
}

std::vector<RecordingDocument*> Recordings::all() const {
  std::vector<RecordingDocument*> all;
  for (const auto& document : documents_) all.push_back(document.get());
  return all;
}

bool Recordings::showOpen(const QString& path) {
  for (const auto& document : documents_) {
    if (document->recording()->path() != path) continue;
    selection_.setRecording(document.get());
    emit opened();
    return true;
  }
  return false;
}

void Recordings::open(const QString& path) {
  if (showOpen(path)) return;
  jobs_.run<RecordingPtr>(
      tr("Open %1").arg(QFileInfo(path).fileName()), Lane::kWork, this,
      [path](const Job& job) { return Recording::open(path, job); },
      [this](Result<RecordingPtr> read) {
        if (read) {
          // Asked for twice while it was being read, as by a double click.
          if (!showOpen((*read)->path())) add(std::move(*read));
        } else {
          notifications_.failed(read.error(), tr("Nothing was opened."),
                                tr("Choose another file, or restore a copy of this one."));
        }
      });
}

void Recordings::add(RecordingPtr recording) {
  documents_.push_back(std::make_unique<RecordingDocument>(std::move(recording), jobs_));
  auto* document = documents_.back().get();
  undo_.addStack(document->undoStack());
  connect(document, &RecordingDocument::message, &notifications_, &Notifications::messageRaised);
  connect(document, &RecordingDocument::pressChanged, this, [this, document](int press) {
    emit edited();
    if (document == selection_.recording()) emit pressChanged(press);
  });
  connect(document, &RecordingDocument::editsWritten, this, &Recordings::editsWritten);
  connect(document, &RecordingDocument::damageFound, this, [this, document] {
    notifyDamage(*document);
    if (document == selection_.recording()) emit damageFound();
  });
  emit added(document);
  files_.note(document->recording()->path());
  emit listChanged();
  selection_.setRecording(document);
  emit opened();
  if (!document->damage().empty()) notifyDamage(*document);
  check(document);
  for (const auto& warning : document->recording()->warnings())
    notifications_.status(text(warning.where + ": " + warning.text));
}

void Recordings::close(RecordingDocument* document) {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [=](const auto& each) { return each.get() == document; });
  if (found == documents_.end()) return;
  const auto keep = std::move(*found);
  damaged_.remove(keep->recording()->path());
  documents_.erase(found);
  undo_.removeStack(keep->undoStack());
  emit closed(document);
  if (selection_.recording() == document)
    selection_.setRecording(documents_.empty() ? nullptr : documents_.back().get());
  emit listChanged();
}

void Recordings::check(RecordingDocument* document) {
  const auto recording = document->recording();
  jobs_.run<DamageReport>(
      tr("Check %1").arg(recording->name()), Lane::kWork, document,
      [recording](const Job& job) -> Result<DamageReport> {
        // A connection of its own: views must not wait for it.
        const auto session =
            Session::open(recording->use([](const Session& open) { return open.file(); }));
        if (!session) return fail(session.error());
        return find_damage(*session, job);
      },
      [document](Result<DamageReport> report) {
        if (report) document->setCheck(std::move(*report));
      });
}

/// As soon as a view meets it, then once more when all of it has been looked at.
void Recordings::notifyDamage(const RecordingDocument& document) {
  const auto& recording = *document.recording();
  if (const auto& report = document.check())
    return notifications_.notify(damageMessage(recording.name(), *report, recording.path()));
  if (document.damage().empty() || damaged_.contains(recording.path())) return;
  damaged_.insert(recording.path());
  notifications_.notify(
      {Message::Level::kBad,
       tr("%1 is damaged: %2").arg(recording.name(), text(document.damage().front().text)),
       tr("It is open read-only: nothing in the file is changed."),
       tr("Go on with what is whole, or restore a copy. The rest is being looked at."),
       recording.path()});
}

}  // namespace tactelier::gui
