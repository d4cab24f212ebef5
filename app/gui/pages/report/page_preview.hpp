#pragma once
// One page of a report, whole or as wide as fits, painted by the code that writes the PDF. Page Up,
// Page Down, Home and End turn pages; arrows and wheel move a page that is higher than the view.

#include <QImage>
#include <QWidget>
#include <memory>

namespace tactelier {
struct PageImage;
}  // namespace tactelier

namespace tactelier::gui {

struct DraftedReport;

QImage imageOf(const PageImage& page);

class PagePreview : public QWidget {
  Q_OBJECT
 public:
  explicit PagePreview(QWidget* parent = nullptr);
  /// nullptr, or one without pages: `words` in the middle instead.
  void showReport(std::shared_ptr<const DraftedReport> report, const QString& words);
  int page() const { return page_; }
  int pages() const;
  void turnTo(int page);
  /// As wide as fits, to be read; else the whole page.
  void setWide(bool wide);

 signals:
  void turned();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void describe();
  /// Moves the page by so many pixels, at its ends to the next one.
  void move(int down);
  int beyond();
  const QImage& image();

  std::shared_ptr<const DraftedReport> report_;
  QString words_;
  int page_ = 0;
  bool wide_ = false;
  int down_ = 0;  // px of the page above the view's top
  QImage image_;  // null: to be painted
};

}  // namespace tactelier::gui
