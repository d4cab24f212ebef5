#include "fitting/recording/sample_cache.hpp"

namespace tactelier {
namespace {

std::size_t bytes_of(const Samples& samples) {
  return (samples.columns.size() + 1) * samples.rows() * sizeof(double);
}

}  // namespace

Result<Samples> SampleCache::read(const Session& session, StreamKind kind,
                                  std::span<const std::string> columns, TimeRange range,
                                  const Job& job) {
  Key key{&session, kind, range.begin_s, range.end_s, {columns.begin(), columns.end()}};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  }
  auto samples = session.read(kind, columns, range, job);
  if (!samples) return samples;
  const std::scoped_lock lock(mutex_);
  if (const auto bytes = bytes_of(*samples); bytes_ + bytes <= max_bytes_)
    if (kept_.emplace(std::move(key), *samples).second) bytes_ += bytes;
  return samples;
}

std::size_t SampleCache::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

}  // namespace tactelier
