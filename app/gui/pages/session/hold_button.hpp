#pragma once
// Does its work after it was held down for a second, by mouse or space bar.

#include <QEvent>
#include <QPushButton>
#include <QTimer>

namespace tactelier::gui {

class HoldButton : public QPushButton {
  Q_OBJECT
 public:
  explicit HoldButton(const QString& text, QWidget* parent = nullptr) : QPushButton(text, parent) {
    timer_.setSingleShot(true);
    timer_.setInterval(1000);
    connect(this, &QPushButton::pressed, &timer_, qOverload<>(&QTimer::start));
    connect(this, &QPushButton::released, &timer_, &QTimer::stop);
    connect(&timer_, &QTimer::timeout, this, &HoldButton::held);
  }

 signals:
  void held();

 protected:
  /// Switched off while it is held: nobody releases it then.
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::EnabledChange && !isEnabled()) timer_.stop();
    QPushButton::changeEvent(event);
  }

 private:
  QTimer timer_;
};

}  // namespace tactelier::gui
