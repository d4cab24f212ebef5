// Which recordings a fit uses: one alone, or several because somebody said so.

#include <algorithm>

#include "app/gui/state/app_state.hpp"
#include "app/workflow/fit_together.hpp"

namespace tactelier::gui {

bool AppState::fitAlone(RecordingDocument* document) {
  const auto others = [&](const auto& each) {
    return each.get() != document && fit_choice_.uses(each.get());
  };
  const bool is_alone =
      fit_choice_.uses(document) && std::none_of(recordings_.begin(), recordings_.end(), others);
  setRecording(document);
  if (is_alone && ((model_ != nullptr && fitted_here_) || fitting())) return true;
  if (model_ != nullptr && !model_saved_ && may_discard_ && !may_discard_()) return false;
  if (model_ != nullptr) setModel(nullptr, {});  // of another recording: its numbers go
  fit_choice_.setAlone(document);
  if (!fitting()) runFit(fitRequest());
  return true;
}

AppState::JoinQuestion AppState::joinQuestion(const RecordingDocument& document) const {
  JoinQuestion question;
  question.recording = document.recording()->name();
  for (const auto& other : recordings_) {
    if (other.get() == &document || !fit_choice_.uses(other.get())) continue;
    const auto& recording = *other->recording();
    question.others << recording.name();
    const auto company =
        fit_company(document.recording()->metadata(), question.recording.toStdString(),
                    recording.metadata(), recording.name().toStdString());
    if (question.refusal.isEmpty()) question.refusal = text(company.refusal);
    if (question.doubt.isEmpty()) question.doubt = text(company.doubt);
  }
  return question;
}

bool AppState::joinFit(RecordingDocument* document) {
  const auto question = joinQuestion(*document);
  auto join = Join::kTogether;
  if (!question.others.isEmpty()) join = ask_join_ ? ask_join_(question) : Join::kStay;
  if (join == Join::kAlone) return fitAlone(document);
  if (join == Join::kStay || !question.refusal.isEmpty()) return false;
  fit_choice_.setUsed(document, true);
  return true;
}

}  // namespace tactelier::gui
