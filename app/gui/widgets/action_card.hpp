#pragma once
// A large button: icon, headline, one line of what happens, its key at the right.

#include <QAbstractButton>

class QAction;

namespace tactelier::gui {

class ActionCard : public QAbstractButton {
  Q_OBJECT
 public:
  ActionCard(QAction* action, const QString& icon, const QString& headline, const QString& line,
             bool primary, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect lineRect(int width) const;

  QString icon_;
  QString line_;
  QString key_;
  bool primary_;
};

}  // namespace tactelier::gui
