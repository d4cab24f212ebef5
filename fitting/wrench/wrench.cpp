#include "fitting/wrench/wrench.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fitting/recording/load_in_order.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/tare.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/wrench/pressure_centre.hpp"

namespace tactelier {
namespace {

constexpr double kHour_s = 3600;
constexpr double kZeroLongest_s = 60;  // read of one zero interval
constexpr double kDriftShare = 0.01;   // FT-04: of the press's peak
constexpr double kSureOfDrift = 10;    // ... and over what the windows' noise makes of it
constexpr double kTipScatters = 3;     // the pressure centre is off when further out than this

std::string name_of(const FitContext& context, std::size_t session) {
  return context.sessions[session].session->file().filename().string();
}

struct Findings {
  std::vector<double> sigma_N, drift_N_per_s;
  std::vector<double> at_s, bias_N;   // of one session's presses
  std::vector<double> only_before_s;  // lengths of presses whose drift is not known
  std::size_t tared = 0, not_tared = 0, samples = 0;
  std::size_t spikes = 0, spiked_presses = 0;
  double squares_N2 = 0;
};

/// What one press says of the force's zero; nothing where it has no forces with a time course.
struct PressTare {
  std::size_t spikes = 0;
  std::optional<ForceTare> tare;  // empty: the stage "contact" says why
  double peak_N = 0;              // bias not removed
  double length_s = 0;
};

/// From any thread.
Result<std::optional<PressTare>> tare_of(const FitContext& context, std::size_t s, std::size_t p) {
  if (context.job.stopped()) return Job::cancelled();
  if (!context.sessions[s].presses[p].usable()) return std::nullopt;
  const auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code == ErrorCode::kUnidentifiable) return PressTare{};
  if (!data) return fail(data.error(), name_of(context, s));
  if (!data->has_force() || data->static_readings) return std::nullopt;
  PressTare found{data->force_spikes, std::nullopt, data->force_N[data->peak],
                  data->time_s.back() - data->time_s.front()};
  if (const auto tare = find_tare(*data)) found.tare = *tare;
  return found;
}

void take_tare(FitContext& context, std::size_t s, std::size_t p, const PressTare& found,
               Findings& findings, Warnings& warnings) {
  const auto& press = context.sessions[s].presses[p];
  findings.spikes += found.spikes;
  findings.spiked_presses += found.spikes > 0 ? 1 : 0;
  const auto& tare = found.tare;
  if (!tare) {
    ++findings.not_tared;
    return;
  }
  ++findings.tared;
  findings.samples += tare->samples;
  findings.squares_N2 += tare->sigma_N * tare->sigma_N * static_cast<double>(tare->samples);
  findings.sigma_N.push_back(tare->sigma_N);
  const double peak = found.peak_N - tare->bias_N[0];
  if (tare->drift_known)
    findings.drift_N_per_s.push_back(tare->drift_N_per_s[0]);
  else
    findings.only_before_s.push_back(found.length_s);
  findings.at_s.push_back(tare->t0_s);
  findings.bias_N.push_back(tare->bias_N[0]);
  const double noise = kSureOfDrift * tare->sigma_N / std::sqrt(static_cast<double>(tare->samples));
  if (tare->drift_known && std::abs(tare->moved_N) > std::max(kDriftShare * peak, noise))
    warnings.push_back({"FT-04",
                        fmt::format("Zero moved by {:.2g} N during the press.", tare->moved_N),
                        fmt::format("{} press {}", name_of(context, s), press.number)});
  context.tares[s][p] = *tare;
}

/// Bias against time over the zero intervals of one session.
Result<void> look_at_zeros(const FitContext& context, std::size_t s, StageQuality& quality) {
  const Session& file = *context.sessions[s].session;
  const auto zeros = intervals(file.events(), "zero");
  if (!zeros) return fail(zeros.error(), name_of(context, s));
  std::vector<double> at_s, mean_N, noise_N;
  for (const auto& zero : *zeros) {
    const double end_s = std::min(zero.end_s, zero.begin_s + kZeroLongest_s);
    const auto data = load_interval(context, s, {zero.begin_s, end_s});
    if (!data && data.error().code != ErrorCode::kUnidentifiable)
      return fail(data.error(), name_of(context, s));
    if (!data || !data->has_force() || data->rows() < 20) continue;
    at_s.push_back(0.5 * (zero.begin_s + end_s));
    mean_N.push_back(median(data->force_N));
    noise_N.push_back(mad_sigma(data->force_N));
  }
  if (noise_N.empty()) return {};
  quality.figures["noise_at_rest_N"] = median(noise_N);
  if (at_s.size() > 1)
    quality.figures["drift_between_zeros_N_per_h"] =
        (mean_N.back() - mean_N.front()) / (at_s.back() - at_s.front()) * kHour_s;
  return {};
}

Result<void> look_at_centre(const FitContext& context, std::size_t s, StageQuality& quality) {
  const auto centre = find_pressure_centre(context, s);
  if (!centre) return fail(centre.error());
  if (!*centre || s > 0) return {};
  const auto& at = **centre;
  quality.figures["pressure_centre_x_um"] = 1e6 * at.x_m;
  quality.figures["pressure_centre_y_um"] = 1e6 * at.y_m;
  const auto& indenter = context.sessions[s].session->metadata().indenter;
  const double radius = indenter ? indenter->diameter_m / 2 : 0;
  const double off = std::hypot(at.x_m, at.y_m);
  if (off > radius + kTipScatters * at.scatter_m && off > 1e-3)
    quality.warnings.push_back(
        {"TIP-OFFSET",
         fmt::format("Forces act {:.1f} mm beside the tip that force_sensor.tip_mm states: check "
                     "tip_mm and rz_deg.",
                     1e3 * off),
         name_of(context, s)});
  return {};
}

void sum_up(const Findings& findings, StageQuality& quality) {
  auto& figures = quality.figures;
  quality.samples_used = static_cast<int>(findings.samples);
  if (findings.samples > 0)
    quality.residual_rms = std::sqrt(findings.squares_N2 / static_cast<double>(findings.samples));
  quality.samples_rejected = static_cast<int>(findings.spikes);
  if (findings.spikes > 0)
    quality.warnings.push_back(
        {"SPIKES",
         fmt::format("{} samples of force stand alone, far from those before and after: they are "
                     "left out. Look for interference on the sensor's cable.",
                     findings.spikes),
         fmt::format("{} presses", findings.spiked_presses)});
  figures["presses_tared"] = static_cast<double>(findings.tared);
  figures["presses_not_tared"] = static_cast<double>(findings.not_tared);
  if (!findings.sigma_N.empty()) figures["noise_N"] = median(findings.sigma_N);
  double largest = 0;
  for (const double drift : findings.drift_N_per_s) largest = std::max(largest, std::abs(drift));
  if (!findings.drift_N_per_s.empty()) {
    figures["drift_median_N_per_h"] = kHour_s * median(findings.drift_N_per_s);
    figures["drift_largest_N_per_h"] = kHour_s * largest;
  }
  if (findings.only_before_s.empty()) return;
  figures["presses_with_constant_bias"] = static_cast<double>(findings.only_before_s.size());
  if (!findings.drift_N_per_s.empty())
    figures["drift_left_u_N"] = largest * median(findings.only_before_s) / std::sqrt(3.0);
}

}  // namespace

Result<void> run_wrench(FitContext& context) {
  StageQuality quality;
  quality.residual_unit = "N";
  quality.interval_method = "free air of each press";
  context.tares.clear();
  Findings findings;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& session = context.sessions[s];
    context.tares.emplace_back(session.presses.size());
    if (!session.session->stream(StreamKind::kForce)) continue;
    const auto take = [&](std::size_t p,
                          const Result<std::optional<PressTare>>& found) -> Result<void> {
      context.job.progress("wrench", static_cast<double>(p),
                           static_cast<double>(session.presses.size()));
      if (!found) return fail(found.error());
      if (*found) take_tare(context, s, p, **found, findings, quality.warnings);
      return {};
    };
    const auto done = load_in_order(
        thread_count(context.options.threads), session.presses.size(),
        [&](std::size_t p) { return tare_of(context, s, p); }, take);
    if (!done) return fail(done.error());
    if (const auto drift = fit_line_theil_sen(findings.at_s, findings.bias_N);
        findings.at_s.size() > 2 && std::isfinite(drift.slope))
      quality.figures["drift_over_session_N_per_h"] = kHour_s * drift.slope;
    findings.at_s.clear();
    findings.bias_N.clear();
    if (const auto zeros = look_at_zeros(context, s, quality); !zeros) return fail(zeros.error());
    if (const auto centre = look_at_centre(context, s, quality); !centre)
      return fail(centre.error());
  }
  sum_up(findings, quality);
  context.model.quality["wrench"] = std::move(quality);
  return {};
}

}  // namespace tactelier
