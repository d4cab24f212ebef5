#include "app/gui/widgets/delegates.hpp"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

/// Background, selection and focus as in all other cells; the content is painted by the caller.
void paintBackground(QPainter* painter, QStyleOptionViewItem option) {
  option.text.clear();
  option.icon = {};
  option.features &= ~QStyleOptionViewItem::HasDecoration;
  const auto* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
}

struct ChipColors {
  Token fill;
  Token ink;
};

ChipColors chipColors(int look) {
  switch (look) {
    case 1:
      return {Token::kOkSoft, Token::kOk};
    case 2:
      return {Token::kWarnSoft, Token::kWarn};
    case 3:
      return {Token::kBadSoft, Token::kBad};
    default:
      return {Token::kAlt, Token::kText2};
  }
}

constexpr int kInset = 7;

}  // namespace

ChipDelegate::ChipDelegate(int look_role, QObject* parent)
    : QStyledItemDelegate(parent), look_role_(look_role) {}

void ChipDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  auto filled = option;
  initStyleOption(&filled, index);
  const auto words = filled.text;
  paintBackground(painter, filled);
  if (words.isEmpty()) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setFont(theme().font(Type::kCaption));
  const auto colors = chipColors(index.data(look_role_).toInt());
  const int width = std::min(painter->fontMetrics().horizontalAdvance(words) + 2 * kInset + 2,
                             option.rect.width() - 8);
  const int height = theme().px(20);
  const QRect chip(option.rect.left() + 6, option.rect.center().y() - height / 2, width, height);
  painter->setPen(Qt::NoPen);
  painter->setBrush(theme().color(colors.fill));
  painter->drawRoundedRect(chip, 3, 3);
  painter->setPen(theme().color(colors.ink));
  painter->drawText(chip.adjusted(kInset, 0, -kInset, 0), Qt::AlignLeft | Qt::AlignVCenter,
                    painter->fontMetrics().elidedText(words, Qt::ElideRight, width - 2 * kInset));
  painter->restore();
}

void paintThumbnail(QPainter& painter, const QImage& image, const QRectF& room) {
  const double scale =
      std::min({room.width() / image.width(), room.height() / image.height(), 16.0});
  const QSizeF size(image.width() * scale, image.height() * scale);
  const QRectF box(QPointF(room.left() + (room.width() - size.width()) / 2,
                           room.top() + (room.height() - size.height()) / 2),
                   size);
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(box, image);
  if (scale >= 4) {
    painter.setPen(QPen(theme().color(Token::kSurface), 1));
    for (int x = 1; x < image.width(); ++x)
      painter.drawLine(QPointF(box.left() + x * scale, box.top()),
                       QPointF(box.left() + x * scale, box.bottom()));
    for (int y = 1; y < image.height(); ++y)
      painter.drawLine(QPointF(box.left(), box.top() + y * scale),
                       QPointF(box.right(), box.top() + y * scale));
  }
  painter.restore();
}

void ThumbnailDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  auto filled = option;
  initStyleOption(&filled, index);
  paintBackground(painter, filled);
  const auto image = index.data(Qt::DecorationRole).value<QImage>();
  if (!image.isNull()) paintThumbnail(*painter, image, option.rect.adjusted(8, 6, -8, -6));
}

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  auto filled = option;
  initStyleOption(&filled, index);
  const auto words = filled.text;
  const auto split = words.indexOf(QStringLiteral(" ± "));
  if (split < 0) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  paintBackground(painter, filled);
  painter->save();
  auto box = option.rect.adjusted(8, 0, -4, 0);
  const auto color = index.data(Qt::ForegroundRole);
  painter->setPen(color.isValid() ? color.value<QColor>() : theme().color(Token::kText));
  painter->setFont(theme().font(Type::kBold));
  const auto value = words.left(split);
  painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, value);
  box.adjust(painter->fontMetrics().horizontalAdvance(value), 0, 0, 0);
  painter->setFont(theme().font(Type::kText));
  painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, words.mid(split));
  painter->restore();
}

void GroupDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  if (index.parent().isValid()) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  painter->fillRect(option.rect, theme().color(Token::kAlt));
  painter->setFont(theme().font(Type::kBold));
  painter->setPen(theme().color(Token::kText));
  painter->drawText(option.rect.adjusted(8, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
                    index.data().toString());
}

QSize GroupDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return {QStyledItemDelegate::sizeHint(option, index).width(), theme().px(23)};
}

}  // namespace tactelier::gui
