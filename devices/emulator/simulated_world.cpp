#include "devices/emulator/simulated_world.hpp"

#include <algorithm>

namespace tactelier::devices {

/// One host's end of the wire.
class SimulatedWorld::SimulatedLink final : public Link {
 public:
  SimulatedLink(SimulatedWorld& world, int peer, bool datagrams, std::string url)
      : world_(world), peer_(peer), datagrams_(datagrams), url_(std::move(url)) {}
  SimulatedLink(const SimulatedLink&) = delete;
  SimulatedLink& operator=(const SimulatedLink&) = delete;
  ~SimulatedLink() override { world_.inboxes_.erase(peer_); }

  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    auto& inbox = world_.inboxes_.at(peer_);
    const auto deadline_ns = world_.now_ns_ + to_ns(timeout);
    world_.step(world_.now_ns_);
    while (true) {
      if (!inbox.messages.empty()) return datagrams_ ? datagram(inbox, into) : stream(inbox, into);
      if (inbox.closed || inbox.emulator->hung_up(world_.now_ns_)) return gone();
      if (world_.now_ns_ >= deadline_ns)
        return fail(ErrorCode::kTimeout, "{}: no data within {} ms", url_, timeout.count());
      world_.step(deadline_ns);
    }
  }

  Result<void> send(ByteView bytes, Timeout) override {
    auto& inbox = world_.inboxes_.at(peer_);
    world_.step(world_.now_ns_);
    if (inbox.closed || inbox.emulator->hung_up(world_.now_ns_)) return gone();
    inbox.emulator->receive(bytes, peer_, world_.now_ns_);
    return {};
  }

  const std::string& url() const override { return url_; }
  HostClock& clock() const override { return world_; }

 private:
  tl::unexpected<Error> gone() const {
    return fail(ErrorCode::kIo, "{}: the other end is gone", url_);
  }

  Result<Received> datagram(Inbox& inbox, std::span<std::uint8_t> into) {
    const auto message = std::move(inbox.messages.front());
    inbox.messages.pop_front();
    if (message.bytes.size() > into.size())
      return fail(ErrorCode::kProtocol, "{}: a datagram of more than {} bytes", url_, into.size());
    std::copy(message.bytes.begin(), message.bytes.end(), into.begin());
    return Received{message.bytes.size(), message.due_ns, 0};
  }

  Result<Received> stream(Inbox& inbox, std::span<std::uint8_t> into) {
    std::size_t size = 0;
    while (!inbox.messages.empty() && size < into.size()) {
      auto& bytes = inbox.messages.front().bytes;
      const auto part = std::min(bytes.size(), into.size() - size);
      std::copy_n(bytes.begin(), part, into.begin() + static_cast<std::ptrdiff_t>(size));
      bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part));
      size += part;
      if (bytes.empty()) inbox.messages.pop_front();
    }
    return Received{size, world_.now_ns_, 0};
  }

  SimulatedWorld& world_;
  int peer_;
  bool datagrams_;
  std::string url_;
};

void SimulatedWorld::add(std::string url, Emulator& emulator, bool datagrams) {
  places_.insert_or_assign(std::move(url), Place{&emulator, datagrams});
}

Result<std::unique_ptr<Link>> SimulatedWorld::open(std::string_view url) {
  const auto place = places_.find(url);
  if (place == places_.end())
    return fail(ErrorCode::kIo, "nothing answers at {}: it is not in the simulated world", url);
  const int peer = next_peer_++;
  inboxes_[peer].emulator = place->second.emulator;
  return std::make_unique<SimulatedLink>(*this, peer, place->second.datagrams, std::string(url));
}

Connector SimulatedWorld::connector() {
  return [this](std::string_view url, Timeout) { return open(url); };
}

void SimulatedWorld::wait_until(std::int64_t time_ns) {
  do step(time_ns);
  while (now_ns_ < time_ns);
}

void SimulatedWorld::collect(Emulator& emulator) {
  while (auto message = emulator.take(now_ns_)) {
    for (auto& [peer, inbox] : inboxes_) {
      if (inbox.emulator != &emulator || (message->peer != 0 && message->peer != peer)) continue;
      if (!message->bytes.empty()) inbox.messages.push_back(*message);
      inbox.closed |= message->close;
    }
  }
}

void SimulatedWorld::step(std::int64_t until_ns) {
  auto next_ns = until_ns;
  for (const auto& [url, place] : places_) next_ns = std::min(next_ns, place.emulator->next_ns());
  now_ns_ = std::max(now_ns_, next_ns);
  for (const auto& [url, place] : places_) {
    place.emulator->run_until(now_ns_);
    collect(*place.emulator);
  }
}

}  // namespace tactelier::devices
