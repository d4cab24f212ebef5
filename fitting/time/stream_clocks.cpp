#include "fitting/time/stream_clocks.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/recording/press_data.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/time/counter.hpp"
#include "fitting/time/press_clock.hpp"

namespace tactelier {
namespace {

constexpr double kSkewLimit = 500e-6;   // TA-01
constexpr double kMissingLimit = 0.01;  // TA-03

/// Follows one stream through the recording.
class Walk {
 public:
  Walk(Clock clock, bool arrivals, bool counter, std::vector<double> resumes_s)
      : clock_(clock), arrivals_(arrivals), counter_(counter), resumes_s_(std::move(resumes_s)) {}

  void take(const Samples& samples) {
    const auto* arrival = arrivals_ ? &samples.columns[0] : nullptr;
    const auto* counter = counter_ ? &samples.columns.back() : nullptr;
    if (!paced_) set_pace(samples, counter);
    for (std::size_t i = 0; i < samples.rows(); ++i) {
      const double t = samples.time_s[i];
      bool restarted = false;
      if (reader_ && !std::isnan((*counter)[i])) {
        reader_->add(t, (*counter)[i]);
        restarted = reader_->restarted();
      }
      if (arrival && clock_ == Clock::kOwn && !std::isnan((*arrival)[i]))
        add(t, (*arrival)[i], restarted);
      ++survey_.rows;
    }
  }

  StreamSurvey finish() {
    if (reader_) {
      survey_.missing = reader_->missing();
      survey_.wraps = reader_->wraps();
      survey_.restarts_s = reader_->restarts_s();
    }
    if (clock_ == Clock::kOwn && arrivals_) survey_.clock = fitter_.fit();
    survey_.period_s = period_s_ * (survey_.clock ? 1 + survey_.clock->skew.value : 1);
    return std::move(survey_);
  }

 private:
  void set_pace(const Samples& samples, const std::vector<double>* counter) {
    if (samples.rows() < 3) return;
    period_s_ = median_interval(samples.time_s);
    if (counter)
      if (const auto pace = counter_pace(samples.time_s, *counter)) reader_.emplace(*pace);
    paced_ = true;
  }

  void add(double t, double arrival_s, bool restarted) {
    const bool resumed = next_resume_ < resumes_s_.size() && arrival_s >= resumes_s_[next_resume_];
    if (resumed) ++next_resume_;
    if (resumed || restarted) fitter_.split();
    fitter_.add(t, arrival_s);
  }

  Clock clock_;
  bool arrivals_, counter_;
  std::vector<double> resumes_s_;
  std::size_t next_resume_ = 0;
  bool paced_ = false;
  double period_s_ = 0;
  std::optional<CounterReader> reader_;
  ClockFitter fitter_;
  StreamSurvey survey_;
};

std::vector<double> resumes(const Session& session) {
  std::vector<double> times;
  for (const auto& event : session.events())
    if (event.name == "resume") times.push_back(event.t_s.value());
  std::sort(times.begin(), times.end());
  return times;
}

/// Rows that the recorder knew to be lost.
std::size_t lost_by_events(const Session& session, StreamKind kind) {
  std::size_t lost = 0;
  for (const auto& event : session.events()) {
    if (event.name != "gap") continue;
    const auto data = nlohmann::json::parse(event.data, nullptr, false);
    if (data.value("stream", "") == to_string(kind) && data["lost"].is_number())
      lost += data["lost"].get<std::size_t>();
  }
  return lost;
}

void warn(const StreamSurvey& survey, const std::string& where, Warnings& warnings) {
  const auto name = to_string(survey.kind);
  if (survey.clock && std::abs(survey.clock->skew.value) > kSkewLimit)
    warnings.push_back(
        {"TA-01",
         fmt::format("Device period {:.6g} ms of stream '{}' differs from nominal by {:.0f} ppm: "
                     "wrong nominal rate or lost frames counted as received.",
                     1e3 * survey.period_s, name, 1e6 * survey.clock->skew.value),
         where});
  for (const double t : survey.restarts_s)
    warnings.push_back({"TA-02",
                        fmt::format("Frame counter of stream '{}' restarted at {:.3f} s of its own "
                                    "time; the record is split there.",
                                    name, t),
                        where});
  const auto all = static_cast<double>(survey.rows + survey.missing);
  const double share = all > 0 ? static_cast<double>(survey.missing) / all : 0;
  if (share > kMissingLimit)
    warnings.push_back(
        {"TA-03", fmt::format("{:.1f} % of {} frames are missing.", 100 * share, name), where});
}

Result<StreamSurvey> walk_stream(const FitContext& context, const Session& session,
                                 StreamKind kind) {
  const auto& info = session.stream(kind)->info;
  std::vector<std::string> columns;
  const bool arrivals = info.find("t_host") >= 0;
  const bool counter = info.find("seq") >= 0;
  if (arrivals) columns.emplace_back("t_host");
  if (counter) columns.emplace_back("seq");
  Walk walk(session.metadata().clock(kind), arrivals, counter, resumes(session));
  const auto done = session.scan(
      kind, columns, {},
      [&](const Samples& samples) -> Result<void> {
        walk.take(samples);
        return {};
      },
      context.job);
  if (!done) return fail(done.error(), session.file().filename().string());
  auto survey = walk.finish();
  survey.kind = kind;
  survey.missing = std::max(survey.missing, lost_by_events(session, kind));
  return survey;
}

std::string no_map(const Session& session, StreamKind kind) {
  if (session.stream(kind)->info.find("t_host") < 0)
    return fmt::format(
        "TA-08 Stream '{}' runs on a clock of its own, carries no arrival times, and too few "
        "presses show in it and in another stream: record the host's time of each row (t_host[s])",
        to_string(kind));
  return fmt::format("TA-08 Stream '{}' has too few arrival times to line its clock up",
                     to_string(kind));
}

/// The stream whose presses the others are lined up with: force best, travel last.
const StreamSurvey* reference_of(const ClockSurvey& all) {
  for (const auto kind : {StreamKind::kForce, StreamKind::kTactile, StreamKind::kStage})
    for (const auto& stream : all.streams)
      if (stream.kind == kind && all.clocks.of(kind).refusal.empty()) return &stream;
  return nullptr;
}

/// Streams that only their presses can place.
Result<void> place_by_presses(const FitContext& context, std::size_t session,
                              const std::string& where, ClockSurvey& all) {
  const auto* reference = reference_of(all);
  if (!reference) return {};
  std::optional<std::vector<double>> host_s;
  for (auto& stream : all.streams) {
    auto& time = all.clocks.of(stream.kind);
    if (time.refusal.empty()) continue;
    if (!host_s) {
      auto centres = loaded_centres_s(context, session, reference->kind);
      if (!centres) return fail(centres.error());
      all.clocks.of(reference->kind).map.to_host(*centres);
      host_s = std::move(*centres);
    }
    const auto device_s = loaded_centres_s(context, session, stream.kind);
    if (!device_s) return fail(device_s.error());
    stream.clock = clock_from_presses(*host_s, *device_s);
    if (!stream.clock) continue;
    time.map = stream.clock->map;
    time.refusal.clear();
    stream.by_presses = true;
    stream.period_s *= 1 + stream.clock->skew.value;
    all.warnings.push_back(
        {"TA-09",
         fmt::format("Stream '{}' carries no arrival times: its clock was lined up with the "
                     "stream '{}' by {} presses, each to {:.1f} ms. What that makes of fast "
                     "presses is not in the intervals: record t_host[s].",
                     to_string(stream.kind), to_string(reference->kind), stream.clock->points,
                     1e3 * stream.clock->residual_s),
         where});
  }
  return {};
}

}  // namespace

Result<ClockSurvey> survey_clocks(const FitContext& context, std::size_t session) {
  const Session& file = *context.sessions[session].session;
  const auto where = file.file().filename().string();
  ClockSurvey all;
  if (file.metadata().imported && file.metadata().imported->static_readings) return all;
  for (const auto& stream : file.streams()) {
    const auto kind = stream.info.kind;
    auto survey = walk_stream(context, file, kind);
    if (!survey) return fail(survey.error());
    auto& time = all.clocks.of(kind);
    if (survey->clock)
      time.map = survey->clock->map;
    else if (file.metadata().clock(kind) == Clock::kOwn)
      time.refusal = no_map(file, kind);
    warn(*survey, where, all.warnings);
    all.streams.push_back(std::move(*survey));
  }
  if (const auto placed = place_by_presses(context, session, where, all); !placed)
    return fail(placed.error());
  return all;
}

}  // namespace tactelier
