#pragma once
// Samples that a fit has decoded once: contact, wrench, response, spread, stiffness and more all
// read the same presses.
//
// It keeps what comes first until it is full and then keeps that: stages go through the presses in
// order, so what would have to leave for something newer is what is asked for next.

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

/// Of samples, per fit; a recording of 77 minutes with 84 tactels holds 1 GB of them, 150 MB of
/// which are forces, which are asked for most.
constexpr std::size_t kMaxCachedBytes = std::size_t{144} << 20;

class SampleCache {
 public:
  explicit SampleCache(std::size_t max_bytes = kMaxCachedBytes) : max_bytes_(max_bytes) {}

  /// As Session::read(). Sessions outlive the cache. From any thread.
  Result<Samples> read(const Session& session, StreamKind kind,
                       std::span<const std::string> columns, TimeRange range, const Job& job);
  std::size_t bytes() const;

 private:
  using Key = std::tuple<const Session*, StreamKind, double, double, std::vector<std::string>>;

  mutable std::mutex mutex_;
  std::map<Key, Samples> kept_;
  std::size_t bytes_ = 0;
  std::size_t max_bytes_;
};

}  // namespace tactelier
