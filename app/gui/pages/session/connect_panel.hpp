#pragma once
// Which rig: device file and rig file, or emulated devices.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace tactelier::gui {

class Preferences;
class RigLink;

class ConnectPanel : public Panel {
  Q_OBJECT
 public:
  ConnectPanel(Preferences& preferences, RigLink& rig, QWidget* parent = nullptr);
  QWidget* first() const;

 private:
  QLineEdit* fileRow(const QString& label, const QString& name, const QString& tip);
  void refresh();

  RigLink& rig_link_;
  QLineEdit* devices_;
  QLineEdit* rig_;
  QPushButton* connect_;
  QPushButton* virtual_;
  QLabel* words_;
};

}  // namespace tactelier::gui
