#pragma once
// The same work for every index, on several threads. Results are written to slots by index, so they
// don't depend on how many threads there are.

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tactelier {

/// As many as asked for; 0: as many as the machine has.
inline int thread_count(int wanted) {
  if (wanted > 0) return wanted;
  const auto there = static_cast<int>(std::thread::hardware_concurrency());
  return there > 0 ? there : 1;
}

/// Calls work(i) for 0 <= i < count. `work` must not throw and must write only to its own slot.
template <class Work>
void parallel_for(int threads, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  for (int t = 1; t < threads && static_cast<std::size_t>(t) < count; ++t)
    helpers.emplace_back(run);
  run();
}

}  // namespace tactelier
