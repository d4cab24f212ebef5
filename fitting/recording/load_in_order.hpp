#pragma once
// Presses read ahead on the fit's threads and handed over one by one, in order, to the thread that
// asked: reading and decoding is half of a fit, and what stages make of a press is often not to be
// done twice at once.

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "fitting/statistics/parallel.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Calls take(i, load(i)) for 0 <= i < count, take in order and on the calling thread, load ahead
/// on `threads` others (on the calling thread where it is one). At most 2 `threads` loaded values
/// wait, so memory stays bounded. `load` must not throw and must change nothing that another load
/// or take reads. Ends with take's first error.
template <class Load, class Take>
Result<void> load_in_order(int threads, std::size_t count, const Load& load, const Take& take) {
  using Loaded = std::invoke_result_t<const Load&, std::size_t>;
  if (threads <= 1 || count < 2) {
    for (std::size_t i = 0; i < count; ++i)
      if (auto taken = take(i, load(i)); !taken) return taken;
    return {};
  }
  const auto ahead = 2 * static_cast<std::size_t>(threads);
  std::mutex mutex;
  std::condition_variable loaded, room;
  std::vector<std::optional<Loaded>> slots(ahead);  // i waits in slot i % ahead
  std::size_t next = 0, wanted = 0;
  bool ended = false;
  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (true) {
      room.wait(lock, [&] { return ended || next == count || next < wanted + ahead; });
      if (ended || next == count) return;
      const auto i = next++;
      lock.unlock();
      auto value = load(i);
      lock.lock();
      slots[i % ahead].emplace(std::move(value));
      loaded.notify_one();
    }
  };
  std::vector<std::jthread> helpers;
  for (int t = 0; t < threads && static_cast<std::size_t>(t) < count; ++t)
    helpers.emplace_back(work);
  Result<void> done;
  for (std::size_t i = 0; i < count && done; ++i) {
    std::unique_lock lock(mutex);
    loaded.wait(lock, [&] { return slots[i % ahead].has_value(); });
    auto value = std::move(*slots[i % ahead]);
    slots[i % ahead].reset();
    wanted = i + 1;
    lock.unlock();
    room.notify_all();
    done = take(i, std::move(value));
  }
  {
    const std::scoped_lock lock(mutex);
    ended = true;
  }
  room.notify_all();
  return done;
}

}  // namespace tactelier
