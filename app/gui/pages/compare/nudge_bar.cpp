#include "app/gui/pages/compare/nudge_bar.hpp"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

constexpr double kMost_mm = 20, kMost_deg = 180;
constexpr double kStep_mm = 0.1, kStep_deg = 1;
constexpr auto kWidestWords = "error 88.88 %, as recorded 88.88 %";

QToolButton* button(const char* name, const QString& words, const QString& tip, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setObjectName(QLatin1String(name));
  made->setProperty("look", "control");
  made->setText(words);
  made->setAccessibleName(words);
  made->setToolTip(tip);
  return made;
}

}  // namespace

NudgeBar::NudgeBar(QWidget* parent) : QWidget(parent) {
  auto* flow = new FlowLayout(8, 8, this);
  auto* pose = new QLabel(tr("Pose"), this);
  pose->setToolTip(tr("Moves the simulated indenter: how much of an error is its place?"));
  flow->addWidget(pose);
  x_ = addBox("nudgeX", tr("x"), tr(" mm"), kMost_mm, kStep_mm);
  y_ = addBox("nudgeY", tr("y"), tr(" mm"), kMost_mm, kStep_mm);
  turn_ = addBox("nudgeTurn", tr("turn"), tr("°"), kMost_deg, kStep_deg);
  best_ = button("nudgeBest", tr("Fit the place"),
                 tr("Where this prediction lies best on what was measured."), this);
  back_ = button("nudgeBack", tr("As recorded"), tr("Back to where the recording says."), this);
  words_ = new ElidedLabel(this);
  words_->setObjectName(QStringLiteral("nudgeWords"));
  flow->addWidget(best_);
  flow->addWidget(back_);
  flow->addWidget(words_);
  // Room beforehand: what it says moves nothing.
  const auto size = [this] {
    words_->setFixedWidth(
        QFontMetrics(theme().font(Type::kText)).horizontalAdvance(tr(kWidestWords)));
  };
  size();
  connect(&theme(), &Theme::changed, this, size);
  connect(best_, &QToolButton::clicked, this, &NudgeBar::bestWanted);
  connect(back_, &QToolButton::clicked, this, [this] {
    setShift({});
    emit shifted();
  });
}

QDoubleSpinBox* NudgeBar::addBox(const char* name, const QString& label, const QString& unit,
                                 double most, double step) {
  auto* box = new QDoubleSpinBox(this);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(tr("Simulated indenter moved: %1").arg(label));
  box->setRange(-most, most);
  box->setSingleStep(step);
  box->setDecimals(2);
  box->setSuffix(unit);
  box->setKeyboardTracking(false);
  auto* labelled = new QWidget(this);
  auto* row = new QHBoxLayout(labelled);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(new QLabel(label, labelled));
  row->addWidget(box);
  layout()->addWidget(labelled);
  connect(box, &QDoubleSpinBox::valueChanged, this, &NudgeBar::shifted);
  return box;
}

PoseShift NudgeBar::shift() const {
  return {mm_to_m(x_->value()), mm_to_m(y_->value()), deg_to_rad(turn_->value())};
}

void NudgeBar::setShift(const PoseShift& shift) {
  const QSignalBlocker quiet_x(x_), quiet_y(y_), quiet_turn(turn_);
  x_->setValue(m_to_mm(shift.x_m));
  y_->setValue(m_to_mm(shift.y_m));
  turn_->setValue(rad_to_deg(shift.rz_rad));
}

void NudgeBar::step(int x, int y, int turn) {
  x_->stepBy(x);
  y_->stepBy(y);
  turn_->stepBy(turn);
}

void NudgeBar::setWords(const QString& words) { words_->setText(words); }

}  // namespace tactelier::gui
