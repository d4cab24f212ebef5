#pragma once
// What the protocol costs: time, presses, peak force, travel; what was warned of; what keeps it
// from running.

#include "app/gui/widgets/panel.hpp"

class QLabel;

namespace tactelier::gui {

class ProtocolDraft;

class DryRunPanel : public Panel {
  Q_OBJECT
 public:
  explicit DryRunPanel(ProtocolDraft& draft, QWidget* parent = nullptr);

 private:
  QLabel* figure(const QString& what, const char* name);
  void refresh();
  void notice(const char* look, const QString& words);

  ProtocolDraft& draft_;
  class QHBoxLayout* figures_;
  class QVBoxLayout* notices_;
  QLabel* time_;
  QLabel* presses_;
  QLabel* peak_;
  QLabel* travel_;
};

}  // namespace tactelier::gui
