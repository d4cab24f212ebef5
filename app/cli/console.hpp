#pragma once
// What the commands say and where: results to standard output, messages and progress to standard
// error, a progress bar only on a terminal (docs/command-line.md).

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"
#include "reports/section.hpp"

namespace tactelier::cli {

struct ConsoleOptions {
  bool json = false;
  bool quiet = false;    // a result of one line, and errors
  bool verbose = false;  // every warning, and what is being done
};

class Console {
 public:
  Console(std::string command, const ConsoleOptions& options, std::stop_token stop);

  bool json() const { return options_.json; }
  bool verbose() const { return options_.verbose; }
  /// For long calls: progress to the terminal, stopped by Ctrl-C.
  Job job();

  /// Progress of somebody who knows how long it still takes, drawn at once.
  void show_run(std::string_view what, double done, double total, double left_s);

  /// Text of the result; nothing with --json. With -q it is told at the end, if it is one line.
  void print(std::string_view text);
  /// Tables, as text that fits the terminal; in a pipe each row is a line.
  void print(std::span<const Section> sections);
  std::optional<std::size_t> terminal_columns() const;
  /// The same at once and with -q, too, for commands that go on.
  void print_now(std::string_view text);
  /// Bytes of a result that goes on, with -q and --json, too; false when nobody reads it any more.
  bool stream(std::string_view bytes);
  /// A remark on standard error, left out with -q.
  void note(std::string_view text);

  /// Ends the command: warnings to standard error, with --json the one object to standard output.
  /// Returns `status`.
  int finish(nlohmann::json result, const Warnings& warnings, int status = 0);
  /// For commands that go on: what finish() prints, at once and with --json on one line.
  void announce(nlohmann::json result, const Warnings& warnings);
  /// Until Ctrl-C.
  void wait_for_interrupt();
  /// Ends the command with an error message; returns its exit status.
  int fail(const Error& error);

 private:
  void show(const Progress& progress);
  void draw_bar(std::string_view what, double fraction, std::optional<double> left_s);
  void clear_bar();
  void warn(const Warnings& warnings);
  nlohmann::json document_of(nlohmann::json result, const Warnings& warnings) const;

  void tell_one_line();

  std::string command_;
  std::string held_back_;  // of print(), with -q
  ConsoleOptions options_;
  std::stop_token stop_;
  bool terminal_;
  bool bar_shown_ = false;
  std::string bar_what_;
  std::chrono::steady_clock::time_point bar_started_{};
  std::chrono::steady_clock::time_point bar_drawn_{};
};

}  // namespace tactelier::cli
