#pragma once
// Tactile frames around the time shown: reads a stretch on a worker, keeps it, reads the next one
// before it is needed. Scrubbing asks as often as it likes; only the latest wish is read.

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/state/jobs.hpp"
#include "app/gui/state/recording.hpp"

namespace tactelier::gui {

class FrameLoader : public QObject {
  Q_OBJECT
 public:
  explicit FrameLoader(Jobs& jobs, QObject* parent = nullptr);
  void setRecording(RecordingPtr recording);
  /// Emits frameReady() at once when the frame is there, else when it has been read.
  void request(double time_s);
  /// Seconds between frames; 0 when unknown.
  double period_s() const { return period_s_; }
  bool available() const { return !columns_.empty(); }

 signals:
  /// The newest frame not later than the time asked for; one value per tactel.
  void frameReady(double time_s, const std::vector<double>& values);
  void damageMet(const Warnings& damage);

 private:
  struct Stretch {
    TimeRange range;
    Samples samples;
  };
  struct Loaded {
    std::shared_ptr<const Stretch> stretch;
    Warnings damage;
  };
  bool show(const Stretch& stretch, double time_s);
  void load(double time_s);

  Jobs& jobs_;
  RecordingPtr recording_;
  std::vector<std::string> columns_;
  double period_s_ = 0;
  double window_s_ = 1;
  std::shared_ptr<const Stretch> now_;
  std::shared_ptr<const Stretch> ahead_;
  std::optional<double> wanted_s_;
  bool loading_ = false;
  int generation_ = 0;  // answers for an earlier recording are dropped
};

}  // namespace tactelier::gui
