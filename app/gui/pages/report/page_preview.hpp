#pragma once
// One page of a report, as large as fits, painted by the code that writes the PDF. Page Up, Page
// Down, Home and End turn pages.

#include <QImage>
#include <QWidget>
#include <memory>

namespace tactelier::gui {

struct DraftedReport;

class PagePreview : public QWidget {
  Q_OBJECT
 public:
  explicit PagePreview(QWidget* parent = nullptr);
  /// nullptr, or one without pages: `words` in the middle instead.
  void showReport(std::shared_ptr<const DraftedReport> report, const QString& words);
  int page() const { return page_; }
  int pages() const;
  void turnTo(int page);

 signals:
  void turned();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void describe();
  const QImage& image();

  std::shared_ptr<const DraftedReport> report_;
  QString words_;
  int page_ = 0;
  QImage image_;  // null: to be painted
};

}  // namespace tactelier::gui
