#pragma once
// The time of a simulated world that this computer runs beside everything else: the bench that
// simulates it and the programs that live in it share one clock, a page of memory. It runs `speed`
// times as fast as real time while the bench keeps up, and stands where the bench does not run, so
// that a busy computer makes the world slow and never old: nothing is late by the world's own clock
// because a compiler had the processor.
//
// Who reads a stream may leave a mark: so far everything is handled. The world never runs further
// ahead of a mark than its allowance, unless the mark has stood for half a second in which the
// bench ran (a reader that hangs, or waits for somebody) or its program is gone: then it counts no
// more until it moves. A computer that stood still as a whole is no reader that hangs.
//
// A bench that is gone stops no clock: two seconds after its last sign of life time goes on, and
// every age is what it would be at a dead device.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "devices/link/descriptor.hpp"
#include "devices/link/world_clock.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

/// Who leaves marks.
enum class WorldReader { kForce, kMover };

class WorldTime final : public WorldClock {
 public:
  /// Of a bench, in which it beats: begins at the base clock's time. Without a page to share (no
  /// memfd) path() is "" and this process alone sees it.
  static std::unique_ptr<WorldTime> create(double speed, HostClock& base = steady_host_clock());
  /// Another process's, by its path(). Fails with kIo when that process is gone.
  static Result<std::unique_ptr<WorldTime>> open(const std::string& path,
                                                 HostClock& base = steady_host_clock());
  ~WorldTime() override;
  WorldTime(const WorldTime&) = delete;
  WorldTime& operator=(const WorldTime&) = delete;

  /// "/proc/4711/fd/9": of this user alone, gone with the process.
  std::string path() const;

  std::int64_t now_ns() const override;
  void wait_until(std::int64_t time_ns) override;
  /// Of a moment of the base clock not long ago: a kernel's stamp.
  std::int64_t from_base_ns(std::int64_t base_ns) const override;
  double scale() const override;

  /// The bench is alive and will be again in `next_ns` of real time at the latest. One thread.
  void beat(std::int64_t next_ns);
  /// It stands, waiting for a reader.
  bool held() const;

  /// Of the bench: whatever its devices say up to then is on the wires.
  void hand_over(std::int64_t time_ns);
  /// What a reader has handled whose read, begun after this was asked, brought nothing: the world
  /// may have run on since, and what is said in that time is still to come.
  std::int64_t handed_over_ns() const;

  /// Everything up to then is handled; 0: nothing is waited for.
  void mark(WorldReader who, std::int64_t time_ns);

 private:
  struct Stretch {
    std::int64_t real_ns = 0, world_ns = 0;  // where it begins
    std::int64_t stood_ns = 0;               // real time since which the world stood before it
    std::int64_t until_ns = 0;               // real time: stands from then on
    double rate = 0;
  };
  struct Page;
  struct Seen {
    std::int64_t mark_ns = 0, stands_ns = 0;  // real, while the bench beat
  };
  WorldTime(Page* page, Descriptor file, HostClock& base);
  Stretch stretch() const;
  std::int64_t at(const Stretch& stretch, std::int64_t base_ns) const;
  /// The furthest that the readers allow.
  std::int64_t limit_ns(std::int64_t base_ns);
  std::int64_t allowance_ns(WorldReader who) const;
  std::string own_path() const;
  /// Readers hold a shared lock as long as their program lives.
  bool readers_live() const;

  Page* page_;
  Descriptor file_;
  Descriptor probe_;  // the owner's, to ask for the readers' locks
  HostClock& base_;
  std::array<Seen, 2> seen_{};
  std::int64_t beaten_ns_ = 0;
  mutable std::atomic<std::int64_t> last_ns_{0};  // never goes back for anybody here
};

}  // namespace tactelier::devices
