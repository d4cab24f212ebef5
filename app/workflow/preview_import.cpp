#include "app/workflow/preview_import.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/workflow/temporary_folder.hpp"
#include "fitting/views/recording_view.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

constexpr int kStretches = 1500;  // a screen's width

/// Least and most per stretch of equal length: no touch between two drawn points is lost.
Result<PreviewLine> line_of(const Session& session, StreamKind kind, const std::string& column,
                            double sign, const Job& job) {
  PreviewLine line;
  line.name = column;
  const auto* stream = session.stream(kind);
  if (stream == nullptr || stream->info.find(column) < 0) return line;
  const double length_s = std::max(stream->end_s - stream->begin_s, 1e-12);
  struct Range {
    double time_s, low, high;
  };
  std::map<int, Range> stretches;
  const std::string columns[] = {column};
  const auto seen = session.scan(
      kind, columns, {},
      [&](const Samples& samples) -> Result<void> {
        for (std::size_t i = 0; i < samples.rows(); ++i) {
          const double value = sign * samples.columns[0][i];
          if (!std::isfinite(value)) continue;
          const double t_s = samples.time_s[i];
          const auto at = static_cast<int>(kStretches * (t_s - stream->begin_s) / length_s);
          auto& range = stretches.try_emplace(at, Range{t_s, value, value}).first->second;
          range.low = std::min(range.low, value);
          range.high = std::max(range.high, value);
        }
        return {};
      },
      job);
  if (!seen) return fail(seen.error());
  for (const auto& [at, range] : stretches) {
    line.time_s.push_back(range.time_s);
    line.low.push_back(range.low);
    line.high.push_back(range.high);
  }
  return line;
}

Result<void> take_readings(const Session& session, const Job& job, ImportPreview& preview) {
  const auto extremes = tactel_extremes(session, job);
  if (!extremes) return fail(extremes.error());
  const auto columns = tactel_columns(session);
  preview.tactels = static_cast<int>(columns.size());
  std::vector<std::pair<double, std::size_t>> swings;
  for (std::size_t i = 0; i < std::min(columns.size(), extremes->size()); ++i)
    if (const double swing = (*extremes)[i].max - (*extremes)[i].min; std::isfinite(swing))
      swings.emplace_back(-swing, i);
  std::ranges::sort(swings);
  swings.resize(std::min(swings.size(), ImportPreview::kReadings));
  std::ranges::sort(swings, {}, &std::pair<double, std::size_t>::second);
  for (const auto& [swing, index] : swings) {
    auto line = line_of(session, StreamKind::kTactile, columns[index], 1, job);
    if (!line) return fail(line.error());
    preview.readings.push_back(std::move(*line));
  }
  return {};
}

Result<void> take_spans(const Session& session, ImportPreview& preview) {
  using What = PreviewSpan::What;
  const auto found = presses(session.events(), session.edits(), session.metadata());
  if (!found) return fail(found.error());
  for (const auto& press : *found) {
    preview.spans.push_back(
        {What::kPress, fmt::format("press {}", press.number), press.begin_s, press.end_s});
    for (const auto& hold : press.holds)
      preview.spans.push_back({What::kHold, "hold", hold.begin_s, hold.end_s});
  }
  const std::pair<const char*, What> kinds[] = {{"zero", What::kRest},
                                                {"slide", What::kSlide},
                                                {"oscillation", What::kSlide},
                                                {"plate", What::kOther},
                                                {"reference", What::kOther}};
  for (const auto& [name, what] : kinds)
    if (const auto stretches = intervals(session.events(), name))
      for (const auto& stretch : *stretches)
        preview.spans.push_back(
            {what, what == What::kRest ? "rest" : name, stretch.begin_s, stretch.end_s});
  return {};
}

Result<void> read_back(const std::filesystem::path& file, const Job& job, ImportPreview& preview) {
  const auto session = Session::open(file);
  if (!session) return fail(session.error());
  const auto& imported = session->metadata().imported;
  preview.at_rest = imported && imported->static_readings;
  const auto axis = session->metadata().press_axis();
  auto force = line_of(*session, StreamKind::kForce, std::string(axis.column()), axis.sign, job);
  if (!force) return fail(force.error());
  preview.force = std::move(*force);
  if (auto taken = take_readings(*session, job, preview); !taken) return taken;
  return take_spans(*session, preview);
}

}  // namespace

Result<ImportPreview> preview_import(const PreviewRequest& request, const Job& job) {
  auto guessed = guess_import(request.guess, job);
  if (!guessed) return fail(guessed.error());
  ImportPreview preview;
  preview.guessed = std::move(*guessed);
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  ImportRequest import;
  import.source = request.guess.source;
  import.map = (*folder)->path() / "preview.map.json";
  import.target = (*folder)->path() / "preview.tact";
  const auto& text = request.map.empty() ? preview.guessed.text : request.map;
  if (auto written = write_text_file(*import.map, text); !written) return fail(written.error());
  auto report = import_session(import, job);
  if (!report && report.error().code == ErrorCode::kCancelled) return fail(report.error());
  if (!report) {
    preview.refused = report.error();
    return preview;
  }
  preview.report = std::move(*report);
  if (auto read = read_back(import.target, job, preview); !read) {
    if (read.error().code == ErrorCode::kCancelled) return fail(read.error());
    preview.refused = read.error();
  }
  return preview;
}

}  // namespace tactelier
