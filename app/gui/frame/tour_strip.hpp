#pragma once
// Where the tour stands: one step in words, buttons, and a frame around the control that it is
// about. Never modal, never in the way of the mouse.

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace tactelier::gui {

class TourStrip : public QFrame {
  Q_OBJECT
 public:
  explicit TourStrip(QWidget* parent = nullptr);
  struct View {
    QString place;  // "3 of 14 · Session · about 3 min left"
    QString words;
    bool first = false, last = false;
    bool can_do = false;  // "Do it" has something to do
    bool done = false;    // or there is nothing to do: Next is the main button
  };
  void show(const View& view);

 signals:
  void backWanted();
  void doWanted();
  void nextWanted();
  void endWanted();

 private:
  QPushButton* button(const QString& words, const QKeySequence& key, const char* name,
                      const QString& tip);

  QLabel* place_;
  QLabel* words_;
  QPushButton* back_;
  QPushButton* do_;
  QPushButton* next_;
  QPushButton* end_;
};

/// A frame around another widget of the window, which it follows.
class TourOutline : public QWidget {
  Q_OBJECT
 public:
  explicit TourOutline(QWidget* window);
  /// nullptr: none.
  void setTarget(QWidget* target);
  QWidget* target() const { return target_; }
  /// To where the target is now; hidden with it.
  void follow();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QPointer<QWidget> target_;
};

}  // namespace tactelier::gui
