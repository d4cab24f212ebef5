#include "app/gui/pages/station/step_strip.hpp"

#include <QHBoxLayout>
#include <QLabel>

#include "app/gui/theme/icons.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr const char* kSteps[] = {
    QT_TRANSLATE_NOOP("StepStrip", "Scan"),   QT_TRANSLATE_NOOP("StepStrip", "Tip up"),
    QT_TRANSLATE_NOOP("StepStrip", "Clamp"),  QT_TRANSLATE_NOOP("StepStrip", "Measure"),
    QT_TRANSLATE_NOOP("StepStrip", "Tip up"), QT_TRANSLATE_NOOP("StepStrip", "Fit and verdict")};

int placeOf(StationStep step) {
  switch (step) {
    case StationStep::kScan:
      return 0;
    case StationStep::kHandsOff:
    case StationStep::kTipUp:
      return 1;
    case StationStep::kClamp:
      return 2;
    case StationStep::kMeasure:
      return 3;
    case StationStep::kRelease:
      return 4;
    case StationStep::kJudge:
      return 5;
  }
  return 0;
}

}  // namespace

StepStrip::StepStrip(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("stationSteps"));
  setProperty("look", "panel");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(6);
  for (const auto* step : kSteps) {
    if (!marks_.empty()) row->addStretch(1);
    row->addWidget(marks_.emplace_back(new QLabel(this)));
    row->addWidget(words_.emplace_back(new QLabel(tr(step), this)));
  }
  connect(&theme(), &Theme::changed, this, &StepStrip::restyle);
  restyle();
}

void StepStrip::show(std::optional<StationStep> now) {
  if (now == now_) return;
  now_ = now;
  restyle();
}

void StepStrip::restyle() {
  const int now = now_ ? placeOf(*now_) : -1;
  for (int i = 0; i < static_cast<int>(marks_.size()); ++i) {
    const bool done = i < now;
    const bool here = i == now;
    const auto token = here ? Token::kAccent : done ? Token::kOk : Token::kText2;
    const auto* icon = here ? "lamp-busy" : done ? "lamp-good" : "lamp-off";
    const auto at = static_cast<std::size_t>(i);
    marks_[at]->setPixmap(iconPixmap(QLatin1String(icon), theme().px(14), theme().color(token)));
    words_[at]->setFont(theme().font(here ? Type::kBold : Type::kText));
    auto palette = words_[at]->palette();
    palette.setColor(QPalette::WindowText, theme().color(here ? Token::kText : Token::kText2));
    words_[at]->setPalette(palette);
  }
  setAccessibleName(now < 0 ? tr("Steps")
                            : tr("Step %1 of %2: %3")
                                  .arg(now + 1)
                                  .arg(words_.size())
                                  .arg(words_[static_cast<std::size_t>(now)]->text()));
}

}  // namespace tactelier::gui
