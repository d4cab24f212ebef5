#pragma once
// Esc, F12 and Pause stop the rig, seen before any widget, dialog or popup sees them. Where a
// dialog or menu is open Esc closes it; held for 300 ms it stops.

#include <QObject>
#include <QTimer>
#include <functional>

class QKeyEvent;

namespace tactelier::gui {

class StopKeys : public QObject {
  Q_OBJECT
 public:
  /// `possible`: may anything move? `stop` is called in the event itself.
  StopKeys(std::function<bool()> possible, std::function<void()> stop, QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool press(QKeyEvent* key, bool shortcut);

  std::function<bool()> possible_;
  std::function<void()> stop_;
  QTimer held_;
  int taken_ = 0;  // key that came as a shortcut, and will come as a press
};

}  // namespace tactelier::gui
