#pragma once
// A rig process's server on a real socket, the virtual bench behind it, all in this process.

#include <sys/socket.h>

#include <cstdlib>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "devices/server/rig_client.hpp"
#include "devices/server/rig_server.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {

/// A folder that is gone afterwards; its name is short enough for a socket.
class ShortFolder {
 public:
  ShortFolder() {
    std::string name = "/tmp/tactelier-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) ::abort();
    path_ = name;
  }
  ~ShortFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ShortFolder(const ShortFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Sends whatever bytes, reads lines.
class RawClient {
 public:
  explicit RawClient(const std::filesystem::path& socket) {
    auto connected = connect_socket(socket);
    if (!connected) ::abort();
    socket_ = connected->get();
    lines_.emplace(std::move(*connected));
  }
  /// False once the other end doesn't listen any more.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  /// The next line; null when none comes.
  nlohmann::json read() {
    constexpr devices::Timeout kTimeoutScale{60000};
    auto line = lines_->read(kTimeoutScale);
    return line ? *line : nlohmann::json(nullptr);
  }
  nlohmann::json ask(std::string_view line) {
    return send(std::string(line) + "\n") ? read() : nlohmann::json(nullptr);
  }

 private:
  int socket_ = -1;
  std::optional<JsonLines> lines_;
};

struct ServedRig {
  ServedLaboratory lab;
  ShortFolder folder;
  std::jthread thread;

  std::filesystem::path socket() const { return folder.path() / "rig.sock"; }

  void start(std::uint64_t seed, double speed) {
    ASSERT_NO_FATAL_FAILURE(lab.start(seed, speed));
    const ServeOptions options{socket(), 0};
    auto listening = claim(options);
    ASSERT_TRUE(listening) << listening.error().message;
    thread = std::jthread(
        [this, options, descriptor = std::move(*listening)](const std::stop_token& stop) mutable {
          EXPECT_TRUE(serve(*lab.service, std::move(descriptor), options, stop));
        });
  }
  void stop() {
    thread.request_stop();
    thread.join();
  }
  RigClient client() const {
    auto connected = RigClient::connect(socket());
    if (!connected) ::abort();
    return std::move(*connected);
  }
};

}  // namespace tactelier::rig
