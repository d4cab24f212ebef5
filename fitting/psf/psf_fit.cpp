#include "fitting/psf/psf_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kLowestSigma = 0.15, kHighestSigma = 3;  // pitches
constexpr double kLargestShift = 0.5;
constexpr double kMaxEccentric = 1.5;  // of |(e1, e2)|: sigma_x/sigma_y up to 4.5
constexpr double kMaxLogScale = 1;     // of a press
constexpr int kMaxIterations = 200;
constexpr double kTolerance = 1e-13;  // relative, of cost
constexpr double kSmallStep = 1e-6;   // relative, of cost
constexpr int kKinkSteps = 2;
constexpr double kMaxDamping = 1e6;
constexpr double kStartOffset = 3;  // standard errors that a shared offset starts off by, at most
constexpr double kAsPredicted = 0.25;  // of the decrease that a step promised

struct PsfStep {
  std::vector<Eigen::Vector2d> locals;
  Eigen::VectorXd shared;
  Eigen::VectorXd log_scale;  // by press
  double predicted = 0;       // decrease of cost
};

/// Limits of each shared column of the state, in the same units.
struct ColumnLimits {
  Eigen::VectorXd low, high;
};

ColumnLimits column_limits(const PsfModel& model, std::uint32_t frames, const PsfLimits& limits) {
  const auto columns = psf_columns(model, frames);
  ColumnLimits result;
  result.low.setConstant(columns.count, -1e300);
  result.high.setConstant(columns.count, 1e300);
  result.low(0) = 2 * std::log(limits.lowest_sigma_m);
  result.high(0) = 2 * std::log(limits.highest_sigma_m);
  for (int k = 1; k < columns.first_frame; ++k) {
    result.low(k) = -kMaxEccentric;
    result.high(k) = kMaxEccentric;
  }
  for (std::uint32_t f = 0; f < frames && model.free_shift; ++f)
    for (int axis = 0; axis < 2; ++axis) {
      const int column = columns.first_frame + static_cast<int>(f) * columns.per_frame + axis;
      result.low(column) = -limits.largest_shift_m;
      result.high(column) = limits.largest_shift_m;
    }
  if (model.ghosting) {
    result.low(columns.ghosting) = -limits.largest_ghosting;
    result.high(columns.ghosting) = limits.largest_ghosting;
  }
  return result;
}

Eigen::VectorXd shared_of(const PsfState& state, const PsfModel& model) {
  const auto columns = psf_columns(model, static_cast<std::uint32_t>(state.frames.size()));
  Eigen::VectorXd shared(columns.count);
  shared(0) = state.spread.m;
  if (columns.first_frame == 3) {
    shared(1) = state.spread.e1;
    shared(2) = state.spread.e2;
  }
  int column = columns.first_frame;
  for (const auto& frame : state.frames) {
    if (model.free_shift) {
      shared(column++) = frame.x_m;
      shared(column++) = frame.y_m;
    }
    if (model.free_turn) shared(column++) = frame.turn_rad;
  }
  if (model.ghosting) shared(column) = state.ghosting;
  return shared;
}

void set_shared(const Eigen::VectorXd& shared, const PsfModel& model, PsfState& state) {
  state.spread.m = shared(0);
  int column = 1;
  if (model.shape == PsfShape::kAnisotropic) {
    state.spread.e1 = shared(1);
    state.spread.e2 = shared(2);
    column = 3;
  }
  for (auto& frame : state.frames) {
    if (model.free_shift) {
      frame.x_m = shared(column++);
      frame.y_m = shared(column++);
    }
    if (model.free_turn) frame.turn_rad = shared(column++);
  }
  if (model.ghosting) state.ghosting = shared(column);
}

bool intercept_held(const PsfProblem& problem, const PsfState& state, const PsfNormal& normal,
                    std::size_t t) {
  const auto& tactel = problem.tactels[t];
  if (!tactel.threshold_free) return true;
  return state.intercept[t] <= 0 && tactel.u_offset_counts <= 0 && normal.locals[t].score(1) <= 0;
}

/// The block of a tactel with damping; a held or empty direction gets a unit diagonal and no score.
struct Block {
  Eigen::Matrix2d inverse;
  Eigen::Vector2d score;
  Eigen::Matrix<double, 2, Eigen::Dynamic> shared;
  Eigen::Matrix<double, 2, Eigen::Dynamic> presses;  // by group
};

Block block_of(const PsfNormal::Local& local, bool hold_intercept, double damping) {
  Block block{Eigen::Matrix2d::Zero(), local.score, local.shared, {}};
  block.presses.resize(2, static_cast<Eigen::Index>(local.presses.size()));
  for (Eigen::Index g = 0; g < block.presses.cols(); ++g)
    block.presses.col(g) = local.presses[static_cast<std::size_t>(g)];
  Eigen::Matrix2d own = local.own;
  own.diagonal() *= 1 + damping;
  const auto hold = [&](int k) {
    own.row(k).setZero();
    own.col(k).setZero();
    own(k, k) = 1;
    block.score(k) = 0;
    block.shared.row(k).setZero();
    block.presses.row(k).setZero();
  };
  if (!(own(0, 0) > 0)) hold(0);
  if (hold_intercept || !(own(1, 1) > 0)) hold(1);
  // Rows on one force only cannot tell slope from intercept.
  if (own.determinant() <= 1e-13 * own(0, 0) * own(1, 1)) hold(1);
  block.inverse = own.inverse();
  return block;
}

/// What is left for the shared parameters and the presses' scales behind them when every tactel's
/// own block is eliminated.
struct Reduced {
  Eigen::MatrixXd information;
  Eigen::VectorXd score;
};

Reduced with_presses(const PsfNormal& normal, double damping) {
  const auto shared = normal.shared.rows();
  const auto presses = static_cast<Eigen::Index>(normal.presses.size());
  Reduced all{Eigen::MatrixXd::Zero(shared + presses, shared + presses),
              Eigen::VectorXd::Zero(shared + presses)};
  all.information.topLeftCorner(shared, shared) = normal.shared;
  all.score.head(shared) = normal.shared_score;
  for (Eigen::Index p = 0; p < presses; ++p) {
    const auto& press = normal.presses[static_cast<std::size_t>(p)];
    all.information(shared + p, shared + p) = press.information;
    all.information.row(shared + p).head(shared) = press.shared.transpose();
    all.information.col(shared + p).head(shared) = press.shared;
    all.score(shared + p) = press.score;
  }
  if (presses > 0) all.information.bottomRightCorner(presses, presses) += normal.prior;
  all.information.diagonal() *= 1 + damping;
  return all;
}

void eliminate(const std::vector<Block>& blocks, const PsfProblem& problem, Eigen::Index shared,
               Reduced& all) {
  for (const auto& block : blocks) {
    const Eigen::Matrix<double, 2, Eigen::Dynamic> weighted = block.inverse * block.shared;
    all.information.topLeftCorner(shared, shared).noalias() -= block.shared.transpose() * weighted;
    all.score.head(shared).noalias() -= block.shared.transpose() * (block.inverse * block.score);
  }
  const auto presses = all.score.size() - shared;
  if (presses == 0) return;
  // Nearly every tactel has a group of every press, so that dense products are the quickest.
  const auto rows = 2 * std::ssize(blocks);
  Eigen::MatrixXd by_shared(rows, shared), by_press = Eigen::MatrixXd::Zero(rows, presses);
  Eigen::MatrixXd weighted(rows, presses);
  Eigen::VectorXd score(rows);
  for (std::size_t t = 0; t < blocks.size(); ++t) {
    const auto at = 2 * static_cast<Eigen::Index>(t);
    for (Eigen::Index g = 0; g < blocks[t].presses.cols(); ++g)
      by_press.block<2, 1>(at, problem.tactels[t].groups[static_cast<std::size_t>(g)].press) +=
          blocks[t].presses.col(g);
    weighted.middleRows<2>(at) = blocks[t].inverse * by_press.middleRows<2>(at);
    by_shared.middleRows<2>(at) = blocks[t].shared;
    score.segment<2>(at) = blocks[t].score;
  }
  const Eigen::MatrixXd tie = by_shared.transpose() * weighted;
  all.information.topRightCorner(shared, presses) -= tie;
  all.information.bottomLeftCorner(presses, shared) -= tie.transpose();
  all.information.bottomRightCorner(presses, presses).noalias() -= by_press.transpose() * weighted;
  all.score.tail(presses).noalias() -= weighted.transpose() * score;
}

PsfStep solve_step(const PsfProblem& problem, const PsfState& state, const PsfNormal& normal,
                   const std::vector<int>& held, double damping) {
  const std::size_t count = problem.tactels.size();
  const auto shared = normal.shared.rows();
  std::vector<Block> blocks;
  blocks.reserve(count);
  auto all = with_presses(normal, damping);
  for (std::size_t t = 0; t < count; ++t)
    blocks.push_back(
        block_of(normal.locals[t], intercept_held(problem, state, normal, t), damping));
  eliminate(blocks, problem, shared, all);
  auto& [reduced, right] = all;
  for (const int column : held) {
    reduced.row(column).setZero();
    reduced.col(column).setZero();
    reduced(column, column) = 1;
    right(column) = 0;
  }
  for (Eigen::Index k = 0; k < shared; ++k)
    if (!(normal.shared(k, k) > 0)) {
      reduced(k, k) = 1;
      right(k) = 0;
    }
  PsfStep step;
  // Scaled, since the columns are logarithms, metres and radians.
  const Eigen::VectorXd scale = reduced.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt();
  const Eigen::MatrixXd scaled =
      scale.cwiseInverse().asDiagonal() * reduced * scale.cwiseInverse().asDiagonal();
  const Eigen::VectorXd solution =
      scaled.ldlt().solve(right.cwiseQuotient(scale)).cwiseQuotient(scale);
  step.shared = solution.head(shared);
  step.log_scale = solution.tail(solution.size() - shared);
  step.predicted = 0.5 * step.shared.dot(normal.shared_score);
  for (Eigen::Index p = 0; p < step.log_scale.size(); ++p)
    step.predicted += 0.5 * step.log_scale(p) * normal.presses[static_cast<std::size_t>(p)].score;
  step.locals.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    const auto& b = blocks[t];
    Eigen::Vector2d left = b.score - b.shared * step.shared;
    for (Eigen::Index g = 0; g < b.presses.cols(); ++g)
      left -= b.presses.col(g) *
              step.log_scale(problem.tactels[t].groups[static_cast<std::size_t>(g)].press);
    step.locals.push_back(b.inverse * left);
    step.predicted += 0.5 * step.locals.back().dot(b.score);
  }
  return step;
}

PsfState moved(const PsfProblem& problem, const PsfState& state, const PsfModel& model,
               const ColumnLimits& limits, const PsfStep& step) {
  PsfState next = state;
  set_shared((shared_of(state, model) + step.shared).cwiseMax(limits.low).cwiseMin(limits.high),
             model, next);
  for (std::size_t p = 0; p < next.log_scale.size(); ++p)
    next.log_scale[p] = std::clamp(next.log_scale[p] + step.log_scale(static_cast<Eigen::Index>(p)),
                                   -kMaxLogScale, kMaxLogScale);
  for (std::size_t t = 0; t < step.locals.size(); ++t) {
    // At most a factor of ten either way: a slope never changes sign.
    next.slope[t] =
        std::clamp(state.slope[t] + step.locals[t](0), 0.1 * state.slope[t], 10 * state.slope[t]);
    next.intercept[t] =
        std::max(problem.tactels[t].lowest_intercept(), state.intercept[t] + step.locals[t](1));
  }
  return next;
}

/// Measured or stated, so that no rest on a limit.
std::vector<int> known_columns(const PsfProblem& problem, const PsfModel& model) {
  const auto columns = psf_columns(model, problem.frames);
  std::vector<int> known;
  for (std::uint32_t f = 0; f < problem.frames && model.free_shift; ++f)
    for (std::size_t axis = 0; axis < problem.across_strip.size(); ++axis)
      if (problem.across_strip.at(axis))
        known.push_back(columns.first_frame + static_cast<int>(f) * columns.per_frame +
                        static_cast<int>(axis));
  if (problem.ghosting && columns.ghosting >= 0) known.push_back(columns.ghosting);
  return known;
}

std::vector<int> held_columns(const PsfProblem& problem, const PsfState& state,
                              const PsfModel& model, const PsfNormal& normal,
                              const ColumnLimits& limits) {
  const auto shared = shared_of(state, model);
  auto held = known_columns(problem, model);
  const auto known = held;
  for (int k = 0; k < shared.size(); ++k) {
    const bool low = shared(k) <= limits.low(k) && normal.shared_score(k) <= 0;
    const bool high = shared(k) >= limits.high(k) && normal.shared_score(k) >= 0;
    if ((low || high) && std::find(known.begin(), known.end(), k) == known.end()) held.push_back(k);
  }
  return held;
}

double tactel_cost(const PsfProblem& problem, std::size_t t, const PsfShares& shares, double slope,
                   double intercept) {
  const auto& tactel = problem.tactels[t];
  double cost = tactel.offset_cost(intercept);
  for (const auto& group : tactel.groups)
    if (problem.presses[group.press].used)
      cost += psf_group_cost(tactel, group, slope, intercept,
                             shares.at(group.press, static_cast<std::size_t>(tactel.index)));
  return cost;
}

/// Lowers each tactel's own cost at these shares. Where a row of a tactel lies on the kink of its
/// dead zone the joint step overshoots; a line search of that tactel alone finds the kink, and
/// needs no damping of all the others.
void settle(const PsfProblem& problem, const PsfShares& shares, const PsfNormal& normal,
            const PsfState& from, PsfState& next) {
  constexpr int kHalvings = 12;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const double step_slope = next.slope[t] - from.slope[t];
    const double step_intercept = next.intercept[t] - from.intercept[t];
    double best = normal.locals[t].cost, taken = 1;
    for (int i = 0; i <= kHalvings; ++i) {
      const double part = i == kHalvings ? 0 : std::ldexp(1.0, -1 - i);
      const double cost = tactel_cost(problem, t, shares, from.slope[t] + part * step_slope,
                                      from.intercept[t] + part * step_intercept);
      if (cost >= best) {
        if (taken < 1) break;
        if (i >= 3 && i < kHalvings - 1) i = kHalvings - 2;
        continue;
      }
      best = cost;
      taken = part;
    }
    next.slope[t] = from.slope[t] + taken * step_slope;
    next.intercept[t] = from.intercept[t] + taken * step_intercept;
  }
}

bool answers(const PsfRow& row) {
  return row.kind != PsfRowKind::kCeiling && row.kind != PsfRowKind::kFloor &&
         row.counts * std::sqrt(row.weight) > 5;
}

}  // namespace

bool at_limit(const PsfProblem& problem, const PsfFit& fit) {
  return fit.held.size() > known_columns(problem, fit.model).size();
}

PsfLimits psf_limits(double pitch_m) {
  return {kLowestSigma * pitch_m, kHighestSigma * pitch_m, kLargestShift * pitch_m};
}

void start_responses(const PsfProblem& problem, const PsfModel& model, PsfState& state) {
  const auto shares = psf_shares(problem, model, state, false);
  state.slope.assign(problem.tactels.size(), 0);
  state.intercept.assign(problem.tactels.size(), 0);
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto& tactel = problem.tactels[t];
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, brightest = 0, steepest = 0;
    for (const auto& group : tactel.groups) {
      if (!problem.presses[group.press].used) continue;
      const double share = shares.at(group.press, static_cast<std::size_t>(tactel.index));
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const auto& row = tactel.rows[i];
        if (!answers(row)) continue;
        const double load = (share + group.rest_share) * row.force_N + group.rest_N;
        const double w = row.weight;
        n += w;
        x += w * load;
        y += w * row.counts;
        xx += w * load * load;
        xy += w * load * row.counts;
        if (row.counts > brightest) {
          brightest = row.counts;
          steepest = load > 0 ? row.counts / load : 0;
        }
      }
    }
    const double spread = n * xx - x * x;
    const double slope = spread > 1e-9 * n * xx ? (n * xy - x * y) / spread : 0;
    const double intercept = n > 0 ? (slope * x - y) / n : 0;
    const bool line = slope > 0 && tactel.intercept_free(intercept);
    state.slope[t] = line ? slope : (xx > 0 && xy > 0 ? xy / xx : std::max(steepest, 1e-12));
    state.intercept[t] = line ? std::max(intercept, -kStartOffset * tactel.u_offset_counts) : 0;
  }
}

PsfState psf_start(const PsfProblem& problem, const PsfModel& model) {
  PsfState best;
  double best_cost = 0;
  for (const double sigma : {0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.1, 1.6}) {
    PsfState state;
    state.frames.resize(problem.frames);
    state.spread.m = 2 * std::log(sigma * problem.layout.pitch_m());
    start_responses(problem, model, state);
    const double cost = psf_cost(problem, state, psf_shares(problem, model, state, false));
    if (best.frames.empty() || cost < best_cost) {
      best = std::move(state);
      best_cost = cost;
    }
  }
  return best;
}

Result<PsfFit> fit_psf(const PsfProblem& problem, const PsfModel& model, PsfState start,
                       const Job& job) {
  const auto limits = column_limits(model, problem.frames, psf_limits(problem.layout.pitch_m()));
  PsfFit fit{model, std::move(start), 0, 0, {}, {}, {}};
  fit.state.log_scale.resize(problem.press_scatter > 0 ? problem.presses.size() : 0, 0.0);
  fit.shares = psf_shares(problem, model, fit.state, true);
  fit.normal = psf_normal(problem, fit.state, fit.shares);
  fit.cost = fit.normal.cost;
  if (!std::isfinite(fit.cost))
    return fail(ErrorCode::kUnidentifiable, "NOT-FITTED the point spread's rows are not finite");
  double damping = 1e-3;
  int small_steps = 0;
  while (fit.iterations < kMaxIterations && damping < kMaxDamping) {
    if (job.stopped()) return Job::cancelled();
    fit.held = held_columns(problem, fit.state, model, fit.normal, limits);
    const auto step = solve_step(problem, fit.state, fit.normal, fit.held, damping);
    if (!(step.predicted > kTolerance * (fit.cost + 1e-30))) break;
    auto next = moved(problem, fit.state, model, limits, step);
    auto shares = psf_shares(problem, model, next, true);
    auto normal = psf_normal(problem, next, shares);
    ++fit.iterations;
    const double expected = kAsPredicted * step.predicted;
    if (!(fit.cost - normal.cost > expected)) {
      settle(problem, shares, normal, fit.state, next);
      normal = psf_normal(problem, next, shares);
    }
    // A minimum on a kink is approached in small steps that promise more than they can give.
    const double gained = fit.cost - normal.cost;
    const bool small = step.predicted < kSmallStep * fit.cost || gained < kSmallStep * fit.cost;
    small_steps = small && gained < expected ? small_steps + 1 : 0;
    if (!(gained > 0)) {
      if (small_steps >= kKinkSteps && step.predicted < kSmallStep * fit.cost) break;
      damping *= 10;
      continue;
    }
    damping = std::max(damping / 10, 1e-12);
    fit.state = std::move(next);
    fit.shares = std::move(shares);
    fit.normal = std::move(normal);
    fit.cost = fit.normal.cost;
    if (small_steps >= kKinkSteps) break;
  }
  fit.held = held_columns(problem, fit.state, model, fit.normal, limits);
  return fit;
}

Result<PsfFit> fit_psf_twice(const PsfProblem& problem, const PsfModel& model, PsfState start,
                             const Job& job) {
  auto first = fit_psf(problem, model, std::move(start), job);
  if (!first) return first;
  auto state = first->state;
  start_responses(problem, model, state);
  auto second = fit_psf(problem, model, std::move(state), job);
  if (!second) return second;
  return second->cost < first->cost ? second : first;
}

}  // namespace tactelier
