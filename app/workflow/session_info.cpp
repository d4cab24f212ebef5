#include "app/workflow/session_info.hpp"

#include <algorithm>
#include <cmath>

#include "app/workflow/find_damage.hpp"
#include "app/workflow/open_session.hpp"
#include "fitting/recording/sampling_gaps.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

/// Counts the gaps of a stream that comes in blocks.
class GapFinder {
 public:
  void add(const std::vector<double>& time_s) {
    time_s_.insert(time_s_.end(), time_s.begin(), time_s.end());
    if (time_s_.size() > kBlock) judge(time_s_.size() - kSide);
  }
  void finish(StreamReport& report) {
    judge(time_s_.size());
    report.gaps = gaps_;
    report.longest_gap_s = longest_s_;
  }

 private:
  static constexpr std::size_t kBlock = 4096;
  static constexpr std::size_t kSide = 16;  // rows around an interval that have a say in it
  static constexpr double kPeriods = 2.5;

  /// Rows before `end`; those after it are only looked at.
  void judge(std::size_t end) {
    for (std::size_t i = next_; i < end; ++i) {
      if (!gap_before(time_s_, i, kPeriods)) continue;
      ++gaps_;
      longest_s_ = std::max(longest_s_, time_s_[i] - time_s_[i - 1]);
    }
    const auto done = end - std::min(end, kSide);
    time_s_.erase(time_s_.begin(), time_s_.begin() + static_cast<std::ptrdiff_t>(done));
    next_ = std::max<std::size_t>(1, end - done);
  }

  std::vector<double> time_s_;
  std::size_t next_ = 1;  // first row not judged
  int gaps_ = 0;
  double longest_s_ = 0;
};

std::string_view clock_name(Clock clock) {
  switch (clock) {
    case Clock::kShared:
      return "shared";
    case Clock::kHost:
      return "host";
    case Clock::kOwn:
      return "own";
  }
  return {};
}

Result<StreamReport> stream_report(const Session& session, const StreamSummary& summary,
                                   const Job& job) {
  StreamReport report;
  report.name = to_string(summary.info.kind);
  report.rows = summary.rows;
  report.columns = summary.info.columns.size();
  report.begin_s = summary.begin_s;
  report.end_s = summary.end_s;
  report.rate_hz = summary.rate_hz();
  report.clock = clock_name(session.metadata().clock(summary.info.kind));
  GapFinder gaps;
  const auto scanned = session.scan(
      summary.info.kind, {}, {},
      [&](const Samples& samples) -> Result<void> {
        gaps.add(samples.time_s);
        return {};
      },
      job);
  if (!scanned) return fail(scanned.error());
  gaps.finish(report);
  return report;
}

void describe_metadata(const Session& session, SessionReport& report) {
  const auto& metadata = session.metadata();
  report.created = metadata.created;
  report.sensor = metadata.sensor.vendor.empty()
                      ? metadata.sensor.model
                      : fmt::format("{} {}", metadata.sensor.vendor, metadata.sensor.model);
  if (report.sensor.empty()) report.sensor = "described inline";
  report.tactels = metadata.sensor.tactels();
  if (metadata.sensor.arrays.size() == 1) {
    report.rows = metadata.sensor.arrays.front().rows;
    report.columns = metadata.sensor.arrays.front().columns;
  }
  if (metadata.indenter) report.indenter = metadata.indenter->describe();
  report.finished = session.finished();
  for (const auto& event : session.events()) ++report.events[event.name];
  for (const auto& edit : session.edits()) report.edits.push_back(edit.describe());
}

void refuse(const PressRow& press, std::vector<RefusedPresses>& refused) {
  const auto code = [](const std::string& why) { return why.substr(0, why.find(' ')); };
  const auto like = std::find_if(refused.begin(), refused.end(), [&](const RefusedPresses& known) {
    return code(known.why) == code(press.why);
  });
  auto& kind = like != refused.end() ? *like : refused.emplace_back(RefusedPresses{press.why, {}});
  kind.numbers.push_back(press.number);
}

/// By the stages of a fit that find where each press touched.
Result<void> judge_presses(const Session& session, std::vector<Press> all, const Job& job,
                           SessionReport& report) {
  const FitSession one{&session, std::move(all), {}};
  auto clocks = session_clocks(one, job);
  if (!clocks) return fail(clocks.error());
  const auto found =
      looking_context({one}, {std::move(*clocks)}, empty_model(session.metadata().sensor), job);
  if (!found) return fail(found.error());
  for (std::size_t i = 0; i < found->model.presses.size(); ++i) {
    const auto& press = found->model.presses[i];
    if (press.verdict == "unusable")
      refuse(press, report.refused);
    else
      ++report.presses_usable;
  }
  return {};
}

}  // namespace

std::vector<RigFinding> findings_of(const std::filesystem::path& path) {
  const auto session = Session::open(path);
  if (!session) return {};
  return rig_findings(session->events()).value_or(std::vector<RigFinding>{});
}

std::string findings_text(const std::filesystem::path& path) {
  std::string text;
  for (const auto& finding : findings_of(path)) text += finding.text + "\n";
  return text;
}

Result<SessionReport> session_info(const std::filesystem::path& path, const Job& job) {
  const auto opened = OpenSession::open(path, job);
  if (!opened) return fail(opened.error());
  const Session& session = opened->session();
  SessionReport report;
  report.name = opened->name();
  report.warnings = opened->warnings();
  describe_metadata(session, report);

  if (const auto checked = session.check(job); !checked) return fail(checked.error());
  for (const auto& summary : session.streams()) {
    auto stream = stream_report(session, summary, job);
    if (!stream) return fail(stream.error());
    if (summary.rows > 0)
      report.duration_s = std::max(report.duration_s, stream->end_s - stream->begin_s);
    report.streams.push_back(std::move(*stream));
  }
  if (auto found = rig_findings(session.events()))
    report.findings = std::move(*found);
  else
    report.warnings.push_back({"events", found.error().message, report.name});
  const auto all = presses(session.events(), session.edits(), session.metadata());
  if (!all) {
    report.warnings.push_back({"events", all.error().message, report.name});
  } else {
    report.presses = static_cast<int>(all->size());
    if (const auto judged = judge_presses(session, *all, job, report); !judged) {
      if (judged.error().code == ErrorCode::kCancelled) return fail(judged.error());
      report.warnings.push_back({"presses", judged.error().message, report.name});
    }
  }
  if (auto hash = session.content_hash()) report.content_hash = *hash;
  if (!session.finished())
    report.warnings.push_back(
        {"unfinished", "the recording was cut off; all that was committed is here", report.name});
  const auto found = damage_so_far(session);  // the streams' reports have read more
  report.damage = found.damage;
  report.presses_whole = found.presses_whole();
  return report;
}

}  // namespace tactelier
