#pragma once
// Through the image presses: a step back, a slider, a step on, and which one it is.

#include <QWidget>

class QSlider;
class QToolButton;

namespace tactelier::gui {

class ElidedLabel;

class PressBar : public QWidget {
  Q_OBJECT
 public:
  explicit PressBar(QWidget* parent = nullptr);
  void setCount(int count);
  /// Moves the slider without emitting. `words`: what is shown there.
  void setPlace(int place, const QString& words);

 signals:
  void placeChosen(int place);

 private:
  void step(int by);

  QToolButton* back_;
  QSlider* slider_;
  QToolButton* on_;
  ElidedLabel* words_;
};

}  // namespace tactelier::gui
