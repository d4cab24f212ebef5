#include "app/gui/widgets/action_card.hpp"

#include <QAction>
#include <QPainter>
#include <algorithm>

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
  QSizePolicy grows(QSizePolicy::Expanding, QSizePolicy::Fixed);
  grows.setHeightForWidth(true);
  setSizePolicy(grows);
  connect(this, &QAbstractButton::clicked, action, &QAction::trigger);
  connect(&theme(), &Theme::changed, this, [this] {
    updateGeometry();
    update();
  });
}

QSize ActionCard::sizeHint() const { return {theme().px(560), theme().px(86)}; }

QRect ActionCard::lineRect(int width) const {
  const QRect room(theme().px(71), 0, width - theme().px(71 + 24), 10000);
  return QFontMetrics(theme().font(Type::kText)).boundingRect(room, Qt::TextWordWrap, line_);
}

/// A line that is too long for a narrow card goes on beneath itself.
int ActionCard::heightForWidth(int width) const {
  const int one = QFontMetrics(theme().font(Type::kText)).height();
  return theme().px(86) + std::max(0, lineRect(width).height() - one);
}

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
  const int top = px(43 - 2);
  painter.drawText(QPointF(px(71), top), text());
  painter.setFont(theme().font(Type::kText));
  painter.drawText(QRect(px(71), top + px(6), width() - px(71 + 24), height()), Qt::TextWordWrap,
                   line_);
  painter.setPen(soft);
  const double width_key = painter.fontMetrics().horizontalAdvance(key_);
  painter.drawText(QPointF(width() - px(24) - width_key, top), key_);
}

}  // namespace tactelier::gui
