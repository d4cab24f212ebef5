#include "app/workflow/apply_rows.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "app/workflow/open_session.hpp"

namespace tactelier {
namespace {

class RowNewtons {
 public:
  explicit RowNewtons(const SensorModel& model) : total_(model), centre_(model) {
    const auto tactels = static_cast<std::size_t>(model.sensor.tactels());
    for (std::size_t i = 0; i < tactels; ++i) lines_.emplace_back(model, i);
    readings_.resize(tactels);
    row_.tactels.resize(tactels);
  }

  AppliedColumns columns(std::uint64_t rows) const {
    return {lines_.size(), total_.known(), centre_.known(), rows};
  }

  const AppliedRow& at(const Samples& samples, std::size_t row, ApplyReport& report) {
    row_.time_s = samples.time_s[row];
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      row_.tactels[i] = lines_[i].apply(readings_[i] = samples.columns[i][row]);
      const auto flag = row_.tactels[i].flag;
      report.below += flag == ReadingFlag::kBelow;
      report.saturated += flag == ReadingFlag::kSaturated;
      report.uncalibrated += flag == ReadingFlag::kUncalibrated;
    }
    if (total_.known()) row_.total = total_.apply(readings_);
    if (centre_.known()) row_.centre = centre_.of(readings_);
    return row_;
  }

  std::vector<UncalibratedTactels> uncalibrated() const {
    std::map<std::string, std::vector<int>> by_reason;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!lines_[i].why().empty())
        by_reason[without_number(lines_[i].why(), i)].push_back(static_cast<int>(i));
    std::vector<UncalibratedTactels> all;
    for (auto& [reason, tactels] : by_reason) all.push_back({reason, std::move(tactels)});
    return all;
  }

 private:
  /// Reasons of tactels that differ by the tactel's own number only are one.
  static std::string without_number(std::string reason, std::size_t tactel) {
    for (const auto* word : {"tactel {}", "Tactel {}"}) {
      const auto name = fmt::format(fmt::runtime(word), tactel);
      const auto at = reason.find(name);
      const bool whole = at != reason.npos && (at + name.size() == reason.size() ||
                                               std::isdigit(reason[at + name.size()]) == 0);
      if (whole) reason.replace(at, name.size(), "the tactel");
    }
    return reason;
  }

  std::vector<TactelLine> lines_;
  ArrayTotal total_;
  ContactCentre centre_;
  std::vector<double> readings_;  // of the row
  AppliedRow row_;
};

Result<void> same_sensor(const SensorDescription& model, const SensorDescription& session) {
  if (model.tactels() == session.tactels() && model.channels == session.channels) return {};
  return fail(ErrorCode::kInvalidInput,
              "the model is for {} tactels ({} channels each), the readings hold {} ({} each): not "
              "the same sensor",
              model.tactels(), model.channels, session.tactels(), session.channels);
}

std::vector<std::string> tactel_columns(const SensorModel& model) {
  std::vector<std::string> names;
  const auto* channel = model.sensor.channels == 3 ? ".z" : "";  // the normal one
  for (int i = 0; i < model.sensor.tactels(); ++i) names.push_back(fmt::format("{}{}", i, channel));
  return names;
}

Result<void> scan_rows(const Session& session, const SensorModel& model,
                       const AppliedListener& listener, const Job& job, ApplyReport& report) {
  RowNewtons newtons(model);
  const auto columns = newtons.columns(session.stream(StreamKind::kTactile)->rows);
  if (auto begun = listener.begin(columns); !begun) return begun;
  report.total = columns.total;
  const auto scanned = session.scan(
      StreamKind::kTactile, tactel_columns(model), {},
      [&](const Samples& samples) -> Result<void> {
        for (std::size_t row = 0; row < samples.rows(); ++row)
          if (auto taken = listener.row(newtons.at(samples, row, report)); !taken) return taken;
        report.rows += samples.rows();
        report.readings += samples.rows() * columns.tactels;
        return {};
      },
      job);
  if (!scanned) return scanned;
  report.uncalibrated_tactels = newtons.uncalibrated();
  return {};
}

std::string listed(std::span<const int> tactels) {
  constexpr std::size_t kMost = 12;
  const auto shown = tactels.first(std::min(kMost, tactels.size()));
  return fmt::format("tactel{} {}{}", tactels.size() == 1 ? "" : "s", fmt::join(shown, ", "),
                     tactels.size() > kMost ? ", ..." : "");
}

void warn_uncalibrated(const SensorModel& model, ApplyReport& report) {
  for (const auto& group : report.uncalibrated_tactels)
    report.warnings.push_back(
        {"UNCALIBRATED",
         fmt::format("{} of {} tactels get no newtons: {}", group.tactels.size(),
                     model.sensor.tactels(), group.reason),
         listed(group.tactels)});
}

}  // namespace

Result<ApplyReport> apply_rows(const SensorModel& model, std::string_view model_name,
                               const std::filesystem::path& input, const AppliedListener& listener,
                               const Job& job) {
  if (model.sensor.channels != 1 && model.sensor.channels != 3)
    return fail(ErrorCode::kInvalidInput,
                "{}: apply knows sensors with one reading per tactel, or three (x, y, z), only",
                model_name);
  const auto opened = input.extension() == ".csv"
                          ? OpenSession::open_readings(input, model.sensor.tactels(), job)
                          : OpenSession::open(input, job);
  if (!opened) return fail(opened.error());
  const Session& session = opened->session();
  if (auto ok = same_sensor(model.sensor, session.metadata().sensor); !ok) return fail(ok.error());
  if (session.stream(StreamKind::kTactile) == nullptr)
    return fail(ErrorCode::kInvalidInput, "{}: holds no tactile readings", opened->name());
  ApplyReport report;
  report.warnings = opened->warnings();
  if (auto done = scan_rows(session, model, listener, job, report); !done)
    return fail(done.error());
  warn_uncalibrated(model, report);
  const auto damaged = damage_warnings(session, opened->name());
  report.warnings.insert(report.warnings.end(), damaged.begin(), damaged.end());
  return report;
}

}  // namespace tactelier
