#pragma once
// Always visible: mode, force, streams, recording, STOP, each in its one place on every page; in a
// narrow window in two lines. Painted widgets, fed from one snapshot.

#include <QFrame>
#include <QPushButton>
#include <array>

#include "app/gui/state/mode.hpp"

namespace tactelier::gui {

class ModeBanner : public QWidget {
  Q_OBJECT
 public:
  explicit ModeBanner(QWidget* parent = nullptr);
  void show(const RigSnapshot& snapshot);
  QSize sizeHint() const override;
  /// As it stands beneath the mode's word: two lines where one is too short.
  QStringList detailLines() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double times() const;
  QFont detailFont() const;
  double left() const;  // of the words

  Mode mode_ = Mode::kIdle;
  QString detail_;
};

class ForceBar : public QWidget {
  Q_OBJECT
 public:
  explicit ForceBar(QWidget* parent = nullptr);
  void show(const RigSnapshot& snapshot);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintScale(QPainter& painter, const QRectF& bar, double limit_N) const;
  void paintTicks(QPainter& painter, const QRectF& bar, double full_N) const;

  RigSnapshot snapshot_;
  QString state_;  // the limit, or why there is none
};

class StreamLamp : public QWidget {
  Q_OBJECT
 public:
  StreamLamp(const QString& name, QWidget* parent = nullptr);
  void show(const StreamState& state);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString name_;
  StreamState state_;
};

class RecordClock : public QWidget {
  Q_OBJECT
 public:
  explicit RecordClock(QWidget* parent = nullptr);
  void show(const RigSnapshot& snapshot);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString headline_;
  QString detail_;
  bool recording_ = false;
};

class StopButton : public QPushButton {
  Q_OBJECT
 public:
  explicit StopButton(QWidget* parent = nullptr);
  void show(const RigSnapshot& snapshot);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void refresh();

  QString second_line_;
  bool possible_ = false;
  std::optional<double> stop_p99_ms_;
  bool silent_ = false;
};

class SafetyBar : public QFrame {
  Q_OBJECT
 public:
  explicit SafetyBar(QWidget* parent = nullptr);
  void show(const RigSnapshot& snapshot);
  StopButton* stopButton() const { return stop_; }
  bool large() const { return large_; }
  /// Twice the height, for reading across a room.
  void setLarge(bool large);

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void place();
  void placeStreams(int left, int right, int top, int height, bool narrow);

  ModeBanner* mode_;
  ForceBar* force_;
  std::array<StreamLamp*, 3> lamps_{};
  RecordClock* clock_;
  StopButton* stop_;
  QList<QRect> separators_;
  bool large_ = false;
};

}  // namespace tactelier::gui
