#include "app/workflow/apply_model.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <span>

#include "app/workflow/contact_centre.hpp"
#include "app/workflow/open_session.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kTwoSided95 = 1.959963984540054;  // normal quantile

/// Standard variance with everything: u_total is expanded (95 %) and already holds std.
double variance(const Parameter& parameter) {
  double u = parameter.std.value_or(0.0);
  if (parameter.u_total) u = std::max(u, *parameter.u_total / kTwoSided95);
  return u * u;
}

/// Covariance of two parameters, 0 when they were not estimated together.
double covariance(const SensorModel& model, const std::string& a, const std::string& b) {
  for (const auto& block : model.covariance) {
    const auto begin = block.parameters.begin();
    const auto ia = std::find(begin, block.parameters.end(), a);
    const auto ib = std::find(begin, block.parameters.end(), b);
    if (ia == block.parameters.end() || ib == block.parameters.end()) continue;
    const auto row = static_cast<std::size_t>(std::max(ia, ib) - begin);
    const auto column = static_cast<std::size_t>(std::min(ia, ib) - begin);
    const auto index = row * (row + 1) / 2 + column;
    if (index < block.lower.size()) return block.lower[index];
  }
  return 0.0;
}

}  // namespace

TactelLine::TactelLine(const SensorModel& model, std::size_t tactel)
    : calibration_(tactel_calibration(model, tactel)) {
  if (!why().empty()) return;
  const auto& response = model.response.tactels[tactel];
  curve_u95_ = response.curve_u95;
  var_threshold_ = variance(response.press_threshold);
  var_gain_ = variance(response.press_gain);
  const auto path = fmt::format("response.tactels[{}].", tactel);
  cov_ = covariance(model, path + "press_threshold", path + "press_gain");
}

double TactelLine::u_line_N(double above_counts) const {
  const double u2 =
      var_threshold_ + above_counts * above_counts * var_gain_ + 2 * above_counts * cov_;
  return std::sqrt(std::max(u2, 0.0));
}

double TactelLine::u_curve_N(double force_N) const {
  if (curve_u95_.empty()) {  // a hand-written curve: as far off as the line that gives this force
    const double above_N = force_N - calibration_.threshold_N;
    const double gain = calibration_.gain_N_per_count;
    return u_line_N(above_N > 0 && gain > 0 ? above_N / gain : 0);
  }
  const auto right = std::find_if(curve_u95_.begin(), curve_u95_.end(),
                                  [&](const auto& point) { return point[0] >= force_N; });
  if (right == curve_u95_.end()) return curve_u95_.back()[1] / kTwoSided95;
  if (right == curve_u95_.begin()) return right->at(1) / kTwoSided95;
  const auto left = right - 1;
  const double part = (force_N - left->at(0)) / (right->at(0) - left->at(0));
  return (left->at(1) + part * (right->at(1) - left->at(1))) / kTwoSided95;
}

AppliedReading TactelLine::apply(double reading) const {
  const auto read = calibration_.force(reading);
  if (!read.force_N) return {{}, {}, read.flag};
  const double u_N = calibration_.curve ? u_curve_N(*read.force_N)
                                        : u_line_N(read.counts - calibration_.offset_counts);
  const double noise_N = read.gain_N_per_count * calibration_.noise_counts;
  return {read.force_N, kTwoSided95 * std::hypot(u_N, noise_N), read.flag};
}

ArrayTotal::ArrayTotal(const SensorModel& model)
    : force_(model.array.force), coverage_(coverage_95(std::max(1, force_.presses - 1))) {}

AppliedReading ArrayTotal::apply(std::span<const double> readings) const {
  double force_N = force_.intercept_N;
  for (std::size_t t = 0; t < force_.weight_N_per_count.size(); ++t) {
    const double weight = force_.weight_N_per_count[t];
    if (weight != 0) force_N += weight * readings[t];
  }
  if (!known() || !std::isfinite(force_N)) return {{}, {}, ReadingFlag::kUncalibrated};
  const auto& share = force_.error_share;
  const double share_std = share.u_total ? *share.u_total / kTwoSided95 : share.value.value_or(0);
  const double error_N = std::hypot(force_.error.value.value_or(0), share_std * force_N);
  return {force_N, coverage_ * error_N, ReadingFlag::kOk};
}

namespace {

class ForceTable {
 public:
  ForceTable(const SensorModel& model, std::ostream& out)
      : out_(out), total_(model), centre_(model) {
    const auto tactels = static_cast<std::size_t>(model.sensor.tactels());
    std::string header = "t[s]";
    for (std::size_t i = 0; i < tactels; ++i) {
      lines_.emplace_back(model, i);
      header += fmt::format(",{0}[N],{0}.u95[N],{0}.flag", i);
    }
    if (total_.known()) header += ",total[N],total.u95[N]";
    if (centre_.known()) header += ",centre_x[mm],centre_y[mm],direction[deg]";
    out_ << header << '\n';
    readings_.resize(tactels);
  }

  void write(const Samples& samples, ApplyReport& report) {
    for (std::size_t row = 0; row < samples.rows(); ++row) {
      fmt::memory_buffer text;
      fmt::format_to(std::back_inserter(text), "{}", samples.time_s[row]);
      for (std::size_t i = 0; i < lines_.size(); ++i)
        cell(lines_[i].apply(readings_[i] = samples.columns[i][row]), text, report);
      if (total_.known()) total(text);
      if (centre_.known()) centre(text);
      text.push_back('\n');
      out_.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    report.total = total_.known();
    report.rows += samples.rows();
    report.readings += samples.rows() * lines_.size();
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

  static void cell(const AppliedReading& applied, fmt::memory_buffer& text, ApplyReport& report) {
    report.below += applied.flag == ReadingFlag::kBelow;
    report.saturated += applied.flag == ReadingFlag::kSaturated;
    report.uncalibrated += applied.flag == ReadingFlag::kUncalibrated;
    const auto out = std::back_inserter(text);
    if (applied.force_N)
      fmt::format_to(out, ",{:.6g},{:.3g},{}", *applied.force_N, applied.u95_N.value_or(0.0),
                     to_string(applied.flag));
    else
      fmt::format_to(out, ",,,{}", to_string(applied.flag));
  }

  void total(fmt::memory_buffer& text) {
    const auto applied = total_.apply(readings_);
    if (applied.force_N)
      fmt::format_to(std::back_inserter(text), ",{:.6g},{:.3g}", *applied.force_N,
                     applied.u95_N.value_or(0.0));
    else
      fmt::format_to(std::back_inserter(text), ",,");
  }

  void centre(fmt::memory_buffer& text) {
    const auto out = std::back_inserter(text);
    const auto found = centre_.of(readings_);
    if (!found) {
      fmt::format_to(out, ",,,");
      return;
    }
    fmt::format_to(out, ",{:.4f},{:.4f},", m_to_mm(found->centre.x_m), m_to_mm(found->centre.y_m));
    if (found->direction_rad)
      fmt::format_to(out, "{:.2f}", *found->direction_rad * 180 / std::numbers::pi);
  }

  std::ostream& out_;
  std::vector<TactelLine> lines_;
  ArrayTotal total_;
  ContactCentre centre_;
  std::vector<double> readings_;  // of the row
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
  for (int i = 0; i < model.sensor.tactels(); ++i) names.push_back(fmt::format("{}", i));
  return names;
}

Result<void> write_forces(const Session& session, const SensorModel& model,
                          const std::filesystem::path& partial, const Job& job,
                          ApplyReport& report) {
  std::ofstream out(partial, std::ios::binary);
  if (!out) return fail(ErrorCode::kIo, "cannot write '{}'", partial.string());
  ForceTable table(model, out);
  const auto scanned = session.scan(
      StreamKind::kTactile, tactel_columns(model), {},
      [&](const Samples& samples) -> Result<void> {
        table.write(samples, report);
        if (!out) return fail(ErrorCode::kIo, "cannot write '{}': disk full?", partial.string());
        return {};
      },
      job);
  if (!scanned) return scanned;
  out.close();
  if (!out) return fail(ErrorCode::kIo, "cannot write '{}': disk full?", partial.string());
  report.uncalibrated_tactels = table.uncalibrated();
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

double ApplyReport::uncalibrated_percent() const {
  return readings > 0 ? 100.0 * static_cast<double>(uncalibrated) / static_cast<double>(readings)
                      : 0;
}

Result<ApplyReport> apply_model(const std::filesystem::path& model_file,
                                const std::filesystem::path& input,
                                const std::filesystem::path& output, const Job& job) {
  if (output.extension() != ".csv")
    return fail(ErrorCode::kUsage, "-o {}: the name must end in .csv", output.string());
  const auto model = read_model(model_file);
  if (!model) return fail(model.error());
  if (model->sensor.channels != 1)
    return fail(ErrorCode::kInvalidInput,
                "{}: apply knows sensors with one reading per tactel only",
                model_file.filename().string());
  const auto opened = input.extension() == ".csv"
                          ? OpenSession::open_readings(input, model->sensor.tactels(), job)
                          : OpenSession::open(input, job);
  if (!opened) return fail(opened.error());
  const Session& session = opened->session();
  if (auto ok = same_sensor(model->sensor, session.metadata().sensor); !ok) return fail(ok.error());
  if (session.stream(StreamKind::kTactile) == nullptr)
    return fail(ErrorCode::kInvalidInput, "{}: holds no tactile readings", opened->name());

  ApplyReport report;
  report.warnings = opened->warnings();
  auto partial = output;
  partial += ".partial";
  std::error_code error;
  if (auto written = write_forces(session, *model, partial, job, report); !written) {
    std::filesystem::remove(partial, error);
    return fail(written.error());
  }
  std::filesystem::rename(partial, output, error);
  if (error) return fail(ErrorCode::kIo, "cannot write '{}': {}", output.string(), error.message());
  warn_uncalibrated(*model, report);
  const auto damaged = damage_warnings(session, opened->name());
  report.warnings.insert(report.warnings.end(), damaged.begin(), damaged.end());
  return report;
}

}  // namespace tactelier
