#include "app/workflow/live_newtons.hpp"

#include <algorithm>

#include "devices/server/device_claim.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

using devices::Timeout;

constexpr Timeout kRead{200};                        // a stop is heard within it
constexpr std::int64_t kSilence_ns = 1'000'000'000;  // worth a word, and another start
constexpr std::int64_t kFirst_ns = 5'000'000'000;    // nothing came at all
constexpr std::int64_t kTell_ns = 5'000'000'000;     // between two words about losses
constexpr std::size_t kFewestAtRest = 5;             // frames

/// The system's words for a wire that is gone are a device's failure here, no bad file's.
tl::unexpected<Error> device_error(const Error& error, const std::string& remedy = {}) {
  const auto code = error.code == ErrorCode::kIo ? ErrorCode::kDeviceFault : error.code;
  return fail(Error{code, error.message + remedy});
}

/// What the array says of itself, where the device file doesn't describe it.
Result<void> fits_shape(const SensorModel& model, const devices::TactileShape& shape,
                        const std::string& place) {
  auto answered = model.sensor;
  answered.channels = shape.channels;
  const bool one_array = model.sensor.arrays.size() == 1;
  if (one_array || shape.rows * shape.columns != model.sensor.tactels()) {
    answered.arrays.resize(1);
    answered.arrays[0].rows = shape.rows;
    answered.arrays[0].columns = shape.columns;
  }
  return fits_array(model, answered, "the array at " + place);
}

/// One array being turned into newtons.
class LiveStream {
 public:
  LiveStream(const LiveRequest& request, const LiveListener& listener, const Job& job,
             const SensorModel& model, devices::TactileArray& array, devices::HostClock& clock)
      : request_(request),
        listener_(listener),
        job_(job),
        newtons_(model),
        array_(array),
        clock_(clock) {}

  /// Reads the array at rest. Fails as reading does, with kCancelled when stopped.
  Result<void> take_zero(LiveBegin& begin) {
    RestReadings rest;
    auto heard_ns = clock_.now_ns();
    std::int64_t first_ns = 0, last_ns = 0;
    const auto wanted_ns = static_cast<std::int64_t>(request_.zero_s * 1e9);
    while (last_ns - first_ns < wanted_ns || rest.frames() < kFewestAtRest) {
      if (job_.stopped()) return Job::cancelled();
      if (auto got = read(); !got && got.error().code != ErrorCode::kTimeout)
        return fail(got.error());
      else if (!got && clock_.now_ns() - heard_ns > kFirst_ns)
        return fail(got.error());
      for (const auto& frame : frames_) {
        if (rest.frames() == 0) first_ns = frame.host_time_ns;
        heard_ns = last_ns = frame.host_time_ns;
        rest.add(frame.counts);
      }
      job_.progress("take the zero, nothing on the array", static_cast<double>(last_ns - first_ns),
                    static_cast<double>(wanted_ns));
    }
    const auto zero = newtons_.take_zero(rest);
    begin.zero_taken = true;
    begin.zero_frames = rest.frames();
    begin.largest_shift_counts = zero.largest_shift_counts;
    const auto warnings = zero_warnings(zero);
    begin.warnings.insert(begin.warnings.end(), warnings.begin(), warnings.end());
    return {};
  }

  /// Fails when the wire is gone.
  Result<void> run() {
    heard_ns_ = clock_.now_ns();
    while (!job_.stopped()) {
      const auto got = read();
      if (!frames_.empty() && !tell_frames()) return {};
      tell_losses();
      if (got) continue;
      if (got.error().code == ErrorCode::kIo) return fail(got.error());
      if (auto waited = hear_silence(got.error()); !waited) return waited;
    }
    return {};
  }

  LiveReport report() const {
    auto report = report_;
    report.counters = array_.counters();
    if (report.frames > 0) report.mean_latency_s /= static_cast<double>(report.frames);
    return report;
  }
  const ArrayNewtons& newtons() const { return newtons_; }

 private:
  Result<void> read() {
    frames_.clear();
    return array_.read(frames_, kRead);
  }

  /// False at the stream's end.
  bool tell_frames() {
    if (silent_) {
      listener_.say(
          fmt::format("frames come again after {:.1f} s; the zero is still that of the "
                      "start",
                      seconds_since(heard_ns_, frames_.front().host_time_ns)));
      silent_ = false;
    }
    heard_ns_ = frames_.back().host_time_ns;
    for (const auto& frame : frames_) {
      if (report_.frames == 0) begin_ns_ = frame.host_time_ns;
      const double time_s = seconds_since(begin_ns_, frame.host_time_ns);
      if (request_.most_s > 0 && time_s >= request_.most_s) return false;
      report_.time_s = time_s;
      newtons_.apply(frame.counts, forces_);
      if (!listener_.frame({report_.frames++, report_.time_s, forces_,
                            newtons_.has_total() ? newtons_.total_N(frame.counts) : std::nullopt}))
        return false;
    }
    if (!listener_.batch()) return false;
    const auto now_ns = clock_.now_ns();
    for (const auto& frame : frames_) {
      const double late_s = seconds_since(frame.host_time_ns, now_ns);
      report_.mean_latency_s += late_s;  // divided in report()
      report_.worst_latency_s = std::max(report_.worst_latency_s, late_s);
    }
    return true;
  }

  /// A device that restarted streams again after a start; its answer may fail like the reading.
  Result<void> hear_silence(const Error& error) {
    const auto now_ns = clock_.now_ns();
    const bool bad = error.code != ErrorCode::kTimeout;
    if (!bad && now_ns - heard_ns_ < kSilence_ns) return {};
    if (!silent_) listener_.say(error.message + "; waiting for it, Ctrl-C ends");
    silent_ = true;
    if (now_ns - started_ns_ < kSilence_ns) return {};
    started_ns_ = now_ns;
    const auto started = array_.start();
    if (!started && started.error().code == ErrorCode::kIo) return started;
    return {};
  }

  void tell_losses() {
    const auto& counters = array_.counters();
    const auto all = counters.lost + counters.malformed + counters.restarts;
    const auto now_ns = clock_.now_ns();
    if (all <= told_losses_ || now_ns - told_ns_ < kTell_ns) return;
    told_losses_ = all;
    told_ns_ = now_ns;
    listener_.say(fmt::format("by now {} frames were lost, {} damaged{}", counters.lost,
                              counters.malformed,
                              counters.restarts > 0 ? "; the array began anew" : ""));
  }

  static double seconds_since(std::int64_t from_ns, std::int64_t to_ns) {
    return static_cast<double>(to_ns - from_ns) * 1e-9;
  }

  const LiveRequest& request_;
  const LiveListener& listener_;
  const Job& job_;
  ArrayNewtons newtons_;
  devices::TactileArray& array_;
  devices::HostClock& clock_;
  std::vector<devices::TactileFrame> frames_;
  std::vector<ReadingForce> forces_;
  LiveReport report_;
  std::int64_t begin_ns_ = 0, heard_ns_ = 0, started_ns_ = 0, told_ns_ = 0, told_losses_ = 0;
  bool silent_ = false;
};

Warnings model_warnings(const SensorModel& model, const ArrayNewtons& newtons,
                        const LiveRequest& request) {
  Warnings warnings;
  if (newtons.calibrated() < newtons.tactels())
    warnings.push_back(
        {"UNCALIBRATED",
         fmt::format("{} of {} tactels get no newtons; 'tactelier show MODEL --tactels' says why",
                     newtons.tactels() - newtons.calibrated(), newtons.tactels()),
         ""});
  if (request.serial.empty() && !model.serial.empty())
    warnings.push_back({"SERIAL-UNKNOWN",
                        fmt::format("the model is of the sensor with serial number {}; whether "
                                    "that one is connected nobody says",
                                    model.serial),
                        ""});
  if (request.zero_at_start && newtons.with_zero() < newtons.calibrated())
    warnings.push_back(
        {"ZERO-OF-MODEL",
         fmt::format("{} tactels keep the model's zero: it is none of a reading at rest",
                     newtons.calibrated() - newtons.with_zero()),
         ""});
  return warnings;
}

LiveBegin begin_of(const SensorModel& model, const ArrayNewtons& newtons,
                   const LiveRequest& request, const std::string& place) {
  LiveBegin begin;
  begin.sensor =
      model.sensor.vendor + (model.sensor.vendor.empty() ? "" : " ") + model.sensor.model;
  begin.serial = model.serial;
  begin.place = place;
  for (const auto& array : model.sensor.arrays) begin.arrays.push_back({array.rows, array.columns});
  begin.tactels = newtons.tactels();
  begin.calibrated = newtons.calibrated();
  begin.total = newtons.has_total();
  begin.warnings = model_warnings(model, newtons, request);
  return begin;
}

Result<LiveReport> streamed(LiveStream& stream, const LiveRequest& request, LiveBegin begin,
                            const LiveListener& listener) {
  if (request.zero_at_start && stream.newtons().with_zero() > 0)
    if (auto zero = stream.take_zero(begin); !zero) return device_error(zero.error());
  if (auto begun = listener.begin(begin); !begun) return fail(begun.error());
  if (auto ran = stream.run(); !ran)
    return device_error(ran.error(),
                        fmt::format("; {} frames were given. Once it is back start again: the "
                                    "zero is taken anew",
                                    stream.report().frames));
  return stream.report();
}

}  // namespace

Result<LiveReport> stream_newtons(const LiveRequest& request, const LiveListener& listener,
                                  const Job& job) {
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return stream_newtons(*model, request, listener, job);
}

Result<LiveReport> stream_newtons(const SensorModel& model, const LiveRequest& request,
                                  const LiveListener& listener, const Job& job) {
  auto file = devices::load_device_file(request.devices);
  if (!file) return fail(file.error());
  if (!file->tactile)
    return fail(ErrorCode::kUsage, "{}: names no tactile array (key 'tactile')",
                request.devices.string());
  if (file->sensor)
    if (auto fits = fits_array(model, *file->sensor, request.devices.string()); !fits)
      return fail(fits.error());
  if (auto fits = fits_serial(model, request.serial); !fits) return fail(fits.error());

  if (const ArrayNewtons newtons(model); newtons.calibrated() == 0 && !newtons.has_total())
    return fail(ErrorCode::kUnidentifiable,
                "{}: no reading becomes newtons: no tactel has gain and offset, or a curve",
                request.model.string());

  file->stage.reset();
  file->force.reset();
  file->aux.clear();
  const auto claim =
      rig::DeviceClaim::take(*file, {"'tactelier apply --live'", request.devices, {}});
  if (!claim) return device_error(claim.error());
  devices::DeviceConnections at(*file);
  at.leave_settings_alone();
  const auto array = at.open_tactile();
  if (!array) return device_error(array.error());
  const auto place = file->tactile->options.text("url", file->tactile->options.text("file"));
  if (auto fits = fits_shape(model, (*array)->shape(), place); !fits) return fail(fits.error());
  if (auto started = (*array)->start(); !started) return device_error(started.error());
  LiveStream stream(request, listener, job, model, **array, at.clock());
  auto report =
      streamed(stream, request, begin_of(model, stream.newtons(), request, place), listener);
  (void)(*array)->stop();
  return report;
}

}  // namespace tactelier
