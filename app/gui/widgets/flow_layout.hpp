#pragma once
// Side by side while there is room, the rest on further lines: a row of controls that is never cut
// off, however narrow the window or large the text.

#include <QLayout>
#include <vector>

namespace tactelier::gui {

class FlowLayout : public QLayout {
 public:
  FlowLayout(int across, int between, QWidget* parent);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  /// Height that a width asks for; places the items, too, where `place` says so.
  int layOut(const QRect& rect, bool place) const;
  /// Items from `first` to before `next`, in the middle of the line.
  void placeLine(std::size_t first, std::size_t next, const QRect& line) const;

  std::vector<QLayoutItem*> items_;
  int across_, between_;  // gaps in a line, and between lines
};

}  // namespace tactelier::gui
