#pragma once
// How far the recording is: step by step, time left.

#include "app/gui/widgets/panel.hpp"
#include "app/workflow/rig_process.hpp"

class QLabel;
class QLineEdit;
class QProgressBar;
class QTableWidget;
class QToolButton;

namespace tactelier::gui {

class RigLink;

class RunPanel : public Panel {
  Q_OBJECT
 public:
  explicit RunPanel(RigLink& rig, QWidget* parent = nullptr);
  /// Of the run that begins.
  void setPlan(const RecordPreview& preview);
  void refresh();
  /// Of a recording that chooses its presses: how its targets stand, and what comes next.
  void showChoice(const AdaptiveNews& news);

  /// The note's field takes the keys.
  void beginNote();

 signals:
  void noted();  // the field has done its work

 private:
  void sendNote();
  int rowOf(const std::string& step) const;
  int addRow(const std::string& step);

  RigLink& rig_;
  std::vector<PlannedStep> steps_;
  double time_scale_ = 1;
  QTableWidget* table_;
  QProgressBar* bar_;
  QLabel* words_;
  QLabel* standing_;
  QLineEdit* note_;
  QToolButton* marker_;
};

}  // namespace tactelier::gui
