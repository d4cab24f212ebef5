#include "fitting/friction/table_friction.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/steady_slides.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

constexpr double kAlike = 0.01;           // of the load: rows weigh alike in the coefficient
constexpr double kBristles_N_per_m = 1;   // stands in for what is refused
constexpr double kNoDrop_m_per_s = 1e-3;  // likewise

bool has(const Session& session, StreamKind kind, std::string_view column) {
  const auto* stream = session.stream(kind);
  return stream != nullptr && stream->info.find(std::string(column)) >= 0;
}

bool is_table_of_friction(const Session& session) {
  const auto& imported = session.metadata().imported;
  return imported && imported->static_readings && has(session, StreamKind::kAux, "speed") &&
         has(session, StreamKind::kForce, "Fx") && has(session, StreamKind::kForce, "Fz");
}

void along_the_motion(std::span<SlidePoint> rows) {
  bool magnitudes = true;
  double with = 0;
  for (const auto& row : rows) {
    magnitudes = magnitudes && row.friction_N >= 0;
    with += std::copysign(1.0, row.velocity_m_per_s) * row.friction_N / row.normal_N;
  }
  for (auto& row : rows) {
    if (magnitudes) row.friction_N = std::copysign(row.friction_N, row.velocity_m_per_s);
    if (!magnitudes && with < 0) row.friction_N = -row.friction_N;
    row.offset = -1;  // a side force of its own: below, where rows can tell it
  }
  const auto forward =
      std::ranges::count_if(rows, [](const SlidePoint& row) { return row.velocity_m_per_s > 0; });
  if (!magnitudes && forward > 0 && forward < std::ssize(rows))
    for (auto& row : rows) row.offset = 0;
}

/// From mu_s, drop, log v_s, c_t (as many as the model has) to the order of LugreIndex.
LugreFit as_lugre(const StribeckFit& fit, std::size_t rows) {
  const bool drops = fit.model == SlidingModel::kStribeck;
  LugreFit found;
  found.values = {kBristles_N_per_m, kBristles_N_per_m, fit.c_t,
                  fit.mu_s,          fit.mu_d(),        drops ? fit.v_s_m_per_s : kNoDrop_m_per_s};
  found.chi2 = fit.chi2;
  found.samples = static_cast<double>(rows);
  found.dof = fit.dof;
  found.converged = true;
  if (fit.covariance.size() == 0) return found;
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(kLugreSize, fit.covariance.cols());
  turn(kLugreDynamic, 0) = 1;
  if (drops) {
    turn(kLugreStatic, 0) = 1;
    turn(kLugreDynamic, 1) = -1;
    turn(kLugreStribeck, 2) = 1;
  }
  if (fit.model != SlidingModel::kCoulomb) turn(kLugreViscous, turn.cols() - 1) = 1;
  found.covariance = fit.chi2 / fit.dof * turn * fit.covariance * turn.transpose();
  return found;
}

double middle_load_N(std::span<const SlidePoint> rows) {
  std::vector<double> loads;
  for (const auto& row : rows) loads.push_back(row.normal_N);
  const auto middle = loads.begin() + std::ssize(loads) / 2;
  std::nth_element(loads.begin(), middle, loads.end());
  return *middle;
}

}  // namespace

Result<std::vector<SlidePoint>> friction_rows(const FitContext& context) {
  std::vector<SlidePoint> all;
  for (const auto& one : context.sessions) {
    const auto& session = *one.session;
    if (!is_table_of_friction(session)) continue;
    const std::vector<std::string> speed{"speed"}, force{"Fx", "Fz"};
    const auto moves = session.read(StreamKind::kAux, speed, {}, context.job);
    if (!moves) return fail(moves.error());
    const auto feels = session.read(StreamKind::kForce, force, {}, context.job);
    if (!feels) return fail(feels.error());
    std::vector<SlidePoint> rows;
    for (std::size_t i = 0, k = 0; i < moves->rows() && k < feels->rows(); ++i) {
      while (k < feels->rows() && feels->time_s[k] < moves->time_s[i]) ++k;
      if (k == feels->rows() || feels->time_s[k] != moves->time_s[i]) continue;
      SlidePoint row;
      row.velocity_m_per_s = moves->columns[0][i];
      row.friction_N = feels->columns[0][k];
      row.normal_N = std::abs(feels->columns[1][k]);
      row.u_N = kAlike * row.normal_N;
      const bool known = std::isfinite(row.friction_N) && std::isfinite(row.velocity_m_per_s);
      if (known && row.velocity_m_per_s != 0 && row.normal_N > 0) rows.push_back(row);
    }
    along_the_motion(rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

FrictionEstimate estimate_rows(std::vector<SlidePoint> rows) {
  FrictionEstimate estimate;
  estimate.of_rows = estimate.motion_measured = estimate.form_decided = true;
  estimate.form = "constant";
  estimate.no_bristles =
      "FR-04 σ0 and σ1 do not appear in steady sliding: not identified. Record presliding (P10).";
  estimate.points = rows;
  const auto model = choose_sliding(rows);
  const auto fit = fit_sliding(rows, model);
  if (!fit) {
    estimate.no_curve = fmt::format(
        "FR-01 Only {} row{} with a speed and a load: friction takes two or more, a curve of speed "
        "six different speeds.",
        rows.size(), rows.size() == 1 ? "" : "s");
    return estimate;
  }
  estimate.reference_N = middle_load_N(rows);
  estimate.steady = *fit;
  estimate.joint = as_lugre(*fit, rows.size());
  estimate.no_drop = model != SlidingModel::kStribeck || fit->drop <= 0;
  if (!estimate.no_drop) {
    estimate.no_curve = too_few_speeds(rows);
    estimate.no_stribeck = not_bracketed(rows, *fit);
  }
  if (model == SlidingModel::kCoulomb)
    estimate.no_viscous =
        "FR-08 Friction does not change with the speed in this table: a viscous part is not told "
        "from none.";
  const auto forward =
      std::ranges::count_if(rows, [](const SlidePoint& row) { return row.velocity_m_per_s > 0; });
  if (forward == 0 || forward == std::ssize(rows))
    estimate.warnings.push_back(
        {"ONE-WAY",
         "All rows go one way: a load that leans, or a side force of the set-up, can't be told "
         "from friction and is part of µ. Slide back too.",
         "friction"});
  return estimate;
}

}  // namespace tactelier
