#include "app/gui/widgets/flow_layout.hpp"

#include <algorithm>

namespace tactelier::gui {
namespace {

/// Of what would take any width the least that it was given.
QSize wanted(const QLayoutItem& item) { return item.sizeHint().expandedTo(item.minimumSize()); }

}  // namespace

FlowLayout::FlowLayout(int across, int between, QWidget* parent)
    : QLayout(parent), across_(across), between_(between) {
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
  for (auto* item : items_) delete item;
}

void FlowLayout::addItem(QLayoutItem* item) { items_.push_back(item); }

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  auto* item = itemAt(index);
  if (item != nullptr) items_.erase(items_.begin() + index);
  return item;
}

int FlowLayout::heightForWidth(int width) const { return layOut({0, 0, width, 0}, false); }

/// Of the widest item alone.
QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto* item : items_) size = size.expandedTo(item->minimumSize());
  return size;
}

/// All on one line.
QSize FlowLayout::sizeHint() const {
  QSize size;
  for (const auto* item : items_)
    size = {size.width() + wanted(*item).width() + (size.width() > 0 ? across_ : 0),
            std::max(size.height(), wanted(*item).height())};
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  layOut(rect, true);
}

int FlowLayout::layOut(const QRect& rect, bool place) const {
  int y = rect.y();
  for (std::size_t first = 0; first < items_.size();) {
    std::size_t next = first;
    int width = 0, height = 0;  // of a line
    for (; next < items_.size(); ++next) {
      if (items_[next]->isEmpty()) continue;
      const auto size = wanted(*items_[next]);
      const int with = width + (width > 0 ? across_ : 0) + size.width();
      if (width > 0 && with > rect.width()) break;
      width = with;
      height = std::max(height, size.height());
    }
    if (height > 0) {
      if (y > rect.y()) y += between_;
      if (place) placeLine(first, next, QRect(rect.x(), y, rect.width(), height));
      y += height;
    }
    first = next;
  }
  return y - rect.y();
}

void FlowLayout::placeLine(std::size_t first, std::size_t next, const QRect& line) const {
  int x = line.x();
  for (; first < next; ++first) {
    if (items_[first]->isEmpty()) continue;
    const auto size = wanted(*items_[first]).boundedTo(line.size());
    items_[first]->setGeometry({{x, line.y() + (line.height() - size.height()) / 2}, size});
    x += size.width() + across_;
  }
}

}  // namespace tactelier::gui
