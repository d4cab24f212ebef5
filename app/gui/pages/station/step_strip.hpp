#pragma once
// The way of a sensor, step by step: what is done, what is now, what comes.

#include <QFrame>
#include <optional>
#include <vector>

#include "app/workflow/station/station.hpp"

class QLabel;

namespace tactelier::gui {

class StepStrip : public QFrame {
  Q_OBJECT
 public:
  explicit StepStrip(QWidget* parent = nullptr);
  /// Nothing: the station does not run.
  void show(std::optional<StationStep> now);

 private:
  void restyle();

  std::optional<StationStep> now_;
  std::vector<QLabel*> marks_, words_;
};

}  // namespace tactelier::gui
