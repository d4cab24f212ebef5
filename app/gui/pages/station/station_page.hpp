#pragma once
// The station: one sensor after the other for an operator who has only to scan and to clamp. Before
// it runs, what it works by; then one thing to do at a time, the verdict, and the day so far.

#include "app/gui/widgets/page.hpp"

class QAction;
class QLabel;
class QStackedWidget;

namespace tactelier::gui {

class ConnectPanel;
class LabelPanel;
class NowPanel;
class StationForm;
class StationRunner;
class StepStrip;
class TodayPanel;
class VerdictCard;

class StationPage : public Page {
  Q_OBJECT
 public:
  explicit StationPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

 private:
  QWidget* buildSetUp();
  QWidget* buildWork();
  void connectStation();
  void begin();
  void end();
  void showDay();
  void refresh();
  void showTrouble(const QString& words);

  StationRunner& station_;
  QAction* begin_;
  QAction* end_;
  QFrame* trouble_ = nullptr;
  QLabel* trouble_words_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QWidget* set_up_ = nullptr;
  QWidget* work_ = nullptr;
  ConnectPanel* connect_ = nullptr;
  StationForm* form_ = nullptr;
  StepStrip* steps_ = nullptr;
  NowPanel* now_ = nullptr;
  VerdictCard* verdict_ = nullptr;
  TodayPanel* today_ = nullptr;
  LabelPanel* label_ = nullptr;
};

}  // namespace tactelier::gui
