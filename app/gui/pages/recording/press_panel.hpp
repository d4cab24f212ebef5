#pragma once
// The presses with their state; the check box includes a press in fits.

#include "app/gui/widgets/panel.hpp"

class QSortFilterProxyModel;
class QTableView;

namespace tactelier::gui {

class AppState;
class PressModel;

class PressPanel : public Panel {
  Q_OBJECT
 public:
  /// `narrow`: without the kind, for a column of 232.
  explicit PressPanel(AppState& state, QWidget* parent = nullptr, bool narrow = false);
  QTableView* table() const { return table_; }
  PressModel* model() const { return model_; }

 private:
  void follow();
  void showChosen();
  void showCount();

  AppState& state_;
  PressModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
};

}  // namespace tactelier::gui
