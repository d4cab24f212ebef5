// Which recordings a fit uses: one alone, or several because somebody said so.

#include <algorithm>

#include "app/gui/state/fit_runner.hpp"
#include "app/gui/state/model_document.hpp"
#include "app/gui/state/recordings.hpp"
#include "app/gui/state/selection.hpp"
#include "app/workflow/fit_together.hpp"

namespace tactelier::gui {

bool FitRunner::runAlone(RecordingDocument* document) {
  const auto open = recordings_.all();
  const bool is_alone =
      choice_.uses(document) && std::none_of(open.begin(), open.end(), [&](const auto* each) {
        return each != document && choice_.uses(each);
      });
  selection_.setRecording(document);
  if (is_alone && ((model_.model() != nullptr && fitted_here_) || running())) return true;
  if (!model_.mayDiscard()) return false;
  if (model_.model() != nullptr) model_.set(nullptr, {});  // of another recording: its numbers go
  choice_.setAlone(document);
  if (!running()) run(request());
  return true;
}

FitRunner::JoinQuestion FitRunner::joinQuestion(const RecordingDocument& document) const {
  JoinQuestion question;
  question.recording = document.recording()->name();
  for (const auto* other : recordings_.all()) {
    if (other == &document || !choice_.uses(other)) continue;
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

bool FitRunner::join(RecordingDocument* document) {
  const auto question = joinQuestion(*document);
  auto join = Join::kTogether;
  if (!question.others.isEmpty()) join = ask_join_ ? ask_join_(question) : Join::kStay;
  if (join == Join::kAlone) return runAlone(document);
  if (join == Join::kStay || !question.refusal.isEmpty()) return false;
  choice_.setUsed(document, true);
  return true;
}

}  // namespace tactelier::gui
