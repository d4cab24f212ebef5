#include "devices/rig/rig_server.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <list>

#include "devices/rig/live_feed.hpp"
#include "devices/rig/rig_socket.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::rig {
namespace {

using devices::Descriptor;
using devices::Timeout;
using nlohmann::json;

constexpr Timeout kListen{100};

/// One client: its connection outlives its thread while a task still tells it news.
struct Connection {
  explicit Connection(Descriptor descriptor) : lines(std::move(descriptor)) {}
  void tell(const json& document) {
    const std::lock_guard lock(mutex);
    if (!gone && !lines.write(document)) gone = true;
  }
  /// By whoever moves the rig: a client that doesn't read loses progress rather than holding it up.
  void news(const json& document) {
    {
      const std::lock_guard lock(mutex);
      if (get_text(document, "news") == "progress" && !lines.writable()) return;
    }
    tell(document);
  }
  /// The last line; nothing is told here from then on.
  Descriptor hand_over() {
    tell({{"ok", true}});
    const std::lock_guard lock(mutex);
    gone = true;
    return lines.take();
  }
  JsonLines lines;
  std::mutex mutex;
  std::atomic<bool> gone{false};
};

class Server {
 public:
  explicit Server(RigService& service)
      : service_(service), feed_(service.live().picture(), service.live().clock()) {}

  void admit(Descriptor descriptor) {
    auto connection = std::make_shared<Connection>(std::move(descriptor));
    auto& client = clients_.emplace_back();
    client.thread = std::jthread(
        [this, connection, number = ++numbers_, done = client.done](const std::stop_token& stop) {
          talk(*connection, connection, number, stop);
          *done = true;
        });
  }

  std::size_t clients() {
    clients_.remove_if([](const Client& client) { return client.done->load(); });
    return clients_.size() + feed_.watchers();
  }
  bool quitting() const { return quit_; }

 private:
  struct Client {
    std::shared_ptr<std::atomic<bool>> done = std::make_shared<std::atomic<bool>>(false);
    std::jthread thread;
  };

  void talk(Connection& connection, const std::shared_ptr<Connection>& shared, int number,
            const std::stop_token& stop) {
    while (!stop.stop_requested() && !connection.gone) {
      const auto request = connection.lines.read(kListen);
      if (!request && request.error().code == ErrorCode::kTimeout) continue;
      if (!request) break;
      const auto what = request->is_object() ? get_text(*request, "do") : "";
      if (what == "watch") {
        feed_.add(connection.hand_over());
        break;
      }
      if (what == "quit") {
        quit_ = true;
        connection.tell({{"ok", true}});
        continue;
      }
      connection.tell(
          service_.handle(*request, number, [shared](const json& news) { shared->news(news); }));
    }
    service_.left(number);
  }

  RigService& service_;
  LiveFeed feed_;
  std::atomic<bool> quit_{false};
  int numbers_ = 0;
  std::list<Client> clients_;
};

}  // namespace

Result<Descriptor> claim(const ServeOptions& options) { return listen_socket(options.socket); }

Result<void> serve(RigService& service, Descriptor listening, const ServeOptions& options,
                   const std::stop_token& stop) {
  auto& clock = devices::steady_host_clock();
  auto last_ns = clock.now_ns();
  {
    Server server(service);
    while (!stop.stop_requested() && !server.quitting()) {
      if (devices::wait_for(listening.get(), POLLIN, kListen, "rig socket")) {
        Descriptor client(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client.valid()) server.admit(std::move(client));
      }
      if (server.clients() > 0 || service.busy()) last_ns = clock.now_ns();
      const double idle_s = static_cast<double>(clock.now_ns() - last_ns) * 1e-9;
      if (options.idle_exit_s > 0 && idle_s > options.idle_exit_s) break;
    }
    service.handle({{"do", "finish"}}, 0, {});
    while (service.busy()) clock.wait_until(clock.now_ns() + devices::to_ns(kListen));
  }
  std::error_code ignored;
  std::filesystem::remove(options.socket, ignored);
  return {};
}

}  // namespace tactelier::rig
