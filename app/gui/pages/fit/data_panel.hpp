#pragma once
// The open recordings: which the fit uses, which one the presses and plots are of.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QListWidget;

namespace tactelier::gui {

class Actions;
class AppState;

class FitDataPanel : public Panel {
  Q_OBJECT
 public:
  FitDataPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

 private:
  void fill();
  void showChoice();
  void showCurrent();
  void showModel();

  AppState& state_;
  QListWidget* list_;
  QLabel* model_;
};

}  // namespace tactelier::gui
