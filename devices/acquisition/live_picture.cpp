#include "devices/acquisition/live_picture.hpp"

#include <utility>

namespace tactelier::rig {

void LivePicture::Span::add(double force_N) {
  min_N = any ? std::min(min_N, force_N) : force_N;
  max_N = any ? std::max(max_N, force_N) : force_N;
  any = true;
}

void LivePicture::see(std::int64_t time_ns, const std::array<double, 6>& wrench_SI,
                      double force_N) {
  waiting_.add(force_N);
  const std::unique_lock lock(force_mutex_, std::try_to_lock);
  if (!lock) return;
  const auto seen = std::exchange(waiting_, {});
  span_.add(seen.min_N);
  span_.add(seen.max_N);
  force_.force_ns = time_ns;
  force_.wrench_SI = wrench_SI;
  force_.force_N = force_N;
}

void LivePicture::see(const devices::TactileFrame& frame) {
  const std::unique_lock lock(array_mutex_, std::try_to_lock);
  if (!lock) return;
  array_.frame_ns = frame.host_time_ns;
  array_.counts.resize(frame.counts.size());
  std::transform(frame.counts.begin(), frame.counts.end(), array_.counts.begin(),
                 [](double count) { return static_cast<float>(count); });
}

void LivePicture::see(const devices::StageSample& sample) {
  const std::unique_lock lock(stage_mutex_, std::try_to_lock);
  if (!lock) return;
  stage_.stage_ns = sample.host_time_ns;
  stage_.position_m = sample.position_m;
  stage_.position_trusted = sample.trusted;
}

LiveFrame LivePicture::take() {
  LiveFrame now;
  {
    const std::lock_guard lock(force_mutex_);
    now = force_;
    const auto span = std::exchange(span_, {});
    now.force_min_N = span.any ? span.min_N : now.force_N;
    now.force_max_N = span.any ? span.max_N : now.force_N;
  }
  {
    const std::lock_guard lock(array_mutex_);
    now.frame_ns = array_.frame_ns;
    now.counts = array_.counts;
  }
  const std::lock_guard lock(stage_mutex_);
  now.stage_ns = stage_.stage_ns;
  now.position_m = stage_.position_m;
  now.position_trusted = stage_.position_trusted;
  return now;
}

}  // namespace tactelier::rig
