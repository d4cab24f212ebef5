#include "app/gui/frame/tour_strip.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStyle>
#include <QVBoxLayout>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr int kAway = 3;   // from the control
constexpr int kWidth = 3;  // of the line

}  // namespace

TourStrip::TourStrip(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("tourStrip"));
  setProperty("look", "noticeInfo");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(8);
  auto* lines = new QVBoxLayout;
  lines->setSpacing(2);
  place_ = new QLabel(this);
  place_->setObjectName(QStringLiteral("tourPlace"));
  place_->setProperty("look", "caption");
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("tourWords"));
  words_->setWordWrap(true);
  lines->addWidget(place_);
  lines->addWidget(words_);
  row->addLayout(lines, 1);
  back_ = button(tr("Back"), QKeySequence(Qt::ALT | Qt::Key_Left), "tourBack",
                 tr("The step before. What was done stays done."));
  do_ = button(tr("Do it"), QKeySequence(Qt::ALT | Qt::Key_Return), "tourDo",
               tr("Does what the words ask for, as the outlined control does."));
  next_ = button(tr("Next"), QKeySequence(Qt::ALT | Qt::Key_Right), "tourNext", {});
  end_ = button(tr("End tour"), QKeySequence(Qt::ALT | Qt::Key_End), "tourEnd",
                tr("Everything stays as it is now. Help › Tour begins anew."));
  connect(back_, &QPushButton::clicked, this, &TourStrip::backWanted);
  connect(do_, &QPushButton::clicked, this, &TourStrip::doWanted);
  connect(next_, &QPushButton::clicked, this, &TourStrip::nextWanted);
  connect(end_, &QPushButton::clicked, this, &TourStrip::endWanted);
  for (auto* made : {back_, do_, next_, end_}) row->addWidget(made, 0, Qt::AlignTop);
  hide();
}

QPushButton* TourStrip::button(const QString& words, const QKeySequence& key, const char* name,
                               const QString& tip) {
  auto* made = new QPushButton(words, this);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(QStringLiteral("%1\n%2").arg(key.toString(QKeySequence::NativeText), tip));
  auto* shortcut = new QShortcut(key, this);
  connect(shortcut, &QShortcut::activated, made, [made] { made->click(); });
  return made;
}

void TourStrip::show(const View& view) {
  const bool news = words_->text() != view.words;
  place_->setText(view.place);
  words_->setText(view.words);
  back_->setEnabled(!view.first);
  do_->setVisible(view.can_do && !view.done);
  next_->setText(view.last ? tr("Finish") : view.done ? tr("Next") : tr("Skip"));
  for (auto* made : {do_, next_}) {
    const bool primary = made == (do_->isVisibleTo(this) ? do_ : next_);
    if (made->property("look").toString() == (primary ? "primary" : "")) continue;
    made->setProperty("look", primary ? "primary" : "");
    made->style()->unpolish(made);
    made->style()->polish(made);
  }
  setVisible(true);
  if (!news) return;
  setAccessibleName(tr("Tour, %1. %2").arg(view.place, view.words));
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

TourOutline::TourOutline(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("tourOutline"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void TourOutline::setTarget(QWidget* target) {
  target_ = target;
  follow();
}

void TourOutline::follow() {
  const bool seen = target_ != nullptr && target_->isVisible();
  setVisible(seen);
  if (!seen) return;
  const int edge = kAway + kWidth;
  const QRect at(target_->mapTo(parentWidget(), QPoint(0, 0)), target_->size());
  setGeometry(at.adjusted(-edge, -edge, edge, edge).intersected(parentWidget()->rect()));
  raise();
}

void TourOutline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().color(Token::kAccent), kWidth));
  const double half = kWidth / 2.0;
  painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), 5, 5);
}

}  // namespace tactelier::gui
