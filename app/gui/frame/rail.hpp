#pragma once
// The pages, one button each, at the left edge; help at its foot.

#include <QButtonGroup>
#include <QFrame>
#include <QHash>

class QAction;
class QToolButton;
class QVBoxLayout;

namespace tactelier::gui {

class Rail : public QFrame {
  Q_OBJECT
 public:
  explicit Rail(QWidget* parent = nullptr);
  void addPage(const QString& id, const QString& title, const QString& icon, const QString& tip);
  void addFoot(QAction* action, const QString& title, const QString& icon);
  /// Marks the button; "" or a page without a button marks none.
  void setCurrent(const QString& id);

 signals:
  void chosen(const QString& id);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* button(const QString& title, const QString& icon);
  void resizeParts();

  QVBoxLayout* column_;
  QButtonGroup group_;
  QHash<QString, QToolButton*> buttons_;
  QList<QToolButton*> all_;
};

}  // namespace tactelier::gui
