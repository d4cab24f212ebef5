#include "app/workflow/rig_newtons.hpp"

#include "devices/registry/device_file.hpp"

namespace tactelier {
namespace {

constexpr std::int64_t kPatience_ns = 5'000'000'000;
constexpr std::size_t kFewestAtRest = 5;  // frames

}  // namespace

Result<rig::LiveFrame> next_frame(RigWatch& watch, const Job& job) {
  constexpr devices::Timeout kLook{100};
  auto& clock = devices::steady_host_clock();
  const auto until_ns = clock.now_ns() + kPatience_ns;
  while (true) {
    auto frame = watch.next(kLook);
    if (frame || frame.error().code != ErrorCode::kTimeout) return frame;
    if (job.stopped()) return Job::cancelled();
    if (clock.now_ns() > until_ns) return frame;
  }
}

Result<RigNewtons> RigNewtons::begin(const SensorModel& model, const RigNewtonsRequest& request,
                                     const Job& job) {
  if (auto fits = fits_serial(model, request.serial); !fits) return fail(fits.error());
  if (request.devices) {
    const auto file = devices::load_device_file(*request.devices);
    if (!file) return fail(file.error());
    if (file->sensor)
      if (auto fits = fits_array(model, *file->sensor, request.devices->string()); !fits)
        return fail(fits.error());
  }
  ArrayNewtons newtons(model);
  if (newtons.calibrated() == 0 && !newtons.has_total())
    return fail(ErrorCode::kUnidentifiable,
                "no reading becomes newtons: no tactel has gain and offset, or a curve");
  auto watch = RigWatch::begin(request.devices);
  if (!watch) return fail(watch.error());
  RigNewtons begun(std::move(*watch), std::move(newtons));
  const auto first = begun.next_readings(job);
  if (!first) return fail(first.error());
  if (first->counts.size() != begun.newtons_.tactels())
    return fail(ErrorCode::kInvalidInput,
                "the rig's array gives {} readings a frame, the model is of {} tactels",
                first->counts.size(), begun.newtons_.tactels());
  if (request.zero_s > 0)
    if (auto zero = begun.take_zero(request.zero_s, job); !zero) return fail(zero.error());
  return begun;
}

Result<rig::LiveFrame> RigNewtons::next_readings(const Job& job) {
  while (true) {
    if (job.stopped()) return Job::cancelled();
    auto frame = next_frame(watch_, job);
    if (!frame || frame->frame_ns != read_ns_) {
      if (frame) read_ns_ = frame->frame_ns;
      return frame;
    }
  }
}

Result<void> RigNewtons::take_zero(double zero_s, const Job& job) {
  RestReadings rest;
  std::int64_t first_ns = 0, last_ns = 0;
  const auto wanted_ns = static_cast<std::int64_t>(zero_s * 1e9);
  while (last_ns - first_ns < wanted_ns || rest.frames() < kFewestAtRest) {
    const auto frame = next_readings(job);
    if (!frame) return fail(frame.error());
    if (rest.frames() == 0) first_ns = frame->frame_ns;
    last_ns = frame->frame_ns;
    rest.add(std::vector<double>(frame->counts.begin(), frame->counts.end()));
    job.progress("take the zero, nothing on the array", static_cast<double>(last_ns - first_ns),
                 static_cast<double>(wanted_ns));
  }
  warnings_ = zero_warnings(newtons_.take_zero(rest));
  return {};
}

Result<RigNewtonFrame> RigNewtons::next(const Job& job) {
  auto frame = next_readings(job);
  if (!frame) return fail(frame.error());
  RigNewtonFrame made;
  const std::vector<double> readings(frame->counts.begin(), frame->counts.end());
  newtons_.apply(readings, made.tactels);
  if (newtons_.has_total()) made.total_N = newtons_.total_N(readings);
  made.rig = std::move(*frame);
  return made;
}

}  // namespace tactelier
