#include "app/gui/pages/bench/bench_page.hpp"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include "app/gui/item_models/check_model.hpp"
#include "app/gui/pages/bench/device_panel.hpp"
#include "app/gui/pages/bench/rig_panels.hpp"
#include "app/gui/pages/bench/stop_plot.hpp"
#include "app/gui/pages/bench/virtual_bench_bar.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {

BenchPage::BenchPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Bench"), parent),
      devices_(&context.bench),
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
  auto* content = new QWidget(this);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  column->addWidget(new VirtualBenchBar(*devices_, content));
  column->addLayout(top, 3);
  auto* below = new QHBoxLayout;
  below->setSpacing(12);
  below->addWidget(buildLimits(), 5);
  below->addWidget(buildGeometry(), 3);
  below->addWidget(buildComputer(), 4);
  column->addLayout(below, 3);
  // A low window scrolls rather than squeezing the panels.
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(content);
  body()->addWidget(scroll, 1);
  connect(devices_, &BenchDevices::changed, this, &BenchPage::refresh);
  connect(devices_, &BenchDevices::rigChanged, this, &BenchPage::showRig);
  readPorts();
  runChecks();
  showRig();
  refresh();
}

QTableView* BenchPage::newTable(Panel* panel, const QString& name) {
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
  return table;
}

Panel* BenchPage::buildLimits() {
  limits_ = new LimitPanel(this);
  auto* table = newTable(limits_, tr("Safety limits and what happens when one is reached"));
  limits_->body()->addWidget(table, 1);
  limits_->setTable(table);
  return limits_;
}

QToolButton* BenchPage::smallTool(Panel* panel, const QString& name, const QString& tip) {
  auto* tool = new QToolButton(panel);
  tool->setProperty("look", "small");
  tool->setText(name);
  tool->setToolTip(tip);
  panel->addTool(tool);
  return tool;
}

Panel* BenchPage::buildGeometry() {
  geometry_ = new GeometryPanel(this);
  rig_tool_ = smallTool(geometry_, tr("Rig file..."),
                        tr("Shows limits and geometry of another rig file. Nothing moves."));
  rig_tool_->setObjectName(QStringLiteral("rigFile"));
  connect(rig_tool_, &QToolButton::clicked, this, &BenchPage::askRigFile);
  return geometry_;
}

/// Checks, ports and STOP's answers, one at a time.
Panel* BenchPage::buildComputer() {
  auto* panel = new Panel(tr("This computer"), this);
  auto* which = new Segmented(tr("What to see of this computer"),
                              {tr("Checks"), tr("Ports"), tr("STOP")}, panel);
  which->setObjectName(QStringLiteral("computerViews"));
  panel->addTool(which);
  auto* again =
      smallTool(panel, tr("Look again"),
                tr("Looks for what would spoil a recording, and lists the serial ports "
                   "anew without opening any.\ntactelier doctor\ntactelier devices list"));
  connect(again, &QToolButton::clicked, this, [this] {
    runChecks();
    readPorts();
  });
  auto* checks = newTable(panel, tr("Checks of this computer"));
  checks->setObjectName(QStringLiteral("checks"));
  checks->setModel(checks_);
  checks->setColumnWidth(CheckModel::kWhat, theme().px(150));
  checks->setColumnWidth(CheckModel::kFound, theme().px(170));
  port_table_ = newTable(panel, tr("Serial ports: listed, never opened to see what answers"));
  port_table_->setObjectName(QStringLiteral("ports"));
  port_table_->setModel(ports_);
  port_table_->setColumnWidth(PortModel::kPort, theme().px(130));
  port_table_->setColumnWidth(PortModel::kDescription, theme().px(200));
  auto* pages = new QStackedWidget(panel);
  pages->addWidget(checks);
  pages->addWidget(port_table_);
  auto* stop = new QWidget(pages);
  auto* column = new QVBoxLayout(stop);
  column->setContentsMargins(6, 6, 6, 6);
  stop_plot_ = new StopPlot(stop);
  stop_words_ = new QLabel(stop);
  stop_words_->setObjectName(QStringLiteral("stopWords"));
  stop_words_->setProperty("look", "caption");
  stop_words_->setWordWrap(true);
  column->addWidget(new TableTwin(stop_plot_, stop), 1);
  column->addWidget(stop_words_);
  pages->addWidget(stop);
  panel->body()->addWidget(pages, 1);
  connect(which, &Segmented::chosen, pages, &QStackedWidget::setCurrentIndex);
  return panel;
}

void BenchPage::readPorts() {
  auto ports = tactelier::devices::list_serial_ports();
  if (!ports) return state().notifications().status(text(ports.error().message));
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
  const auto* line = rig().stopLine();
  stop_plot_->show(line != nullptr ? line->answers_ms() : std::deque<double>());
  stop_words_->setText(line != nullptr ? stop_plot_->accessibleDescription()
                                       : tr("Measured once a second while a rig is connected."));
  const bool on = devices_->connected();
  const auto& rig = this->rig();
  const bool runs = rig.mode() == Mode::kRunning || rig.mode() == Mode::kPaused;
  disconnect_->setEnabled(on && !runs);
  disconnect_->setToolTip(runs ? tr("Off while a recording runs.")
                          : on ? tr("Ends the connection to all devices, and the virtual bench.")
                               : tr("Off: nothing is connected."));
  setHeaderState(devices_->busy()        ? tr("connecting")
                 : devices_->isVirtual() ? tr("virtual bench, as its rig process tells")
                 : rig.connected()       ? tr("the rig's, as its process tells")
                 : rig.isLost()          ? tr("the rig process was lost: see the Session page")
                 : on ? tr("%1, looked at").arg(QFileInfo(devices_->file()).fileName())
                      : tr("no devices connected"));
}

void BenchPage::showRig() {
  limits_->show(devices_->rig(), devices_->limits(), BenchDevices::kPress_m_per_s);
  geometry_->show(devices_->rig());
  const bool connected = rig().connected();
  rig_tool_->setEnabled(!connected);
  rig_tool_->setToolTip(connected
                            ? tr("Off: the rig that is connected has one of its own.")
                            : tr("Shows limits and geometry of another rig file. Nothing moves."));
}

void BenchPage::askRigFile() {
  const auto file =
      QFileDialog::getOpenFileName(this, tr("Rig file"), {}, tr("Rig files (*.json)"));
  if (!file.isEmpty()) devices_->openRig(file);
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

QWidget* BenchPage::firstFocus() { return limits_->findChild<QTableView*>(); }

QString BenchPage::asCommand() const {
  if (devices_->isVirtual()) return QStringLiteral("tactelier bench");
  if (rig().connected())
    return QStringLiteral("tactelier rig status --devices %1")
        .arg(shellWord(QString::fromStdString(rig().facts().place.devices.string())));
  if (devices_->file().isEmpty()) return {};
  return QStringLiteral("tactelier devices test %1").arg(shellWord(devices_->file()));
}

QString BenchPage::whyNoCommand() const { return tr("Connect something first."); }

QString BenchPage::helpText() const {
  return tr(
      "<p>The devices of a rig with their rates and losses. While a rig is connected they are the "
      "rig's: its process alone reads them, and this page shows what it tells. Else a device file "
      "connects devices to be looked at; nothing moves, no settings are written. Ports are listed; "
      "opening one is always your act.</p>"
      "<p><i>Safety limits</i> are those of <tt>tactelier record --limits</tt>, from the rig file, "
      "the sensor's description and the device file; so is the geometry.</p>"
      "<p><i>Virtual bench</i> starts emulated devices over a simulated pad in this program, and a "
      "rig process for them: the Session page works with it. The stop of this program is no "
      "emergency stop.</p>"
      "<p><b>Ctrl+T</b> virtual bench · <b>Ctrl+K</b> connect</p>");
}

}  // namespace tactelier::gui
