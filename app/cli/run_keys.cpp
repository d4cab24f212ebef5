#include "app/cli/run_keys.hpp"

#include <poll.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "devices/server/rig_messages.hpp"

namespace tactelier::cli {
namespace {

constexpr char kEscape = '\x1b';

struct Key {
  char key;
  const char* request;
  const char* done;
};
constexpr Key kKeys[] = {
    {'s', "skip", "skipped: the tip goes up, the next press follows"},
    {'r', "repeat", "the press at hand is done again"},
    {'u', "undo", "taken back: the press before is done again"},
    {kEscape, "stop",
     "STOP: the rig is locked. Look for the cause, then 'tactelier rig acknowledge'; the recording "
     "goes on with --resume"}};

constexpr int kPatience_ms = 100;

bool something_waits(int descriptor, int patience_ms) {
  pollfd wanted{descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, patience_ms) == 1 && (wanted.revents & POLLIN) != 0;
}

}  // namespace

RunKeys::RunKeys(int descriptor, std::stop_token stop, Say say)
    : descriptor_(descriptor), stop_(std::move(stop)), say_(std::move(say)) {
  termios usual{};
  if (::tcgetattr(descriptor_, &usual) != 0) return;
  usual_ = usual;
  line_by_line(false);
}

std::string_view RunKeys::help() {
  return "keys: p pause or go on, s skip the press, r do it again, u take the last back, n note, "
         "Esc STOP; Ctrl-C ends in order";
}

void RunKeys::line_by_line(bool on) {
  if (!usual_) return;
  termios wanted = *usual_;
  // Ctrl-C stays a signal.
  if (!on) wanted.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  (void)::tcsetattr(descriptor_, TCSANOW, &wanted);
}

void RunKeys::look(const Ask& ask) {
  while (there() && something_waits(descriptor_, 0)) {
    char key = 0;
    if (::read(descriptor_, &key, 1) != 1) return usual_.reset();  // the terminal is gone
    press(key, ask);
  }
}

void RunKeys::press(char key, const Ask& ask) {
  if (key == 'p') return pause(ask);
  if (key == 'n') return note(ask);
  for (const auto& row : kKeys)
    if (row.key == key) return tell(ask, rig::messages::request(row.request), row.done);
  if (key != '\n') say_(help());
}

void RunKeys::tell(const Ask& ask, const nlohmann::json& request, std::string_view done) {
  const auto told = ask(request);
  say_(told ? done : std::string_view(told.error().message));
}

void RunKeys::pause(const Ask& ask) {
  const auto answer = ask(rig::messages::request("status"));
  if (!answer) return say_(answer.error().message);
  if (rig::messages::status_in(*answer).paused)
    return tell(ask, rig::messages::request("resume"), "goes on");
  tell(ask, rig::messages::request("pause"), "paused after the press at hand; p goes on");
}

void RunKeys::note(const Ask& ask) {
  line_by_line(true);
  say_("note, Enter ends it:");
  const auto text = typed_line();
  line_by_line(false);
  if (text.empty()) return say_("no note");
  tell(ask, rig::messages::note_request(text), "noted");
}

/// Byte by byte: what is typed behind it are keys, and one of them may be STOP.
std::string RunKeys::typed_line() const {
  std::string line;
  while (!stop_.stop_requested()) {
    char next = 0;
    if (!something_waits(descriptor_, kPatience_ms)) continue;
    if (::read(descriptor_, &next, 1) != 1 || next == '\n') break;
    line += next;
  }
  return stop_.stop_requested() ? "" : line;
}

}  // namespace tactelier::cli
