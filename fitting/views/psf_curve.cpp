#include "fitting/views/psf_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fitting/psf/psf_evaluate.hpp"
#include "fitting/psf/psf_recall.hpp"
#include "fitting/views/preparation.hpp"

namespace tactelier {
namespace {

constexpr double kClear = 5;              // sigma above the offset: an answer, as in the fit
constexpr std::uint32_t kMinAnswers = 3;  // rows of a press
constexpr double kNearAxis = 0.1;         // pitches
constexpr int kSlicePoints = 80;          // on either side
constexpr int kSteps = 6;                 // of Newton's search for one share

/// Share by the rows that answered alone; 0 when none did.
double first_share(const PsfTactel& tactel, const std::vector<PsfRowNoise>& noise,
                   const PsfGroup& group, double slope, double intercept) {
  double products = 0, squares = 0;
  std::uint32_t answering = 0;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const auto& row = tactel.rows[i];
    if (row.kind == PsfRowKind::kFloor || row.kind == PsfRowKind::kCeiling ||
        row.counts < kClear * std::sqrt(noise[i].counts2))
      continue;
    ++answering;
    products += row.weight * row.force_N * (row.counts + intercept);
    squares += row.weight * row.force_N * row.force_N;
  }
  // One row that stands out among hundreds of thousands is chance.
  const bool answers = answering >= std::min(kMinAnswers, group.end - group.begin);
  return answers && squares > 0 ? products / (slope * squares) : 0;
}

/// The share that the rows of one press ask for, with the fit's own residuals.
void measure(const PsfTactel& tactel, const std::vector<PsfRowNoise>& noise, const PsfGroup& group,
             double slope, double intercept, PsfAnswer& answer) {
  double share = first_share(tactel, noise, group, slope, intercept);
  answer.silent = !(share > 0);
  if (answer.silent) return;
  double information = 0;
  for (int step = 0; step < kSteps; ++step) {
    const auto sums = psf_group_sums(tactel, group, slope, intercept, share);
    information = sums.information(2, 2);
    if (!(information > 0)) break;
    const double by = sums.score(2) / information;
    share = std::clamp(share + by, share / 2, 2 * share);
    if (std::abs(by) < 1e-9) break;
  }
  answer.share = share;
  answer.u_share = information > 0 ? 1 / std::sqrt(information) : 0;
}

std::array<double, 2> place_of(const PsfPress& press, const PsfFrame& frame) {
  const double c = std::cos(frame.turn_rad), s = std::sin(frame.turn_rad);
  return {c * press.x_m - s * press.y_m + frame.x_m, s * press.x_m + c * press.y_m + frame.y_m};
}

int nearest_tactel(const SensorDescription& sensor, double x_m, double y_m) {
  int best = 0;
  double least_m = std::numeric_limits<double>::infinity();
  for (int t = 0; t < sensor.tactels(); ++t) {
    const auto centre = sensor.position_m(t);
    const double away_m = std::hypot(centre[0] - x_m, centre[1] - y_m);
    if (away_m < least_m) {
      best = t;
      least_m = away_m;
    }
  }
  return best;
}

void add_answers(const FitContext& context, const PsfData& data, const RecalledPsf& psf,
                 PsfCurve& curve) {
  const auto& problem = data.problem;
  const auto shares = psf_shares(problem, psf.model, psf.state, false);
  for (std::size_t k = 0; k < problem.presses.size(); ++k) {
    const auto& contact = context.contacts[data.press_row[k]];
    const auto& press = problem.presses[k];
    curve.presses.push_back({contact.session,
                             context.sessions[contact.session].presses[contact.press].number,
                             nearest_tactel(context.model.sensor, press.x_m, press.y_m)});
  }
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    if (!psf.known[t]) continue;
    const auto& tactel = problem.tactels[t];
    const auto centre = context.model.sensor.position_m(tactel.index);
    for (const auto& group : tactel.groups) {
      const auto& press = problem.presses[group.press];
      const auto at = place_of(press, psf.state.frames[press.frame]);
      PsfAnswer answer;
      answer.press = group.press;
      answer.tactel = tactel.index;
      answer.x_m = at[0] - centre[0];
      answer.y_m = at[1] - centre[1];
      answer.model = shares.at(group.press, static_cast<std::size_t>(tactel.index));
      measure(tactel, data.noise[t], group, psf.state.slope[t], psf.state.intercept[t], answer);
      curve.answers.push_back(answer);
    }
  }
}

/// Through the tactel nearest to the middle of the array, as far as presses stood.
void add_slice(const SensorModel& model, const PsfProblem& problem, const RecalledPsf& psf,
               PsfCurve& curve) {
  double x_m = 0, y_m = 0, reach_m = 1.5 * problem.layout.pitch_m();
  for (int t = 0; t < model.sensor.tactels(); ++t) {
    x_m += model.sensor.position_m(t)[0] / model.sensor.tactels();
    y_m += model.sensor.position_m(t)[1] / model.sensor.tactels();
  }
  for (const auto& answer : curve.answers)
    if (std::min(std::abs(answer.x_m), std::abs(answer.y_m)) <= curve.near_axis_m)
      reach_m = std::max(reach_m, answer.distance_m());
  const auto centre = model.sensor.position_m(nearest_tactel(model.sensor, x_m, y_m));
  const int tactel = nearest_tactel(model.sensor, centre[0], centre[1]);
  PsfProblem line{problem.layout, problem.footprints, {}, {}, 1, 1};
  for (int i = -kSlicePoints; i <= kSlicePoints; ++i) {
    curve.at_m.push_back(1.02 * reach_m * i / kSlicePoints);
    line.presses.push_back({centre[0] + curve.at_m.back(), centre[1], 0, 0, true});
    line.presses.push_back({centre[0], centre[1] + curve.at_m.back(), 0, 0, true});
  }
  auto state = psf.state;
  state.frames = {PsfFrame{}};
  const auto shares = psf_shares(line, psf.model, state, false);
  for (std::size_t i = 0; i < curve.at_m.size(); ++i) {
    curve.along_x.push_back(shares.at(2 * i, static_cast<std::size_t>(tactel)));
    curve.along_y.push_back(shares.at(2 * i + 1, static_cast<std::size_t>(tactel)));
  }
}

/// The fit's own candidates stand among its figures.
std::vector<PsfAlternative> alternatives_in(const SensorModel& model, const RecalledPsf& psf) {
  std::vector<PsfAlternative> found;
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return found;
  const std::string prefix = "delta_bic_";
  for (const auto& [name, value] : quality->second.figures) {
    if (!name.starts_with(prefix)) continue;
    PsfAlternative one{name.substr(prefix.size()), value, false};
    one.chosen = (one.name == "anisotropic" && psf.model.shape == PsfShape::kAnisotropic) ||
                 (one.name == "renormalised" && psf.model.edge == PsfEdge::kRenormalised) ||
                 (one.name == "sampled" && psf.model.form == PsfForm::kSampled) ||
                 (one.name == "touching" && psf.model.form == PsfForm::kIntegrated);
    found.push_back(std::move(one));
  }
  return found;
}

double scatter_in(const SensorModel& model) {
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return 0;
  const auto found = quality->second.figures.find("scatter_between_presses_percent");
  return found == quality->second.figures.end() ? 0 : found->second / 100;
}

}  // namespace

double PsfAnswer::distance_m() const { return std::hypot(x_m, y_m); }

std::size_t PsfCurve::press_to_show(std::optional<int> number, std::optional<int> tactel) const {
  const auto find = [&](const auto& fits) {
    return static_cast<std::size_t>(std::find_if(presses.begin(), presses.end(), fits) -
                                    presses.begin());
  };
  const auto chosen = find([&](const PsfCurvePress& p) { return p.number == number; });
  if (chosen < presses.size()) return chosen;
  const auto near = find([&](const PsfCurvePress& p) { return p.tactel == tactel; });
  return near < presses.size() ? near : 0;
}

Result<PsfCurve> psf_curve_in(FitContext& context) {
  const auto& model = context.model;
  if (!model.psf.sigma_x.value) {
    const auto& why = model.psf.sigma.reason;
    return fail(ErrorCode::kUnidentifiable, "{}", why.empty() ? "No spread is identified." : why);
  }
  auto data = load_psf_data(context);
  if (!data) return fail(data.error());
  first_weights(*data);
  const auto psf = recall_psf(model, data->problem);
  if (!psf) return fail(ErrorCode::kUnidentifiable, "No spread is identified.");
  PsfCurve curve;
  const auto& array = model.sensor.arrays.front();
  curve.pitch_x_m = array.pitch_x_m;
  curve.pitch_y_m = array.pitch_y_m;
  const auto& first = psf->state.frames.front();
  curve.near_axis_m = std::min(0.5 * data->problem.layout.pitch_m(),
                               kNearAxis * data->problem.layout.pitch_m() +
                                   std::max(std::abs(first.x_m), std::abs(first.y_m)));
  curve.scatter = scatter_in(model);
  add_answers(context, *data, *psf, curve);
  if (curve.answers.empty())
    return fail(ErrorCode::kUnidentifiable, "No tactel of these recordings has a fitted gain.");
  add_slice(model, data->problem, *psf, curve);
  curve.alternatives = alternatives_in(model, *psf);
  return curve;
}

Result<PsfCurve> psf_curve(std::vector<FitSession> sessions, std::vector<SessionClocks> clocks,
                           const SensorModel& model, const Job& job) {
  auto context = looking_context(std::move(sessions), std::move(clocks), model, job);
  if (!context) return fail(context.error());
  return psf_curve_in(*context);
}

}  // namespace tactelier
