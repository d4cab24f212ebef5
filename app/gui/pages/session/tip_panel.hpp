#pragma once
// Where the tip is, what is known of the pad's place, and the set-up runs.

#include <array>

#include "app/gui/widgets/panel.hpp"
#include "devices/server/rig_messages.hpp"

class QGridLayout;
class QLabel;
class QPushButton;

namespace tactelier::gui {

class RigLink;

class TipPanel : public Panel {
  Q_OBJECT
 public:
  explicit TipPanel(RigLink& rig, QWidget* parent = nullptr);
  void refresh();
  /// In a narrow window what is known of the pad stands in the header.
  void setCompact(bool compact);

 private:
  QLabel* addPlace(QGridLayout* grid, const QString& name, const char* object);
  QPushButton* task(const QString& words, rig::messages::TaskKind kind, const QString& tip);

  RigLink& rig_;
  std::array<QLabel*, 3> places_{};
  QLabel* depth_;
  QLabel* left_;
  QLabel* facts_;
  QLabel* chip_;
  bool compact_ = false;
  QList<QPushButton*> tasks_;
  QPushButton* cancel_;
};

}  // namespace tactelier::gui
