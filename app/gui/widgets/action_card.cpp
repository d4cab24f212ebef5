#include "app/gui/widgets/action_card.hpp"

#include <QAction>
#include <QPainter>

#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {

ActionCard::ActionCard(QAction* action, const QString& icon, const QString& headline,
                       const QString& line, bool primary, QWidget* parent)
    : QAbstractButton(parent),
      icon_(icon),
      line_(line),
      key_(action->shortcut().toString(QKeySequence::NativeText)),
      primary_(primary) {
  setText(headline);
  setAccessibleName(headline);
  setAccessibleDescription(line);
  setToolTip(action->toolTip());
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
  connect(&theme(), &Theme::changed, this, [this] {
    updateGeometry();
    update();
  });
}

QSize ActionCard::sizeHint() const { return {theme().px(560), theme().px(86)}; }

void ActionCard::paintEvent(QPaintEvent*) {
  const auto px = [](double length) { return theme().px(length); };
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto ink = theme().color(primary_ ? Token::kAccentText : Token::kText);
  const auto soft = primary_ ? ink : theme().color(Token::kText2);
  auto fill = theme().color(primary_ ? Token::kAccent : Token::kSurface);
  if (!primary_ && underMouse()) fill = theme().color(Token::kHover);
  painter.setBrush(fill);
  painter.setPen(QPen(theme().color(primary_ ? Token::kAccent : Token::kControl), 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(primary_ ? ink : theme().color(Token::kAccent), 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(3, 3, -3, -3), 3, 3);
  }
  painter.drawPixmap(px(24), (height() - px(28)) / 2, iconPixmap(icon_, px(28), ink));
  painter.setPen(ink);
  painter.setFont(theme().font(Type::kTitle));
  painter.drawText(QPointF(px(71), height() / 2.0 - px(2)), text());
  painter.setFont(theme().font(Type::kText));
  painter.drawText(QPointF(px(71), height() / 2.0 + px(18)), line_);
  painter.setPen(soft);
  const double width_key = painter.fontMetrics().horizontalAdvance(key_);
  painter.drawText(QPointF(width() - px(24) - width_key, height() / 2.0 + px(5)), key_);
}

}  // namespace tactelier::gui
