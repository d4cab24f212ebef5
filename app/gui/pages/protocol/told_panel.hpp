#pragma once
// What the protocol will tell of the pad, at which uncertainty, and what it won't: why, and which
// protocol to add.

#include "app/gui/widgets/panel.hpp"

class QTableWidget;

namespace tactelier::gui {

class ProtocolDraft;

class ToldPanel : public Panel {
  Q_OBJECT
 public:
  explicit ToldPanel(ProtocolDraft& draft, QWidget* parent = nullptr);

 signals:
  /// "P5"
  void addWanted(const QString& protocol);

 private:
  void refresh();

  ProtocolDraft& draft_;
  QTableWidget* table_;
};

}  // namespace tactelier::gui
