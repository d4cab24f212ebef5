#include "app/gui/pages/fit/fit_options.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "app/gui/state/fit_choice.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "fitting/engine/stage.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::gui {
namespace {

constexpr double kMostHoldout_percent = 50;
constexpr int kMostThreads = 1024;
constexpr int kStageColumns = 2;

}  // namespace

FitOptionsDialog::FitOptionsDialog(FitChoice& choice, QWidget* parent)
    : QDialog(parent), choice_(choice) {
  setObjectName(QStringLiteral("fitOptions"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Options of the fit"));
  auto* column = new QVBoxLayout(this);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  column->addLayout(form);
  addNumbers(form);
  addRequired(form);
  auto* buttons = new QDialogButtonBox(this);
  auto* use = buttons->addButton(tr("Use these"), QDialogButtonBox::AcceptRole);
  use->setObjectName(QStringLiteral("useOptions"));
  use->setToolTip(tr("A model that was fitted here is fitted again."));
  auto* usual = buttons->addButton(tr("Defaults"), QDialogButtonBox::ResetRole);
  auto* leave = buttons->addButton(tr("Leave as it is"), QDialogButtonBox::RejectRole);
  use->setDefault(true);
  column->addWidget(buttons);
  connect(use, &QPushButton::clicked, this, [this] {
    choice_.setSettings(shown());
    accept();
  });
  connect(usual, &QPushButton::clicked, this, [this] { fill(FitSettings()); });
  connect(leave, &QPushButton::clicked, this, &QDialog::reject);
  fill(choice_.settings());
}

void FitOptionsDialog::addNumbers(QFormLayout* form) {
  holdout_ = new QDoubleSpinBox(this);
  holdout_->setObjectName(QStringLiteral("holdout"));
  holdout_->setRange(0, kMostHoldout_percent);
  holdout_->setDecimals(0);
  holdout_->setSingleStep(5);
  holdout_->setSuffix(tr(" % of the presses"));
  holdout_->setToolTip(
      tr("Kept out of the fit as a test, 0–50 %, default 0. Beneath the response then stands how "
         "much larger the residuals of those presses are; image presses are predicted.\n"
         "--holdout"));
  form->addRow(tr("Hold-out"), holdout_);
  sensor_ = new QComboBox(this);
  sensor_->setObjectName(QStringLiteral("fitSensor"));
  sensor_->setEditable(true);
  sensor_->addItem(tr("as the recordings say"));
  for (const auto& name : shipped_sensors()) sensor_->addItem(text(name));
  sensor_->setToolTip(
      tr("Another sensor description than the recordings' own: a shipped one, or a file's path.\n"
         "--sensor"));
  form->addRow(tr("Sensor description"), sensor_);
  seed_ = new QSpinBox(this);
  seed_->setObjectName(QStringLiteral("fitSeed"));
  seed_->setRange(0, std::numeric_limits<int>::max());
  seed_->setToolTip(tr("Of the bootstrap: the same seed gives the same intervals.\n--seed"));
  form->addRow(tr("Seed"), seed_);
  threads_ = new QSpinBox(this);
  threads_->setObjectName(QStringLiteral("fitThreads"));
  threads_->setRange(0, kMostThreads);
  threads_->setSpecialValueText(tr("as many as the machine has"));
  threads_->setToolTip(tr("Numbers don't depend on it.\n--threads"));
  form->addRow(tr("Threads"), threads_);
}

void FitOptionsDialog::addRequired(QFormLayout* form) {
  auto* box = new QWidget(this);
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 0);
  int place = 0;
  for (const auto& stage : stages()) {
    const std::string id(stage.id);
    auto* check = new QCheckBox(stageWords(id), box);
    check->setObjectName(QStringLiteral("require_") + text(id));
    grid->addWidget(check, place / kStageColumns, place % kStageColumns);
    required_[id] = check;
    ++place;
  }
  box->setToolTip(
      tr("The verdict is green only once these are identified; without any, what the fit was asked "
         "for.\n--require"));
  auto* label = new QLabel(tr("Must be identified"), this);
  label->setToolTip(box->toolTip());
  form->addRow(label, box);
}

void FitOptionsDialog::fill(const FitSettings& settings) {
  holdout_->setValue(100 * settings.holdout);
  if (settings.sensor.empty())
    sensor_->setCurrentIndex(0);
  else
    sensor_->setCurrentText(text(settings.sensor));
  seed_->setValue(static_cast<int>(settings.seed));
  threads_->setValue(settings.threads);
  for (const auto& [stage, check] : required_)
    check->setChecked(std::find(settings.required.begin(), settings.required.end(), stage) !=
                      settings.required.end());
}

FitSettings FitOptionsDialog::shown() const {
  FitSettings settings;
  settings.holdout = holdout_->value() / 100;
  const auto sensor = sensor_->currentText().trimmed();
  if (sensor != sensor_->itemText(0)) settings.sensor = sensor.toStdString();
  settings.seed = static_cast<std::uint64_t>(seed_->value());
  settings.threads = threads_->value();
  for (const auto& stage : stages())
    if (required_.at(std::string(stage.id))->isChecked()) settings.required.emplace_back(stage.id);
  return settings;
}

}  // namespace tactelier::gui
