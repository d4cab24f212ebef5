#include "fitting/response/joint_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kFew = 5;       // tactels tell nothing of whether the two agree
constexpr double kApart = 3;          // standard uncertainties by which they do not
constexpr double kScatterMore = 1.5;  // times what own presses say: the spread's misfit
constexpr double kOneApart = 4;       // of those, by which a single tactel keeps its own line
// A line through own presses begins too early by what presses before have left and by the blows of
// a motor's steps, of which the joint fit knows: up to 8 % of thresholds on ten pads.
constexpr double kThresholdApart = 0.15;
const char* const kFrom = "psf";

double relative_u(const Parameter& gain) { return gain.std.value_or(0) / *gain.value; }

struct Pair {
  double difference = 0, own_u = 0;
};

std::optional<Pair> pair_of(const std::optional<JointLine>& line, const TactelReport& report) {
  const auto& own = report.response;
  if (!line || !own.press_gain.identified() || !own.press_threshold.identified()) return {};
  const double expected = line->gain_N_per_count * line->gain_at_presses;
  return Pair{std::log(*own.press_gain.value / expected), relative_u(own.press_gain)};
}

void write_line(const JointLine& line, const TactelFit& fit, const ReportSettings& settings,
                double difference, TactelReport& report) {
  auto& response = report.response;
  // What is left open between the two ways, and the force sensor's own.
  const double common = settings.gain_u_percent / 100, open = std::abs(difference) / 2;
  const std::array relative{Component{"force sensor", common}, Component{"own presses", open}};
  const std::array absolute{
      Component{"force sensor", line.threshold_N * common},
      Component{"own presses", line.threshold_N * open},
      Component{"frame", u_rectangular(std::abs(fit.force_rate_N_per_s) * fit.period_s)}};
  response.press_gain = identified_log({std::log(line.gain_N_per_count), line.u_gain, line.dof},
                                       "N/count", kFrom, relative);
  response.press_threshold =
      identified({line.threshold_N, line.u_threshold_N, line.dof}, "N", kFrom, absolute);
  const auto path = fmt::format("response.tactels[{}].", fit.tactel);
  const double u_gain = line.u_gain * line.gain_N_per_count;
  report.covariance =
      CovarianceBlock{{path + "press_threshold", path + "press_gain"},
                      {line.u_threshold_N * line.u_threshold_N, line.covariance, u_gain * u_gain}};
}

}  // namespace

JointAgreement compare_lines(std::span<const std::optional<JointLine>> lines,
                             std::span<const TactelReport> reports) {
  JointAgreement result;
  std::vector<double> differences, own_us, joint_us, thresholds;
  for (std::size_t i = 0; i < std::min(lines.size(), reports.size()); ++i) {
    const auto pair = pair_of(lines[i], reports[i]);
    if (!pair) continue;
    differences.push_back(pair->difference);
    own_us.push_back(pair->own_u);
    joint_us.push_back(lines[i]->u_gain);
    const double expected_N = lines[i]->threshold_N * lines[i]->gain_at_presses;
    thresholds.push_back(*reports[i].response.press_threshold.value / expected_N - 1);
  }
  result.tactels = differences.size();
  if (result.tactels < kFew) return result;
  const auto n = static_cast<double>(result.tactels);
  result.difference = median(differences);
  result.scatter = mad_sigma(differences);
  result.own_u = median(own_us);
  result.threshold_difference = median(thresholds);
  result.u = std::hypot(result.scatter * std::sqrt(std::numbers::pi / 2 / n), median(joint_us));
  result.agree = std::abs(result.difference) <= kApart * result.u &&
                 result.scatter <= kScatterMore * result.own_u &&
                 std::abs(result.threshold_difference) <= kThresholdApart;
  return result;
}

std::size_t take_joint_lines(std::span<const std::optional<JointLine>> lines,
                             std::span<const TactelFit> fits, const ReportSettings& settings,
                             const JointAgreement& agreement, std::span<TactelReport> reports) {
  if (!agreement.agree) return 0;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < std::min(lines.size(), reports.size()); ++i) {
    const auto pair = pair_of(lines[i], reports[i]);
    if (!pair) continue;
    const double apart = std::abs(pair->difference - agreement.difference);
    if (apart > kOneApart * std::max(pair->own_u, agreement.own_u)) continue;
    if (lines[i]->u_gain > pair->own_u) continue;
    write_line(*lines[i], fits[i], settings, agreement.difference, reports[i]);
    ++taken;
  }
  return taken;
}

}  // namespace tactelier
