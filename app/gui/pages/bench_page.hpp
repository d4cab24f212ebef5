#pragma once
// Devices and their health, the ports of this computer (listed, never opened), what `doctor` finds,
// and the virtual bench.

#include <array>

#include "app/gui/frame/page.hpp"

class QTableView;

namespace tactelier::gui {

class BenchDevices;
class CheckModel;
class DevicePanel;
class Panel;
class PortModel;

class BenchPage : public Page {
  Q_OBJECT
 public:
  explicit BenchPage(const PageContext& context, QWidget* parent = nullptr);

  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  bool takes(QAction* action) override;
  BenchDevices& devices() { return *devices_; }

 private:
  Panel* buildPorts();
  Panel* buildChecks();
  QTableView* addTable(Panel* panel, const QString& name);
  void readPorts();
  void runChecks();
  void refresh();
  void askDeviceFile();

  BenchDevices* devices_;
  std::array<DevicePanel*, 3> panels_{};
  PortModel* ports_;
  CheckModel* checks_;
  QTableView* port_table_ = nullptr;
  QAction* disconnect_ = nullptr;
};

}  // namespace tactelier::gui
