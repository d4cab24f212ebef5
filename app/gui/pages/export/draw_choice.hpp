#pragma once
// Whether the model is exported as it was fitted, or many as it might have come out as well: drawn
// from the fit's covariance, for simulations that are to hold for any of them.

#include <QWidget>

#include "app/workflow/export_model.hpp"

class QSpinBox;

namespace tactelier::gui {

class DrawChoice : public QWidget {
  Q_OBJECT
 public:
  explicit DrawChoice(QWidget* parent = nullptr);
  /// Count 0: the model as fitted.
  DrawRequest draws() const;
  /// " --randomize 20 --seed 1"; "" for the model as fitted.
  QString asOptions() const;

 signals:
  void changed();

 private:
  QSpinBox* count_;
  QSpinBox* seed_;
};

}  // namespace tactelier::gui
