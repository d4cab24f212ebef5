#pragma once
// The window's side of a recording that chooses its presses: whenever the rig process wants further
// steps, a fit of what is recorded so far says which. When nothing comes in time the rig goes on by
// itself (docs/theory/adaptive.md 4).

#include <QObject>
#include <memory>
#include <optional>

#include "app/workflow/adaptive_recording.hpp"

namespace tactelier::gui {

class Jobs;
class RigLink;

class PressChooser : public QObject {
  Q_OBJECT
 public:
  PressChooser(Jobs& jobs, RigLink& rig, QObject* parent);

  /// Of the recording that is about to begin into `file`.
  void begin(std::shared_ptr<AdaptiveRecording> recording, const std::filesystem::path& file);
  /// The recording is over, or another one begins.
  void end();
  bool choosing() const { return recording_ != nullptr; }
  /// After the last choice.
  const std::optional<AdaptiveNews>& news() const { return news_; }

 signals:
  void chosen();

 private:
  void want(double end_s);

  Jobs& jobs_;
  RigLink& rig_;
  std::shared_ptr<AdaptiveRecording> recording_;
  std::filesystem::path file_;
  std::optional<AdaptiveNews> news_;
  int job_ = 0;
};

}  // namespace tactelier::gui
