#pragma once
// What can be done for a model whose sensor may have changed since: look for changes at the rig,
// and take them over from a recording (tactelier refresh).

#include <QHash>
#include <QWidget>
#include <filesystem>

#include "app/gui/state/app_state.hpp"

class QLabel;
class QPushButton;

namespace tactelier::gui {

class ModelRefresh : public QWidget {
  Q_OBJECT
 public:
  explicit ModelRefresh(AppState& state, QWidget* parent = nullptr);
  /// "" hides it.
  void show(const QString& model);
  /// What the last refresh of the model shown has found; whoever lays it out becomes its parent.
  QWidget* words() const;

 signals:
  /// The Session page is to record what the model needs.
  void recordWanted();
  void written(const QString& model);

 private:
  void look();
  void ask();
  void run(const QString& recording, const QString& target);
  void setRunning(int job);
  void say(const QString& model, const QString& words);

  AppState& state_;
  QString model_;
  QHash<QString, QString> said_;  // by model
  int job_ = 0;
  QPushButton* look_;
  QPushButton* refresh_;
  QLabel* words_;
};

}  // namespace tactelier::gui
