#pragma once
// Devices and their health, the rig's limits and geometry, the ports of this computer (listed,
// never opened), what `doctor` finds, and the virtual bench.

#include <array>

#include "app/gui/widgets/page.hpp"

class QTableView;
class QToolButton;

namespace tactelier::gui {

class BenchDevices;
class CheckModel;
class DevicePanel;
class GeometryPanel;
class LimitPanel;
class Panel;
class PortModel;
class StopPlot;

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
  Panel* buildLimits();
  Panel* buildGeometry();
  Panel* buildComputer();
  QTableView* newTable(Panel* panel, const QString& name);
  QToolButton* smallTool(Panel* panel, const QString& name, const QString& tip);
  void showRig();
  void readPorts();
  void runChecks();
  void refresh();
  void askDeviceFile();
  void askRigFile();

  BenchDevices* devices_;
  std::array<DevicePanel*, 3> panels_{};
  PortModel* ports_;
  CheckModel* checks_;
  LimitPanel* limits_ = nullptr;
  GeometryPanel* geometry_ = nullptr;
  QToolButton* rig_tool_ = nullptr;
  StopPlot* stop_plot_ = nullptr;
  QLabel* stop_words_ = nullptr;
  QTableView* port_table_ = nullptr;
  QAction* disconnect_ = nullptr;
};

}  // namespace tactelier::gui
