#pragma once
// The open recording: tactile image with play, force over time and over depth, presses. A press is
// left out with X or a click, its contact point dragged: both are edits.

#include "app/gui/widgets/page.hpp"

class QComboBox;
class QLabel;
class QSplitter;

namespace tactelier::gui {

class FoldingColumns;
class ForceDepthPlot;
class ForceTimePlot;
class Panel;
class PressPanel;
class TactilePanel;

class RecordingPage : public Page {
  Q_OBJECT
 public:
  explicit RecordingPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

  TactilePanel* tactile() const { return tactile_; }
  ForceTimePlot* forceTime() const { return force_time_; }
  ForceDepthPlot* forceDepth() const { return force_depth_; }
  PressPanel* presses() const { return presses_; }

 private:
  void buildPanels();
  void connectViews();
  void follow();
  void fillChoice();
  void loadOverview();
  void loadExtremes();
  void loadCurve();
  void choosePress();
  void showState();
  void showFacts();

  FoldingColumns* columns_;
  QSplitter* plots_;
  TactilePanel* tactile_;
  ForceTimePlot* force_time_;
  ForceDepthPlot* force_depth_;
  Panel* depth_panel_;
  PressPanel* presses_;
  QLabel* facts_;
  QComboBox* choice_;
  QAction* as_found_;
  int generation_ = 0;        // of the recording
  int curve_generation_ = 0;  // of the press
};

}  // namespace tactelier::gui
