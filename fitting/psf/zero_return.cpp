#include "fitting/psf/zero_return.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier {
namespace {

// Of a return to zero: standard, of its part beforehand and of what is found, of itself: nobody
// knows that it is an exponential, and memory's logarithm takes up to a third of it.
constexpr double kReturnBeforehand = 0.03;
constexpr double kReturnVaries = 0.4;
// Of the memory per decade: what a recovery of another form than the logarithm's leaves in it.
constexpr double kMemoryInReturn = 0.03;
constexpr double kLargestReturn = 0.1;
constexpr double kTimesApart = 0.25;  // of their logarithms
constexpr std::array kReturnTimes_s{4.0,  5.1,  6.6,  8.5,  10.9, 14.0, 17.9,
                                    23.0, 29.6, 38.0, 48.7, 62.6, 80.4, 103.0};
constexpr double kUnknownTime = 2;  // standard, of its logarithm: nothing tells

/// Standard, of a parameter of a step.
double u_of(const PsfAdded& step, Eigen::Index at) {
  return std::sqrt(std::max(step.covariance(at, at), step.by_presses(at, at)));
}

/// Through (largest - share F)+ of a group's rows, by least squares.
LateLine held_on(const PsfTactel& tactel, const PsfGroup& group, const LateLine& largest,
                 double share) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (auto r = group.begin; r < group.end; ++r) {
    const auto& row = tactel.rows[r];
    if (row.kind == PsfRowKind::kCeiling) continue;
    const double late_N = std::max(0.0, largest.at_rest_N + (largest.share - share) * row.force_N);
    n += row.weight;
    x += row.weight * row.force_N;
    y += row.weight * late_N;
    xx += row.weight * row.force_N * row.force_N;
    xy += row.weight * row.force_N * late_N;
  }
  const double spread = n * xx - x * x;
  const double slope = spread > 1e-9 * n * xx ? (n * xy - x * y) / spread : 0;
  return n > 0 ? LateLine{(y - slope * x) / n, slope} : LateLine{};
}

}  // namespace

LinesOfGroups zero_return_lines(const PsfProblem& problem, const PsfFit& fit, double time_s,
                                bool moving) {
  const auto without_rows = shares_of_earlier(problem, fit);
  const auto before = presses_before(
      problem, fit.shares, without_rows, moving, [time_s](const auto& press, double at_s) {
        return press.peak_N * std::exp((press.release_s - at_s) / time_s);
      });
  LinesOfGroups lines;
  for (const auto& tactel : problem.tactels) {
    auto& own = lines.emplace_back();
    const auto index = static_cast<std::size_t>(tactel.index);
    for (const auto& group : tactel.groups) {
      double first_N = 0, last_N = 0;
      for (const auto& one : before[group.press]) {
        const double share = one.shares->at(one.press, index);
        first_N = std::max(first_N, share * one.first_N);
        last_N = std::max(last_N, share * one.last_N);
      }
      own.push_back(held_on(tactel, group,
                            line_between(first_N, last_N, problem.presses[group.press].peak_N),
                            fit.shares.at(group.press, index)));
    }
  }
  return lines;
}

PsfDirection zero_return_direction(const PsfProblem& problem, const PsfFit& fit) {
  const bool moving = !problem.force_offsets.empty();
  return [&fit, lines = zero_return_lines(problem, fit, problem.zero_return.time_s, moving)](
             const PsfGroupTerm& term) { return late_direction(fit, lines)(term); };
}

namespace {

/// A step that also takes the return to zero from its part at one time to what the readings ask for
/// at another, all else going along: cost = x' A x / 2 - b' x.
struct ReturnStep {
  Eigen::MatrixXd a;  // of the other parameters, then of the part
  Eigen::VectorXd b;
  double part_before = 0;  // what the step of the part begins at
  double cost = 0;         // of the readings, beyond that of the fit

  double part() const { return part_before + a.ldlt().solve(b)(b.size() - 1); }
  /// Steps of the others where the part is this.
  Eigen::VectorXd others(double at_part) const {
    const auto n = b.size() - 1;
    const Eigen::VectorXd left = b.head(n) - a.col(n).head(n) * (at_part - part_before);
    return a.topLeftCorner(n, n).ldlt().solve(left);
  }
};

std::optional<ReturnStep> return_step(const PsfProblem& problem, const PsfFit& fit,
                                      std::span<const PsfDirection> others, double time_s,
                                      bool moving) {
  const auto& now = problem.zero_return;
  const bool moves = now.part > 0 && time_s != now.time_s;
  const auto lines = zero_return_lines(problem, fit, time_s, moving);
  const auto lines_now =
      moves ? zero_return_lines(problem, fit, now.time_s, moving) : LinesOfGroups();
  std::vector<PsfDirection> directions(others.begin(), others.end());
  directions.push_back(late_direction(fit, lines));
  if (moves) directions.push_back(late_direction(fit, lines_now));
  const auto step = added_parameters(problem, fit, directions);
  if (step.value.size() == 0 || !step.value.allFinite()) return {};
  const auto n = std::ssize(others) + 1;
  const Eigen::MatrixXd a = step.covariance.inverse();
  const Eigen::VectorXd b = a * step.value;
  ReturnStep result{a.topLeftCorner(n, n), b.head(n), moves ? 0 : now.part, 0};
  if (moves) {  // the last is held at what takes the present part away
    result.b += now.part * a.col(n).head(n);
    result.cost = now.part * b(n) + 0.5 * now.part * now.part * a(n, n);
  }
  result.cost -= 0.5 * result.b.dot(result.a.ldlt().solve(result.b));
  return result;
}

/// Standard, of the logarithm of the time: where a parabola through the cost of three has risen by
/// half.
double u_log_time_of(std::span<const double> log_time, std::span<const double> cost) {
  const double left = (cost[0] - cost[1]) / (log_time[0] - log_time[1]);
  const double right = (cost[2] - cost[1]) / (log_time[2] - log_time[1]);
  const double curvature = 2 * (right - left) / (log_time[2] - log_time[0]);
  return curvature > 0 ? 1 / std::sqrt(curvature) : kUnknownTime;
}

}  // namespace

std::optional<PsfAdded> take_zero_return(const PsfFit& fit, std::vector<PsfDirection> others,
                                         double memory_per_decade, bool moving,
                                         PsfProblem& problem) {
  const auto& times_s = kReturnTimes_s;
  auto back = problem.zero_return;
  const auto now = std::find(times_s.begin(), times_s.end(), back.time_s);
  const bool first = now == times_s.end();
  const auto from = first || now == times_s.begin() ? times_s.begin() : now - 1;
  const auto to = first || times_s.end() - now < 2 ? times_s.end() : now + 2;
  std::optional<ReturnStep> best;
  std::vector<double> log_time, cost;
  for (auto time = from; time != to; ++time) {
    auto step = return_step(problem, fit, others, *time, moving);
    if (!step) continue;
    log_time.push_back(std::log(*time));
    cost.push_back(step->cost);
    if (best && step->cost >= best->cost) continue;
    best = std::move(step);
    back.time_s = *time;
  }
  if (!best) return {};
  const auto lines = zero_return_lines(problem, fit, back.time_s, moving);
  others.push_back(late_direction(fit, lines));
  auto step = added_parameters(problem, fit, others);
  if (step.value.size() == 0 || !step.value.allFinite()) return {};
  const auto at = step.value.size() - 1;
  const double known = kReturnBeforehand * kReturnBeforehand;
  const double variance = u_of(step, at) * u_of(step, at), shrunk = known / (known + variance);
  const double found = std::max(0.0, shrunk * best->part());
  const double u = std::hypot(std::sqrt(shrunk * variance), kMemoryInReturn * memory_per_decade);
  // What is not clear is left to what it can't be told from, memory above all: no step, as turns
  // would go to and fro over it.
  const double unclear = found > 0 ? std::pow(kClearReturn * u / found, 4) : 1;
  back.part = std::clamp(found * (1 - unclear), 0.0, kLargestReturn);
  back.u = std::hypot(u, kReturnVaries * back.part);
  const double widening = u_of(step, at) / std::sqrt(step.covariance(at, at));
  back.u_log_time = kUnknownTime;
  if (cost.size() == 3 && !first)
    back.u_log_time = std::min(
        std::hypot(widening * u_log_time_of(log_time, cost), kTimesApart / std::sqrt(12.0)),
        kUnknownTime);
  step.value.head(at) = best->others(back.part);
  step.value(at) = back.part;
  problem.zero_return = back;
  return step;
}

}  // namespace tactelier
