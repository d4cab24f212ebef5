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

}  // namespace

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
  image_ = {};
  describe();
  update();
  emit turned();
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
  const double scale = ratio * std::min((this->width() - 2 * kMargin) / width,
                                        (this->height() - 2 * kMargin) / height);
  const auto drawn = report_->pages->image(page_, std::max(0.1, scale));
  image_ = QImage(reinterpret_cast<const uchar*>(drawn.pixels.data()), drawn.width, drawn.height,
                  QImage::Format_RGB32)
               .copy();
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
    const QPointF corner((width() - size.width()) / 2, (height() - size.height()) / 2);
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
    case Qt::Key_Home:
      return turnTo(0);
    case Qt::Key_End:
      return turnTo(pages() - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void PagePreview::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() != 0) turnTo(page_ + (event->angleDelta().y() < 0 ? 1 : -1));
  event->accept();
}

void PagePreview::resizeEvent(QResizeEvent* event) {
  image_ = {};
  QWidget::resizeEvent(event);
}

}  // namespace tactelier::gui
