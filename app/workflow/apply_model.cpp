#include "app/workflow/apply_model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/workflow/open_session.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/turned_counts.hpp"

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

std::optional<BentResponse> bent_response(const SensorModel& model,
                                          const TactelResponse& response) {
  if (model.response.model == "monotone") return BentResponse::from_knots(response.knots);
  if (model.response.model != "polynomial" || !model.validity.force_N) return std::nullopt;
  std::vector<double> coefficients;
  for (const auto& parameter : response.coefficients) {
    if (!parameter.value) return std::nullopt;
    coefficients.push_back(*parameter.value);
  }
  return BentResponse::from_powers(coefficients, response.offset.value.value_or(0),
                                   (*model.validity.force_N)[1]);
}

std::string_view to_string(ReadingFlag flag) {
  switch (flag) {
    case ReadingFlag::kOk:
      return "ok";
    case ReadingFlag::kBelow:
      return "below";
    case ReadingFlag::kSaturated:
      return "saturated";
    case ReadingFlag::kUncalibrated:
      return "uncalibrated";
    case ReadingFlag::kNoReading:
      return "missing";
  }
  return {};
}

TactelLine::TactelLine(const SensorModel& model, std::size_t tactel) {
  falling_ = model.sensor.falling;
  mirror_ = model.sensor.adc.max.value_or(0.0) + model.sensor.adc.min.value_or(0.0);
  if (tactel >= model.response.tactels.size()) return;
  auto response = model.response.tactels[tactel];
  turn_counts(model.sensor, response);
  if (!response.press_gain.usable() || !response.press_threshold.usable() ||
      !response.offset.usable())
    return;
  calibrated_ = true;
  offset_ = *response.offset.value;
  noise_ = response.noise.value.value_or(0.0);
  threshold_N_ = *response.press_threshold.value;
  gain_N_per_count_ = *response.press_gain.value;
  saturation_ = response.saturation.value;
  var_threshold_ = variance(response.press_threshold);
  var_gain_ = variance(response.press_gain);
  bent_ = bent_response(model, response);
  const auto path = fmt::format("response.tactels[{}].", tactel);
  cov_ = covariance(model, path + "press_threshold", path + "press_gain");
}

/// From the curve; what presses scatter stays that of the line.
AppliedReading TactelLine::on_curve(double counts, bool saturated) const {
  const bool beyond = counts > bent_->highest_counts() + 3 * noise_;
  const auto [force_N, gain] = bent_->inverse(counts);
  const double above = force_N > threshold_N_ ? (force_N - threshold_N_) / gain_N_per_count_ : 0;
  const double noise_N = gain * noise_;
  const double u2 =
      var_threshold_ + above * above * var_gain_ + 2 * above * cov_ + noise_N * noise_N;
  return {force_N, kTwoSided95 * std::sqrt(std::max(u2, 0.0)),
          saturated || beyond ? ReadingFlag::kSaturated : ReadingFlag::kOk};
}

AppliedReading TactelLine::apply(double reading) const {
  if (std::isnan(reading)) return {{}, {}, ReadingFlag::kNoReading};
  if (!calibrated_) return {{}, {}, ReadingFlag::kUncalibrated};
  const double counts = falling_ ? mirror_ - reading : reading;
  const bool saturated = saturation_ && counts >= *saturation_ - noise_;
  const double above = (saturated ? *saturation_ : counts) - offset_;
  if (above <= 3 * noise_) return {{}, {}, ReadingFlag::kBelow};
  if (bent_) return on_curve(saturated ? *saturation_ : counts, saturated);
  const double force_N = threshold_N_ + gain_N_per_count_ * above;
  const double noise_N = gain_N_per_count_ * noise_;
  const double u2 =
      var_threshold_ + above * above * var_gain_ + 2 * above * cov_ + noise_N * noise_N;
  return {force_N, kTwoSided95 * std::sqrt(std::max(u2, 0.0)),
          saturated ? ReadingFlag::kSaturated : ReadingFlag::kOk};
}

namespace {

class ForceTable {
 public:
  ForceTable(const SensorModel& model, std::ostream& out) : out_(out) {
    const auto tactels = static_cast<std::size_t>(model.sensor.tactels());
    std::string header = "t[s]";
    for (std::size_t i = 0; i < tactels; ++i) {
      lines_.emplace_back(model, i);
      header += fmt::format(",{0}[N],{0}.u95[N],{0}.flag", i);
    }
    out_ << header << '\n';
  }

  void write(const Samples& samples, ApplyReport& report) {
    for (std::size_t row = 0; row < samples.rows(); ++row) {
      fmt::memory_buffer text;
      fmt::format_to(std::back_inserter(text), "{}", samples.time_s[row]);
      for (std::size_t i = 0; i < lines_.size(); ++i)
        cell(lines_[i].apply(samples.columns[i][row]), text, report);
      text.push_back('\n');
      out_.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    report.rows += samples.rows();
  }

 private:
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

  std::ostream& out_;
  std::vector<TactelLine> lines_;
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
  return {};
}

}  // namespace

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
  const auto damaged = damage_warnings(session, opened->name());
  report.warnings.insert(report.warnings.end(), damaged.begin(), damaged.end());
  return report;
}

}  // namespace tactelier
