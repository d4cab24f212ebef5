#include "fitting/response/affine_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "fitting/response/affine_residual.hpp"
#include "fitting/response/affine_sums.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kStartReadings = 1000;  // that a start needs at most

/// Line through what clearly rises and isn't cut: chosen by counts, which is good enough to start.
StructuralLine start_line(std::span<const ResponsePress> presses, const AffineSettings& settings) {
  std::vector<std::pair<double, double>> samples;  // force, counts
  double top = 0;
  std::size_t rows = 0;
  for (const auto& press : presses) rows += press.counts.size();
  const std::size_t stride = std::max<std::size_t>(1, rows / kStartReadings);
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.counts.size(); i += stride)
      top = std::max(top, press.counts[i] - press.offset_counts);
  // Noise that is what a bent response leaves of a line hides nothing of the upper half.
  const double low = std::min(std::max(5 * settings.sigma_counts, 0.1 * top), 0.5 * top);
  for (const auto& press : presses) {
    const double high = settings.ceiling == Clip::kNone
                            ? top
                            : 0.95 * (settings.saturation_counts - press.offset_counts);
    for (std::size_t i = 0; i < press.counts.size(); i += stride) {
      const double c = press.counts[i] - press.offset_counts;
      const bool below = settings.floor != Clip::kNone && c < low;
      if (!below && c <= high) samples.emplace_back(press.force_N[i], c);
    }
  }
  // In the order of force: of many samples only pairs half the list apart are taken, which in the
  // order of time are equal forces of two presses.
  std::sort(samples.begin(), samples.end());
  std::vector<double> force, counts;
  for (const auto& [f, c] : samples) {
    force.push_back(f);
    counts.push_back(c);
  }
  if (force.size() < 2) return {};
  return fit_line_theil_sen(force, counts);
}

/// Step from the pooled fit to this press's own; the threshold stays where `hold` says so or where
/// the press alone determines only one of the two.
Eigen::Vector2d own_step(const PressEvidence& press, bool hold) {
  const auto& a = press.information;
  const bool separate = a.determinant() > 1e-6 * a(0, 0) * a(1, 1);
  if (!hold && separate) return a.ldlt().solve(press.score);
  return {0, a(1, 1) > 0 ? press.score(1) / a(1, 1) : 0};
}

/// Sum of products of scores with their neighbours' (Bartlett weights up to `lag`).
Eigen::Matrix2d serial_scores(std::span<const Eigen::Vector2d> scores, std::size_t lag) {
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  for (const auto& score : scores) sum += score * score.transpose();
  for (std::size_t l = 1; l <= lag && l < scores.size(); ++l) {
    double a = 0, b = 0, c = 0;
    for (std::size_t i = l; i < scores.size(); ++i) {
      a += scores[i](0) * scores[i - l](0);
      b += scores[i](0) * scores[i - l](1) + scores[i](1) * scores[i - l](0);
      c += scores[i](1) * scores[i - l](1);
    }
    const double weight = 1 - static_cast<double>(l) / static_cast<double>(lag + 1);
    sum += weight * (Eigen::Matrix2d() << 2 * a, b, b, 2 * c).finished();
  }
  return sum;
}

/// Residuals of a press about its own line, in order of time: their squares, products with the one
/// before, scores, and the signs of those about the pooled line.
class OwnResiduals {
 public:
  OwnResiduals(const ResponsePress& press, const AffineResidual& residual,
               const Eigen::Vector2d& step, RunsCounter& runs)
      : press_(press),
        residual_(residual),
        line_(residual.line()),
        step_(step),
        by_threshold_(line_.slope * line_.weight),
        shift_(by_threshold_ * step(0)),
        tilt_(by_threshold_ * step(1)),
        grown_(1 + line_.weight_by_gain * step(1)),
        runs_(runs) {}

  /// Rows of one form; adds their scores, those of `together` rows to one.
  void add(const AffineSums::Stretch& stretch, std::size_t together,
           std::span<Eigen::Vector2d> scores) {
    if (stretch.form == AffineSums::Stretch::kAtFloor) return at_floor(stretch);
    if (stretch.form == AffineSums::Stretch::kNothing) {
      before_ = 0;
      return;
    }
    for (std::size_t i = stretch.begin; i < stretch.end;) {
      const std::size_t k = i / together, end = std::min(stretch.end, (k + 1) * together);
      if (stretch.form == AffineSums::Stretch::kOnLine)
        on_line(i, end, scores[k]);
      else
        any(i, end, scores[k]);
      i = end;
    }
  }
  double squares() const { return squares_; }
  double products() const { return products_; }
  int lines() const { return lines_; }

 private:
  void on_line(std::size_t begin, std::size_t end, Eigen::Vector2d& score) {
    const double* force_N = press_.force_N.data();
    const double* counts = press_.counts.data();
    double sum = 0, rise = 0, noise = 0, squares = 0, products = 0, before = before_;
    for (std::size_t i = begin; i < end; ++i) {
      const double p = (force_N[i] - line_.threshold_N) * line_.slope;
      const double r = (counts[i] - press_.offset_counts - p) * line_.weight;
      const double own = r * grown_ + (shift_ + tilt_ * p);
      sum += own;
      rise += own * p;
      noise += own * r;
      squares += own * own;
      products += own * before;
      before = own;
      runs_.add(r);
    }
    before_ = before;
    squares_ += squares;
    products_ += products;
    lines_ += static_cast<int>(end - begin);
    score(0) += by_threshold_ * sum;
    score(1) += by_threshold_ * rise + line_.weight_by_gain * noise;
  }

  void at_floor(const AffineSums::Stretch& stretch) {
    for (std::size_t i = stretch.begin; i < stretch.end; ++i)
      count((press_.counts[i] - press_.offset_counts) * residual_.precision());
  }

  void any(std::size_t begin, std::size_t end, Eigen::Vector2d& score) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto term = residual_(press_.force_N[i], press_.counts[i], press_.offset_counts);
      const double own = term.r + term.d_threshold * step_(0) + term.d_gain * step_(1);
      count(own);
      score += own * Eigen::Vector2d(term.d_threshold, term.d_gain);
      if (!term.on_line) continue;
      runs_.add(term.r);
      ++lines_;
    }
  }

  void count(double own) {
    squares_ += own * own;
    products_ += own * before_;
    before_ = own;
  }

  const ResponsePress& press_;
  const AffineResidual& residual_;
  AffineResidual::Line line_;
  Eigen::Vector2d step_;
  double by_threshold_, shift_, tilt_, grown_;  // of own residuals on the line
  RunsCounter& runs_;
  double squares_ = 0, products_ = 0, before_ = 0;
  int lines_ = 0;
};

PressEvidence evidence_of(const ResponsePress& press, const AffineSettings& settings,
                          const AffineFit& fit, const AffinePoint& at,
                          std::span<const AffineSums::Stretch> stretches, RunsCounter& runs) {
  constexpr std::size_t kMaxScores = 2048;
  PressEvidence evidence;
  evidence.information = at.information;
  evidence.score = at.score;
  evidence.chi2 = 2 * at.cost;
  const std::size_t n = press.force_N.size();
  if (n == 0) return evidence;
  const AffineResidual residual(settings, fit.threshold_N, fit.gain_N_per_count);
  OwnResiduals own(press, residual,
                   own_step(evidence, fit.threshold_at_zero || fit.threshold_at_top), runs);
  // Of long presses the scores of a few neighbours together stand for each.
  const std::size_t together = 1 + n / kMaxScores;
  std::vector<Eigen::Vector2d> scores((n + together - 1) / together, Eigen::Vector2d::Zero());
  for (const auto& stretch : stretches) own.add(stretch, together, scores);
  evidence.own_chi2 = own.squares();
  evidence.on_line = own.lines();
  if (!(evidence.information.determinant() > 0)) return evidence;
  const double rho = evidence.own_chi2 > 0 ? own.products() / evidence.own_chi2 : 0;
  const double lag =
      std::clamp(5 * correlation_length(rho), 1.0, std::max(1.0, static_cast<double>(n) / 4));
  evidence.serial = serial_scores(
      scores, static_cast<std::size_t>(std::ceil(lag / static_cast<double>(together))));
  return evidence;
}

struct AffineSolution {
  double threshold_N = 0, gain = 0, cost = 0;
  int iterations = 0;
};

/// Levenberg and Marquardt with the threshold between 0 and `most_N`.
template <class Evaluate>
void descend(const Evaluate& evaluate, bool bounded, double most_N, AffineSolution& at,
             const Job& job) {
  constexpr int kMaxSteps = 100;
  constexpr double kSettled = 1e-13;
  double damping = 1e-6;
  AffinePoint here = evaluate(at.threshold_N, at.gain);
  at.cost = here.cost;
  for (int step = 0; step < kMaxSteps && !job.stopped(); ++step) {
    ++at.iterations;
    Eigen::Matrix2d matrix = here.information;
    Eigen::Vector2d score = here.score;
    const bool at_zero = bounded && at.threshold_N <= 0 && score(0) <= 0;
    const bool at_top = bounded && at.threshold_N >= most_N && score(0) >= 0;
    if (at_zero || at_top || !(matrix(0, 0) > 0)) {
      matrix(0, 1) = matrix(1, 0) = score(0) = 0;
      matrix(0, 0) = 1;
    }
    matrix.diagonal() *= 1 + damping;
    const Eigen::Vector2d move = matrix.inverse() * score;
    if (!move.allFinite()) return;
    double threshold_N = at.threshold_N + move(0);
    if (bounded) threshold_N = std::clamp(threshold_N, 0.0, most_N);
    const double gain = std::max(at.gain + move(1), 0.1 * at.gain);
    const auto there = evaluate(threshold_N, gain);
    const double gained = here.cost - there.cost;
    if (gained < 0 || std::isnan(there.cost)) {
      damping = std::max(1e-4, 10 * damping);
      if (damping > 1e8) return;
      continue;
    }
    at.threshold_N = threshold_N;
    at.gain = gain;
    at.cost = there.cost;
    here = there;
    damping = std::max(1e-12, damping / 10);
    if (gained <= kSettled * there.cost) return;
  }
}

struct Solved {
  AffineSolution at;
  AffineSums sums;
};

Result<Solved> solve_affine(std::span<const ResponsePress> presses, const AffineSettings& settings,
                            const Job& job) {
  const auto line = start_line(presses, settings);
  if (!(line.slope > 0))
    return fail(ErrorCode::kUnidentifiable, "the readings do not rise with the force");
  const bool bounded = settings.floor != Clip::kNone;
  AffineSolution at{-line.intercept / line.slope, 1 / line.slope};
  if (bounded) at.threshold_N = std::clamp(at.threshold_N, 0.0, settings.max_threshold_N);
  AffineSums sums(presses, settings, at.threshold_N, at.gain);
  descend([&](double t, double g) { return sums.roughly(t, g); }, bounded, settings.max_threshold_N,
          at, job);
  descend([&](double t, double g) { return sums.exactly(t, g); }, bounded, settings.max_threshold_N,
          at, job);
  if (job.stopped()) return Job::cancelled();
  if (!std::isfinite(at.cost) || !(at.gain > 0))
    return fail(ErrorCode::kUnidentifiable, "no line fits the readings");
  return Solved{at, std::move(sums)};
}

}  // namespace

Eigen::Matrix2d AffineFit::information() const {
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  for (const auto& press : presses) sum += press.information;
  return sum;
}

bool force_noise_matters(double sigma_force_N, double sigma_counts, double gain_N_per_count) {
  return sigma_force_N >= sigma_counts * gain_N_per_count / 5;
}

std::vector<double> affine_residuals(const ResponsePress& press, const AffineSettings& settings,
                                     double threshold_N, double gain_N_per_count) {
  const AffineResidual residual(settings, threshold_N, gain_N_per_count);
  std::vector<double> residuals(press.force_N.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = residual(press.force_N[i], press.counts[i], press.offset_counts).r;
  return residuals;
}

Result<AffineLine> find_affine_line(std::span<const ResponsePress> presses,
                                    const AffineSettings& settings, const Job& job) {
  return solve_affine(presses, settings, job).map([](Solved&& solved) {
    const auto& at = solved.at;
    const auto here = solved.sums.exactly(at.threshold_N, at.gain);
    return AffineLine{at.threshold_N, at.gain, here.cost, here.information, at.iterations};
  });
}

Result<AffineFit> fit_affine(std::span<const ResponsePress> presses, const AffineSettings& settings,
                             const Job& job) {
  auto solved = solve_affine(presses, settings, job);
  if (!solved) return fail(solved.error());
  auto& [at, sums] = *solved;
  AffineFit fit;
  fit.threshold_N = at.threshold_N;
  fit.gain_N_per_count = at.gain;
  if (settings.floor != Clip::kNone) {
    const double margin = 1e-9 * settings.max_threshold_N;
    fit.threshold_at_zero = fit.threshold_N <= margin;
    fit.threshold_at_top = fit.threshold_N >= settings.max_threshold_N - margin;
  }
  fit.iterations = at.iterations;
  RunsCounter runs;
  for (std::size_t p = 0; p < presses.size(); ++p) {
    const auto& press = presses[p];
    const auto own = sums.exactly(p, at.threshold_N, at.gain);
    const auto stretches = sums.stretches(p, at.threshold_N, at.gain);
    fit.presses.push_back(evidence_of(press, settings, fit, own, stretches, runs));
    fit.cost += 0.5 * fit.presses.back().chi2;
    fit.on_line += fit.presses.back().on_line;
    fit.samples += static_cast<int>(press.force_N.size());
  }
  fit.runs_p = runs.test().p;
  return fit;
}

}  // namespace tactelier
