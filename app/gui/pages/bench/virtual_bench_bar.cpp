#include "app/gui/pages/bench/virtual_bench_bar.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/state/bench_devices.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "devices/emulator/fault.hpp"

namespace tactelier::gui {
namespace {

constexpr double kSpeeds[] = {1, 2, 4, 8};
constexpr double kFirst_s = 3;

}  // namespace

VirtualBenchBar::VirtualBenchBar(BenchDevices& devices, QWidget* parent)
    : QFrame(parent), devices_(devices), speed_(new QComboBox(this)) {
  setProperty("look", "panel");
  setAccessibleName(tr("Virtual bench"));
  auto* margin = new QVBoxLayout(this);
  margin->setContentsMargins(12, 6, 12, 6);
  flow_ = new QWidget(this);
  margin->addWidget(flow_);
  auto* flow = new FlowLayout(16, 8, flow_);
  auto* title = new QLabel(tr("Virtual bench"), flow_);
  title->setFont(theme().font(Type::kBold));
  connect(&theme(), &Theme::changed, title, [title] { title->setFont(theme().font(Type::kBold)); });
  flow->addWidget(title);
  speed_->setObjectName(QStringLiteral("virtualSpeed"));
  speed_->setToolTip(
      tr("How much faster than real time the emulated devices and the pad live.\n"
         "tactelier bench --speed"));
  for (const double speed : kSpeeds) speed_->addItem(tr("%1 × real time").arg(speed), speed);
  connect(speed_, &QComboBox::activated, this,
          [this] { devices_.setVirtualSpeed(speed_->currentData().toDouble()); });
  addGroup(tr("Speed"), speed_);
  buildFaults();
  connect(&devices_, &BenchDevices::changed, this, &VirtualBenchBar::refresh);
  refresh();
}

QWidget* VirtualBenchBar::addGroup(const QString& title, QWidget* control) {
  auto* group = new QWidget(flow_);
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  auto* label = new QLabel(title, group);
  label->setProperty("look", "caption");
  label->setBuddy(control);
  control->setAccessibleName(title);
  row->addWidget(label);
  row->addWidget(control);
  flow_->layout()->addWidget(group);
  return group;
}

void VirtualBenchBar::buildFaults() {
  device_ = new QComboBox(this);
  device_->setObjectName(QStringLiteral("faultDevice"));
  device_->addItem(tr("Force sensor"), QStringLiteral("force"));
  device_->addItem(tr("Tactile array"), QStringLiteral("tactile"));
  device_->addItem(tr("Stage"), QStringLiteral("stage"));
  auto* group = addGroup(tr("Fault of"), device_);
  kind_ = new QComboBox(group);
  kind_->setObjectName(QStringLiteral("faultKind"));
  kind_->setAccessibleName(tr("What goes wrong"));
  kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  kind_->setMinimumContentsLength(34);
  for (const auto& info : tactelier::devices::fault_kinds())
    kind_->addItem(tr("%1: %2").arg(text(info.word), text(info.what)), text(info.word));
  kind_->setCurrentIndex(kind_->findData(QStringLiteral("freeze")));
  amount_ = new QDoubleSpinBox(group);
  amount_->setObjectName(QStringLiteral("faultAmount"));
  make_ = new QPushButton(tr("Make it fail"), group);
  make_->setObjectName(QStringLiteral("makeFault"));
  mend_ = new QPushButton(tr("End all faults"), group);
  mend_->setObjectName(QStringLiteral("mendFaults"));
  for (auto* part : {static_cast<QWidget*>(kind_), static_cast<QWidget*>(amount_),
                     static_cast<QWidget*>(make_), static_cast<QWidget*>(mend_)})
    group->layout()->addWidget(part);
  connect(kind_, &QComboBox::currentIndexChanged, this, &VirtualBenchBar::showAmount);
  connect(make_, &QPushButton::clicked, this, &VirtualBenchBar::makeFault);
  connect(mend_, &QPushButton::clicked, &devices_, &BenchDevices::mendFaults);
  showAmount();
}

void VirtualBenchBar::showAmount() {
  const auto kind =
      tactelier::devices::parse_fault_kind(kind_->currentData().toString().toStdString());
  if (!kind) return;
  const auto& info = tactelier::devices::info_of(*kind);
  amount_->setRange(info.counts ? 1 : 0, info.counts ? 1e6 : 3600);
  amount_->setDecimals(info.counts ? 0 : 1);
  amount_->setSuffix(info.counts ? tr(" times") : tr(" s"));
  amount_->setSpecialValueText(info.counts ? QString() : tr("until ended"));
  amount_->setValue(info.counts ? 1 : kFirst_s);
  amount_->setAccessibleName(info.counts ? tr("How many times")
                                         : tr("How long, seconds of the bench"));
  amount_->setToolTip(info.counts ? tr("How many messages or times")
                                  : tr("How long, in seconds of the bench; 0: until ended"));
}

void VirtualBenchBar::makeFault() {
  BenchDevices::FaultWish wish;
  wish.device = device_->currentData().toString();
  wish.device_words = device_->currentText();
  wish.kind = kind_->currentData().toString();
  wish.amount = amount_->value();
  devices_.makeFault(wish);
}

void VirtualBenchBar::refresh() {
  const bool on = devices_.isVirtual();
  const double speed = on ? devices_.runningSpeed() : devices_.virtualSpeed();
  if (const int row = speed_->findData(speed); row >= 0 && row != speed_->currentIndex())
    speed_->setCurrentIndex(row);
  speed_->setEnabled(!on && !devices_.busy());
  for (auto* part :
       {static_cast<QWidget*>(device_), static_cast<QWidget*>(kind_),
        static_cast<QWidget*>(amount_), static_cast<QWidget*>(make_), static_cast<QWidget*>(mend_)})
    part->setEnabled(on);
  const auto off = tr("Off: the virtual bench does not run.");
  speed_->setToolTip(on ? tr("Chosen before it starts: end the virtual bench to change it.")
                        : tr("How much faster than real time the emulated devices and the pad "
                             "live.\ntactelier bench --speed"));
  make_->setToolTip(on ? tr("Makes the emulated device fail in this way, to see what the rig does "
                            "then.")
                       : off);
  mend_->setToolTip(on ? tr("The emulated devices work again.") : off);
}

}  // namespace tactelier::gui
