#pragma once
// Moves the stage by hand: six buttons and the arrow keys. Works while the pad has the focus and
// the key or button is down; increments follow each other one at a time, letting go cancels the one
// at hand.

#include <QElapsedTimer>
#include <QWidget>
#include <array>
#include <optional>

#include "devices/supervision/limits.hpp"

class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace tactelier::gui {

class RigLink;
class Segmented;

class JogPad : public QWidget {
  Q_OBJECT
 public:
  explicit JogPad(RigLink& rig, QWidget* parent = nullptr);
  /// Why it is off; "" when it is on.
  void setOff(const QString& why);
  /// In a narrow window the words on its keys go into its tip, and the badge says why it is off.
  void setCompact(bool compact);
  /// Of the contact pressed last; nothing: not known yet.
  void showPace(const std::optional<rig::Pace>& pace);
  double speed_mm_per_s() const;

 signals:
  void homeWanted();
  void surfaceWanted();
  void retractWanted();
  void goWanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool event(QEvent* event) override;

 private:
  using Way = std::array<int, 3>;
  QToolButton* button(const QString& icon, const QString& name, const Way& way);
  void press(const Way& way);
  void letGo();
  void next();
  void showWords();
  void sizeButtons();
  void showFocus();
  bool held() const;
  double step_mm() const;

  RigLink& rig_;
  QString off_;
  std::optional<Way> way_;  // while held
  int key_ = 0;             // that holds it; 0: a button
  QElapsedTimer since_;
  QList<QToolButton*> buttons_;
  Segmented* kind_;
  Segmented* step_;
  QDoubleSpinBox* speed_;
  QLabel* pace_;
  QLabel* badge_;
  bool compact_ = false;
  QLabel* words_;
};

}  // namespace tactelier::gui
