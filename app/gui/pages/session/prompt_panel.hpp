#pragma once
// What the rig asks somebody to do: one large instruction, a field where something is to be read
// off, Continue. Below it the force sensor's axes as they are, not tared, and how far from where
// they were: hands at a chuck overload small sensors, by a torque most of all.

#include <QElapsedTimer>
#include <QWidget>
#include <array>

#include "app/gui/state/rig_link.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace tactelier::gui {

class PromptPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PromptPanel(RigLink& rig, QWidget* parent = nullptr);
  void show(const rig::messages::Question& question);
  /// As often as frames come.
  void see(const rig::LiveFrame& live);
  QWidget* field() const;

 private:
  void answer();

  RigLink& rig_;
  rig::messages::Question question_;
  QLabel* words_;
  QLabel* key_;
  QLineEdit* value_;
  QLabel* wrong_;
  QLabel* axes_;
  std::optional<std::array<double, 6>> before_SI_;  // when it was asked
  std::array<double, 6> most_SI_{};                 // away from it, since then
  QElapsedTimer shown_;
  QPushButton* go_;
};

}  // namespace tactelier::gui
