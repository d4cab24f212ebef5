#include "devices/link/world_time.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace tactelier::devices {
namespace {

// A bench that is late by that still runs: real, and never more than half of the age that trips
// (SafetyLimits::force_age_s), whoever reads or does not.
constexpr std::int64_t kSlack_ns = 5'000'000, kMostSlack_ns = 10'000'000;
constexpr std::int64_t kGone_ns = 2'000'000'000;  // real: one that is late by that is gone
constexpr std::int64_t kStands_ns = 500'000'000;  // real: a mark that has stood so long is let be
// Real: between two beats a reader had so long at most. Where nobody had the processor, neither
// had it.
constexpr std::int64_t kMostBeat_ns = 5'000'000;
constexpr std::int64_t kAlive_ns =
    5'000'000;  // real: held so long, it is asked whether readers live
// World: two periods of a usual sensor. In real time at least half as much again as a bench's
// portion (EmulatorHost): else the world would stand after each until the other program has run. 10
// ms leave half of the age that trips (SafetyLimits::force_age_s).
constexpr std::int64_t kForceAhead_ns = 2'000'000, kMostForceAhead_ns = 10'000'000;
constexpr double kForceAheadReal_ns = 0.75e6;
// Links wait in whole milliseconds of real time; who listens for 2 ms needs that much.
constexpr std::int64_t kMoverAhead_ns = 3'000'000;
constexpr double kMoverAheadReal_ns = 1.5e6;
constexpr auto kForever_ns = std::numeric_limits<std::int64_t>::max();

std::int64_t scaled(std::int64_t ns, double factor) {
  return std::llround(static_cast<double>(ns) * factor);
}

}  // namespace

/// Two stretches, of which `newest` tells the one that counts: an owner that dies while it writes
/// leaves the other.
struct WorldTime::Page {
  struct Slot {
    std::atomic<std::int64_t> real_ns, world_ns, stood_ns, until_ns;
    std::atomic<double> rate;
  };
  double speed;
  std::atomic<std::uint32_t> newest;
  std::array<Slot, 2> slots;
  std::array<std::atomic<std::int64_t>, 2> marks;
  std::atomic<std::int64_t> handed_over_ns;
};

WorldTime::WorldTime(Page* page, Descriptor file, HostClock& base)
    : page_(page), file_(std::move(file)), base_(base) {}

WorldTime::~WorldTime() { ::munmap(page_, sizeof(Page)); }

std::unique_ptr<WorldTime> WorldTime::create(double speed, HostClock& base) {
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  Descriptor file(::memfd_create("tactelier-world", MFD_CLOEXEC));
  const bool shared = file.valid() && ::ftruncate(file.get(), sizeof(Page)) == 0;
  void* memory =
      ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE,
             shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, shared ? file.get() : -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* page = new (memory) Page{};
  page->speed = speed;
  std::unique_ptr<WorldTime> time(
      new WorldTime(page, shared ? std::move(file) : Descriptor(), base));
  if (shared) time->probe_ = Descriptor(::open(time->own_path().c_str(), O_RDWR | O_CLOEXEC));
  const auto now_ns = base.now_ns();
  auto& slot = page->slots[0];
  slot.real_ns = slot.world_ns = slot.stood_ns = slot.until_ns = now_ns;
  page->handed_over_ns = now_ns;
  time->beat(0);
  return time;
}

Result<std::unique_ptr<WorldTime>> WorldTime::open(const std::string& path, HostClock& base) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file.valid())
    return fail(ErrorCode::kIo,
                "bench_clock: {}: {}; is the virtual bench that wrote this device file gone?", path,
                system_message(errno));
  if (::lseek(file.get(), 0, SEEK_END) != static_cast<off_t>(sizeof(Page)))
    return fail(ErrorCode::kIo, "bench_clock: {}: is no clock of a virtual bench of this version",
                path);
  void* memory = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED)
    return fail(ErrorCode::kIo, "bench_clock: {}: {}", path, system_message(errno));
  ::flock(file.get(), LOCK_SH);  // gone with this process, whatever ends it
  return std::unique_ptr<WorldTime>(
      new WorldTime(static_cast<Page*>(memory), std::move(file), base));
}

std::string WorldTime::own_path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), file_.get());
}

std::string WorldTime::path() const { return probe_.valid() ? own_path() : std::string(); }

bool WorldTime::readers_live() const {
  if (!probe_.valid()) return true;
  if (::flock(probe_.get(), LOCK_EX | LOCK_NB) != 0) return true;
  ::flock(probe_.get(), LOCK_UN);
  return false;
}

double WorldTime::scale() const { return page_->speed; }

WorldTime::Stretch WorldTime::stretch() const {
  while (true) {
    const auto newest = page_->newest.load(std::memory_order_acquire);
    const auto& slot = page_->slots[newest % 2];
    const Stretch stretch{slot.real_ns, slot.world_ns, slot.stood_ns, slot.until_ns, slot.rate};
    if (page_->newest.load() == newest) return stretch;
  }
}

std::int64_t WorldTime::at(const Stretch& s, std::int64_t base_ns) const {
  if (base_ns < s.real_ns)
    return s.world_ns - scaled(std::max<std::int64_t>(0, s.stood_ns - base_ns), page_->speed);
  const auto ran_ns = std::min(base_ns, s.until_ns) - s.real_ns;
  const auto gone_ns = std::max<std::int64_t>(0, base_ns - s.until_ns - kGone_ns);
  return s.world_ns + scaled(ran_ns, s.rate) + scaled(gone_ns, page_->speed);
}

std::int64_t WorldTime::from_base_ns(std::int64_t base_ns) const { return at(stretch(), base_ns); }

std::int64_t WorldTime::now_ns() const {
  const auto now_ns = from_base_ns(base_.now_ns());
  auto last_ns = last_ns_.load();
  while (last_ns < now_ns && !last_ns_.compare_exchange_weak(last_ns, now_ns)) {
  }
  return std::max(last_ns, now_ns);
}

void WorldTime::wait_until(std::int64_t time_ns) {
  constexpr std::int64_t kLook_ns = 50'000;  // real, where the world stands
  for (auto now = now_ns(); now < time_ns; now = now_ns())
    base_.wait_until(base_.now_ns() + std::max(kLook_ns, scaled(time_ns - now, 1 / page_->speed)));
}

std::int64_t WorldTime::allowance_ns(WorldReader who) const {
  return who == WorldReader::kForce
             ? std::clamp<std::int64_t>(std::llround(kForceAheadReal_ns * page_->speed),
                                        kForceAhead_ns, kMostForceAhead_ns)
             : std::max<std::int64_t>(kMoverAhead_ns,
                                      std::llround(kMoverAheadReal_ns * page_->speed));
}

std::int64_t WorldTime::limit_ns(std::int64_t base_ns) {
  auto limit_ns = kForever_ns;
  const auto gone_ns = std::min(base_ns - std::exchange(beaten_ns_, base_ns), kMostBeat_ns);
  for (const auto who : {WorldReader::kForce, WorldReader::kMover}) {
    const auto i = static_cast<std::size_t>(who);
    const auto mark_ns = page_->marks[i].load();
    if (mark_ns == seen_[i].mark_ns)
      seen_[i].stands_ns += gone_ns;
    else
      seen_[i] = {mark_ns, 0};
    const auto stands_ns = seen_[i].stands_ns;
    if (mark_ns == 0 || stands_ns >= kStands_ns) continue;
    if (stands_ns >= kAlive_ns && !readers_live())
      page_->marks[i] = 0;
    else
      limit_ns = std::min(limit_ns, mark_ns + allowance_ns(who));
  }
  return limit_ns;
}

void WorldTime::beat(std::int64_t next_ns) {
  const auto before = stretch();
  const auto now_ns = base_.now_ns();
  const auto world_ns = at(before, now_ns);
  const bool ran = before.rate > 0 && now_ns <= before.until_ns;
  const auto slack_ns = std::min(kSlack_ns, scaled(kMostSlack_ns, 1 / page_->speed));
  Stretch next{now_ns, world_ns, ran ? now_ns : std::min(now_ns, before.until_ns),
               now_ns + next_ns + slack_ns, page_->speed};
  if (!ran && before.rate == 0) next.stood_ns = before.stood_ns;
  const auto limit = limit_ns(now_ns);
  if (limit <= world_ns)
    next.rate = 0;
  else if (limit != kForever_ns)
    next.until_ns = std::min(next.until_ns, now_ns + scaled(limit - world_ns, 1 / page_->speed));
  const auto newest = page_->newest.load() + 1;
  auto& slot = page_->slots[newest % 2];
  slot.real_ns = next.real_ns;
  slot.world_ns = next.world_ns;
  slot.stood_ns = next.stood_ns;
  slot.until_ns = next.until_ns;
  slot.rate = next.rate;
  page_->newest.store(newest, std::memory_order_release);
}

bool WorldTime::held() const {
  const auto now = stretch();
  return now.rate == 0 || base_.now_ns() >= now.until_ns;
}

void WorldTime::hand_over(std::int64_t time_ns) { page_->handed_over_ns.store(time_ns); }

std::int64_t WorldTime::handed_over_ns() const { return page_->handed_over_ns.load(); }

void WorldTime::mark(WorldReader who, std::int64_t time_ns) {
  page_->marks[static_cast<std::size_t>(who)].store(time_ns);
}

}  // namespace tactelier::devices
