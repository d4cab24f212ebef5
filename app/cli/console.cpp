#include "app/cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "app/workflow/exit_status.hpp"
#include "app/workflow/time_left.hpp"

namespace tactelier::cli {
namespace {

constexpr std::size_t kWarningsShown = 12;
constexpr auto kReplace = nlohmann::json::error_handler_t::replace;

void write_to(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

Console::Console(std::string command, const ConsoleOptions& options, std::stop_token stop)
    : command_(std::move(command)),
      options_(options),
      stop_(std::move(stop)),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

Job Console::job() {
  Job job;
  job.stop = stop_;
  if (terminal_ && !options_.quiet)
    job.on_progress = [this](const Progress& progress) { show(progress); };
  return job;
}

void Console::print(std::string_view text) {
  if (options_.json) return;
  if (options_.quiet) {
    held_back_ += text;
    return;
  }
  print_now(text);
}

void Console::print(std::span<const Section> sections) {
  print(to_text(sections, terminal_columns()));
}

std::optional<std::size_t> Console::terminal_columns() const {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return size.ws_col;
}

void Console::print_now(std::string_view text) {
  if (options_.json) return;
  clear_bar();
  write_to(stdout, text);
}

bool Console::stream(std::string_view bytes) {
  clear_bar();
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
         std::fflush(stdout) == 0;
}

void Console::tell_one_line() {
  if (std::count(held_back_.begin(), held_back_.end(), '\n') == 1) write_to(stdout, held_back_);
  held_back_.clear();
}

void Console::note(std::string_view text) {
  if (options_.quiet) return;
  clear_bar();
  write_to(stderr, fmt::format("{}\n", text));
}

nlohmann::json Console::document_of(nlohmann::json result, const Warnings& warnings) const {
  auto list = nlohmann::json::array();
  for (const auto& warning : warnings)
    list.push_back({{"code", warning.code}, {"text", warning.text}, {"where", warning.where}});
  return {{"format", "tactelier/" + command_},
          {"version", 1},
          {"result", std::move(result)},
          {"warnings", std::move(list)}};
}

int Console::finish(nlohmann::json result, const Warnings& warnings, int status) {
  clear_bar();
  if (!options_.json) {
    tell_one_line();
    warn(warnings);
    return status;
  }
  const auto document = document_of(std::move(result), warnings);
  write_to(stdout, document.dump(2, ' ', false, kReplace) + "\n");
  return status;
}

void Console::announce(nlohmann::json result, const Warnings& warnings) {
  clear_bar();
  if (!options_.json) return warn(warnings);
  const auto document = document_of(std::move(result), warnings);
  write_to(stdout, document.dump(-1, ' ', false, kReplace) + "\n");
}

void Console::wait_for_interrupt() {
  std::mutex mutex;
  std::condition_variable_any woken;
  std::unique_lock lock(mutex);
  woken.wait(lock, stop_, [] { return false; });
}

int Console::fail(const Error& error) {
  clear_bar();
  write_to(stderr, fmt::format("tactelier {}: {}\n", command_, error.message));
  return exit_status(error.code);
}

void Console::warn(const Warnings& warnings) {
  if (options_.quiet) return;
  const auto shown = options_.verbose ? warnings.size() : std::min(warnings.size(), kWarningsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& warning = warnings[i];
    const auto where = warning.where.empty() ? "" : warning.where + ": ";
    write_to(stderr, fmt::format("warning: {}{} [{}]\n", where, warning.text, warning.code));
  }
  if (shown < warnings.size())
    write_to(stderr,
             fmt::format("... and {} more warnings; -v shows them\n", warnings.size() - shown));
}

void Console::show(const Progress& progress) {
  using namespace std::chrono;
  const auto now = steady_clock::now();
  if (progress.what != bar_what_) {
    bar_what_ = progress.what;
    bar_started_ = now;
  } else if (now - bar_drawn_ < milliseconds(100)) {
    return;
  }
  const double elapsed_s = duration<double>(now - bar_started_).count();
  if (elapsed_s < 0.5) return;  // short work needs no bar
  bar_drawn_ = now;
  bar_shown_ = true;
  if (progress.total <= 0) {
    write_to(stderr, fmt::format("\r\x1b[K{}", progress.what));
    return;
  }
  const double fraction = std::clamp(progress.done / progress.total, 0.0, 1.0);
  draw_bar(progress.what, fraction, time_left_s(elapsed_s, fraction));
}

void Console::show_run(std::string_view what, double done, double total, double left_s) {
  if (!terminal_ || options_.quiet || total <= 0) return;
  bar_shown_ = true;
  draw_bar(what, std::clamp(done / total, 0.0, 1.0), left_s);
}

void Console::draw_bar(std::string_view what, double fraction, std::optional<double> left_s) {
  constexpr int kWidth = 24;
  const auto filled = static_cast<std::size_t>(std::lround(fraction * kWidth));
  write_to(stderr, fmt::format("\r\x1b[K{} [{}{}] {:3.0f} % {}", what, std::string(filled, '#'),
                               std::string(kWidth - filled, '.'), 100 * fraction,
                               left_s ? duration_text(*left_s) + " left" : std::string()));
}

void Console::clear_bar() {
  if (bar_shown_) write_to(stderr, "\r\x1b[K");
  bar_shown_ = false;
}

}  // namespace tactelier::cli
