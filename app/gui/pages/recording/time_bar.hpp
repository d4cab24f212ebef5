#pragma once
// Play, slider and clock of a recording.

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace tactelier::gui {

class TimeBar : public QWidget {
  Q_OBJECT
 public:
  explicit TimeBar(QWidget* parent = nullptr);
  void setRange(double begin_s, double end_s, double step_s);
  double time_s() const { return time_s_; }
  /// Moves the slider without emitting.
  void setTime(double time_s);
  bool playing() const { return play_timer_.isActive(); }

 public slots:
  void togglePlay();

 signals:
  void timeChanged(double time_s);

 private:
  void moveTo(double time_s);
  void advance();
  void refresh();

  QToolButton* play_;
  QSlider* slider_;
  QLabel* clock_;
  QComboBox* speed_;
  QTimer play_timer_;
  QElapsedTimer since_;
  double begin_s_ = 0;
  double end_s_ = 0;
  double time_s_ = 0;
};

}  // namespace tactelier::gui
