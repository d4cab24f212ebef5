#include "fitting/psf/psf_report.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/psf/psf_candidate.hpp"
#include "fitting/psf/psf_ripple.hpp"
#include "fitting/psf/spread_report.hpp"
#include "fitting/psf/zero_return.hpp"
#include "fitting/statistics/criteria.hpp"
#include "libcalib/reason.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr const char* kFrom = "psf";
constexpr double kGainSpread = 5;     // PS-04
constexpr double kClearGhosting = 3;  // standard errors
constexpr double kClearRipple_percent = 1;
constexpr double kTellsLittle = 0.25;    // standard, of 0 to 1: as good as unknown
constexpr double kNothingPredicted = 5;  // times the fit's own rms, by presses left out
const char* const kOnStrip =
    "ON-STRIP one row of tactels doesn't tell it: presses are taken to lie where they are stated";
const char* const kRemedy =
    "Press between tactels too: a raster with steps of at most half the spread over 2 x 2 tactels "
    "(protocol study or P8).";

class Reporter {
 public:
  Reporter(FitContext& context, const PsfData& data, const PsfChoice& choice,
           const PsfUncertainty& uncertainty, const PsfReportSettings& settings,
           StageQuality& quality)
      : model_(context.model),
        data_(data),
        fit_(choice.fit),
        holdout_(choice.holdout),
        uncertainty_(uncertainty),
        settings_(settings),
        quality_(quality),
        columns_(psf_columns(choice.fit.model, data.problem.frames)),
        dof_(psf_degrees(uncertainty, data.problem)) {}

  bool run(bool edge_tested, double chi2_per_dof) {
    const auto evidence = evidence_of(chi2_per_dof);
    if (const auto reason = refusal(evidence); !reason.empty()) {
      refuse_psf(model_, reason);
      quality_.warnings.push_back(warning_of(reason, "psf"));
      return false;
    }
    warn(evidence);
    report_spread(model_.psf, fit_, data_.problem.layout.pitch_m(), uncertainty_.covariance,
                  dof_of(0));
    registration();
    model_.psf.form = std::string(to_string(fit_.model.form));
    model_.psf.edge = std::string(to_string(fit_.model.edge));
    if (!edge_tested)
      quality_.warnings.push_back(
          {"EDGE-ASSUMED",
           "No press came near the array's border: that force beyond it is lost (edge zero) is "
           "taken as usual, not measured.",
           "psf.edge"});
    cell_width();
    on_strip();
    ghosting();
    zero_return();
    ripple();
    responses();
    shared_covariance();
    return true;
  }

 private:
  FitEvidence evidence_of(double chi2_per_dof) const {
    FitEvidence evidence;
    evidence.dof = uncertainty_.dof;
    if (data_.noise_dof > 0) evidence.sigma_dof = data_.noise_dof;
    // Smaller than its noise says is no misfit: the noise is bounded from above.
    evidence.chi2_per_dof = std::max(1.0, chi2_per_dof);
    return evidence;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all{"spread"};
    if (columns_.first_frame == 3) {
      all.emplace_back("the spread's lengthening");
      all.emplace_back("the spread's direction");
    }
    for (std::uint32_t f = 0; f < data_.problem.frames; ++f) {
      if (fit_.model.free_shift) {
        all.emplace_back("registration x");
        all.emplace_back("registration y");
      }
      if (fit_.model.free_turn) all.emplace_back("registration rz");
    }
    if (fit_.model.ghosting) all.emplace_back("ghosting");
    for (const auto& tactel : data_.problem.tactels) {
      all.push_back(fmt::format("gain of tactel {}", tactel.index));
      all.push_back(fmt::format("threshold of tactel {}", tactel.index));
    }
    for (std::size_t press = 0; press < fit_.normal.presses.size(); ++press)
      all.push_back(fmt::format("scale of press {}", press + 1));
    return all;
  }

  /// Why the spread, and with it everything, can't be reported.
  std::string refusal(const FitEvidence& evidence) const {
    const double pitch_m = data_.problem.layout.pitch_m();
    const double sigma_m = std::exp(fit_.state.spread.m / 2);
    const bool isolated = isolated_centres(data_.problem, model_.sensor);
    const std::string isolated_text = fmt::format(
        "PS-03 Presses lie on isolated tactel centres: spread and neighbour gains are not "
        "separated. {}",
        kRemedy);
    if (uncertainty_.condition.number > kConditionRefuse || uncertainty_.covariance.size() == 0) {
      if (isolated) return isolated_text;
      const auto all = names();
      const auto name = [&](std::size_t i) {
        return all[static_cast<std::size_t>(uncertainty_.columns[i])];
      };
      return fmt::format("ID-01 Data do not separate {} from {} (cond {:.2g}). {}",
                         name(uncertainty_.condition.first), name(uncertainty_.condition.second),
                         uncertainty_.condition.number, kRemedy);
    }
    const auto limits = psf_limits(pitch_m);
    if (sigma_m <= limits.lowest_sigma_m * 1.0001)
      return fmt::format("PS-02 Spread below {:.2g} tactel: use no PSF.",
                         limits.lowest_sigma_m / pitch_m);
    auto candidate =
        logarithmic("spread", "m", sigma_m, u_of(uncertainty_.covariance, 0) / 2, dof_of(0));
    if (sigma_m >= limits.highest_sigma_m * 0.9999) candidate.at_bound = limits.highest_sigma_m;
    const auto judged = judge(std::array{candidate}, evidence);
    if (!judged.verdicts[0].reported)
      return isolated ? isolated_text : judged.verdicts[0].reason + " " + kRemedy;
    for (const auto& frame : fit_.state.frames)
      if (std::max(std::abs(frame.x_m), std::abs(frame.y_m)) > 0.999 * limits.largest_shift_m)
        return fmt::format(
            "PS-05 Array appears shifted by {:.2g} mm or more: tactel order or origin is wrong. "
            "Check the map of tactel numbers and stage_to_sensor.",
            1e3 * std::hypot(frame.x_m, frame.y_m));
    // What no spread describes goes into ghosting as far as that may go.
    if (columns_.ghosting >= 0 && std::abs(fit_.state.ghosting) > 0.999 * limits.largest_ghosting)
      return fmt::format(
          "ID-06 ghosting ended at its limit {:.0f} %: the readings fall off beside a press as no "
          "round spread of this tip does. Are its shape and size right, and the pitch?",
          100 * fit_.state.ghosting);
    if (holdout_.train > 0 && holdout_.ratio() > kNothingPredicted)
      return fmt::format(
          "OVERFIT Presses left out are predicted {:.2g} times worse than those of the fit: no "
          "spread describes them. Are the tip's shape and size right, and the pitch? Press a "
          "raster of more sites (P8).",
          holdout_.ratio());
    return {};
  }

  void warn(const FitEvidence& evidence) {
    FitEvidence all = evidence;
    const std::array candidate{logarithmic("spread", "m", std::exp(fit_.state.spread.m / 2),
                                           u_of(uncertainty_.covariance, 0) / 2, dof_of(0))};
    for (auto& warning : judge(candidate, all, "psf").warnings)
      quality_.warnings.push_back(std::move(warning));
    if (uncertainty_.condition.number > kConditionWarn) {
      const auto name = [&, list = names()](std::size_t i) {
        return list[static_cast<std::size_t>(uncertainty_.columns[i])];
      };
      quality_.warnings.push_back(
          {"ID-01",
           fmt::format("Data hardly separate {} from {} (cond {:.2g}).",
                       name(uncertainty_.condition.first), name(uncertainty_.condition.second),
                       uncertainty_.condition.number),
           "psf"});
    }
  }

  void registration() {
    auto& target = model_.psf.registration;
    const std::string not_free =
        "NOT-FITTED the sampled form takes the presses' places as they are stated";
    const auto& frame = fit_.state.frames[0];
    Eigen::Index column = columns_.first_frame;
    const auto set = [&](Parameter& parameter, const char* name, const char* unit, double value,
                         const std::string& otherwise, bool is_free) {
      const auto own = is_free ? column++ : Eigen::Index{-1};
      if (!is_free || across(own)) {
        parameter = unidentifiable(unit, is_free ? kOnStrip : otherwise, kFrom);
        return;
      }
      const auto candidate =
          location(name, unit, value, u_of(uncertainty_.covariance, own), dof_of(own));
      parameter = reported(candidate, judge(std::array{candidate}, {}).verdicts[0], kFrom);
    };
    const bool shift = fit_.model.free_shift;
    set(target.x, "registration x", "m", frame.x_m, not_free, shift);
    set(target.y, "registration y", "m", frame.y_m, not_free, shift);
    set(target.rz, "registration rz", "rad", frame.turn_rad,
        !shift                     ? not_free
        : data_.problem.on_strip() ? kOnStrip
                                   : "PS-03 the presses lie too close together to see a turn: "
                                     "press places at least two tactels apart",
        fit_.model.free_turn);
    for (std::size_t f = 1; f < fit_.state.frames.size(); ++f) {
      const auto& other = fit_.state.frames[f];
      quality_.figures[fmt::format("mount_{}_shift_x_m", f + 1)] = other.x_m - frame.x_m;
      quality_.figures[fmt::format("mount_{}_shift_y_m", f + 1)] = other.y_m - frame.y_m;
      quality_.figures[fmt::format("mount_{}_turn_rad", f + 1)] = other.turn_rad - frame.turn_rad;
    }
  }

  /// A shared column that is a shift of the first mounting across a strip.
  bool across(Eigen::Index column) const {
    const auto axis = column - columns_.first_frame;
    return fit_.model.free_shift && axis >= 0 && axis < 2 &&
           data_.problem.across_strip.at(static_cast<std::size_t>(axis));
  }

  void on_strip() {
    if (!data_.problem.on_strip()) return;
    quality_.warnings.push_back(
        {"ON-STRIP",
         "One row of tactels doesn't tell how far beside it was pressed: presses are taken to lie "
         "where they are stated, and the spread to be as wide across the strip as along it. "
         "press_gain, of a press on the line, hangs on neither.",
         "psf"});
  }

  void cell_width() {
    if (fit_.model.form != PsfForm::kPoint) return;
    const double pitch_m = data_.problem.layout.pitch_m();
    const double own_m2 = std::exp(fit_.state.spread.m) - pitch_m * pitch_m / 12;
    quality_.warnings.push_back(
        {"CELL-POINT",
         fmt::format("How wide a tactel is nobody states: each is taken as a point, so the spread "
                     "holds its width too. {}State area_mm2 of the sensor where it is known.",
                     own_m2 > 0 ? fmt::format("With tactels as wide as the pitch it would be about "
                                              "{:.3g} mm. ",
                                              m_to_mm(std::sqrt(own_m2)))
                                : ""),
         "psf.sigma"});
  }

  void ghosting() {
    if (columns_.ghosting < 0) return;
    const double percent = 100 * fit_.state.ghosting;
    const double u_percent = 100 * u_of(uncertainty_.covariance, columns_.ghosting);
    quality_.figures["ghosting_percent"] = percent;
    quality_.figures["ghosting_percent_std"] = u_percent;
    if (std::abs(percent) < kClearGhosting * u_percent) return;
    // A model that doesn't describe the readings says nothing of why: its form, a delay, the
    // electronics. What was measured beside a weight is the electronics'.
    const bool described = chi2_plausible(std::max(1.0, uncertainty_.chi2_per_dof), dof_);
    if (!data_.problem.ghosting && !described && (settings_.latency_open || percent < 0)) return;
    quality_.warnings.push_back(
        {"GHOSTING",
         fmt::format("Each reading holds {:.2g} +- {:.1g} % of the other tactels in its row and "
                     "column: that is the electronics, and not part of the spread or the gains.",
                     percent, 2 * u_percent),
         "psf"});
  }

  void zero_return() {
    const auto& back = data_.problem.zero_return;
    if (!(back.part > 0)) {
      const auto reason = fmt::format(
          "ZR-02 No return to zero is seen{}.",
          back.u > 0 ? fmt::format(": less than {:.1g} % of a load", 100 * kClearReturn * back.u)
                     : "");
      model_.response.zero_return = unidentifiable("%", reason, kFrom);
      model_.response.zero_return_time = unidentifiable("s", reason, kFrom);
      return;
    }
    const auto report = [&](Parameter& target, const Candidate& candidate) {
      target = reported(candidate, judge(std::array{candidate}, {}).verdicts[0], kFrom);
    };
    report(model_.response.zero_return,
           location("return to zero", "%", 100 * back.part, 100 * back.u, dof_));
    report(model_.response.zero_return_time,
           logarithmic("return time", "s", back.time_s, back.u_log_time, dof_));
  }

  void ripple() {
    const auto& problem = data_.problem;
    if (!(problem.ripple.u > 0)) return;
    const double percent = 100 * clear_ripple(problem);
    quality_.figures["force_ripple_percent"] = percent;
    quality_.figures["force_ripple_kept"] = problem.ripple.part;
    quality_.figures["force_ripple_kept_std"] = problem.ripple.u;
    if (percent < kClearRipple_percent) return;
    const double most = 100 * most_raised(problem);
    quality_.warnings.push_back(
        {"RIPPLE",
         fmt::format("While presses load the force swings by {:.2g} % about its course, in time "
                     "with the motor's steps, and readings with hysteresis keep its crests: gains "
                     "are raised by {:.2g} % for that and uncertain by +- {:.2g} %.{}",
                     percent, most * problem.ripple.part, 2 * most * problem.ripple.u,
                     problem.ripple.u > kTellsLittle
                         ? " A scan at two speeds tells it better (\"speed_mm_s\": [0.3, 0.2])."
                         : ""),
         "psf"});
  }

  double dof_of(Eigen::Index column) const {
    const auto& own = uncertainty_.variance_dof;
    return own.size() == 0 ? dof_ : std::min(dof_, own(column));
  }

  /// Newtons of a tactel's own share by which its threshold moves per second of delay.
  double share_rate_N_per_s(std::size_t t) const {
    const auto& tactel = data_.problem.tactels[t];
    double share = 0;
    for (const auto& group : tactel.groups)
      share = std::max(share, fit_.shares.at(group.press, static_cast<std::size_t>(tactel.index)));
    return share * data_.force_rate_N_per_s;
  }

  /// A row-scanned array reads its last row one frame after its first, and which is which nobody
  /// says (docs/theory/clocks.md 4): on a rising force that moves every threshold.
  Component timing(std::size_t t) const {
    return {"timing", share_rate_N_per_s(t) * u_resolution(data_.frame_period_s)};
  }

  void responses() {
    std::vector<double> gains;
    for (std::size_t t = 0; t < data_.problem.tactels.size(); ++t) {
      const auto index = static_cast<std::size_t>(data_.problem.tactels[t].index);
      auto& response = model_.response.tactels[index];
      const double slope = fit_.state.slope[t], q = fit_.state.intercept[t];
      const auto s = slope_column(fit_, t), i = intercept_column(fit_, t);
      const auto& c = uncertainty_.covariance;
      const double late_gain = data_.force_growth_per_s * data_.u_latency_s;
      const double late_N = share_rate_N_per_s(t) * data_.u_latency_s;
      const auto gain = logarithmic(fmt::format("tactel {} gain", index), "N/count", 1 / slope,
                                    std::hypot(u_of(c, s) / slope, late_gain), dof_of(s));
      const double by_q = 1 / slope, by_s = -q / (slope * slope);
      const double variance = by_q * by_q * c(i, i) + by_s * by_s * c(s, s) +
                              2 * by_q * by_s * c(i, s) + late_N * late_N +
                              std::pow(by_q * data_.problem.tactels[t].u_offset_counts, 2);
      Candidate threshold;
      threshold.name = fmt::format("tactel {} threshold", index);
      threshold.unit = "N";
      threshold.estimate = {q / slope, std::sqrt(std::max(0.0, variance)),
                            std::min(dof_of(s), dof_of(i))};
      if (q <= 0) threshold.at_bound = 0;
      const auto judged = judge(std::array{gain, threshold}, {});
      const Component relative{"force sensor", settings_.gain_u_percent / 100};
      const std::array absolute{
          Component{"force sensor", q / slope * settings_.gain_u_percent / 100}, timing(t)};
      response.gain = reported(gain, judged.verdicts[0], kFrom, std::array{relative});
      response.threshold = reported(threshold, judged.verdicts[1], kFrom, absolute);
      if (response.gain.identified() && !response.threshold.usable() &&
          !response.press_threshold.identified())
        response.threshold = not_seen(threshold.estimate, "N", kFrom, absolute);
      if (!response.gain.identified()) continue;
      gains.push_back(1 / slope);
      if (!response.threshold.identified()) continue;
      const auto path = fmt::format("response.tactels[{}].", index);
      const double u_gain = gain.estimate.std / slope;
      const double cross =
          -(by_q * c(i, s) + by_s * c(s, s)) / (slope * slope) + late_N * late_gain / slope;
      model_.covariance.push_back(
          {{path + "threshold", path + "gain"}, {variance, cross, u_gain * u_gain}});
    }
    if (gains.empty()) return;
    const auto [low, high] = std::minmax_element(gains.begin(), gains.end());
    if (*high > kGainSpread * *low)
      quality_.warnings.push_back(
          {"PS-04",
           fmt::format("Gains differ by {:.2g}:1; check offsets and the mapping of tactel numbers.",
                       *high / *low),
           "psf"});
  }

  void shared_covariance() {
    if (!model_.psf.sigma.identified() || !fit_.model.free_shift) return;
    const double sigma_m = *model_.psf.sigma.value;
    CovarianceBlock block;
    std::vector<std::pair<Eigen::Index, double>> entries{{0, sigma_m / 2}};  // column, factor
    block.parameters = {"psf.sigma", "psf.registration.x", "psf.registration.y"};
    entries.emplace_back(columns_.first_frame, 1);
    entries.emplace_back(columns_.first_frame + 1, 1);
    for (std::size_t i = 2; i > 0; --i)
      if (across(entries[i].first)) {
        block.parameters.erase(block.parameters.begin() + static_cast<std::ptrdiff_t>(i));
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      }
    if (fit_.model.free_turn) {
      block.parameters.emplace_back("psf.registration.rz");
      entries.emplace_back(columns_.first_frame + 2, 1);
    }
    for (std::size_t a = 0; a < entries.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b)
        block.lower.push_back(entries[a].second * entries[b].second *
                              uncertainty_.covariance(entries[a].first, entries[b].first));
    model_.covariance.push_back(std::move(block));
  }

  SensorModel& model_;
  const PsfData& data_;
  const PsfFit& fit_;
  const PsfHoldout& holdout_;
  const PsfUncertainty& uncertainty_;
  const PsfReportSettings& settings_;
  StageQuality& quality_;
  PsfColumns columns_;
  double dof_;
};

}  // namespace

bool report_psf(FitContext& context, const PsfData& data, const PsfChoice& choice,
                const PsfUncertainty& uncertainty, double noise_chi2_per_dof,
                const PsfReportSettings& settings, StageQuality& quality) {
  return Reporter(context, data, choice, uncertainty, settings, quality)
      .run(choice.edge_tested, noise_chi2_per_dof);
}

}  // namespace tactelier
