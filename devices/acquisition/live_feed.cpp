#include "devices/acquisition/live_feed.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "libcalib/guarded.hpp"

namespace tactelier::rig {
namespace {

constexpr std::int64_t kPeriod_ns = 1'000'000'000 / 60;
constexpr int kWaiting = 4;  // frames that may lie in a socket: more would be old news

bool send_some(int socket, std::string& bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
      bytes.erase(0, static_cast<std::size_t>(sent));
    else if (errno != EINTR)
      return errno == EAGAIN || errno == EWOULDBLOCK;
  }
  return true;
}

}  // namespace

void LiveWatchers::add(devices::Descriptor client) {
  const std::lock_guard lock(mutex_);
  watchers_.push_back({std::move(client), {}});
}

std::size_t LiveWatchers::size() const {
  const std::lock_guard lock(mutex_);
  return watchers_.size();
}

bool LiveWatchers::push(Watcher& watcher, const std::string& bytes) {
  const int socket = watcher.socket.get();
  if (!send_some(socket, watcher.rest)) return false;
  if (!watcher.rest.empty()) return true;  // this frame is lost for it
  watcher.rest = bytes;
  return send_some(socket, watcher.rest);
}

void LiveWatchers::send(const LiveFrame& frame) {
  const auto bytes = bytes_of(frame);
  const int room = kWaiting * static_cast<int>(bytes.size());
  const std::lock_guard lock(mutex_);
  for (auto& watcher : watchers_)
    (void)::setsockopt(watcher.socket.get(), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  std::erase_if(watchers_, [&](Watcher& watcher) { return !push(watcher, bytes); });
}

LiveFeed::LiveFeed(LivePicture& picture, devices::HostClock& clock)
    : picture_(picture),
      clock_(clock),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

void LiveFeed::add(devices::Descriptor client) {
  watchers_.add(std::move(client));
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
}

void LiveFeed::work(const std::stop_token& stop) {
  auto& real = devices::steady_host_clock();
  std::uint64_t number = 0;
  while (!stop.stop_requested()) {
    if (watchers_.size() == 0) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [this] { return watchers_.size() > 0; });
      (void)picture_.take();  // extremes from before anybody watched
      continue;
    }
    real.wait_until(real.now_ns() + kPeriod_ns);
    (void)guarded("live frames", [&]() -> Result<void> {  // one that fails is a frame lost
      auto frame = picture_.take();
      frame.number = number++;
      frame.now_ns = clock_.now_ns();
      watchers_.send(frame);
      return {};
    });
  }
}

}  // namespace tactelier::rig
