#include <algorithm>
#include <cmath>

#include "devices/replay/replay.hpp"

namespace tactelier::devices {
namespace {

constexpr double kWindow_s = 1;

}  // namespace

std::int64_t ReplayShared::due_ns(double arrival_s) const {
  const std::lock_guard lock(*mutex);
  return start_ns.value_or(0) + std::llround((arrival_s - begin_s) / speed * 1e9);
}

ReplayStream::ReplayStream(std::shared_ptr<ReplayShared> shared, StreamKind kind,
                           const std::vector<std::string>& wanted)
    : shared_(std::move(shared)), kind_(kind) {
  const auto& summary = *shared_->session.stream(kind);
  for (const auto& name : wanted)
    if (summary.info.find(name) >= 0) columns_.push_back(name);
  arrival_ = summary.info.find("t_host") >= 0;
  if (arrival_) columns_.push_back("t_host");
  window_s_ = summary.begin_s;
  end_s_ = summary.end_s;
}

std::optional<std::size_t> ReplayStream::find(const std::string& name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

void ReplayStream::start() {
  const std::lock_guard lock(*shared_->mutex);
  if (!shared_->start_ns) shared_->start_ns = shared_->clock.now_ns();
}

Result<bool> ReplayStream::refill() {
  while (next_ >= samples_.rows()) {
    if (window_s_ > end_s_) return false;
    const std::lock_guard lock(*shared_->mutex);
    auto samples = shared_->session.read(kind_, columns_, {window_s_, window_s_ + kWindow_s});
    if (!samples) return fail(samples.error());
    samples_ = std::move(*samples);
    next_ = 0;
    window_s_ += kWindow_s;
  }
  return true;
}

Result<void> ReplayStream::read(std::vector<Row>& into, Timeout timeout) {
  start();
  auto& clock = shared_->clock;
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  const auto before = into.size();
  while (true) {
    const auto more = refill();
    if (!more) return fail(more.error());
    if (!*more && into.size() > before) return {};
    if (!*more) return fail(ErrorCode::kIo, "the recording is over");
    Row row;
    row.time_s = samples_.time_s[next_];
    for (const auto& column : samples_.columns) row.values.push_back(column[next_]);
    const double arrival_s =
        arrival_ && std::isfinite(row.values.back()) ? row.values.back() : row.time_s;
    if (arrival_) row.values.pop_back();
    row.host_time_ns = shared_->due_ns(arrival_s);
    if (row.host_time_ns > clock.now_ns()) {
      if (into.size() > before) return {};
      clock.wait_until(std::min(row.host_time_ns, deadline_ns));
      if (row.host_time_ns > clock.now_ns())
        return fail(ErrorCode::kTimeout, "replay: no sample within {} ms", timeout.count());
    }
    into.push_back(std::move(row));
    ++next_;
  }
}

}  // namespace tactelier::devices
