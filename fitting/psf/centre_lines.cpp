#include "fitting/psf/centre_lines.hpp"

#include <cmath>

#include "fitting/psf/psf_scatter.hpp"
#include "fitting/recording/press_indenter.hpp"

namespace tactelier {
namespace {

constexpr double kAboveDeadZone = 5;  // standard deviations of a row

/// By how much the force that readings answered to grew more than the one told: a line through rows
/// of `group` as they were told has so much more slope.
double raised_growth(const PsfTactel& tactel, const PsfGroup& group) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const auto& row = tactel.rows[i];
    if (row.kind == PsfRowKind::kCeiling || row.counts * std::sqrt(row.weight) < kAboveDeadZone)
      continue;
    const double told_N = row.force_N - row.raised_N;
    ++n;
    x += told_N;
    y += row.raised_N;
    xx += told_N * told_N;
    xy += told_N * row.raised_N;
  }
  const double spread = n > 1 ? xx - x * x / n : 0;
  return spread > 0 ? (xy - x * y / n) / spread : 0;
}

/// Counts per newton told that the tactel's own presses show where they lay, over its slope: shares
/// with the presses' scales and what ripple the readings kept. 0 where it has no press of its own.
double share_of_own_presses(const FitContext& context, const PsfData& data, const PsfFit& fit,
                            const PsfTactel& tactel) {
  double sum = 0, count = 0;
  for (const auto& group : tactel.groups) {
    if (data.problem.presses[group.press].way != 0) continue;
    const auto& at = context.contacts[data.press_row[group.press]];
    if (context.sessions[at.session].presses[at.press].tactel != tactel.index) continue;
    const double share = fit.shares.at(group.press, static_cast<std::size_t>(tactel.index));
    sum += share * (1 + raised_growth(tactel, group));
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// By how much a number of a tactel moves: with each of the whole list, and where the spread's
/// tails are what they are uncertain by, with all that goes along.
struct Moves {
  Eigen::VectorXd by;
  double with_tails = 0;
};

double covariance(const Moves& a, const Moves& b, const PsfUncertainty& uncertainty) {
  const auto& along = uncertainty.tails.along;
  return a.by.dot(uncertainty.covariance * b.by) - a.by.dot(along) * b.by.dot(along) +
         a.with_tails * b.with_tails;
}

/// Shares w of presses on the tactels' centres, and how they hang on the spread.
class Centres {
 public:
  Centres(const FitContext& context, const PsfData& data, const PsfFit& fit)
      : problem_(data.problem),
        fit_(fit),
        shares_(centre_shares(context, data, fit, fit.state.spread)) {
    constexpr double kStep = 1e-4;
    const int parameters = fit.model.shape == PsfShape::kIsotropic ? 1 : 3;
    const auto with = [&](int parameter, double step) {
      auto spread = fit.state.spread;
      (parameter == 0 ? spread.m : parameter == 1 ? spread.e1 : spread.e2) += step;
      return centre_shares(context, data, fit, spread);
    };
    for (int k = 0; k < parameters; ++k) {
      auto growth = with(k, kStep);
      const auto below = with(k, -kStep);
      for (std::size_t t = 0; t < growth.size(); ++t)
        growth[t] = below[t] > 0 ? std::log(growth[t] / below[t]) / (2 * kStep) : 0;
      growth_.push_back(std::move(growth));
    }
    wider_ = with(0, 2 * std::log(2.0));
  }

  double share(std::size_t index) const { return shares_[index]; }

  /// Of ln gain = -ln slope - ln w.
  Moves gain_moves(std::size_t t, const PsfUncertainty& uncertainty) const {
    const auto index = static_cast<std::size_t>(problem_.tactels[t].index);
    Moves moves{Eigen::VectorXd::Zero(uncertainty.covariance.rows())};
    moves.by(slope_column(fit_, t)) = -1 / fit_.state.slope[t];
    for (std::size_t k = 0; k < growth_.size(); ++k)
      moves.by(static_cast<Eigen::Index>(k)) = -growth_[k][index];
    moves.with_tails = moves.by.dot(uncertainty.tails.along) -
                       uncertainty.tails.u * (wider_[index] / shares_[index] - 1);
    return moves;
  }
  /// Of threshold = intercept/(slope w).
  Moves threshold_moves(std::size_t t, double threshold_N, const Moves& by_gain,
                        const PsfUncertainty& uncertainty) const {
    const auto index = static_cast<std::size_t>(problem_.tactels[t].index);
    const double by_intercept = 1 / (fit_.state.slope[t] * shares_[index]);
    const auto column = intercept_column(fit_, t);
    Moves moves{threshold_N * by_gain.by, threshold_N * by_gain.with_tails};
    moves.by(column) += by_intercept;
    moves.with_tails += by_intercept * uncertainty.tails.along(column);
    return moves;
  }

 private:
  const PsfProblem& problem_;
  const PsfFit& fit_;
  std::vector<double> shares_, wider_;
  std::vector<std::vector<double>> growth_;  // d ln w / d spread parameter, by tactel
};

}  // namespace

std::vector<double> centre_shares(const FitContext& context, const PsfData& data, const PsfFit& fit,
                                  const LogSpread& spread) {
  const auto& sensor = context.model.sensor;
  auto footprint = data.problem.footprints.front();
  if (const auto candidates = calibration_candidates(context);
      !candidates.empty() && candidates[0].indenter)
    if (auto own = press_footprint(*candidates[0].indenter, data.problem.layout.pitch_m()))
      footprint = std::move(*own);
  std::vector<Share> shares(data.problem.layout.tactels());
  std::vector<double> result, values(shares.size()), others(shares.size());
  for (int t = 0; t < sensor.tactels(); ++t) {
    const auto centre = sensor.position_m(t);
    data.problem.layout.shares(centre[0], centre[1], footprint, spread_covariance(spread),
                               fit.model.form, fit.model.edge, shares);
    for (std::size_t i = 0; i < shares.size(); ++i) values[i] = shares[i].value;
    data.problem.layout.line_sums(values, others);
    const auto i = static_cast<std::size_t>(t);
    result.push_back(values[i] + fit.state.ghosting * others[i]);
  }
  return result;
}

std::vector<std::optional<JointLine>> centre_lines(const FitContext& context, const PsfData& data,
                                                   const PsfFit& fit,
                                                   const PsfUncertainty& uncertainty) {
  const auto& problem = data.problem;
  if (!(problem.press_scatter > 0) || problem.on_strip() || uncertainty.covariance.size() == 0)
    return {};
  const Centres centres(context, data, fit);
  const double dof = psf_degrees(uncertainty, problem);
  std::vector<std::optional<JointLine>> lines(context.model.response.tactels.size());
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto index = static_cast<std::size_t>(problem.tactels[t].index);
    const auto& response = context.model.response.tactels[index];
    const double share = centres.share(index), slope = fit.state.slope[t];
    const double own_share = share_of_own_presses(context, data, fit, problem.tactels[t]);
    if (!response.gain.identified() || !response.threshold.identified() || !(share > 0) ||
        !(own_share > 0))
      continue;
    JointLine line;
    line.gain_N_per_count = 1 / (slope * share);
    line.threshold_N = fit.state.intercept[t] / slope / share;
    line.gain_at_presses = share / own_share;
    const auto by_gain = centres.gain_moves(t, uncertainty);
    const auto by_threshold = centres.threshold_moves(t, line.threshold_N, by_gain, uncertainty);
    const double late_gain = data.force_growth_per_s * data.u_latency_s;
    const double late_N = data.force_rate_N_per_s * data.u_latency_s;
    const double offset_N = problem.tactels[t].u_offset_counts / (slope * share);
    line.u_gain = std::hypot(std::sqrt(covariance(by_gain, by_gain, uncertainty)), late_gain);
    line.u_threshold_N = std::sqrt(covariance(by_threshold, by_threshold, uncertainty) +
                                   late_N * late_N + offset_N * offset_N);
    line.covariance = line.gain_N_per_count *
                      (covariance(by_threshold, by_gain, uncertainty) + late_N * late_gain);
    line.dof = dof;
    if (uncertainty.variance_dof.size() > 0)
      line.dof = std::min(dof, uncertainty.variance_dof(slope_column(fit, t)));
    lines[index] = line;
  }
  return lines;
}

}  // namespace tactelier
