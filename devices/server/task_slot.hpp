#pragma once
// One task at a time: what somebody asked for, what runs, and whom to tell of it.
//
// One mutex over all members. Nobody is told anything under it; what is called under it (accepted,
// gone, listens) sets flags or wakes who waits for an answer, and never calls back here.
// Connections begin, cancel and leave from threads of their own; next(), ended() and news() are of
// the one thread that moves the rig.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>

#include "devices/link/host_clock.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::rig {

/// Says something to a client; any thread, never blocks for long.
using Tell = std::function<void(const nlohmann::json&)>;

struct AskedTask {
  int number = 0;
  int client = 0;
  messages::TaskKind kind{};
  nlohmann::json request;
  Tell tell;  // empty once the client has gone
};

/// A task while it runs, in the thread that moves the rig.
struct RunningTask {
  messages::TaskKind kind{};
  nlohmann::json request;
  std::function<void(const messages::News&)> news;
  std::stop_token stop;
  Warnings warnings;

  void progress(std::string_view what, double done, double total,
                std::string_view detail = "") const {
    news(messages::Progress{std::string(what), std::string(detail), done, total, "", {}});
  }
  void warn(const Warnings& more) { warnings.insert(warnings.end(), more.begin(), more.end()); }
};

class TaskSlot {
 public:
  /// Its number. Fails with kUsage, naming what waits or runs. `accepted` is called before anybody
  /// can see the task run.
  Result<int> begin(messages::TaskKind kind, const nlohmann::json& request, int client,
                    const Tell& tell, const std::function<void()>& accepted);
  /// Of the task that waits or runs.
  void cancel();
  /// The same, if it is a jog.
  void cancel_jog();
  /// A client is gone: what waits of it is dropped. When its task runs, nobody is told of it any
  /// more and `gone` is called.
  void left(int client, const std::function<void()>& gone);
  bool busy() const;
  std::optional<messages::TaskKind> running() const;
  /// The one that runs, else the one that waits.
  std::optional<messages::TaskKind> asked() const;

  /// What runs from now on; nothing when nobody has asked.
  std::optional<AskedTask> next();
  std::stop_token stop_token() const;
  /// Calls `listens` unless whoever asked for the task that runs has gone.
  void while_client_listens(const std::function<void()>& listens) const;
  /// Comes back early when a task waits.
  void wait(const std::stop_token& stop, devices::Timeout timeout);
  /// To whoever asked for the task that runs, if it is still there.
  void news(const messages::News& news) const;
  /// Free again before anybody is told: who is told may ask for the next task at once.
  void ended(const messages::End& end);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<AskedTask> waiting_, running_;
  std::stop_source cancel_;
  int tasks_ = 0;
};

}  // namespace tactelier::rig
