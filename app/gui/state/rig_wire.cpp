#include "app/gui/state/rig_wire.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

namespace tactelier::gui {
namespace {

constexpr int kSignOfLife_ms = 1000;
constexpr std::size_t kRemembered = 200;

int nonblocking(int socket) {
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
  return socket;
}

/// What has come; false once the other end is gone.
bool receive(int socket, std::string& into) {
  std::array<char, 65536> bytes{};
  while (true) {
    const auto size = ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size > 0)
      into.append(bytes.data(), static_cast<std::size_t>(size));
    else if (size == 0)
      return false;
    else if (errno != EINTR)
      return errno == EAGAIN || errno == EWOULDBLOCK;
  }
}

}  // namespace

RigWire::RigWire(devices::Descriptor socket, QObject* parent)
    : QObject(parent),
      socket_(std::move(socket)),
      readable_(nonblocking(socket_.get()), QSocketNotifier::Read),
      writable_(socket_.get(), QSocketNotifier::Write) {
  writable_.setEnabled(false);
  connect(&readable_, &QSocketNotifier::activated, this, &RigWire::read);
  connect(&writable_, &QSocketNotifier::activated, this, &RigWire::flush);
}

void RigWire::send(const nlohmann::json& document) {
  out_ += document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  flush();
}

void RigWire::flush() {
  while (!out_.empty()) {
    const auto sent = ::send(socket_.get(), out_.data(), out_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
      out_.erase(0, static_cast<std::size_t>(sent));
    else if (errno != EINTR)
      break;  // full: later; gone: read() notices
  }
  writable_.setEnabled(!out_.empty());
}

void RigWire::read() {
  const bool open = receive(socket_.get(), in_);
  std::vector<nlohmann::json> documents;
  for (auto end = in_.find('\n'); end != in_.npos; end = in_.find('\n')) {
    auto document = nlohmann::json::parse(in_.substr(0, end), nullptr, false);
    in_.erase(0, end + 1);
    if (document.is_object()) documents.push_back(std::move(document));
  }
  if (!open) {
    readable_.setEnabled(false);
    writable_.setEnabled(false);
  }
  const QPointer<RigWire> alive(this);  // whoever hears a document may hang up
  for (const auto& document : documents)
    if (alive) emit received(document);
  if (alive && !open) emit closed();
}

RigLiveWire::RigLiveWire(devices::Descriptor socket, QObject* parent)
    : QObject(parent),
      socket_(std::move(socket)),
      readable_(nonblocking(socket_.get()), QSocketNotifier::Read) {
  constexpr std::string_view kWatch = "{\"do\": \"watch\"}\n";
  (void)::send(socket_.get(), kWatch.data(), kWatch.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  connect(&readable_, &QSocketNotifier::activated, this, &RigLiveWire::read);
}

void RigLiveWire::read() {
  std::string bytes;
  if (!receive(socket_.get(), bytes)) readable_.setEnabled(false);
  if (!watching_) {
    answer_ += bytes;
    const auto end = answer_.find('\n');
    if (end == answer_.npos) return;
    const auto answer = nlohmann::json::parse(answer_.substr(0, end), nullptr, false);
    watching_ = answer.is_object() && answer.value("ok", false);
    if (!watching_) return readable_.setEnabled(false);
    bytes = answer_.substr(end + 1);
  }
  reader_.add(bytes);
  auto next = reader_.next();
  for (; next && *next; next = reader_.next()) emit frame(**next);
  if (!next) readable_.setEnabled(false);
}

StopLine::StopLine(devices::Descriptor socket, QObject* parent)
    : QObject(parent),
      socket_(std::move(socket)),
      readable_(nonblocking(socket_.get()), QSocketNotifier::Read) {
  connect(&readable_, &QSocketNotifier::activated, this, &StopLine::read);
  life_.setInterval(kSignOfLife_ms);
  connect(&life_, &QTimer::timeout, this, [this] {
    if (asked_.empty()) ask("{\"do\": \"ping\"}\n", false);
  });
  life_.start();
}

bool StopLine::press() { return ask("{\"do\": \"stop\"}\n", true); }

bool StopLine::ask(std::string_view line, bool stop) {
  asked_.push_back({stop, {}});
  asked_.back().since.start();
  const auto size = static_cast<ssize_t>(line.size());
  return ::send(socket_.get(), line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL) == size;
}

std::optional<double> StopLine::p99_ms() const {
  if (took_ms_.empty()) return std::nullopt;
  std::vector<double> sorted(took_ms_.begin(), took_ms_.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted[(sorted.size() - 1) * 99 / 100];
}

bool StopLine::silent() const {
  return !asked_.empty() && asked_.front().since.elapsed() > kSignOfLife_ms;
}

void StopLine::read() {
  std::string bytes;
  if (!receive(socket_.get(), bytes)) readable_.setEnabled(false);
  for (auto lines = std::count(bytes.begin(), bytes.end(), '\n'); lines > 0 && !asked_.empty();
       --lines) {
    const auto asked = asked_.front();
    asked_.pop_front();
    const double took_ms = static_cast<double>(asked.since.nsecsElapsed()) * 1e-6;
    took_ms_.push_back(took_ms);
    if (took_ms_.size() > kRemembered) took_ms_.pop_front();
    if (asked.stop) emit answered(took_ms);
  }
}

}  // namespace tactelier::gui
