#pragma once
// Before you start: what is there, what the rig will find by itself, what is missing.

#include <map>

#include "app/gui/widgets/panel.hpp"

class QAction;
class QLabel;
class QPushButton;

namespace tactelier::gui {

class RecordForm;
class RigLink;

class CheckList : public Panel {
  Q_OBJECT
 public:
  CheckList(RigLink& rig, const RecordForm& form, QAction* arm, QWidget* parent = nullptr);
  void refresh();
  /// Nothing mandatory is missing.
  bool passed() const { return passed_; }
  /// The Arm button and what it does, to be laid out where it stays in sight.
  QWidget* foot() const { return foot_; }

 private:
  enum class State { kGood, kLook, kBad };
  void add(const char* name, const QString& what);
  void set(const char* name, State state, const QString& found, bool mandatory = true);

  RigLink& rig_;
  const RecordForm& form_;
  QWidget* foot_;
  QPushButton* arm_;
  QLabel* words_;
  struct Row {
    QLabel* mark;
    QLabel* found;
  };
  std::map<std::string, Row> rows_;
  bool passed_ = false;
  int good_ = 0;
};

}  // namespace tactelier::gui
