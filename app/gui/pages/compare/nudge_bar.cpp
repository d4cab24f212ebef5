#include "app/gui/pages/compare/nudge_bar.hpp"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

constexpr double kMost_mm = 20, kMost_deg = 180;
constexpr double kStep_mm = 0.1, kStep_deg = 1;

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
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(new QLabel(tr("Move the simulated indenter"), this));
  x_ = addBox("nudgeX", tr("along x"), tr(" mm"), kMost_mm, kStep_mm);
  y_ = addBox("nudgeY", tr("along y"), tr(" mm"), kMost_mm, kStep_mm);
  turn_ = addBox("nudgeTurn", tr("turn"), tr("°"), kMost_deg, kStep_deg);
  best_ = button("nudgeBest", tr("Fit the place"),
                 tr("Where this prediction lies best on what was measured."), this);
  back_ = button("nudgeBack", tr("As recorded"), tr("Back to where the recording says."), this);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("nudgeWords"));
  words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(best_);
  row->addWidget(back_);
  row->addWidget(words_, 1);
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
  box->setAccessibleName(tr("Simulated indenter, %1").arg(label));
  box->setRange(-most, most);
  box->setSingleStep(step);
  box->setDecimals(2);
  box->setSuffix(unit);
  box->setKeyboardTracking(false);
  auto* row = qobject_cast<QHBoxLayout*>(layout());
  row->addWidget(new QLabel(label, this));
  row->addWidget(box);
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

void NudgeBar::setWords(const QString& words) {
  words_->setText(words);
  words_->setToolTip(words);
}

}  // namespace tactelier::gui
