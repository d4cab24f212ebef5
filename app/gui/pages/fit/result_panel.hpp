#pragma once
// The numbers with ± and what is missing, for the array or for the chosen tactel; the chosen one in
// full beneath.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QTreeView;

namespace tactelier::gui {

class AppState;
class ResultModel;
class Segmented;

class ResultPanel : public Panel {
  Q_OBJECT
 public:
  explicit ResultPanel(AppState& state, QWidget* parent = nullptr);
  QTreeView* tree() const { return tree_; }
  ResultModel* model() const { return model_; }
  Segmented* scope() const { return scope_; }

 private:
  void refresh();
  void showDetails();
  void nameTactel();

  AppState& state_;
  ResultModel* model_;
  QTreeView* tree_;
  Segmented* scope_;
  QLabel* details_;
  QString chosen_;  // path that the user chose, kept over a refit
  bool filling_ = false;
};

}  // namespace tactelier::gui
