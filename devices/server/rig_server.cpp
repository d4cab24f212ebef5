#include "devices/server/rig_server.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <list>
#include <utility>
#include <vector>

#include "devices/acquisition/live_feed.hpp"
#include "devices/server/rig_request.hpp"
#include "devices/server/rig_socket.hpp"
#include "libcalib/guarded.hpp"

namespace tactelier::rig {
namespace {

using devices::Descriptor;
using devices::Timeout;
using messages::error_answer;
using nlohmann::json;

constexpr Timeout kListen{100};
constexpr std::size_t kMaxClients = 64;
// Whoever comes then is heard for STOP alone; of these the newest, two seconds each.
constexpr std::size_t kMaxLate = 32;
constexpr Timeout kHearLate{10};
constexpr std::int64_t kLate_ns = 2'000'000'000;

/// One client: its connection outlives its thread while a task still tells it news.
class Connection {
 public:
  explicit Connection(Descriptor descriptor) : lines(std::move(descriptor)) {}
  void tell(const json& document) {
    const std::lock_guard lock(mutex);
    write(document);
  }
  /// A task may be over before its request is answered: its news come after the answer.
  void answer(const std::function<json()>& handle) {
    {
      const std::lock_guard lock(mutex);
      answering = true;
    }
    const auto reply = handle();
    const std::lock_guard lock(mutex);
    write(reply);
    for (const auto& document : std::exchange(held_back, {})) write(document);
    answering = false;
  }
  /// By whoever moves the rig: a client that doesn't read loses progress rather than holding it up.
  void news(const json& document) {
    const std::lock_guard lock(mutex);
    if (messages::may_be_lost(document) && !lines.writable()) return;
    if (answering)
      held_back.push_back(document);
    else
      write(document);
  }
  /// The last line; nothing is told here from then on.
  Descriptor hand_over() {
    tell(messages::ok_answer());
    const std::lock_guard lock(mutex);
    gone = true;
    return lines.take();
  }
  JsonLines lines;
  std::mutex mutex;
  std::atomic<bool> gone{false};

 private:
  void write(const json& document) {
    if (!gone && !lines.write(document)) gone = true;
  }
  bool answering = false;
  std::vector<json> held_back;
};

class Server {
 public:
  explicit Server(RigService& service)
      : service_(service), feed_(service.live().picture(), service.live().clock()) {}

  void admit(Descriptor descriptor) {
    auto connection = std::make_shared<Connection>(std::move(descriptor));
    if (clients() >= kMaxClients) {
      late_.push_back({connection, devices::steady_host_clock().now_ns()});
      if (late_.size() > kMaxLate) turn_away_first();
      return;
    }
    Client client;
    client.thread = std::jthread(
        [this, connection, number = ++numbers_, done = client.done](const std::stop_token& stop) {
          const auto lived = guarded("a client's thread", [&]() -> Result<void> {
            talk(connection, number, stop);
            return {};
          });
          if (!lived) connection->tell(error_answer(lived.error()));
          service_.left(number);
          *done = true;
        });
    clients_.push_back(std::move(client));
  }

  /// A STOP among those who found no place; the others are turned away in time.
  void hear_late() {
    for (auto late = late_.begin(); late != late_.end();) {
      const auto line = late->connection->lines.read(Timeout(0));
      const bool silent = !line && line.error().code == ErrorCode::kTimeout;
      const bool stop = line && check_request(*line) == "stop";
      if (stop) late->connection->tell(service_.handle(*line, 0, {}));
      if (!stop && !silent) late->connection->tell(no_place());
      late = silent ? std::next(late) : late_.erase(late);
    }
    const auto now_ns = devices::steady_host_clock().now_ns();
    while (!late_.empty() && now_ns - late_.front().came_ns > kLate_ns) turn_away_first();
  }
  Timeout patience() const { return late_.empty() ? kListen : kHearLate; }

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

  struct Late {
    std::shared_ptr<Connection> connection;
    std::int64_t came_ns;
  };

  static json no_place() {
    return error_answer({ErrorCode::kIo, fmt::format("{} clients are connected already; only STOP "
                                                     "is heard",
                                                     kMaxClients)});
  }
  void turn_away_first() {
    late_.front().connection->tell(no_place());
    late_.pop_front();
  }

  void talk(const std::shared_ptr<Connection>& connection, int number,
            const std::stop_token& stop) {
    while (!stop.stop_requested() && !connection->gone) {
      const auto request = connection->lines.read(kListen);
      if (request) {
        answer(connection, *request, number);
      } else if (request.error().code != ErrorCode::kTimeout) {
        connection->tell(error_answer(request.error()));
        if (request.error().code != ErrorCode::kInvalidInput) return;  // no line to go on with
      }
    }
  }

  void answer(const std::shared_ptr<Connection>& connection, const json& request, int number) {
    const auto what = check_request(request);
    if (what && *what == "watch") return feed_.add(connection->hand_over());
    connection->answer([&]() -> json {
      if (what && *what == "quit") {
        quit_ = true;
        return messages::ok_answer();
      }
      return service_.handle(request, number,
                             [connection](const json& news) { connection->news(news); });
    });
  }

  RigService& service_;
  LiveFeed feed_;
  std::atomic<bool> quit_{false};
  int numbers_ = 0;
  std::list<Client> clients_;
  std::list<Late> late_;
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
      if (devices::wait_for(listening.get(), POLLIN, server.patience(), "rig socket")) {
        const auto admitted = guarded("a client that came", [&]() -> Result<void> {
          Descriptor client(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
          if (client.valid()) server.admit(std::move(client));
          return {};
        });
        if (!admitted) fmt::print(stderr, "{}\n", admitted.error().message);
      }
      (void)guarded("a client without a place", [&]() -> Result<void> {
        server.hear_late();
        return {};
      });
      if (server.clients() > 0 || service.busy()) last_ns = clock.now_ns();
      const double idle_s = static_cast<double>(clock.now_ns() - last_ns) * 1e-9;
      if (options.idle_exit_s > 0 && idle_s > options.idle_exit_s) break;
    }
    for (const char* what : {"finish", "resume"}) service.handle(messages::request(what), 0, {});
    while (service.busy()) clock.wait_until(clock.now_ns() + devices::to_ns(kListen));
  }
  std::error_code ignored;
  std::filesystem::remove(options.socket, ignored);
  return {};
}

}  // namespace tactelier::rig
