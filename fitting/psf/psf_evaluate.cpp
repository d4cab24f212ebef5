#include "fitting/psf/psf_evaluate.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "fitting/statistics/parallel.hpp"

namespace tactelier {
namespace {

// Below, starting threads costs more.
constexpr std::size_t kRowsForThreads = 50'000;
constexpr std::size_t kPointsForThreads = 1'000;  // of footprints

/// Value of a row's model and its slope by L; `half` is the half-width of L over the row.
struct Level {
  double value = 0, slope = 1, by_half = 0;
};

Level floored(double line, double half) {
  if (line >= half) return {line, 1, 0};
  if (line <= -half) return {0, 0, 0};
  const double inside = line + half;  // even spread: mean of max(0, L)
  const double share = inside / (2 * half);
  return {inside * share / 2, share, share - share * share};
}

int threads_for(const PsfProblem& problem) {
  return problem.threads > 1 && problem.rows() >= kRowsForThreads ? problem.threads : 1;
}

int shares_threads(const PsfProblem& problem) {
  std::size_t points = 0;
  for (const auto& press : problem.presses)
    if (press.used) points += problem.footprints[press.footprint].points.size();
  return problem.threads > 1 && points >= kPointsForThreads ? problem.threads : 1;
}

/// Derivatives of one share by the shared parameters.
void gradient_of(const Share& share, const std::array<SpreadCovariance, 3>& spread,
                 const PsfModel& model, const PsfColumns& columns, std::uint32_t frame,
                 double turned_x_m, double turned_y_m, double* out) {
  const int shapes = model.shape == PsfShape::kAnisotropic ? 3 : 1;
  for (int k = 0; k < shapes; ++k) {
    const auto& d = spread[static_cast<std::size_t>(k)];
    out[columns.spread + k] = share.xx * d.xx + share.xy * d.xy + share.yy * d.yy;
  }
  int column = columns.first_frame + static_cast<int>(frame) * columns.per_frame;
  if (model.free_shift) {
    out[column++] = share.x;
    out[column++] = share.y;
  }
  if (model.free_turn) out[column] = turned_x_m * share.y - turned_y_m * share.x;
}

/// w' = w + g (the others' w of row and column), for one press.
void add_ghosts(const PsfLayout& layout, const PsfColumns& columns, double part,
                std::span<double> values, double* gradients) {
  std::vector<double> of_others(values.size());
  layout.line_sums(values, of_others);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += part * of_others[i];
  if (!gradients) return;
  const auto count = static_cast<std::size_t>(columns.count);
  const auto ghosting = static_cast<std::size_t>(columns.ghosting);
  for (std::size_t i = 0; i < values.size(); ++i) gradients[i * count + ghosting] = of_others[i];
  std::vector<double> column(values.size());
  for (std::size_t k = 0; k < ghosting; ++k) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = gradients[i * count + k];
    layout.line_sums(column, of_others);
    for (std::size_t i = 0; i < column.size(); ++i) gradients[i * count + k] += part * of_others[i];
  }
}

void scale_presses(const std::vector<double>& log_scale, PsfShares& shares) {
  const auto columns = static_cast<std::size_t>(shares.columns);
  for (std::size_t press = 0; press < log_scale.size(); ++press) {
    const double factor = std::exp(log_scale[press]);
    const auto begin = press * shares.tactels, end = begin + shares.tactels;
    for (std::size_t i = begin; i < end; ++i) shares.value[i] *= factor;
    if (shares.gradient.empty()) continue;
    for (std::size_t i = begin * columns; i < end * columns; ++i) shares.gradient[i] *= factor;
  }
}

/// One free number of two tied registrations: its columns, its difference, its weight.
struct TiedColumn {
  int one = 0, other = 0;
  double difference = 0, weight = 0;
};

std::vector<TiedColumn> tied_columns(const PsfProblem& problem, const PsfState& state,
                                     const PsfColumns& columns) {
  std::vector<TiedColumn> all;
  for (const auto& tie : problem.ties) {
    const auto& one = state.frames[tie.one];
    const auto& other = state.frames[tie.other];
    const std::array parts{std::pair{other.x_m - one.x_m, tie.u_shift_m},
                           std::pair{other.y_m - one.y_m, tie.u_shift_m},
                           std::pair{other.turn_rad - one.turn_rad, tie.u_turn_rad}};
    // A lone column is no turn: shifts come first (psf_columns).
    for (int k = 0; k < columns.per_frame; ++k) {
      const auto& [difference, u] = parts[static_cast<std::size_t>(k)];
      const int own = columns.first_frame + k;
      all.push_back({own + static_cast<int>(tie.one) * columns.per_frame,
                     own + static_cast<int>(tie.other) * columns.per_frame, difference,
                     1 / (u * u)});
    }
  }
  return all;
}

/// Half the squares of the presses' scales, and of what ties registrations, over their priors.
double prior_cost(const PsfProblem& problem, const PsfState& state, const PsfColumns& columns) {
  double cost = 0;
  for (const auto& tied : tied_columns(problem, state, columns))
    cost += 0.5 * tied.weight * tied.difference * tied.difference;
  if (!(problem.press_scatter > 0)) return cost;
  const Eigen::Map<const Eigen::VectorXd> scales(state.log_scale.data(),
                                                 std::ssize(state.log_scale));
  return cost + 0.5 * scales.dot(scale_prior(problem) * scales);
}

}  // namespace

Eigen::MatrixXd scale_prior(const PsfProblem& problem) {
  constexpr double kPlaneFirmer = 10;  // in scatter
  const auto presses = std::ssize(problem.presses);
  Eigen::MatrixXd prior = Eigen::MatrixXd::Identity(presses, presses);
  for (std::uint32_t frame = 0; frame < problem.frames; ++frame) {
    std::vector<Eigen::Index> used;
    for (Eigen::Index p = 0; p < presses; ++p) {
      const auto& press = problem.presses[static_cast<std::size_t>(p)];
      if (press.used && press.frame == frame) used.push_back(p);
    }
    if (used.size() < 4) continue;
    Eigen::MatrixXd plane(std::ssize(used), 3);
    for (Eigen::Index i = 0; i < plane.rows(); ++i) {
      const auto& press =
          problem.presses[static_cast<std::size_t>(used[static_cast<std::size_t>(i)])];
      plane.row(i) << 1, press.x_m / problem.layout.pitch_m(), press.y_m / problem.layout.pitch_m();
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(plane);
    const Eigen::MatrixXd basis =
        qr.householderQ() * Eigen::MatrixXd::Identity(plane.rows(), qr.rank());
    const Eigen::MatrixXd firm = (kPlaneFirmer * kPlaneFirmer - 1) * basis * basis.transpose();
    for (std::size_t i = 0; i < used.size(); ++i)
      for (std::size_t k = 0; k < used.size(); ++k)
        prior(used[i], used[k]) += firm(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
  }
  return prior / (problem.press_scatter * problem.press_scatter);
}

std::size_t PsfProblem::rows() const {
  std::size_t count = 0;
  for (const auto& tactel : tactels) count += tactel.rows.size();
  return count;
}

double PsfProblem::used_rows() const {
  double rows = 0;
  for (const auto& tactel : tactels)
    for (const auto& group : tactel.groups)
      if (presses[group.press].used) rows += group.end - group.begin;
  return rows;
}

bool PsfProblem::rows_hide_scatter() const {
  double groups = 0;
  for (const auto& tactel : tactels)
    for (const auto& group : tactel.groups) groups += presses[group.press].used ? 1 : 0;
  return used_rows() < 2 * groups;
}

PsfColumns psf_columns(const PsfModel& model, std::uint32_t frames) {
  PsfColumns columns;
  columns.first_frame = model.shape == PsfShape::kAnisotropic ? 3 : 1;
  columns.per_frame = (model.free_shift ? 2 : 0) + (model.free_turn ? 1 : 0);
  columns.count = columns.first_frame + static_cast<int>(frames) * columns.per_frame;
  if (model.ghosting) columns.ghosting = columns.count++;
  return columns;
}

PsfShares psf_shares(const PsfProblem& problem, const PsfModel& model, const PsfState& state,
                     bool with_gradient) {
  const auto columns = psf_columns(model, problem.frames);
  PsfShares result;
  result.tactels = problem.layout.tactels();
  result.columns = columns.count;
  result.shared = columns;
  result.value.resize(problem.presses.size() * result.tactels);
  if (with_gradient)
    result.gradient.resize(result.value.size() * static_cast<std::size_t>(columns.count), 0.0);
  const auto covariance = spread_covariance(state.spread);
  const auto gradient = spread_gradient(state.spread);
  parallel_for(shares_threads(problem), problem.presses.size(), [&](std::size_t k) {
    const auto& press = problem.presses[k];
    if (!press.used) return;
    thread_local std::vector<Share> shares;
    shares.resize(result.tactels);
    const auto& frame = state.frames[press.frame];
    const double c = std::cos(frame.turn_rad), s = std::sin(frame.turn_rad);
    const double x_m = c * press.x_m - s * press.y_m, y_m = s * press.x_m + c * press.y_m;
    problem.layout.shares(x_m + frame.x_m, y_m + frame.y_m, problem.footprints[press.footprint],
                          covariance, model.form, model.edge, shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::size_t at = k * result.tactels + i;
      result.value[at] = shares[i].value;
      if (with_gradient)
        gradient_of(shares[i], gradient, model, columns, press.frame, x_m, y_m,
                    result.gradient.data() + at * static_cast<std::size_t>(columns.count));
    }
    if (model.ghosting)
      add_ghosts(problem.layout, columns, state.ghosting,
                 std::span(result.value).subspan(k * result.tactels, result.tactels),
                 with_gradient ? result.gradient.data() +
                                     k * result.tactels * static_cast<std::size_t>(columns.count)
                               : nullptr);
  });
  if (problem.press_scatter > 0) scale_presses(state.log_scale, result);
  return result;
}

double psf_residual(const PsfRow& row, double slope, double intercept, double share) {
  const double line = slope * share * row.force_N - intercept;
  const double root = std::sqrt(row.weight);
  switch (row.kind) {
    case PsfRowKind::kLine:
      return root * (row.counts - line);
    case PsfRowKind::kFloored:
      return root * (row.counts - floored(line, slope * share * row.half_range_N).value);
    case PsfRowKind::kFloor:
      return -root * std::max(0.0, line);
    case PsfRowKind::kCeiling:
      return root * std::max(0.0, row.counts - line);
  }
  return 0;
}

double psf_group_cost(const PsfTactel& tactel, const PsfGroup& group, double slope,
                      double intercept, double share) {
  double cost = 0;
  intercept -= slope * group.rest_N;
  share += group.rest_share;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const auto& row = tactel.rows[i];
    const double line = slope * share * row.force_N - intercept;
    double r = 0;
    switch (row.kind) {
      case PsfRowKind::kLine:
        r = row.counts - line;
        break;
      case PsfRowKind::kFloored:
        r = row.counts - floored(line, slope * share * row.half_range_N).value;
        break;
      case PsfRowKind::kFloor:
        r = std::max(0.0, line);
        break;
      case PsfRowKind::kCeiling:
        r = std::max(0.0, row.counts - line);
        break;
    }
    cost += row.weight * r * r;
  }
  return cost / 2;
}

PsfGroupSums psf_group_sums(const PsfTactel& tactel, const PsfGroup& group, double slope,
                            double intercept, double share) {
  // Model derivatives by (slope, intercept, share) are (w F' + rest, -1, slope F') L', where F'
  // carries the row's own width; sums of weight times 1, F, F^2 would do but for the kinks.
  intercept -= slope * group.rest_N;
  share += group.rest_share;
  double ss = 0, sq = 0, qq = 0, sr = 0, qr = 0, cost = 0;
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const auto& row = tactel.rows[i];
    const double line = slope * share * row.force_N - intercept;
    double r = row.counts - line, by_line = 1, force = row.force_N;
    if (row.kind == PsfRowKind::kFloored) {
      const auto level = floored(line, slope * share * row.half_range_N);
      if (level.slope == 0) {
        cost += row.weight * row.counts * row.counts;
        continue;
      }
      r = row.counts - level.value;
      by_line = level.slope;
      force += level.by_half / level.slope * row.half_range_N;
    } else if (row.kind == PsfRowKind::kFloor) {
      if (line <= 0) continue;
      r = -line;
    } else if (row.kind == PsfRowKind::kCeiling && r <= 0) {
      continue;
    }
    cost += row.weight * r * r;
    // J of the residual: -(by_line F) by (slope * share), +by_line by the intercept.
    const double wf = by_line * force, w = row.weight;
    ss += w * wf * wf;
    sq += w * wf * by_line;
    qq += w * by_line * by_line;
    sr += w * wf * r;
    qr += w * by_line * r;
  }
  PsfGroupSums sums;
  sums.cost = cost / 2;
  if (qq == 0) return sums;
  const Eigen::Vector3d by_product{share, 0, slope};       // of slope * share
  const Eigen::Vector3d by_constant{group.rest_N, -1, 0};  // of what does not go with the force
  const Eigen::Matrix3d cross = sq * by_product * by_constant.transpose();
  sums.information = ss * by_product * by_product.transpose() + cross + cross.transpose() +
                     qq * by_constant * by_constant.transpose();
  sums.score = sr * by_product + qr * by_constant;
  return sums;
}

namespace {

/// What one group says of its press's scale, d share/d a = share.
struct PressTie {
  double information = 0, score = 0, by_share = 0;
};

PressTie tie_of(const PsfGroupSums& sums, double share, PsfNormal::Local& local) {
  local.presses.push_back(sums.information.block<2, 1>(0, 2) * share);
  const double by_share = sums.information(2, 2) * share;
  return {by_share * share, sums.score(2) * share, by_share};
}

/// Adds one group to a tactel's part; plain loops, since there are few columns and many groups.
void add_group(const PsfGroupSums& sums, const double* by, int columns, PsfNormal::Local& local,
               Eigen::MatrixXd& shared, Eigen::VectorXd& score) {
  local.cost += sums.cost;
  if (sums.information(2, 2) == 0 && sums.information(1, 1) == 0) return;
  local.own += sums.information.topLeftCorner<2, 2>();
  local.score += sums.score.head<2>();
  for (int k = 0; k < columns; ++k) {
    local.shared(0, k) += sums.information(0, 2) * by[k];
    local.shared(1, k) += sums.information(1, 2) * by[k];
    score(k) += sums.score(2) * by[k];
    const double scaled = sums.information(2, 2) * by[k];
    for (int j = 0; j <= k; ++j) shared(k, j) += scaled * by[j];
  }
}

void add_ties(const PsfProblem& problem, const PsfState& state, const PsfColumns& columns,
              PsfNormal& normal) {
  for (const auto& tied : tied_columns(problem, state, columns)) {
    normal.shared(tied.one, tied.one) += tied.weight;
    normal.shared(tied.other, tied.other) += tied.weight;
    normal.shared(tied.one, tied.other) -= tied.weight;
    normal.shared(tied.other, tied.one) -= tied.weight;
    normal.shared_score(tied.one) += tied.weight * tied.difference;
    normal.shared_score(tied.other) -= tied.weight * tied.difference;
    normal.cost += 0.5 * tied.weight * tied.difference * tied.difference;
  }
}

void add_presses(const PsfProblem& problem, const PsfState& state, const PsfShares& shares,
                 const std::vector<std::vector<PressTie>>& ties, PsfNormal& normal) {
  normal.prior = scale_prior(problem);
  const Eigen::Map<const Eigen::VectorXd> scales(state.log_scale.data(),
                                                 std::ssize(state.log_scale));
  const Eigen::VectorXd back = -(normal.prior * scales);
  for (Eigen::Index p = 0; p < back.size(); ++p)
    normal.presses.push_back({0, back(p), Eigen::VectorXd::Zero(shares.columns)});
  for (std::size_t t = 0; t < ties.size(); ++t) {
    const auto& tactel = problem.tactels[t];
    for (std::size_t g = 0; g < ties[t].size(); ++g) {
      const auto press = tactel.groups[g].press;
      auto& sum = normal.presses[press];
      sum.information += ties[t][g].information;
      sum.score += ties[t][g].score;
      if (ties[t][g].by_share == 0) continue;
      const double* by = shares.slope(press, static_cast<std::size_t>(tactel.index));
      for (int k = 0; k < shares.columns; ++k) sum.shared(k) += ties[t][g].by_share * by[k];
    }
  }
  normal.cost -= 0.5 * scales.dot(back);
}

}  // namespace

PsfNormal psf_normal(const PsfProblem& problem, const PsfState& state, const PsfShares& shares) {
  const auto columns = shares.columns;
  const std::size_t count = problem.tactels.size();
  PsfNormal normal;
  normal.locals.resize(count);
  std::vector<Eigen::MatrixXd> shared(count);
  std::vector<Eigen::VectorXd> scores(count);
  const bool scaled = problem.press_scatter > 0;
  std::vector<std::vector<PressTie>> ties(count);
  parallel_for(threads_for(problem), count, [&](std::size_t t) {
    const auto& tactel = problem.tactels[t];
    auto& local = normal.locals[t];
    local.shared.setZero(2, columns);
    shared[t].setZero(columns, columns);
    scores[t].setZero(columns);
    const auto index = static_cast<std::size_t>(tactel.index);
    for (const auto& group : tactel.groups) {
      if (!problem.presses[group.press].used) {
        if (scaled) ties[t].push_back(tie_of({}, 0, local));
        continue;
      }
      const double share = shares.at(group.press, index);
      const auto sums = psf_group_sums(tactel, group, state.slope[t], state.intercept[t], share);
      add_group(sums, shares.slope(group.press, index), columns, local, shared[t], scores[t]);
      if (scaled) ties[t].push_back(tie_of(sums, share, local));
    }
    const double prior = tactel.offset_information(state.intercept[t]);
    local.own(1, 1) += prior;
    local.score(1) -= prior * state.intercept[t];
    local.cost += tactel.offset_cost(state.intercept[t]);
  });
  normal.shared.setZero(columns, columns);
  normal.shared_score.setZero(columns);
  for (std::size_t t = 0; t < count; ++t) {
    normal.shared += shared[t];
    normal.shared_score += scores[t];
    normal.cost += normal.locals[t].cost;
  }
  normal.shared.triangularView<Eigen::StrictlyUpper>() = normal.shared.transpose();
  add_ties(problem, state, shares.shared, normal);
  if (scaled) add_presses(problem, state, shares, ties, normal);
  return normal;
}

double psf_cost(const PsfProblem& problem, const PsfState& state, const PsfShares& shares) {
  std::vector<double> costs(problem.tactels.size(), 0.0);
  parallel_for(threads_for(problem), costs.size(), [&](std::size_t t) {
    const auto& tactel = problem.tactels[t];
    costs[t] = tactel.offset_cost(state.intercept[t]);
    for (const auto& group : tactel.groups)
      if (problem.presses[group.press].used)
        costs[t] += psf_group_cost(tactel, group, state.slope[t], state.intercept[t],
                                   shares.at(group.press, static_cast<std::size_t>(tactel.index)));
  });
  double cost = prior_cost(problem, state, shares.shared);
  for (const double c : costs) cost += c;
  return cost;
}

}  // namespace tactelier
