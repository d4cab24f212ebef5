#include "app/gui/pages/export/format_delegate.hpp"

#include <QApplication>
#include <QPainter>

#include "app/gui/item_models/format_model.hpp"
#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {
namespace {

struct FormatLamp {
  const char* icon;
  Token token;
};

FormatLamp lamp(int state) {
  switch (state) {
    case FormatModel::kAll:
      return {"lamp-good", Token::kOk};
    case FormatModel::kMissing:
      return {"lamp-look", Token::kWarn};
    default:
      return {"lamp-off", Token::kText2};
  }
}

}  // namespace

void FormatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  auto filled = option;
  initStyleOption(&filled, index);
  filled.text.clear();
  const auto* style = filled.widget != nullptr ? filled.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &filled, painter, filled.widget);
  const auto px = [](double length) { return theme().px(length); };
  painter->save();
  if (option.state.testFlag(QStyle::State_Selected))
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                      theme().color(Token::kAccent));
  const auto look = lamp(index.data(FormatModel::kStateRole).toInt());
  const int size = px(12);
  const QPoint corner(option.rect.right() - px(12) - size, option.rect.center().y() - size / 2);
  painter->drawPixmap(corner,
                      iconPixmap(QLatin1String(look.icon), size, theme().color(look.token)));
  const int width = corner.x() - option.rect.left() - px(20);
  const auto write = [&](Type type, Token token, int baseline, const QString& words,
                         Qt::TextElideMode elide) {
    painter->setFont(theme().font(type));
    painter->setPen(theme().color(token));
    painter->drawText(QPointF(option.rect.left() + px(12), option.rect.top() + baseline),
                      painter->fontMetrics().elidedText(words, elide, width));
  };
  write(Type::kText, Token::kText, px(19), index.data(Qt::DisplayRole).toString(),
        Qt::ElideMiddle);  // what tells two of them apart stands at the end
  write(Type::kCaption, Token::kText2, px(36), index.data(FormatModel::kLineRole).toString(),
        Qt::ElideRight);
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    painter->setPen(QPen(theme().color(Token::kAccent), 2));
    painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
  }
  painter->restore();
}

QSize FormatDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {theme().px(200), theme().px(46)};
}

}  // namespace tactelier::gui
