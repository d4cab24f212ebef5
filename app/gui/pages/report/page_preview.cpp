#include "app/gui/pages/report/page_preview.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>

#include "app/gui/pages/report/report_draft.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr int kMargin = 12;
constexpr int kStep = 60;        // of an arrow key or a notch of the wheel
constexpr double kMaxScale = 2;  // pixels per point: larger letters don't read better

}  // namespace

QImage imageOf(const PageImage& page) {
  return QImage(reinterpret_cast<const uchar*>(page.pixels.data()), page.width, page.height,
                QImage::Format_RGB32)
      .copy();
}

PagePreview::PagePreview(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pagePreview"));
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(200, 200);
  describe();
}

int PagePreview::pages() const {
  return report_ != nullptr && report_->pages ? report_->pages->count() : 0;
}

void PagePreview::showReport(std::shared_ptr<const DraftedReport> report, const QString& words) {
  report_ = std::move(report);
  words_ = words;
  image_ = {};
  page_ = std::clamp(page_, 0, std::max(0, pages() - 1));
  describe();
  update();
}

void PagePreview::turnTo(int page) {
  const int wanted = std::clamp(page, 0, std::max(0, pages() - 1));
  if (wanted == page_) return;
  page_ = wanted;
  down_ = 0;
  image_ = {};
  describe();
  update();
  emit turned();
}

void PagePreview::setWide(bool wide) {
  wide_ = wide;
  down_ = 0;
  image_ = {};
  update();
}

/// Of the page, that the view has no room for.
int PagePreview::beyond() {
  const auto& shown = image();
  if (shown.isNull()) return 0;
  return std::max(0, qRound(shown.deviceIndependentSize().height()) + 2 * kMargin - height());
}

void PagePreview::move(int down) {
  const int wanted = std::clamp(down_ + down, 0, beyond());
  if (wanted != down_) {
    down_ = wanted;
    return update();
  }
  const int before = page_;
  turnTo(page_ + (down > 0 ? 1 : -1));
  if (down < 0 && page_ != before) down_ = beyond();
}

void PagePreview::describe() {
  if (pages() == 0) {
    setAccessibleName(tr("Preview of the report"));
    setAccessibleDescription(words_);
    return;
  }
  setAccessibleName(tr("Page %1 of %2").arg(page_ + 1).arg(pages()));
  setAccessibleDescription(QString::fromStdString(report_->pages->text(page_)));
}

const QImage& PagePreview::image() {
  if (!image_.isNull() || pages() == 0) return image_;
  const auto [width, height] = report_->pages->size_pt();
  const double ratio = devicePixelRatioF();
  const double across = (this->width() - 2 * kMargin) / width;
  const double whole = std::min(across, (this->height() - 2 * kMargin) / height);
  const double scale = ratio * (wide_ ? std::min(across, kMaxScale) : whole);
  image_ = imageOf(report_->pages->image(page_, std::max(0.1, scale)));
  image_.setDevicePixelRatio(ratio);
  return image_;
}

void PagePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().color(Token::kAlt));
  const auto& shown = image();
  if (shown.isNull()) {
    painter.setPen(theme().color(Token::kText2));
    painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                     Qt::AlignCenter | Qt::TextWordWrap, words_);
  } else {
    const auto size = shown.deviceIndependentSize();
    const double top = beyond() > 0 ? kMargin - down_ : (height() - size.height()) / 2;
    const QPointF corner((width() - size.width()) / 2, top);
    painter.drawImage(corner, shown);
    painter.setPen(theme().color(Token::kBorder));
    painter.drawRect(QRectF(corner, size));
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme().color(Token::kAccent), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
  }
}

void PagePreview::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_PageDown:
    case Qt::Key_Right:
      return turnTo(page_ + 1);
    case Qt::Key_PageUp:
    case Qt::Key_Left:
      return turnTo(page_ - 1);
    case Qt::Key_Down:
      return move(kStep);
    case Qt::Key_Up:
      return move(-kStep);
    case Qt::Key_Home:
      return turnTo(0);
    case Qt::Key_End:
      return turnTo(pages() - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void PagePreview::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() != 0) move(event->angleDelta().y() < 0 ? kStep : -kStep);
  event->accept();
}

void PagePreview::resizeEvent(QResizeEvent* event) {
  image_ = {};
  down_ = std::min(down_, beyond());
  QWidget::resizeEvent(event);
}

}  // namespace tactelier::gui
