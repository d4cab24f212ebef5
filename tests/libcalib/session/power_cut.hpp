#pragma once
// A disk that remembers in which order it was written and flushed, so that a power cut at any
// moment can be played afterwards: what was flushed is there, of the rest each block is there or
// not.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>

namespace tactelier::test {

/// While one exists every SQLite file of this process is written through it.
class PowerCutDisk {
 public:
  PowerCutDisk();
  ~PowerCutDisk();
  PowerCutDisk(const PowerCutDisk&) = delete;
  PowerCutDisk& operator=(const PowerCutDisk&) = delete;

  /// Writes, flushes, truncations and removals so far. Any thread.
  std::size_t operations() const;
  /// Files of `folder` as a cut before operation number `at` leaves them, put into `target`. Blocks
  /// of 512 bytes that were not flushed are kept with probability 1/2.
  void cut(std::size_t at, const std::filesystem::path& folder, const std::filesystem::path& target,
           std::mt19937_64& random) const;

  struct Log;

 private:
  std::unique_ptr<Log> log_;
};

}  // namespace tactelier::test
