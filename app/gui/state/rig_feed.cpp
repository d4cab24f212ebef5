#include "app/gui/state/rig_feed.hpp"

#include <algorithm>

namespace tactelier::gui {
namespace {

constexpr qint64 kStale_ms = 500;
constexpr double kStale_s = 0.5;
constexpr qint64 kStill_ms = 1500;

}  // namespace

void RigFeed::begin(double time_scale) {
  forget();
  time_scale_ = time_scale;
  counted_ns_ = force_ = frames_ = 0;
  force_hz_ = frame_hz_ = 0;
}

void RigFeed::forget() { newest_.reset(); }

void RigFeed::take(const rig::LiveFrame& frame) {
  if (!newest_ || frame.position_m != still_m_) still_.start();
  still_m_ = frame.position_m;
  newest_ = frame;
  heard_.start();
}

void RigFeed::count(const rig::messages::Status& status) {
  const std::int64_t now_ns = newest_ ? newest_->now_ns : 0;
  const double passed_s = static_cast<double>(now_ns - counted_ns_) * 1e-9;
  if (counted_ns_ != 0 && passed_s <= 1) return;
  if (counted_ns_ != 0) {
    force_hz_ = static_cast<double>(status.force_samples - force_) / passed_s;
    frame_hz_ = static_cast<double>(status.frames - frames_) / passed_s;
  }
  counted_ns_ = now_ns;
  force_ = status.force_samples;
  frames_ = status.frames;
}

bool RigFeed::talks() const { return newest_ && heard_.isValid() && heard_.elapsed() < kStale_ms; }

bool RigFeed::forceFresh() const {
  return talks() && newest_->force_ns != 0 && forceAge_s() < kStale_s;
}

bool RigFeed::still() const { return still_.isValid() && still_.elapsed() > kStill_ms; }

double RigFeed::ageOf_s(std::int64_t time_ns) const {
  const double age_s = static_cast<double>(newest_->now_ns - time_ns) * 1e-9;
  return std::max(0.0, age_s / std::max(1.0, time_scale_));
}

}  // namespace tactelier::gui
