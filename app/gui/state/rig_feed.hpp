#pragma once
// The newest picture that a rig process has sent, how old it is, and how fast samples come. Ages
// are of this computer's time.

#include <QElapsedTimer>
#include <array>
#include <cstdint>
#include <optional>

#include "devices/acquisition/live_frame.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::gui {

class RigFeed {
 public:
  /// `time_scale`: of an emulated world that is faster than this computer's clock.
  void begin(double time_scale);
  void forget();
  void take(const rig::LiveFrame& frame);
  /// Samples so far: rates over a second or more.
  void count(const rig::messages::Status& status);

  const std::optional<rig::LiveFrame>& newest() const { return newest_; }
  /// Pictures come.
  bool talks() const;
  /// What it says of the force is of now.
  bool forceFresh() const;
  /// The stage has been where it is for a while.
  bool still() const;
  double forceAge_s() const { return newest_ ? ageOf_s(newest_->force_ns) : 0; }
  double frameAge_s() const { return newest_ ? ageOf_s(newest_->frame_ns) : 0; }
  double stageAge_s() const { return newest_ ? ageOf_s(newest_->stage_ns) : 0; }
  double forceRate_hz() const { return force_hz_; }
  double frameRate_hz() const { return frame_hz_; }

 private:
  double ageOf_s(std::int64_t time_ns) const;

  double time_scale_ = 1;
  std::optional<rig::LiveFrame> newest_;
  QElapsedTimer heard_, still_;
  std::array<double, 3> still_m_{};
  std::int64_t counted_ns_ = 0, force_ = 0, frames_ = 0;
  double force_hz_ = 0, frame_hz_ = 0;
};

}  // namespace tactelier::gui
