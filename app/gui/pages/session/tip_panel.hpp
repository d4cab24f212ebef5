#pragma once
// Where the tip is, what is known of the pad's place, and the set-up runs.

#include <array>

#include "app/gui/widgets/panel.hpp"
#include "devices/server/rig_messages.hpp"

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;

namespace tactelier::gui {

class ElidedLabel;
class RigLink;

class TipPanel : public Panel {
  Q_OBJECT
 public:
  explicit TipPanel(RigLink& rig, QWidget* parent = nullptr);
  void refresh();
  /// In a narrow window the panel's parts stand with others, who place them: the coordinates as a
  /// list, the set-up runs one under the other, what is known of the pad in a line. Not compact:
  /// the panel takes them back.
  void setCompact(bool compact);
  QWidget* coordinates() const { return coordinates_; }
  QWidget* runs() const { return runs_; }
  QWidget* cancel() const;
  QWidget* standing() const { return standing_; }

 private:
  QLabel* addPlace(const QString& name, const char* object);
  void layCoordinates();
  void gather();
  QPushButton* task(const QString& words, rig::messages::TaskKind kind, const QString& tip);

  RigLink& rig_;
  QWidget* coordinates_;
  QGridLayout* grid_;
  QList<std::pair<QLabel*, QLabel*>> cells_;  // name and value
  QWidget* runs_;
  QBoxLayout* runs_row_;
  QWidget* standing_;
  std::array<QLabel*, 3> places_{};
  QLabel* depth_;
  QLabel* left_;
  QLabel* facts_;
  ElidedLabel* facts_line_;  // compact
  QLabel* chip_;
  bool compact_ = false;
  QList<QPushButton*> tasks_;
  QPushButton* cancel_;
};

}  // namespace tactelier::gui
