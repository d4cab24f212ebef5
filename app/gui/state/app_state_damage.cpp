// A recording is looked at as a whole when it is opened: what views read is only a part of it, and
// the stored minima and maxima hide what lies between them.

#include "app/gui/state/app_state.hpp"
#include "app/gui/text/check_words.hpp"

namespace tactelier::gui {

void AppState::checkRecording(RecordingDocument* document) {
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
      [document](Result<DamageReport> check) {
        if (check) document->setCheck(std::move(*check));
      });
}

/// As soon as a view meets it, then once more when all of it has been looked at.
void AppState::sayDamage(const RecordingDocument& document) {
  const auto& recording = *document.recording();
  if (const auto& check = document.check())
    return tell(damageMessage(recording.name(), *check, recording.path()));
  if (document.damage().empty() || damaged_.contains(recording.path())) return;
  damaged_.insert(recording.path());
  tell({Message::Level::kBad,
        tr("%1 is damaged: %2").arg(recording.name(), text(document.damage().front().text)),
        tr("It is open read-only: nothing in the file is changed."),
        tr("Go on with what is whole, or restore a copy. The rest is being looked at."),
        recording.path()});
}

}  // namespace tactelier::gui
