#pragma once
// The rig at work. Left and centre show it live; the right column is what comes next: connect,
// check and arm, follow the run, read its summary.

#include "app/gui/widgets/page.hpp"

class QHBoxLayout;
class QStackedWidget;

namespace tactelier::rig {
struct LiveFrame;
}

namespace tactelier::gui {

class CheckList;
class ConnectPanel;
class FoldingColumns;
class JogPad;
class LiveDragPlot;
class LiveForcePlot;
class LiveImage;
class LivePressPlot;
class LiveTracePlot;
class Panel;
class PressChooser;
class PromptPanel;
class RecordForm;
class RigLink;
class RunPanel;
class Segmented;
class TipPanel;
class SummaryPanel;

class SessionPage : public Page {
  Q_OBJECT
 public:
  explicit SessionPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  bool takes(QAction* action) override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildLeft();
  QWidget* buildCentre();
  QWidget* buildRight();
  void setCompact(bool compact);
  bool isLow() const;
  void followHeight();
  void showContactApart(bool apart);
  void showContact(int kind);
  void followContact(const rig::LiveFrame& live, bool fresh);
  void connectRig();
  void refresh();
  void showLive();
  QString whyNoGo() const;
  void readRecorded();
  void openInFit();
  void resume(const QString& file);

  RigLink& rig_;
  FoldingColumns* columns_ = nullptr;
  QWidget* left_ = nullptr;
  QWidget* centre_ = nullptr;
  bool contact_apart_ = false;
  QStackedWidget* right_ = nullptr;
  QStackedWidget* hand_ = nullptr;  // jog pad or prompt
  QHBoxLayout* hand_row_ = nullptr;
  Panel* hand_panel_ = nullptr;
  LiveImage* image_ = nullptr;
  Panel* force_panel_ = nullptr;
  LiveForcePlot* force_ = nullptr;
  Panel* contact_panel_ = nullptr;
  Segmented* contact_kind_ = nullptr;
  QStackedWidget* contact_ = nullptr;  // press_ or drag_
  LivePressPlot* press_ = nullptr;
  LiveDragPlot* drag_ = nullptr;
  bool contact_picked_ = false;
  int presses_seen_ = 0;
  double force_rz_rad_ = 0;
  LiveTracePlot* traces_ = nullptr;
  TipPanel* stage_ = nullptr;
  JogPad* jog_ = nullptr;
  PromptPanel* prompt_ = nullptr;
  ConnectPanel* connect_ = nullptr;
  RecordForm* form_ = nullptr;
  CheckList* checks_ = nullptr;
  RunPanel* run_ = nullptr;
  SummaryPanel* summary_ = nullptr;
  QWidget* before_ = nullptr;
  PressChooser* chooser_ = nullptr;
  QString resume_once_connected_;
};

}  // namespace tactelier::gui
