#include "app/gui/state/selection.hpp"

#include "app/gui/state/recording_document.hpp"

namespace tactelier::gui {

void Selection::setRecording(RecordingDocument* document) {
  if (document == recording_) return;
  recording_ = document;
  press_.reset();
  tactel_.reset();
  if (document != nullptr && !document->presses().empty())
    press_ = document->presses().front().number;
  emit recordingChanged();
  emit pressChosen();
}

void Selection::choosePress(std::optional<int> press) {
  if (press == press_) return;
  press_ = press;
  emit pressChosen();
}

void Selection::chooseTactel(std::optional<int> tactel) {
  if (tactel == tactel_) return;
  tactel_ = tactel;
  emit tactelChosen();
}

}  // namespace tactelier::gui
