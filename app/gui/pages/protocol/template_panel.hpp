#pragma once
// The shipped protocols to begin with, how long each takes on the rig, and the user's own files.

#include "app/gui/widgets/panel.hpp"

class QListWidget;

namespace tactelier::gui {

class AppState;
class ProtocolDraft;

class TemplatePanel : public Panel {
  Q_OBJECT
 public:
  TemplatePanel(AppState& state, ProtocolDraft& draft, QWidget* parent = nullptr);
  QListWidget* list() const { return list_; }
  /// Times are worked out when somebody looks.
  void setShown(bool shown);

 signals:
  void wanted(const QString& name);

 private:
  void workOut();
  void mark();

  AppState& state_;
  ProtocolDraft& draft_;
  QListWidget* list_;
  bool shown_ = false, stale_ = true;
};

}  // namespace tactelier::gui
