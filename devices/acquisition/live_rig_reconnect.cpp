// LiveRig: what a lock waits for, and devices that come back.

#include <tuple>

#include "devices/acquisition/live_rig.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;

constexpr Timeout kOpenAgain{8000};  // a board that boots takes 2 s; a client waits 10 s at most
constexpr std::int64_t kFirstSample_ns = 2'000'000'000;
constexpr std::int64_t kPassing_ns = 500'000'000;  // what was told once is gone by the next look
constexpr double kSilent_s = 2;
constexpr std::int64_t kLook_ns = 10'000'000;

tl::unexpected<Error> another(std::string_view what) {
  return fail(
      ErrorCode::kDeviceFault,
      "another {} answers than before: end the rig process ('tactelier rig quit') and begin "
      "again",
      what);
}

}  // namespace

std::optional<std::string> LiveRig::waits_for() const {
  if (!trip() || lost_.any()) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    if (!stage_fault_.empty()) return stage_fault_;
  }
  return supervisor_->waits_for(clock().now_ns());
}

/// Streams that are silent though their wire is there: a box that was switched off, or whose stream
/// somebody else has taken, begins again only when it is asked.
void LiveRig::give_up_silent() {
  const auto now_ns = clock().now_ns();
  const auto last = reading();
  const auto silent_s = [&](std::int64_t last_ns) {
    return static_cast<double>(now_ns - last_ns) * 1e-9;
  };
  for (const auto& [role, name, last_ns] :
       {std::tuple(DeviceRole::kForce, "force sensor", last.force_ns),
        std::tuple(DeviceRole::kArray, "tactile array", last.frame_ns)})
    if (silent_s(last_ns) > kSilent_s)
      lost_.lost(role, fmt::format("{}: has said nothing for {:.0f} s", name, silent_s(last_ns)));
}

Result<void> LiveRig::acknowledge() {
  const int stops_before = stops_pressed_;
  give_up_silent();
  const auto back = lost_.bring_back(kOpenAgain);
  if (!back) return fail(back.error());
  auto& real = devices::steady_host_clock();
  const auto told_by_stage = [this] {
    const std::lock_guard lock(mutex_);
    return !stage_fault_.empty();
  };
  const auto until_ns = real.now_ns() + (*back             ? kFirstSample_ns
                                         : told_by_stage() ? kPassing_ns
                                                           : 0);
  auto cause = waits_for();
  for (; cause && real.now_ns() < until_ns; cause = waits_for())
    real.wait_until(real.now_ns() + kLook_ns);
  if (cause)
    return fail(
        ErrorCode::kDeviceFault,
        "the cause lasts: {}. Mend that (cable, power, a pressed limit switch), then acknowledge "
        "again",
        *cause);
  if (lost_.any())
    return fail(ErrorCode::kDeviceFault, "meanwhile a device was lost; acknowledge again");
  if (stops_pressed_ != stops_before)
    return fail(ErrorCode::kDeviceFault, "meanwhile STOP was pressed; acknowledge again");
  trips_.clear();
  return {};
}

Result<std::unique_ptr<devices::ForceSensor>> LiveRig::open_force_again() const {
  auto force = connections_->open_force();
  if (!force) return force;
  const auto& scale = (*force)->scale();
  const bool same = scale.SI_per_count == shapes_.force.SI_per_count &&
                    scale.full_scale_SI == shapes_.force.full_scale_SI &&
                    (*force)->rate_hz() == shapes_.force_rate_hz;
  if (!same) return another("force sensor (range, calibration or rate)");
  if (auto on = (*force)->start(); !on) return fail(on.error());
  return force;
}

Result<std::unique_ptr<devices::TactileArray>> LiveRig::open_array_again() const {
  auto array = connections_->open_tactile();
  if (!array) return array;
  if ((*array)->shape().size() != shapes_.array->size()) return another("tactile array");
  if (auto on = (*array)->start(); !on) return fail(on.error());
  return array;
}

Result<std::unique_ptr<devices::LengthGauge>> LiveRig::open_encoder_again() const {
  auto encoder = connections_->open_gauge(0);
  if (!encoder) return encoder;
  if (auto on = (*encoder)->start(); !on) return fail(on.error());
  return encoder;
}

void LiveRig::open_stage_again() {
  if (!lost_.is_lost(DeviceRole::kStage) || !lost_.wanted(DeviceRole::kStage, Timeout(0))) return;
  auto stage = connections_->open_stage();
  auto back = stage ? stage_->put_back(std::move(*stage)) : Result<void>(fail(stage.error()));
  if (back) {
    const std::lock_guard lock(mutex_);
    stage_fault_.clear();
  }
  lost_.tried(DeviceRole::kStage, back ? back : fail(back.error(), "stage"));
}

void LiveRig::notice_new_force() {
  if (force_seen_ == force_connections_) return;
  force_seen_ = force_connections_;
  raw_zeros_.forget();
  forget_tip();
}

}  // namespace tactelier::rig
