#pragma once
// A child process of this same program that fits one sensor: what goes wrong in it (a crash, no
// more memory) goes wrong for that sensor alone. It ends when its parent does, however that ends.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

class Worker {
 public:
  /// `log`: where its standard error goes.
  static Result<Worker> start(const std::vector<std::string>& command,
                              const std::filesystem::path& log);
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  /// Kills it when it still runs.
  ~Worker();

  /// Readable (poll) once it has ended.
  int descriptor() const { return descriptor_; }
  /// Exit status once it has ended, 128 + signal when it crashed; nothing while it runs.
  std::optional<int> ended();
  /// Asks it to stop as Ctrl-C does.
  void interrupt() const;

 private:
  Worker(pid_t id, int descriptor) : id_(id), descriptor_(descriptor) {}
  pid_t id_ = -1;
  int descriptor_ = -1;
};

/// The last line of what a process wrote to its log.
std::string last_words(const std::filesystem::path& log);

}  // namespace tactelier
