#pragma once
// Which rig: device file and rig file, or emulated devices.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;

namespace tactelier::gui {

class RigLink;

class ConnectPanel : public Panel {
  Q_OBJECT
 public:
  explicit ConnectPanel(RigLink& rig, QWidget* parent = nullptr);
  QWidget* first() const;
  void saveState(QSettings& settings) const;
  void restoreState(QSettings& settings);

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
