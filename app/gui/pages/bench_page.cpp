#include "app/gui/pages/bench_page.hpp"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include "app/gui/frame/actions.hpp"
#include "app/gui/models/check_model.hpp"
#include "app/gui/pages/bench/device_panel.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

BenchPage::BenchPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Bench"), parent),
      devices_(new BenchDevices(context.state, this)),
      ports_(new PortModel(this)),
      checks_(new CheckModel(this)) {
  auto* start = addHeaderAction(actions().virtualBench, QStringLiteral("play"), true);
  start->setObjectName(QStringLiteral("virtualBench"));
  addHeaderAction(actions().connectAll, QStringLiteral("link"));
  disconnect_ = new QAction(tr("Disconnect"), this);
  disconnect_->setToolTip(tr("Ends the connection to all devices, and the virtual bench."));
  connect(disconnect_, &QAction::triggered, this, [this] { devices_->disconnectAll(); });
  addHeaderAction(disconnect_, QStringLiteral("x"))->setObjectName(QStringLiteral("disconnect"));
  auto* top = new QHBoxLayout;
  top->setSpacing(12);
  panels_ = {new DevicePanel(tr("Stage"), "stage", this),
             new DevicePanel(tr("Force sensor"), "force", this),
             new DevicePanel(tr("Tactile array"), "tactile", this)};
  for (auto* panel : panels_) top->addWidget(panel, 1);
  body()->addLayout(top, 3);
  auto* below = new QHBoxLayout;
  below->setSpacing(12);
  below->addWidget(buildPorts(), 2);
  below->addWidget(buildChecks(), 3);
  body()->addLayout(below, 2);
  connect(devices_, &BenchDevices::changed, this, &BenchPage::refresh);
  readPorts();
  runChecks();
  refresh();
}

QTableView* BenchPage::addTable(Panel* panel, const QString& name) {
  auto* table = new QTableView(panel);
  table->setAccessibleName(name);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(theme().px(26));
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setHighlightSections(false);
  panel->setBodyMargins(0);
  panel->body()->addWidget(table);
  return table;
}

Panel* BenchPage::buildPorts() {
  auto* panel = new Panel(tr("Ports"), this);
  panel->setCaption(tr("listed, never opened to see what answers"));
  auto* again = new QToolButton(panel);
  again->setProperty("look", "small");
  again->setText(tr("Read again"));
  again->setToolTip(tr("Lists the serial ports anew.\ntactelier devices list"));
  connect(again, &QToolButton::clicked, this, &BenchPage::readPorts);
  panel->addTool(again);
  port_table_ = addTable(panel, tr("Serial ports"));
  port_table_->setObjectName(QStringLiteral("ports"));
  port_table_->setModel(ports_);
  port_table_->setColumnWidth(PortModel::kPort, theme().px(130));
  port_table_->setColumnWidth(PortModel::kDescription, theme().px(230));
  return panel;
}

Panel* BenchPage::buildChecks() {
  auto* panel = new Panel(tr("This computer"), this);
  auto* again = new QToolButton(panel);
  again->setProperty("look", "small");
  again->setText(tr("Check again"));
  again->setToolTip(
      tr("Looks for what would spoil a recording. Changes nothing.\n"
         "tactelier doctor"));
  connect(again, &QToolButton::clicked, this, &BenchPage::runChecks);
  panel->addTool(again);
  auto* table = addTable(panel, tr("Checks of this computer"));
  table->setObjectName(QStringLiteral("checks"));
  table->setModel(checks_);
  table->setColumnWidth(CheckModel::kWhat, theme().px(220));
  table->setColumnWidth(CheckModel::kFound, theme().px(260));
  return panel;
}

void BenchPage::readPorts() {
  auto ports = tactelier::devices::list_serial_ports();
  if (!ports) return emit state().statusTold(text(ports.error().message));
  ports_->setPorts(std::move(*ports));
}

void BenchPage::runChecks() {
  state().jobs().run<SystemChecks>(
      tr("Check this computer"), Lane::kQuiet, this,
      [](const Job&) -> Result<SystemChecks> { return check_system(); },
      [this](Result<SystemChecks> checks) {
        if (checks) checks_->setChecks(std::move(*checks));
      });
}

void BenchPage::refresh() {
  for (auto* panel : panels_) {
    const auto* health = devices_->health(panel->role());
    panel->show(health, health != nullptr ? devices_->age_s(*health) : std::nullopt);
  }
  const bool on = devices_->connected();
  disconnect_->setEnabled(on);
  disconnect_->setToolTip(on ? tr("Ends the connection to all devices, and the virtual bench.")
                             : tr("Off: nothing is connected."));
  actions().virtualBench->setText(devices_->isVirtual() ? tr("End the virtual bench")
                                                        : tr("&Virtual bench"));
  setHeaderState(devices_->busy()        ? tr("connecting")
                 : devices_->isVirtual() ? tr("virtual bench")
                 : on                    ? QFileInfo(devices_->file()).fileName()
                                         : tr("no devices connected"));
}

void BenchPage::askDeviceFile() {
  const auto file = QFileDialog::getOpenFileName(this, tr("Connect by a device file"), {},
                                                 tr("Device files (*.json)"));
  if (!file.isEmpty()) devices_->openFile(file);
}

bool BenchPage::takes(QAction* action) {
  if (action == actions().connectAll) return askDeviceFile(), true;
  if (action != actions().virtualBench) return false;
  if (devices_->isVirtual())
    devices_->disconnectAll();
  else
    devices_->startVirtualBench();
  return true;
}

QWidget* BenchPage::firstFocus() { return port_table_; }

QString BenchPage::asCommand() const {
  if (devices_->isVirtual()) return QStringLiteral("tactelier bench");
  if (devices_->file().isEmpty()) return {};
  return QStringLiteral("tactelier devices test %1").arg(shellWord(devices_->file()));
}

QString BenchPage::whyNoCommand() const { return tr("Connect something first."); }

QString BenchPage::helpText() const {
  return tr(
      "<p>The devices of a rig, connected by a device file, with their rates and losses. Nothing "
      "moves, no settings are written. Ports are listed; opening one is always your act.</p>"
      "<p><i>Virtual bench</i> starts emulated devices over a simulated pad in this program. The "
      "stop of this program is no emergency stop.</p>"
      "<p><b>Ctrl+T</b> virtual bench · <b>Ctrl+K</b> connect</p>");
}

}  // namespace tactelier::gui
