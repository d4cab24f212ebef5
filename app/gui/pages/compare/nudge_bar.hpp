#pragma once
// Moves the simulated indenter of one image press by hand: how much of an error is its place?

#include <QWidget>

#include "app/workflow/compare_report.hpp"

class QDoubleSpinBox;
class QToolButton;

namespace tactelier::gui {

class ElidedLabel;

class NudgeBar : public QWidget {
  Q_OBJECT
 public:
  explicit NudgeBar(QWidget* parent = nullptr);

  PoseShift shift() const;
  /// Without emitting.
  void setShift(const PoseShift& shift);
  /// By steps of the spin boxes.
  void step(int x, int y, int turn);
  /// What the error is there, beside that of the recorded pose.
  void setWords(const QString& words);

 signals:
  void shifted();
  void bestWanted();

 private:
  QDoubleSpinBox* addBox(const char* name, const QString& label, const QString& unit, double most,
                         double step);

  QDoubleSpinBox *x_, *y_, *turn_;
  QToolButton *best_, *back_;
  ElidedLabel* words_;
};

}  // namespace tactelier::gui
