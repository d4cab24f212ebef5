#include "fitting/psf/psf.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fitting/psf/centre_lines.hpp"
#include "fitting/psf/crosstalk.hpp"
#include "fitting/psf/press_scales.hpp"
#include "fitting/psf/psf_report.hpp"
#include "fitting/psf/strip_places.hpp"
#include "fitting/psf/weighted_fit.hpp"
#include "fitting/recording/array_temperature.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/response/response_model.hpp"
#include "fitting/statistics/parallel.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/reason.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kMinExtent = 1.0;  // pitches between presses that show a turn
constexpr std::array kWays{"scans", "rasters", "staircases"};  // PsfPress::way
constexpr double kShows = 2;  // standard uncertainties from which an offset of the force is one

/// Median repeatability of a reading, relative; 0 without repeats.
double known_scatter(const FitContext& context) {
  std::vector<double> found;
  for (const auto& response : context.model.response.tactels)
    if (response.repeatability.identified()) found.push_back(*response.repeatability.value / 100);
  return found.empty() ? 0 : median(found);
}

/// A table from elsewhere says how far its tactels are apart, seldom how wide they are: then a
/// tactel is a point, and the spread holds its width.
bool cells_unknown(const FitContext& context) {
  const auto& arrays = context.model.sensor.arrays;
  return std::none_of(arrays.begin(), arrays.end(), [](const auto& a) { return a.area_m2; }) &&
         std::all_of(context.sessions.begin(), context.sessions.end(), [](const FitSession& s) {
           return s.session->metadata().imported.has_value();
         });
}

bool shows_turn(const PsfProblem& problem) {
  double low_x = 1e300, high_x = -1e300, low_y = 1e300, high_y = -1e300;
  for (const auto& press : problem.presses) {
    low_x = std::min(low_x, press.x_m);
    high_x = std::max(high_x, press.x_m);
    low_y = std::min(low_y, press.y_m);
    high_y = std::max(high_y, press.y_m);
  }
  return std::hypot(high_x - low_x, high_y - low_y) > kMinExtent * problem.layout.pitch_m();
}

/// Tactels whose rows, taken alone, leave their slope open by half of itself can't speak for the
/// spread and would spoil the rank of everything else. Returns whether there were any.
bool drop_weak(PsfData& data, PsfFit& fit) {
  constexpr double kOpen = 0.5;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t) {
    const auto& own = fit.normal.locals[t].own;
    const bool line = data.problem.tactels[t].intercept_free(fit.state.intercept[t]);
    const double information =
        line ? (own(1, 1) > 0 ? own.determinant() / own(1, 1) : 0) : own(0, 0);
    if (!(information * std::pow(kOpen * fit.state.slope[t], 2) > 1)) continue;
    if (kept != t) {
      data.problem.tactels[kept] = std::move(data.problem.tactels[t]);
      data.noise[kept] = std::move(data.noise[t]);
      fit.state.slope[kept] = fit.state.slope[t];
      fit.state.intercept[kept] = fit.state.intercept[t];
    }
    ++kept;
  }
  const bool any = kept < data.problem.tactels.size();
  data.problem.tactels.resize(kept);
  data.noise.resize(kept);
  fit.state.slope.resize(kept);
  fit.state.intercept.resize(kept);
  return any;
}

/// Where presses beside a weight measured ghosting it is not fitted, since the others would trade
/// it for spread and gains; it goes with the gains, so both are found in turn.
Result<PsfFit> at_measured_ghosting(PsfData& data, PsfFit fit, double relative, const Job& job) {
  constexpr int kTurns = 3;
  auto model = fit.model;
  model.ghosting = true;
  for (int turn = 0; turn < kTurns; ++turn) {
    data.problem.ghosting = measure_ghosting(data, fit, relative);
    if (!data.problem.ghosting) return fit;
    fit.state.ghosting = data.problem.ghosting->part;
    auto next = fit_weighted(data, model, std::move(fit.state), relative, job);
    if (!next) return next;
    fit = std::move(*next);
  }
  return fit;
}

struct Fitted {
  PsfChoice choice;
  PsfUncertainty uncertainty;
  double noise_chi2_per_dof = 0;  // against noise and known repeatability alone
  PsfTails tails;
  std::optional<CellWidth> cells;  // found, where nobody states it
};

/// What the width of the cells, found from the same readings, is uncertain by. Scales of presses,
/// which stand behind the tactels, follow none of it.
void add_cell_width(const Fitted& fitted, PsfUncertainty& uncertainty) {
  if (!fitted.cells || uncertainty.covariance.size() == 0) return;
  const Eigen::VectorXd all = fitted.cells->std * fitted.cells->along;
  const auto tactels = 2 * static_cast<Eigen::Index>(fitted.choice.fit.state.slope.size());
  const auto shared = fitted.choice.fit.normal.shared.rows();
  const auto then = all.size() - tactels;
  if (then < 1) return;
  Eigen::VectorXd step = Eigen::VectorXd::Zero(uncertainty.covariance.rows());
  step.head(std::min(shared, then)) = all.head(std::min(shared, then));
  step.segment(shared, tactels) = all.tail(tactels);
  uncertainty.covariance += step * step.transpose();
}

/// All tactels of `pitches` of a pitch.
SensorDescription with_cells(SensorDescription sensor, double pitches) {
  for (auto& array : sensor.arrays)
    array.area_m2 = array.tactels() * array.pitch_x_m * array.pitch_y_m * pitches * pitches;
  return sensor;
}

Result<Fitted> fit_all(FitContext& context, PsfData& data) {
  const auto& job = context.job;
  const PsfModel simplest{.form = cells_unknown(context) ? PsfForm::kPoint : PsfForm::kIntegrated,
                          .free_turn = shows_turn(data.problem) && !data.problem.on_strip()};
  first_weights(data);
  const double known = known_scatter(context);
  auto base = fit_weighted(data, simplest, psf_start(data.problem, simplest), known, job);
  if (!base) return fail(base.error());
  if (drop_weak(data, *base)) {
    base = fit_weighted(data, simplest, base->state, known, job);
    if (!base) return fail(base.error());
  }
  if (data.problem.tactels.empty())
    return fail(ErrorCode::kUnidentifiable,
                "PS-01 No tactel answered clearly enough to any press, so the spread is not "
                "visible: press harder");
  base = at_measured_ghosting(data, std::move(*base), known, job);
  if (!base) return fail(base.error());
  double relative = known;
  auto choice = choose_psf(data.problem, *base, context.options.seed, job);
  if (!choice) return fail(choice.error());
  if (presses_scatter(data.problem, choice->fit, known)) {
    base = with_press_scales(data, std::move(*base), relative, job);
    if (!base) return fail(base.error());
    choice = choose_psf(data.problem, std::move(*base), context.options.seed, job);
    if (!choice) return fail(choice.error());
  }
  if (drop_weak(data, choice->fit)) {
    auto again = fit_weighted(data, choice->fit.model, choice->fit.state, relative, job);
    if (!again) return fail(again.error());
    choice->fit = std::move(*again);
  }
  std::optional<CellWidth> cells;
  if (cells_unknown(context) && choice->fit.model.form != PsfForm::kSampled &&
      !data.problem.on_strip()) {
    const auto layout = [&](double pitches) {
      return PsfLayout::create(with_cells(context.model.sensor, pitches));
    };
    auto found = choose_cell_width(data.problem, *choice, layout, context.options.seed, job);
    if (!found) return fail(found.error());
    cells = std::move(*found);
  }
  if (cells) {
    data.problem.layout = cells->layout;
    choice->holdout = cells->holdout;
    // What presses scattered by was the points' misfit for a part.
    relative = known;
    data.problem.press_scatter = 0;
    cells->fit.state.log_scale.clear();
    auto again = fit_weighted(data, cells->fit.model, std::move(cells->fit.state), known, job);
    if (again && presses_scatter(data.problem, *again, known))
      again = with_press_scales(data, std::move(*again), relative, job);
    if (!again) return fail(again.error());
    choice->fit = std::move(*again);
  }
  const PsfBootstrapOptions options{context.options.bootstrap_resamples, context.options.seed};
  auto uncertainty = psf_uncertainty(data.problem, choice->fit, options, job);
  if (!uncertainty) return fail(uncertainty.error());
  Fitted result{std::move(*choice), std::move(*uncertainty), 0, {}, std::move(cells)};
  add_cell_width(result, result.uncertainty);
  result.noise_chi2_per_dof = result.uncertainty.chi2_per_dof;
  result.tails = psf_tails(data.problem, result.choice.fit);
  const bool scaled = data.problem.press_scatter > 0;
  const double scatter = scaled ? std::sqrt(result.uncertainty.scatter.own_variance())
                                : result.uncertainty.scatter.total;
  if (scatter <= relative || result.uncertainty.covariance.size() == 0) return result;
  // Presses scatter more than was known: sharp groups must not outweigh that.
  reweight(data, result.choice.fit.state, result.choice.fit.shares.value, scatter);
  auto again = fit_weighted(data, result.choice.fit.model, result.choice.fit.state, scatter, job);
  if (!again) return fail(again.error());
  again = at_measured_ghosting(data, std::move(*again), scatter, job);
  if (!again) return fail(again.error());
  result.choice.fit = std::move(*again);
  auto widened = psf_uncertainty(data.problem, result.choice.fit, options, job);
  if (!widened) return fail(widened.error());
  result.uncertainty = std::move(*widened);
  // Of one row each the misfit is what presses scatter by, which is told beside it.
  if (data.problem.rows_hide_scatter()) result.noise_chi2_per_dof = result.uncertainty.chi2_per_dof;
  add_cell_width(result, result.uncertainty);
  return result;
}

/// Of presses that move, half of the time from touch to release.
double usual_loading_s(const PsfProblem& problem) {
  std::vector<double> loading_s;
  for (const auto& press : problem.presses)
    loading_s.push_back(0.5 * (press.release_s - press.touch_s));
  return loading_s.empty() ? 0 : median(std::move(loading_s));
}

void sum_up(const PsfData& data, const Fitted& fitted, StageQuality& quality) {
  double squares = 0, rows = 0, total = 0, mean = 0;
  const auto& fit = fitted.choice.fit;
  std::vector<double> counts;
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t) {
    const auto& tactel = data.problem.tactels[t];
    for (const auto& group : tactel.groups) {
      if (!data.problem.presses[group.press].used) continue;
      const double share = fit.shares.at(group.press, static_cast<std::size_t>(tactel.index));
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const auto& row = tactel.rows[i];
        const double r = psf_residual(row, fit.state.slope[t],
                                      fit.state.intercept[t] - fit.state.slope[t] * group.rest_N,
                                      share + group.rest_share);
        if (row.kind == PsfRowKind::kCeiling || row.kind == PsfRowKind::kFloor) continue;
        squares += r * r / row.weight;
        counts.push_back(row.counts);
        ++rows;
      }
    }
  }
  for (const double c : counts) mean += c / rows;
  for (const double c : counts) total += (c - mean) * (c - mean);
  quality.samples_used = static_cast<int>(std::min<std::size_t>(data.samples, 2'000'000'000));
  quality.residual_unit = "counts";
  if (rows > 0) quality.residual_rms = std::sqrt(squares / rows);
  if (total > 0) quality.r2 = 1 - squares / total;
  quality.chi2_per_dof = fitted.noise_chi2_per_dof;
  quality.iterations = fit.iterations;
  quality.cost = fit.cost;
  if (fitted.choice.holdout.train > 0) quality.holdout_ratio = fitted.choice.holdout.ratio();
  auto& figures = quality.figures;
  figures["presses"] = static_cast<double>(data.problem.presses.size());
  figures["rows"] = static_cast<double>(data.problem.rows());
  if (data.problem.ghosting) figures["ghosting_presses"] = data.problem.ghosting->presses;
  figures["condition"] = fitted.uncertainty.condition.number;
  const auto& scatter = fitted.uncertainty.scatter;
  figures["scatter_between_presses_percent"] = 100 * scatter.total;
  figures["scatter_of_whole_presses_percent"] = 100 * scatter.of_press;
  figures["scatter_of_places_m"] = scatter.place_m;
  for (const auto& candidate : fitted.choice.candidates)
    figures["delta_bic_" + candidate.name] = candidate.delta_bic;
  figures["tail_share"] = fitted.tails.share;
  figures["tail_z"] = fitted.tails.z;
  std::erase_if(figures, [](const auto& figure) { return !std::isfinite(figure.second); });
}

/// The matrix of presses on centres, summed up in figures: the model file holds the spread, which
/// stands for it where the figure crosstalk_delta_bic is positive.
void sum_up_crosstalk(const FitContext& context, const PsfData& data, const Fitted& fitted,
                      StageQuality& quality) {
  const auto measured = crosstalk_slopes(context, data, fitted.uncertainty.scatter.total);
  if (measured.tactels.size() < 2) return;
  const auto crosstalk = split_crosstalk(measured.slopes, measured.errors, measured.tactels);
  if (!crosstalk) return;
  const auto& problem = data.problem;
  const auto n = measured.slopes.rows();
  PsfProblem centred{problem.layout, problem.footprints, {}, {}, problem.frames, 1};
  for (const int tactel : measured.tactels) {
    const auto centre = context.model.sensor.position_m(tactel);
    centred.presses.push_back({centre[0], centre[1], 0, 0, true});
  }
  const auto& fit = fitted.choice.fit;
  const auto shares = psf_shares(centred, fit.model, fit.state, false);
  Eigen::MatrixXd predicted = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto& known = measured.tactels;
    const auto at = std::find(known.begin(), known.end(), problem.tactels[t].index);
    for (Eigen::Index q = 0; q < n && at != known.end(); ++q)
      predicted(at - known.begin(), q) =
          fit.state.slope[t] * shares.at(static_cast<std::size_t>(q),
                                         static_cast<std::size_t>(problem.tactels[t].index));
  }
  Eigen::MatrixXd others = crosstalk->matrix;
  others.diagonal().setZero();
  auto& figures = quality.figures;
  figures["crosstalk_largest_percent"] = 100 * others.cwiseAbs().maxCoeff();
  figures["crosstalk_condition"] = crosstalk->condition;
  figures["crosstalk_zeroed"] = crosstalk->zeroed;
  figures["crosstalk_delta_bic"] =
      crosstalk_delta_bic(measured, predicted, psf_columns(fit.model, problem.frames).count);
}

/// The model then carries the width as the area of its tactels: forces are predicted by it.
void say_cell_width(const Fitted& fitted, SensorModel& model, StageQuality& quality) {
  if (!fitted.cells) return;
  const auto& cells = *fitted.cells;
  model.sensor = with_cells(std::move(model.sensor), cells.pitches);
  quality.figures["cell_width_pitches"] = cells.pitches;
  quality.figures["cell_width_pitches_std"] = cells.std;
  quality.warnings.push_back(
      {"CELL-WIDTH",
       fmt::format("How wide a tactel is nobody states; the readings tell it: {:.3g} +- {:.1g} of "
                   "a pitch, which is area_mm2 {:.4g} of all tactels together.",
                   cells.pitches, 2 * cells.std, m2_to_mm2(model.sensor.sensing_area_m2())),
       "psf.sigma"});
}

/// As it moves thresholds: what does not show is 0, give or take all of it.
ForceOffset shown(const ForceOffset& offset) {
  if (std::abs(offset.value_N) > kShows * offset.u_N) return offset;
  return {0, offset.u_N > 0 ? std::hypot(offset.u_N, offset.value_N) : 0};
}

/// Whether the readings' delay against the force is open: of loads that move it changes readings
/// beside the press as much as at it.
bool latency_open(const FitContext& context) {
  return !context.model.timing.latency_s.identified() &&
         std::any_of(context.sessions.begin(), context.sessions.end(), [](const FitSession& s) {
           const auto& imported = s.session->metadata().imported;
           return imported && !imported->static_readings;
         });
}

void describe(const FitContext& context, const Fitted& fitted, StageQuality& quality) {
  quality.interval_method =
      fmt::format("noise and scatter between presses{}",
                  fitted.uncertainty.bootstrapped
                      ? fmt::format("; spread and registration by bootstrap over {:.0f} presses",
                                    quality.figures["presses"])
                      : "");
  std::set<std::string> mounts;
  for (const auto& session : context.sessions) mounts.insert(session.session->metadata().mount);
  quality.remounting_included = false;
  constexpr double kClearTails = 5;
  if (std::abs(fitted.tails.z) > kClearTails)
    quality.warnings.push_back(
        {"ID-07",
         fmt::format("Model does not describe the data (tails {} than a Gaussian's, about {:.2g} % "
                     "of the force, {:.0f} standard errors{}); numbers are descriptive only.",
                     fitted.tails.share > 0 ? "heavier" : "lighter",
                     100 * std::abs(fitted.tails.share), std::abs(fitted.tails.z),
                     latency_open(context)
                         ? "; readings that come late against the force look the same, and how "
                           "late they are is not known: presses at several speeds tell"
                         : ""),
         "psf"});
  constexpr double kOverfit = 1.5;  // docs/theory/statistics.md 3
  if (quality.holdout_ratio.value_or(0) > kOverfit)
    quality.warnings.push_back(
        {"OVERFIT",
         fmt::format("Presses at places left out are predicted {:.2g} times worse than those "
                     "fitted: more places are needed (raster, P8).",
                     *quality.holdout_ratio),
         "psf"});
}

}  // namespace

Result<void> run_psf(FitContext& context) {
  StageQuality quality;
  const auto refuse = [&](const std::string& reason) {
    refuse_psf(context.model, reason);
    quality.warnings.push_back(warning_of(reason, "psf"));
    context.model.quality["psf"] = std::move(quality);
    context.failed.insert("psf");
    return Result<void>();
  };
  if (context.model.sensor.tactels() == 1)
    return refuse(
        "PS-01 The sensor has one tactel: it has no neighbour to share a force with, and needs no "
        "point spread");
  auto data = load_psf_data(context);
  if (!data) {
    if (data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
    return refuse(data.error().message);
  }
  data->problem.threads = thread_count(context.options.threads);
  data->problem.across_strip = across_strip(context.model.sensor, data->problem);
  if (const auto objection = psf_objection(*data); !objection.empty()) return refuse(objection);
  std::vector<std::size_t> left_out;
  if (context.options.holdout > 0)
    left_out = hold_out_places(data->problem, context.options.holdout, context.options.seed);
  auto fitted = fit_all(context, *data);
  if (!fitted) {
    if (fitted.error().code != ErrorCode::kUnidentifiable) return fail(fitted.error());
    return refuse(fitted.error().message);
  }
  sum_up(*data, *fitted, quality);
  for (const std::size_t press : left_out) {
    auto& why = context.model.presses[data->press_row[press]].why;
    why += why.empty() ? "psf: held out" : "; psf: held out";
  }
  const auto temperature = temperature_u_percent(context);
  if (!temperature) return fail(temperature.error());
  const double creep_left =
      context.reading_creep
          ? 0
          : 100 * u_creep_left(data->problem.memory_per_decade, usual_loading_s(data->problem));
  const double creep = context.reading_creep ? 100 * context.reading_creep->u_gain : creep_left;
  const PsfReportSettings settings{
      std::hypot(force_certificate(context).gain_percent, *temperature, creep),
      latency_open(context)};
  if (!report_psf(context, *data, fitted->choice, fitted->uncertainty, fitted->noise_chi2_per_dof,
                  settings, quality)) {
    // What presses differ by beside a spread that doesn't hold is its misfit, no scatter of theirs.
    context.failed.insert("psf");
  } else {
    const auto& scatter = fitted->uncertainty.scatter;
    const auto degrees =
        std::min(scatter.dof, static_cast<double>(data->problem.presses.size()) - 1);
    const auto& offsets = data->problem.force_offsets;
    const auto scans = offsets.empty() ? ForceOffset() : shown(offsets.front());
    const auto added = add_joint_findings(
        context,
        {scatter.total, degrees, scans.value_N, scans.u_N,
         centre_lines(context, *data, fitted->choice.fit, fitted->uncertainty), creep_left});
    if (!added) return fail(added.error());
    quality.figures["memory_percent_per_decade"] = 100 * data->problem.memory_per_decade;
    for (std::size_t way = 0; way < offsets.size(); ++way) {
      if (!(offsets[way].u_N > 0)) continue;
      const auto name = fmt::format("force_offset_of_{}_mN", kWays[way]);
      quality.figures[name] = 1e3 * offsets[way].value_N;
      quality.figures[name + "_std"] = 1e3 * offsets[way].u_N;
    }
    predict_tactels(context, *data, fitted->choice.fit, quality);
    sum_up_crosstalk(context, *data, *fitted, quality);
    describe(context, *fitted, quality);
    say_cell_width(*fitted, context.model, quality);
  }
  context.model.quality["psf"] = std::move(quality);
  return {};
}

}  // namespace tactelier
