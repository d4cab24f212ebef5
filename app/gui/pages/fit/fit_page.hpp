#pragma once
// The fit: data, stages and presses at the left, the chosen stage's plot over a map of the array in
// the middle, results at the right. An edit fits again in the background.

#include <filesystem>

#include "app/gui/widgets/page.hpp"

class QSplitter;
class QStackedWidget;

namespace tactelier::gui {

class FoldingColumns;
class MapPanel;
class PressPanel;
class ResultPanel;
class StagePanel;
class StagePlot;
class VerdictStrip;

class FitPage : public Page {
  Q_OBJECT
 public:
  explicit FitPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

  StagePanel* stagePanel() const { return stages_; }
  PressPanel* presses() const { return presses_; }
  MapPanel* map() const { return map_; }
  ResultPanel* results() const { return results_; }
  VerdictStrip* verdict() const { return verdict_; }
  FoldingColumns* columns() const { return columns_; }
  /// Of the chosen stage.
  StagePlot* stagePlot() const { return plot_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildActions();
  void sizePlots();
  void askOther();
  void buildEmpty();
  void buildColumns();
  QWidget* buildLeft();
  QWidget* buildCentre();
  void connectState();
  void refresh();
  void showState();
  void showStage();
  void followPress();
  void refreshPlot();

  QStackedWidget* stack_;
  QWidget* empty_;
  QWidget* full_;
  QAction* open_report_;  // Ctrl+P
  QAction* compare_with_;
  QAction* options_;
  VerdictStrip* verdict_;
  FoldingColumns* columns_;
  QSplitter* left_split_;
  QSplitter* centre_split_;
  QStackedWidget* plots_;
  StagePanel* stages_;
  PressPanel* presses_;
  MapPanel* map_;
  ResultPanel* results_;
  StagePlot* plot_ = nullptr;
  std::vector<std::filesystem::path> offered_;  // recordings whose fit has begun by itself
};

}  // namespace tactelier::gui
