#pragma once
// The comparison that the Compare page shows: of which model with which recording by which methods;
// computed on a worker by what `tactelier compare` calls, watched, cancelled.

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>

#include "app/gui/state/app_state.hpp"
#include "app/workflow/compare_content.hpp"

namespace tactelier::gui {

struct Comparison {
  CompareReport report;
  CompareContent content;
  SensorDescription sensor;
  ModelPtr model;

  /// Of one method, in the order of the report.
  std::vector<std::size_t> imagesOf(const QString& method) const;
};
using ComparisonPtr = std::shared_ptr<const Comparison>;

class ComparisonRunner : public QObject {
  Q_OBJECT
 public:
  explicit ComparisonRunner(AppState& state, QObject* parent = nullptr);

  /// In the order of the registry.
  const QStringList& methods() const { return methods_; }
  void setMethods(const QStringList& methods);
  /// Each method once more, every indenter where its prediction fits best.
  bool registered() const { return registered_; }
  void setRegistered(bool registered);
  /// A model and a recording are open and a method is chosen.
  bool ready() const;
  /// The result is not of what is chosen now.
  bool outdated() const { return !result_ || !(shown_ == chosen()); }
  /// What is chosen was computed or tried before: after a cancel nothing starts by itself.
  bool tried() const { return tried_ == chosen(); }

  void run();
  void cancel();
  bool running() const { return job_ != 0; }
  std::optional<JobView> progress() const;

  /// nullptr while there is none.
  const ComparisonPtr& result() const { return result_; }
  /// Why what is chosen has no result; "" when it has one, or was not tried.
  QString problem() const { return tried() ? problem_ : QString(); }

 signals:
  void changed();

 private:
  /// What a result is of.
  struct Choice {
    ModelPtr model;
    QString recording;
    QStringList methods;
    bool registered = false;
    bool operator==(const Choice&) const = default;
  };
  Choice chosen() const;
  void end(Result<ComparisonPtr> compared);

  AppState& state_;
  QStringList methods_;
  bool registered_ = false;
  Choice shown_, tried_;
  ComparisonPtr result_;
  QString problem_;
  int job_ = 0;
};

}  // namespace tactelier::gui
