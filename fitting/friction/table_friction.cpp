#include "fitting/friction/table_friction.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/friction/friction_level.hpp"
#include "fitting/friction/steady_slides.hpp"

namespace tactelier {
namespace {

constexpr double kAlike = 0.01;         // of the load: rows weigh alike in the coefficient
constexpr std::size_t kLineSpeeds = 3;  // two lie on any line

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

namespace {

/// What a table of too few speeds tells.
void take_level(std::span<const SlidePoint> rows, FrictionEstimate& estimate) {
  auto level = friction_level(rows);
  if (!level) return;
  estimate.is_level = true;
  estimate.joint = std::move(level->law);
  estimate.warnings.push_back(std::move(level->said));
}

bool both_ways(std::span<const SlidePoint> rows) {
  const auto forward =
      std::ranges::count_if(rows, [](const SlidePoint& row) { return row.velocity_m_per_s > 0; });
  return forward > 0 && forward < std::ssize(rows);
}

/// Fills what the law that fits says of itself, or why there is none.
void take_law(std::span<const SlidePoint> rows, FrictionEstimate& estimate) {
  const auto model = choose_sliding(rows);
  const auto fit = fit_sliding(rows, model);
  const auto few = too_few_speeds(rows);
  const bool line = distinct_speeds(rows).size() >= kLineSpeeds;
  if (!few.empty() && (model == SlidingModel::kStribeck || !line)) {
    estimate.no_curve = few;
    return take_level(rows, estimate);
  }
  estimate.steady = *fit;
  estimate.joint = steady_lugre(*fit, rows.size());
  estimate.no_drop = model != SlidingModel::kStribeck || fit->drop <= 0;
  if (!estimate.no_drop) estimate.no_stribeck = not_bracketed(rows, *fit);
  if (model == SlidingModel::kCoulomb)
    estimate.no_viscous =
        "FR-08 Friction does not change with the speed in this table: a viscous part is not told "
        "from none.";
}

}  // namespace

FrictionEstimate estimate_rows(std::vector<SlidePoint> rows) {
  FrictionEstimate estimate;
  estimate.of_rows = estimate.motion_measured = estimate.form_decided = true;
  estimate.form = "constant";
  estimate.no_bristles =
      "FR-04 σ0 and σ1 do not appear in steady sliding: not identified. Record presliding (P10).";
  estimate.points = rows;
  estimate.reference_N = middle_load_N(rows);
  if (!fit_sliding(rows, SlidingModel::kCoulomb)) {
    const bool side = both_ways(rows);
    estimate.no_curve = fmt::format(
        "FR-01 Only {} row{} with a speed and a load: friction takes {} or more{}, a curve of "
        "speed six different speeds.",
        rows.size(), rows.size() == 1 ? "" : "s", side ? "three" : "two",
        side ? " that go both ways" : "");
    return estimate;
  }
  take_law(rows, estimate);
  if (!both_ways(rows))
    estimate.warnings.push_back(
        {"ONE-WAY",
         "All rows go one way: a load that leans, or a side force of the set-up, can't be told "
         "from friction and is part of µ. Slide back too.",
         "friction"});
  return estimate;
}

}  // namespace tactelier
