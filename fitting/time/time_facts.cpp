#include "fitting/time/time_facts.hpp"

#include <array>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kArrivalTimes = "a driver that records arrival times (t_host)";

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"timing.latency_s", "τ_lat", "latency", "s", "Delay of the tactile frames after the force.",
     "P5", kPurpose},
    {"clock.*.offset", "", "clock offset", "s",
     "Host time less device time at the stream's first sample, the shortest transport included.",
     "P0", kPurpose},
    {"clock.*.skew", "", "clock skew", "",
     "Host seconds per second of the device's clock, less one.", "P0", kPurpose},
    {"clock.*.residual", "", "clock residual", "s",
     "Mean delay of the arrivals behind the line through the earliest ones.", "P0", kPurpose},
});

constexpr auto kGroups = std::to_array<GroupFact>({
    {"timing", "Time", kOfRecording},
    {"clock", "Clocks", kOfRecording},
});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"TA-01", "device period off",
     "The device's period differs from the nominal one by more than 500 ppm: the nominal rate is "
     "wrong, or lost frames were counted as received.",
     "Check the rate that the device is set to and its count of lost frames."},
    {"TA-02", "frame counter restarted",
     "The stream's frame counter went back: the device restarted, and the record is split there.",
     "Look for a reset or a loose cable; repeat presses that span the restart."},
    {"TA-03", "frames missing",
     "More than one frame in a hundred was lost between device and computer.",
     "Lower the frame rate, or give the device a port and a cable of its own."},
    {"TA-04", "tactile and force unlike",
     "Readings and force do not follow each other over the press, so that no delay between them "
     "can be found.",
     "Press a healthy tactel above its threshold, with loading and unloading.", recording("P5")},
    {"TA-05", "check the clocks",
     "The best delay between tactile stream and force lies outside of what is searched: the "
     "streams are not on one clock.",
     "Check the clocks of both devices, and that each stream carries arrival times.",
     device(kArrivalTimes)},
    {"TA-06", "too few speeds",
     "Delay and hysteresis look alike in presses at one rate of loading; too few presses at "
     "different rates were recorded to tell them apart.",
     "Record ramps at four speeds, loading and unloading.", recording("P5")},
    {"TA-07", "no moving press",
     "The force hardly changes in this recording, and only a changing force shows a delay.",
     "Record ramps, with force and tactile stream in time.", recording("P5")},
    {"TA-08", "a clock that can't be placed",
     "The stream runs on a clock of its own and carries no arrival times that would align it with "
     "the others.",
     "Record with arrival times, or press at least three times so that loads align the clocks.",
     recording("P2", kArrivalTimes)},
    {"TA-09", "clock aligned by presses",
     "The stream carries no arrival times; its clock was aligned by the times at which presses "
     "load both streams, which is good to milliseconds only.",
     "Record arrival times (t_host) where fast presses matter."},
    {"TA-10", "sessions disagree in latency",
     "Sessions with the same devices find latencies further apart than chance allows: each keeps "
     "its own.",
     "Look for what changed between them: driver, frame rate, computer."},
    {"NOT-FITTED", "no time course",
     "The sessions hold no tactile stream with a time course, or the stage 'time' did not run.",
     "Record the array as a stream, beside the force.", recording("P5"), "timing."},
});

std::optional<std::string> unmet(const SensorModel& model) {
  for (const auto& [stream, clock] : model.clock)
    if (!clock.offset.usable()) return fmt::format("{}: {}", stream, clock.offset.reason);
  if (model.timing.latency_s.usable()) return std::nullopt;
  return model.timing.latency_s.reason;
}

}  // namespace

const StageFacts& time_facts() {
  static constexpr StageFacts kFacts{
      "time", "Time base", StageFacts::Kind::kPrepares, {kParameters, kGroups, kCodes}, unmet};
  return kFacts;
}

}  // namespace tactelier
