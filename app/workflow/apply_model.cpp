#include "app/workflow/apply_model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <span>

#include "app/workflow/apply_rows.hpp"
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

/// One row of the table that apply writes.
class ForceLine {
 public:
  explicit ForceLine(const AppliedRow& row) {
    fmt::format_to(out_, "{}", row.time_s);
    for (const auto& reading : row.tactels) tactel(reading);
  }

  void total(const AppliedReading& applied) {
    if (applied.force_N)
      fmt::format_to(out_, ",{:.6g},{:.3g}", *applied.force_N, applied.u95_N.value_or(0.0));
    else
      fmt::format_to(out_, ",,");
  }

  void centre(const std::optional<ContactCentre::Found>& found) {
    if (!found) {
      fmt::format_to(out_, ",,,");
      return;
    }
    fmt::format_to(out_, ",{:.4f},{:.4f},", m_to_mm(found->centre.x_m), m_to_mm(found->centre.y_m));
    if (found->direction_rad)
      fmt::format_to(out_, "{:.2f}", *found->direction_rad * 180 / std::numbers::pi);
  }

  void write(std::ostream& out) {
    text_.push_back('\n');
    out.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  }

 private:
  void tactel(const AppliedReading& applied) {
    if (applied.force_N)
      fmt::format_to(out_, ",{:.6g},{:.3g},{}", *applied.force_N, applied.u95_N.value_or(0.0),
                     to_string(applied.flag));
    else
      fmt::format_to(out_, ",,,{}", to_string(applied.flag));
  }

  fmt::memory_buffer text_;
  std::back_insert_iterator<fmt::memory_buffer> out_ = std::back_inserter(text_);
};

std::string table_header(const AppliedColumns& columns) {
  std::string header = "t[s]";
  for (std::size_t i = 0; i < columns.tactels; ++i)
    header += fmt::format(",{0}[N],{0}.u95[N],{0}.flag", i);
  if (columns.total) header += ",total[N],total.u95[N]";
  if (columns.centre) header += ",centre_x[mm],centre_y[mm],direction[deg]";
  return header;
}

Result<ApplyReport> write_forces(const SensorModel& model, std::string_view model_name,
                                 const std::filesystem::path& input,
                                 const std::filesystem::path& partial, const Job& job) {
  const auto full = [&] {
    return fail(ErrorCode::kIo, "cannot write '{}': disk full?", partial.string());
  };
  std::ofstream out;
  AppliedColumns columns;
  AppliedListener table;
  table.begin = [&](const AppliedColumns& told) -> Result<void> {
    columns = told;
    out.open(partial, std::ios::binary);
    if (!out) return fail(ErrorCode::kIo, "cannot write '{}'", partial.string());
    out << table_header(columns) << '\n';
    return {};
  };
  table.row = [&](const AppliedRow& row) -> Result<void> {
    ForceLine line(row);
    if (columns.total) line.total(row.total);
    if (columns.centre) line.centre(row.centre);
    line.write(out);
    if (!out) return full();
    return {};
  };
  auto report = apply_rows(model, model_name, input, table, job);
  if (!report) return report;
  out.close();
  if (!out) return full();
  return report;
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
  auto partial = output;
  partial += ".partial";
  std::error_code error;
  auto report = write_forces(*model, model_file.filename().string(), input, partial, job);
  if (!report) {
    std::filesystem::remove(partial, error);
    return report;
  }
  std::filesystem::rename(partial, output, error);
  if (error) return fail(ErrorCode::kIo, "cannot write '{}': {}", output.string(), error.message());
  return report;
}

}  // namespace tactelier
