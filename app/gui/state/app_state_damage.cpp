// A damaged file: said as soon as it is met, then once more when all of it has been looked at.

#include "app/gui/state/app_state.hpp"
#include "app/gui/text/check_words.hpp"

namespace tactelier::gui {

void AppState::sayDamage(const RecordingDocument& document) {
  const auto path = document.recording()->path();
  if (document.damage().empty() || damaged_.contains(path)) return;
  damaged_.insert(path);
  tell({Message::Level::kBad,
        tr("%1 is damaged: %2")
            .arg(document.recording()->name(), text(document.damage().front().text)),
        tr("Nothing in the file was changed; what is whole is open."),
        tr("Go on with what is whole, or restore a copy. The rest is being looked at."), path});
  jobs_.run<SessionReport>(
      tr("Check %1").arg(document.recording()->name()), Lane::kWork, this,
      [path](const Job& job) { return session_info(path.toStdString(), job); },
      [this, path](Result<SessionReport> report) {
        if (report && !report->whole()) tell(damageMessage(*report, path));
      });
}

}  // namespace tactelier::gui
