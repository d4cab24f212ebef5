#pragma once
// The stages with their state, the fit's progress, Fit and Cancel.

#include <string>

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace tactelier::gui {

class Actions;
class AppState;
class StageModel;

class StagePanel : public Panel {
  Q_OBJECT
 public:
  StagePanel(AppState& state, Actions& actions, QWidget* parent = nullptr);
  QTableView* table() const { return table_; }
  std::string chosenStage() const;
  void chooseStage(const std::string& stage);

 signals:
  void stageChosen();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showHoldOut();
  void refresh();

  AppState& state_;
  StageModel* model_;
  QTableView* table_;
  QWidget* progress_row_;
  QProgressBar* bar_;
  QLabel* left_;
  QPushButton* cancel_;
};

}  // namespace tactelier::gui
