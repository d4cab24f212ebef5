#pragma once
// Another model laid beside the open one: of an earlier calibration, or of another sensor. What is
// said of each number is what `tactelier diff` says.

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "app/gui/state/model_document.hpp"
#include "reports/model_diff.hpp"

namespace tactelier::gui {

class AppState;

/// Two models, the other one as the one before.
struct ComparedModel {
  QString name;  // of the other's file
  ModelPtr other;
  ModelDiff diff;
  std::vector<TactelChanges> of_tactels;

  /// nullptr where neither has a value.
  const ParameterChange* change(const std::string& path) const;
  /// Of "response.tactels[].press_gain": all tactels together.
  const TactelChanges* tactels(const std::string& path) const;
};

class OtherModel : public QObject {
  Q_OBJECT
 public:
  /// `state` outlives it.
  explicit OtherModel(AppState& state, QObject* parent = nullptr);
  void open(const QString& path);
  /// nullptr: none was opened, or no model is open to be compared.
  const ComparedModel* compared() const { return compared_.get(); }

 signals:
  void changed();

 private:
  void compare();

  AppState& state_;
  QString name_;
  ModelPtr other_;
  std::shared_ptr<const ComparedModel> compared_;
  int generation_ = 0;
};

}  // namespace tactelier::gui
