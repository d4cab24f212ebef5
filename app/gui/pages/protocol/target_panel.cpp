#include "app/gui/pages/protocol/target_panel.hpp"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "app/gui/pages/protocol/protocol_draft.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/protocol/plan_table.hpp"

namespace tactelier::gui {
namespace {

// Both ways of setting a target: what a fit can reach at all, to what hardly needs one.
constexpr double kLeast_percent = 0.5, kMost_percent = 20;
constexpr int kSteps = 200;  // of a slider
constexpr int kLater_ms = 250;

double percentOf(int slider) {
  return kLeast_percent * std::pow(kMost_percent / kLeast_percent, double(slider) / kSteps);
}

int sliderOf(double percent) {
  return static_cast<int>(std::lround(kSteps * std::log(percent / kLeast_percent) /
                                      std::log(kMost_percent / kLeast_percent)));
}

/// Two significant digits, as a person would say it.
double roundPercent(double percent) {
  const double step = percent < 2 ? 0.1 : percent < 5 ? 0.5 : 1;
  return std::max(kLeast_percent, step * std::round(percent / step));
}

}  // namespace

TargetPanel::TargetPanel(AppState& state, ProtocolDraft& draft, QWidget* parent)
    : Panel(tr("Targets"), parent), state_(state), draft_(draft) {
  auto* lead = new QLabel(
      tr("Presses choose themselves while they are recorded: a fit of what is there so far says "
         "which press would tell most, until each number is as well known as you ask here."),
      this);
  lead->setWordWrap(true);
  body()->addWidget(lead);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(10);
  grid->setColumnStretch(1, 1);
  addRow(grid, 0, tr("Gain of every tactel"),
         tr("Half of a 95 % interval over the value, by what repeats show; of each tactel that "
            "answers."),
         2, true);
  addRow(grid, 1, tr("Point spread σ"), tr("Half of a 95 % interval over the value."), 1, true);
  addRow(grid, 2, tr("Stiffness k"),
         tr("Half of a 95 % interval over the value, with how much places differ."), 2, true);
  addRow(grid, 3, tr("Damping"),
         tr("Of c_n or d, whichever the pad follows: rounds of presses at several speeds."), 10,
         false);
  addRow(grid, 4, tr("Relaxation"),
         tr("Of each share and time: rounds of depths held for a minute."), 10, false);
  minutes_ = new QSpinBox(this);
  minutes_->setObjectName(QStringLiteral("targetMinutes"));
  minutes_->setAccessibleName(tr("Minutes at most"));
  minutes_->setRange(2, 24 * 60);
  minutes_->setValue(60);
  minutes_->setSuffix(tr(" min"));
  minutes_->setToolTip(tr("The best that this time allows.\n--minutes"));
  auto* minutes_words = new QLabel(tr("Rig time at most"), this);
  minutes_words->setBuddy(minutes_);
  grid->addWidget(minutes_words, 5, 0);
  grid->addWidget(minutes_, 5, 2);
  body()->addLayout(grid);
  expected_ = new QLabel(this);
  expected_->setObjectName(QStringLiteral("targetTime"));
  expected_->setWordWrap(true);
  const auto style = [this] { expected_->setFont(theme().font(Type::kLead)); };
  style();
  connect(&theme(), &Theme::changed, expected_, style);
  begins_ = new QLabel(this);
  begins_->setObjectName(QStringLiteral("targetBegins"));
  reasons_ = new QLabel(this);
  reasons_->setObjectName(QStringLiteral("targetFirst"));
  for (auto* words : {begins_, reasons_}) {
    words->setWordWrap(true);
    words->setProperty("look", "caption");
  }
  body()->addSpacing(8);
  for (auto* words : {expected_, begins_, reasons_}) body()->addWidget(words);
  body()->addStretch(1);
  connect(minutes_, &QSpinBox::valueChanged, this, &TargetPanel::changeIt);
  later_.setSingleShot(true);
  later_.setInterval(kLater_ms);
  connect(&later_, &QTimer::timeout, this, &TargetPanel::work);
  connect(&draft_, &ProtocolDraft::rigChanged, this, &TargetPanel::changeIt);
  refresh();
}

void TargetPanel::addRow(QGridLayout* grid, std::size_t at, const QString& what, const QString& tip,
                         double usual_percent, bool usual) {
  auto& row = rows_[at];
  const auto name = QLatin1String(row.name);
  const int line = static_cast<int>(at);
  row.wanted = new QCheckBox(what, this);
  row.wanted->setObjectName(QStringLiteral("want_") + name);
  row.wanted->setChecked(usual);
  row.slider = new QSlider(Qt::Horizontal, this);
  row.slider->setObjectName(QStringLiteral("slide_") + name);
  row.slider->setAccessibleName(tr("%1, half-width").arg(what));
  row.slider->setRange(0, kSteps);
  row.slider->setPageStep(kSteps / 10);
  row.slider->setValue(sliderOf(usual_percent));
  row.percent = new QDoubleSpinBox(this);
  row.percent->setObjectName(QStringLiteral("percent_") + name);
  row.percent->setAccessibleName(tr("%1, half-width in percent").arg(what));
  row.percent->setRange(kLeast_percent, kMost_percent);
  row.percent->setDecimals(1);
  row.percent->setSingleStep(0.5);
  row.percent->setPrefix(QStringLiteral("± "));
  row.percent->setSuffix(QStringLiteral(" %"));
  row.percent->setValue(usual_percent);
  row.slider->setEnabled(usual);
  row.percent->setEnabled(usual);
  for (auto* part : {static_cast<QWidget*>(row.wanted), static_cast<QWidget*>(row.slider),
                     static_cast<QWidget*>(row.percent)})
    part->setToolTip(tip + tr("\n--until \"%1 …\"").arg(name));
  grid->addWidget(row.wanted, line, 0);
  grid->addWidget(row.slider, line, 1);
  grid->addWidget(row.percent, line, 2);
  connect(row.slider, &QSlider::valueChanged, this,
          [percent = row.percent](int value) { percent->setValue(roundPercent(percentOf(value))); });
  connect(row.percent, &QDoubleSpinBox::valueChanged, this,
          [this, slider = row.slider](double value) {
            const QSignalBlocker quiet(slider);
            slider->setValue(sliderOf(value));
            changeIt();
          });
  connect(row.wanted, &QCheckBox::toggled, this,
          [this, slider = row.slider, percent = row.percent](bool on) {
            slider->setEnabled(on);
            percent->setEnabled(on);
            changeIt();
          });
}

ProtocolChoice::Choice TargetPanel::choice() const {
  QStringList targets;
  for (const auto& row : rows_)
    if (row.wanted->isChecked())
      targets << QStringLiteral("%1 %2 %").arg(QLatin1String(row.name),
                                               QString::number(row.percent->value(), 'g', 3));
  return {{}, targets.join(QStringLiteral(", ")), double(minutes_->value())};
}

AdaptiveWish TargetPanel::wish() const {
  const auto wanted = choice();
  return {wanted.targets.toStdString(), wanted.minutes, 1, {}};
}

void TargetPanel::setShown(bool shown) {
  shown_ = shown;
  if (shown_ && stale_) later_.start();
}

void TargetPanel::changeIt() {
  stale_ = true;
  if (shown_) later_.start();
  refresh();
}

void TargetPanel::work() {
  later_.stop();
  stale_ = false;
  if (job_ != 0) state_.jobs().cancel(job_);
  job_ = 0;
  foresight_.reset();
  trouble_.clear();
  if (choice().targets.isEmpty()) {
    trouble_ = tr("Ask for at least one number.");
    refresh();
    emit foreseen();
    return;
  }
  using Shared = std::shared_ptr<const AdaptiveForesight>;
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<Shared>(
      tr("Foresee the presses"), Lane::kQuiet, this,
      [sensor = draft_.sensor(), rig = draft_.rig(), wish = wish()](const Job&) -> Result<Shared> {
        auto foresight = foresee_adaptive(sensor, rig, wish);
        if (!foresight) return fail(foresight.error());
        return std::make_shared<const AdaptiveForesight>(std::move(*foresight));
      },
      [this, id](Result<Shared> foresight) {
        if (job_ != *id) return;  // a newer one is on its way
        job_ = 0;
        if (foresight)
          foresight_ = std::move(*foresight);
        else
          trouble_ = text(foresight.error().message);
        refresh();
        emit foreseen();
      });
  job_ = *id;
  refresh();
}

void TargetPanel::refresh() {
  setCaption(pending() ? tr("foreseeing…")
             : draft_.onVirtualBench() ? tr("on the virtual bench")
                                       : tr("on this rig"));
  if (pending()) return;
  if (foresight_ == nullptr) {
    expected_->setText(trouble_);
    begins_->clear();
    reasons_->clear();
    return;
  }
  const double most_s = 60 * minutes_->value();
  QStringList reached;
  for (const auto& one : foresight_->reached)
    reached << QStringLiteral("%1 ± %2 %").arg(text(adaptive::name_of(one.kind)),
                                               QString::number(100 * one.relative, 'g', 2));
  if (foresight_->all_s)
    expected_->setText(
        tr("Expected: %1 to %2 minutes of rig time")
            .arg(std::floor((*foresight_->all_s)[0] / 60))
            .arg(std::ceil(std::min((*foresight_->all_s)[1], most_s) / 60)));
  else
    expected_->setText(tr("Expected after %1 minutes: %2, not all that is asked")
                           .arg(minutes_->value())
                           .arg(reached.join(tr(", "))));
  begins_->setText(
      tr("Of a pad as usual; %1 of it are how every such session begins: free air, the rigid plate, "
         "holds and what its targets want besides. Friction has no target: slides want a rounded "
         "tip (p9, p10).")
          .arg(text(duration_text(foresight_->begins.duration_s))));
  QStringList first;
  for (const auto& press : foresight_->first) {
    const auto why = text(press.why);
    if (!first.contains(why)) first << why;
  }
  reasons_->setText(tr("The first presses, by the prior alone: %1.").arg(first.join(tr("; "))));
}

}  // namespace tactelier::gui
