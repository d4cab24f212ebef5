#pragma once
// The tactels that are not calibrated, and why.

#include "app/gui/widgets/panel.hpp"

class QLabel;

namespace tactelier::gui {

class AppState;

class TactelNotes : public Panel {
  Q_OBJECT
 public:
  explicit TactelNotes(AppState& state, QWidget* parent = nullptr);

 private:
  void refresh();

  AppState& state_;
  QLabel* words_;
};

}  // namespace tactelier::gui
