#pragma once
// The numbers with ± and what is missing, for the array or for the chosen tactel; the chosen one in
// full beneath.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QToolButton;
class QTreeView;

namespace tactelier::gui {

class AppState;
class KnownTruth;
class OtherModel;
class ResultModel;
class Segmented;

class ResultPanel : public Panel {
  Q_OBJECT
 public:
  explicit ResultPanel(AppState& state, QWidget* parent = nullptr);
  QTreeView* tree() const { return tree_; }
  ResultModel* model() const { return model_; }
  Segmented* scope() const { return scope_; }
  /// Another model's numbers stand in the place of the status.
  void compareWith(const QString& model_file);

 signals:
  /// The chosen number's protocol, "P5": into a protocol, or to be recorded next.
  void protocolWanted(const QString& protocol);
  void recordingWanted(const QString& protocol);

 private:
  void refresh();
  void showDetails();
  void buildAdvice();
  void buildBeside();
  QToolButton* besideButton(const char* name, const QString& words);
  void showTruth();
  void showOther();
  void nameTactel();

  AppState& state_;
  ResultModel* model_;
  QTreeView* tree_;
  Segmented* scope_;
  QLabel* details_;
  KnownTruth* truth_;
  QToolButton* truth_shown_;
  OtherModel* other_;
  QToolButton* other_shown_;
  QWidget* advice_;
  QToolButton* add_;
  QToolButton* record_;
  QString protocol_;  // that would identify the chosen number; "" for none
  QString chosen_;    // path that the user chose, kept over a refit
  bool filling_ = false;
};

}  // namespace tactelier::gui
