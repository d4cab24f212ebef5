#include "devices/supervision/trip_latch.hpp"

#include <algorithm>

namespace tactelier::rig {
namespace {

constexpr std::size_t kMostKept = 20;

}  // namespace

std::optional<Trip> TripLatch::trip() const {
  const std::lock_guard lock(mutex_);
  return trip_;
}

std::vector<Trip> TripLatch::trips() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

bool TripLatch::keep(const Trip& trip) {
  const std::lock_guard lock(mutex_);
  const bool known = std::any_of(all_.begin(), all_.end(), [&](const Trip& one) {
    return one.kind == trip.kind && (trip.kind != LimitKind::kDevice || one.text == trip.text);
  });
  if (known || all_.size() >= kMostKept) return false;
  all_.push_back(trip);
  return true;
}

bool TripLatch::raise(const Trip& trip, std::int64_t now_ns, double braking_s) {
  const std::lock_guard lock(mutex_);
  if (trip_ && trip_->action >= trip.action) return false;
  trip_ = trip;
  if (trip.action == TripAction::kAbort)
    watch_.end();
  else
    watch_.begin(now_ns, braking_s);
  return true;
}

void TripLatch::clear() {
  const std::lock_guard lock(mutex_);
  trip_.reset();
  all_.clear();
}

void TripLatch::watch_stops(const StopWatch& watch) {
  const std::lock_guard lock(mutex_);
  watch_ = watch;
}

void TripLatch::begin_stop(std::int64_t now_ns, double braking_s) {
  const std::lock_guard lock(mutex_);
  watch_.begin(now_ns, braking_s);
}

void TripLatch::end_stop() {
  const std::lock_guard lock(mutex_);
  watch_.end();
}

std::optional<std::string> TripLatch::see_report(std::int64_t time_ns, const Vector3& at_m,
                                                 bool rests) {
  const std::lock_guard lock(mutex_);
  return watch_.see_report(time_ns, at_m, rests);
}

std::optional<std::string> TripLatch::see_force(std::int64_t time_ns, double force_N) {
  const std::lock_guard lock(mutex_);
  return watch_.see_force(time_ns, force_N);
}

std::optional<std::string> TripLatch::look(std::int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  return watch_.look(now_ns);
}

}  // namespace tactelier::rig
