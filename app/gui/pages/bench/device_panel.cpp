#include "app/gui/pages/bench/device_panel.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/workflow/device_health.hpp"

namespace tactelier::gui {
namespace {

constexpr double kShown_s = 60;
constexpr double kLook_s = 0.2;  // between two pictures

void setLook(QLabel* label, const char* look) {
  label->setProperty("look", look);
  label->style()->unpolish(label);
  label->style()->polish(label);
}

QString stateWords(HealthState state) {
  switch (state) {
    case HealthState::kConnecting:
      return DevicePanel::tr("connecting");
    case HealthState::kGood:
      return DevicePanel::tr("● good");
    case HealthState::kLook:
      return DevicePanel::tr("▲ look");
    case HealthState::kBad:
      return DevicePanel::tr("■ bad");
  }
  return {};
}

const char* stateLook(HealthState state) {
  if (state == HealthState::kGood) return "good";
  if (state == HealthState::kLook) return "look";
  return state == HealthState::kBad ? "bad" : "caption";
}

}  // namespace

DevicePanel::DevicePanel(const QString& title, std::string role, QWidget* parent)
    : Panel(title, parent), role_(std::move(role)) {
  setObjectName(QStringLiteral("device_") + QString::fromStdString(role_));
  chip_ = new QLabel(this);
  chip_->setObjectName(QStringLiteral("chip"));
  addTool(chip_);
  place_ = new QLabel(this);
  place_->setFont(QFont(QStringLiteral("DejaVu Sans Mono"), theme().font(Type::kText).pointSize()));
  place_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  place_->setWordWrap(true);
  body()->addWidget(place_);
  auto* facts = new QGridLayout;
  facts->setHorizontalSpacing(16);
  facts->setVerticalSpacing(4);
  facts->setColumnStretch(1, 1);
  driver_ = addFact(facts, 0, tr("Driver"), QStringLiteral("driver"));
  answers_ =
      addFact(facts, 1, role_ == "tactile" ? tr("Layout") : tr("Range"), QStringLiteral("answers"));
  values_ = addFact(facts, 2, tr("Last reading"), QStringLiteral("values"));
  rate_ = addFact(facts, 3, tr("Rate"), QStringLiteral("rate"));
  losses_ = addFact(facts, 4, tr("Losses"), QStringLiteral("losses"));
  body()->addLayout(facts);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("words"));
  words_->setWordWrap(true);
  body()->addWidget(words_);
  plot_ = new PlotView(this);
  plot_->setAxisLabels(tr("Time t [s]"), tr("Rate f [1/s]"));
  plot_->addSeries({{}, Token::kLine1, 1.4, false, Mark::kNone, 5, true});
  plot_->setMinimumHeight(theme().px(110));
  plot_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  plot_->setAccessibleName(tr("%1: rate over the last minute").arg(title));
  body()->addWidget(plot_, 1);
  show(nullptr, {});
}

/// Wrapped text states no height of its own: whatever its size, no row is squashed. Grows alone,
/// so that nothing moves when a number needs a line less.
void DevicePanel::fitHeight() {
  const int need = layout()->minimumHeightForWidth(width());
  if (need > minimumHeight()) setMinimumHeight(need);
}

void DevicePanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) setMinimumHeight(0);
  fitHeight();
}

QLabel* DevicePanel::addFact(QGridLayout* grid, int row, const QString& name,
                             const QString& object) {
  auto* label = new QLabel(name, this);
  label->setProperty("look", "caption");
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* value = new QLabel(this);
  value->setObjectName(object);
  value->setWordWrap(true);
  value->setAccessibleName(name);
  grid->addWidget(label, row, 0, Qt::AlignTop);
  grid->addWidget(value, row, 1);
  return value;
}

void DevicePanel::show(const DeviceHealth* health, std::optional<double> age_s) {
  if (health == nullptr) {
    chip_->setText(tr("○ not connected"));
    setLook(chip_, "caption");
    for (auto* label : {place_, driver_, answers_, values_, rate_, losses_, words_})
      label->setText(QStringLiteral("—"));
    words_->clear();
    rates_.clear();
    now_s_ = 0;
    plot_->setPoints(0, {});
    plot_->setEmptyText(tr("Connect by a device file, or start the virtual bench."));
    return;
  }
  chip_->setText(stateWords(health->state));
  setLook(chip_, stateLook(health->state));
  place_->setText(text(health->place));
  driver_->setText(text(health->driver));
  answers_->setText(health->detail.empty() ? QStringLiteral("—") : text(health->detail));
  const bool stale = health->state == HealthState::kBad || !age_s;
  values_->setText(stale ? QStringLiteral("—") : withTrueMinus(text(health->values)));
  rate_->setText(
      stale ? QStringLiteral("—")
            : tr("%1 /s · age %2 ms").arg(fixed(health->rate_hz, 1), fixed(1e3 * *age_s, 0)));
  losses_->setText(tr("%1 of %2 · longest gap %3 ms")
                       .arg(health->counters.lost)
                       .arg(health->samples + health->counters.lost)
                       .arg(fixed(1e3 * health->longest_pause_s, 0)));
  const bool good = health->state == HealthState::kGood;
  words_->setText(good ? QString() : text(health->words));
  setLook(words_, stateLook(health->state));
  plot(*health);
  fitHeight();
}

void DevicePanel::plot(const DeviceHealth& health) {
  now_s_ += kLook_s;
  rates_.push_back({now_s_, health.state == HealthState::kBad ? 0 : health.rate_hz});
  while (rates_.front().x < now_s_ - kShown_s) rates_.pop_front();
  std::vector<Point> points;
  double most = 1;
  for (const auto& point : rates_) {
    points.push_back({point.x - now_s_, point.y});
    most = std::max(most, point.y);
  }
  plot_->setEmptyText({});
  plot_->setPoints(0, std::move(points));
  plot_->setFullRange({-kShown_s, 0}, {0, 1.15 * most});
  plot_->fitAll();
  plot_->setDescription(tr("Now %1 per second.").arg(fixed(health.rate_hz, 1)));
}

}  // namespace tactelier::gui
