#pragma once
// What the rig asks somebody to do: one large instruction, a field where something is to be read
// off, Continue.

#include <QWidget>

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
  QWidget* field() const;

 private:
  void answer();

  RigLink& rig_;
  rig::messages::Question question_;
  QLabel* words_;
  QLabel* key_;
  QLineEdit* value_;
  QLabel* wrong_;
  QPushButton* go_;
};

}  // namespace tactelier::gui
