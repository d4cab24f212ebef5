#pragma once
// A framed part of a page: header 34 (title, caption, tools at the right) and a body.

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace tactelier::gui {

class Panel : public QFrame {
  Q_OBJECT
 public:
  explicit Panel(const QString& title, QWidget* parent = nullptr);
  void setTitle(const QString& title);
  /// Words beside the title.
  void setCaption(const QString& caption);
  /// At the right end of the header.
  void addTool(QWidget* tool);
  /// Margins 12, spacing 8; setBodyMargins(0) for tables.
  QVBoxLayout* body() const { return body_; }
  void setBodyMargins(int margin);
  /// Without its header where there is no room for one; its title stays its accessible name.
  void setHeadShown(bool shown);

 private:
  QFrame* head_;
  QHBoxLayout* head_row_;
  QLabel* title_;
  QLabel* caption_;
  QVBoxLayout* body_;
};

}  // namespace tactelier::gui
