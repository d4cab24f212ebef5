#pragma once
// What pages show: one open recording, one of its presses, one tactel. Pages follow it and set it;
// a press chosen in one is chosen in all.

#include <QObject>
#include <optional>

namespace tactelier::gui {

class RecordingDocument;

class Selection : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// nullptr when none is open.
  RecordingDocument* recording() const { return recording_; }
  /// Its first press is chosen with it, and no tactel.
  void setRecording(RecordingDocument* document);
  std::optional<int> press() const { return press_; }
  void choosePress(std::optional<int> press);
  std::optional<int> tactel() const { return tactel_; }
  void chooseTactel(std::optional<int> tactel);

 signals:
  void recordingChanged();  // another one, or none
  void pressChosen();
  void tactelChosen();

 private:
  RecordingDocument* recording_ = nullptr;
  std::optional<int> press_;
  std::optional<int> tactel_;
};

}  // namespace tactelier::gui
