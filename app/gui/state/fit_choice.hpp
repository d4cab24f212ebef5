#pragma once
// What the next fit uses: which open recordings, which stages, what it is told beside them.

#include <QObject>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace tactelier::gui {

class RecordingDocument;

/// As `tactelier fit` takes them.
struct FitSettings {
  double holdout = 0;  // fraction of presses kept out
  std::uint64_t seed = 1;
  int threads = 0;                    // 0: as many as the machine has
  std::string sensor;                 // name or file; "": the recordings' own
  std::vector<std::string> required;  // stages; empty: those that the fit is asked for

  bool operator==(const FitSettings&) const = default;
};

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
  const FitSettings& settings() const { return settings_; }
  void setSettings(FitSettings settings);
  /// A recording that is gone.
  void forget(const RecordingDocument* recording) { used_.erase(recording); }

 signals:
  void changed();
  void requiredChanged();  // numbers stay, their verdict may not

 private:
  bool add(const std::string& stage);
  bool skip(const std::string& stage);

  std::set<const RecordingDocument*> used_;
  std::set<std::string> skipped_;
  FitSettings settings_;
};

}  // namespace tactelier::gui
