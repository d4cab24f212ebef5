#pragma once
// What the next fit uses: which open recordings, which stages.

#include <QObject>
#include <set>
#include <string>

namespace tactelier::gui {

class RecordingDocument;

class FitChoice : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  bool uses(const RecordingDocument* recording) const { return used_.contains(recording); }
  /// Nothing is chosen.
  bool empty() const { return used_.empty(); }
  void setUsed(const RecordingDocument* recording, bool used);
  void setAlone(const RecordingDocument* recording);
  /// `stage` as in the registry of stages. One that is to run takes with it what it needs, one that
  /// is not what needs it: else it would run all the same.
  bool runs(const std::string& stage) const { return !skipped_.contains(stage); }
  void setRuns(const std::string& stage, bool run);
  bool allStages() const { return skipped_.empty(); }
  /// A recording that is gone.
  void forget(const RecordingDocument* recording) { used_.erase(recording); }

 signals:
  void changed();

 private:
  bool add(const std::string& stage);
  bool skip(const std::string& stage);

  std::set<const RecordingDocument*> used_;
  std::set<std::string> skipped_;
};

}  // namespace tactelier::gui
