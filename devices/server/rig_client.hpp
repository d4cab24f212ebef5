#pragma once
// The other end of rig_server.hpp: asks, and follows a task to its end. News may come while an
// answer is awaited: they are kept for whoever follows the task that they are about.

#include <deque>
#include <functional>
#include <memory>

#include "devices/server/rig_messages.hpp"
#include "devices/server/rig_socket.hpp"

namespace tactelier::rig {

class RigClient {
 public:
  static Result<RigClient> connect(const std::filesystem::path& socket);

  /// Fails with the rig's own words and kind of error.
  Result<nlohmann::json> ask(const nlohmann::json& request);

  Result<messages::Status> status();
  std::optional<int> process() const { return lines_->peer_process(); }

  struct Follow {
    std::function<void(const messages::Progress&)> on_progress;
    /// Somebody is to do something; nothing when it was only to be done.
    std::function<Result<std::optional<double>>(const messages::Question&)> on_question;
    /// A growing recording wants further steps.
    std::function<void(const messages::Wanting&)> on_wanting;
    /// Asked a few times a second; the first time it is true the task is cancelled, in order.
    std::function<bool()> stopped;
    /// Some twenty times a second: whoever follows may ask for other things meanwhile.
    std::function<void(RigClient&)> meanwhile;
  };
  /// The `result` of a task; warnings are appended.
  Result<nlohmann::json> follow(const nlohmann::json& request, const Follow& follow,
                                Warnings& warnings);

 private:
  explicit RigClient(devices::Descriptor descriptor)
      : lines_(std::make_unique<JsonLines>(std::move(descriptor))) {}
  /// The answer to a question, or that the task is to end.
  Result<void> reply_to(const messages::Question& question, const Follow& follow);
  /// What comes next, kept news first.
  Result<nlohmann::json> next(devices::Timeout timeout);

  std::unique_ptr<JsonLines> lines_;
  std::deque<nlohmann::json> kept_;
};

}  // namespace tactelier::rig
