#pragma once
// Keeps what was found damaged. Neighbouring chunks with the same trouble make one entry, and what
// was met before isn't listed again, so that a lost half of a recording stays readable as a list.

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "libcalib/session/session.hpp"

namespace tactelier {

/// Notes from any thread; entries() while no other thread reads.
class DamageLog {
 public:
  DamageLog() = default;
  DamageLog(DamageLog&& other) noexcept
      : entries_(std::move(other.entries_)), known_(std::move(other.known_)) {}
  DamageLog& operator=(DamageLog&& other) noexcept {
    entries_ = std::move(other.entries_);
    known_ = std::move(other.known_);
    return *this;
  }

  /// Chunks first ... last of a stream, begin_s to end_s.
  struct Stretch {
    std::int64_t first = 0;
    std::int64_t last = 0;
    double begin_s = 0;
    double end_s = 0;
  };

  void note(StreamKind stream, const std::string& column, const Stretch& stretch,
            const std::string& what);
  /// Damage of the file, events or edits.
  void note(const std::string& what);

  const std::vector<Damage>& entries() const { return entries_; }

 private:
  struct Known {
    std::size_t entry;
    std::int64_t first;
    std::int64_t last;
  };
  bool full();

  std::mutex mutex_;
  std::vector<Damage> entries_;
  std::map<std::tuple<StreamKind, std::string, std::string>, std::vector<Known>> known_;
};

}  // namespace tactelier
