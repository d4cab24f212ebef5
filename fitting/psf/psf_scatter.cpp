#include "fitting/psf/psf_scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kSharpGroup = 0.02;  // relative noise below which a group shows scatter
constexpr std::size_t kMinSharp = 5;
constexpr double kLeastNoise = 1e-3;  // of what the weights say, for rounding

using Term = PsfGroupTerm;

/// The way in (slope, intercept, share) that scales every reading alike.
Eigen::Vector3d reading_direction(const Term& term, const PsfFit& fit) {
  return {fit.state.slope[term.tactel], fit.state.intercept[term.tactel], 0};
}

/// Of rows: chi^2/dof, and what their weights hold of a reading's own scatter, a variance.
struct Noise {
  double factor = 1, in_weights = 0;
};

Noise noise_of(const PsfProblem& problem, const PsfFit& fit, double factor) {
  if (!problem.rows_hide_scatter()) return {factor, 0};
  return {noise_of_weak_rows(problem, fit), problem.row_scatter * problem.row_scatter};
}

/// A tactel's relative error in one press, as its rows alone tell it.
struct ScaleError {
  std::uint32_t press = 0;
  double error = 0;
  double noise_variance = 0;
  bool sharp() const { return noise_variance < kSharpGroup * kSharpGroup; }
};

std::vector<ScaleError> scale_errors(const std::vector<Term>& terms, const PsfProblem& problem,
                                     const PsfFit& fit, const Noise& noise) {
  std::vector<ScaleError> errors;
  for (const auto& term : terms) {
    const auto direction = reading_direction(term, fit);
    const double information = direction.dot(term.sums.information * direction);
    if (!(information > 0)) continue;
    const auto& group = problem.tactels[term.tactel].groups[term.group];
    const double left = 1 / information - noise.in_weights / (group.end - group.begin);
    errors.push_back({term.press, term.sums.score.dot(direction) / information,
                      noise.factor * std::max(left, kLeastNoise / information)});
  }
  return errors;
}

/// Mean square beyond noise. Sharp readings count alike; where there are too few, all count by what
/// they know.
double excess(const std::vector<ScaleError>& errors) {
  double sum = 0, sharp = 0;
  for (const auto& each : errors)
    if (each.sharp()) {
      sum += each.error * each.error - each.noise_variance;
      ++sharp;
    }
  if (sharp >= static_cast<double>(kMinSharp)) return sum / sharp;
  double weight = 0;
  sum = 0;
  for (const auto& each : errors) {
    sum += (each.error * each.error - each.noise_variance) / each.noise_variance;
    weight += 1 / each.noise_variance;
  }
  return weight > 0 ? sum / weight : 0;
}

/// Mean product of the errors of two tactels in the same press.
double shared_by_press(const std::vector<ScaleError>& errors, std::size_t presses) {
  std::vector<double> sum(presses), squares(presses), n(presses);
  for (const auto& each : errors) {
    if (!each.sharp()) continue;
    sum[each.press] += each.error;
    squares[each.press] += each.error * each.error;
    ++n[each.press];
  }
  double products = 0, pairs = 0;
  for (std::size_t p = 0; p < presses; ++p) {
    products += sum[p] * sum[p] - squares[p];
    pairs += n[p] * (n[p] - 1);
  }
  return pairs > 0 ? products / pairs : 0;
}

/// Columns of a press's own shift among the shared parameters.
std::array<Eigen::Index, 2> place_columns(const PsfProblem& problem, const PsfFit& fit,
                                          std::uint32_t press) {
  const auto columns = psf_columns(fit.model, problem.frames);
  const auto first = static_cast<Eigen::Index>(columns.first_frame) +
                     static_cast<Eigen::Index>(problem.presses[press].frame) * columns.per_frame;
  return {first, first + 1};
}

/// Variance of a press's place along one axis: what the image of each press says of where it stood,
/// beyond noise and beyond what tactels that scatter by themselves make of it.
double place_variance_m2(const std::vector<Term>& terms, const PsfProblem& problem,
                         const PsfFit& fit, double own_variance, double noise_factor) {
  struct Axis {
    double score = 0, information = 0, by_scale = 0;
  };
  std::vector<std::array<Axis, 2>> presses(problem.presses.size());
  for (const auto& term : terms) {
    const auto direction = reading_direction(term, fit);
    const auto columns = place_columns(problem, fit, term.press);
    for (std::size_t k = 0; k < 2; ++k) {
      auto& axis = presses[term.press][k];
      const double by = term.by(columns[k]);
      axis.score += term.sums.score(2) * by;
      axis.information += term.sums.information(2, 2) * by * by;
      const double scale = by * (term.sums.information.row(2) * direction).value();
      axis.by_scale += scale * scale;
    }
  }
  double sum = 0, weight = 0;
  for (const auto& press : presses)
    for (const auto& axis : press) {
      if (!(axis.information > 0)) continue;
      const double square = axis.information * axis.information;
      const double known = noise_factor / axis.information + own_variance * axis.by_scale / square;
      sum += (axis.score * axis.score / square - known) / known;
      weight += 1 / known;
    }
  return weight > 0 ? sum / weight : 0;
}

/// What one unit of some error does to the scores of the free parameters.
class ScoreEntries {
 public:
  ScoreEntries(const PsfFit& fit, const std::vector<Eigen::Index>& position)
      : fit_(fit), position_(position) {}

  /// `local`: of (slope, intercept, share).
  void add(const Term& term, const Eigen::Vector3d& local) {
    for (Eigen::Index k = 0; k < term.by.size(); ++k) add(k, local(2) * term.by(k));
    add(slope_column(fit_, term.tactel), local(0));
    add(intercept_column(fit_, term.tactel), local(1));
    if (!fit_.normal.presses.empty()) add(scale_column(fit_, term.press), local(2) * term.share);
  }

  void book(double variance, Eigen::MatrixXd& scores) {
    for (const auto& [i, a] : entries_)
      for (const auto& [j, b] : entries_) scores(i, j) += variance * a * b;
    entries_.clear();
  }

 private:
  void add(Eigen::Index column, double value) {
    if (const auto at = position_[static_cast<std::size_t>(column)]; at >= 0 && value != 0)
      entries_.emplace_back(at, value);
  }

  const PsfFit& fit_;
  const std::vector<Eigen::Index>& position_;
  std::vector<std::pair<Eigen::Index, double>> entries_;
};

}  // namespace

double noise_of_weak_rows(const PsfProblem& problem, const PsfFit& fit) {
  constexpr std::size_t kPart = 4;              // the weakest fourth
  constexpr double kMedianOfSquares = 0.4549;   // of a standard normal
  std::vector<std::pair<double, double>> rows;  // reading, squared residual
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto& tactel = problem.tactels[t];
    for (const auto& group : tactel.groups) {
      if (!problem.presses[group.press].used) continue;
      const double share = fit.shares.at(group.press, static_cast<std::size_t>(tactel.index));
      const double intercept = fit.state.intercept[t] - fit.state.slope[t] * group.rest_N;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const auto& row = tactel.rows[i];
        const double residual =
            psf_residual(row, fit.state.slope[t], intercept, share + group.rest_share);
        rows.emplace_back(fit.state.slope[t] * share * row.force_N, residual * residual);
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  std::vector<double> squares;
  for (std::size_t i = 0; i < rows.size() / kPart; ++i) squares.push_back(rows[i].second);
  return squares.empty() ? 1 : std::max(1.0, median(squares) / kMedianOfSquares);
}

std::vector<PsfGroupTerm> psf_group_terms(const PsfProblem& problem, const PsfFit& fit) {
  std::vector<PsfGroupTerm> terms;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    const auto& tactel = problem.tactels[t];
    const auto index = static_cast<std::size_t>(tactel.index);
    for (std::uint32_t g = 0; g < tactel.groups.size(); ++g) {
      const auto& group = tactel.groups[g];
      if (!problem.presses[group.press].used) continue;
      terms.push_back({t, group.press, g,
                       psf_group_sums(tactel, group, fit.state.slope[t], fit.state.intercept[t],
                                      fit.shares.at(group.press, index)),
                       Eigen::Map<const Eigen::VectorXd>(fit.shares.slope(group.press, index),
                                                         fit.shares.columns),
                       fit.shares.at(group.press, index)});
    }
  }
  return terms;
}

double PsfScatter::independent_groups(double groups, double presses) const {
  if (!(total > 0)) return groups;
  const double shared = std::pow(of_press / total, 2);
  return groups / (1 + std::max(0.0, groups / presses - 1) * shared);
}

PsfScatter find_psf_scatter(const std::vector<PsfGroupTerm>& terms, const PsfProblem& problem,
                            const PsfFit& fit, std::size_t parameters, double noise_factor) {
  PsfScatter scatter;
  const auto groups = static_cast<double>(terms.size());
  const auto noise = noise_of(problem, fit, noise_factor);
  scatter.in_weights = noise.in_weights;
  scatter.dof = std::max(1.0, groups - static_cast<double>(parameters));
  const auto errors = scale_errors(terms, problem, fit, noise);
  const double total = std::max(0.0, excess(errors)) * groups / scatter.dof;
  const double common = shared_by_press(errors, problem.presses.size()) * groups / scatter.dof;
  scatter.total = std::sqrt(total);
  scatter.of_press = std::sqrt(std::clamp(common, 0.0, total));
  double own = std::max(0.0, total - common);
  if (problem.press_scatter > 0) {  // what errors are left with is the readings' own
    own = total;
    scatter.of_press = problem.press_scatter;
    scatter.total = std::hypot(scatter.total, scatter.of_press);
  }
  if (fit.model.free_shift)
    scatter.place_m = std::sqrt(
        std::max(0.0, place_variance_m2(terms, problem, fit, std::max(0.0, own - noise.in_weights),
                                        noise.factor)));
  return scatter;
}

PsfScatter scatter_of(const PsfProblem& problem, const PsfFit& fit) {
  const auto parameters = problem.tactels.size() + fit.normal.presses.size() +
                          static_cast<std::size_t>(fit.shares.columns);
  const double noise = std::max(1.0, 2 * fit.cost / std::max(1.0, problem.used_rows()));
  return find_psf_scatter(psf_group_terms(problem, fit), problem, fit, parameters, noise);
}

void add_psf_scatter(const std::vector<PsfGroupTerm>& terms, const PsfProblem& problem,
                     const PsfFit& fit, const std::vector<int>& columns, const PsfScatter& scatter,
                     Eigen::MatrixXd& scores) {
  std::vector<Eigen::Index> position(static_cast<std::size_t>(psf_parameters(fit)), -1);
  for (std::size_t i = 0; i < columns.size(); ++i)
    position[static_cast<std::size_t>(columns[i])] = static_cast<Eigen::Index>(i);
  ScoreEntries entries(fit, position);
  std::vector<std::vector<const Term*>> by_press(problem.presses.size());
  const double own = scatter.beyond_weights();
  for (const auto& term : terms) {
    by_press[term.press].push_back(&term);
    entries.add(term, term.sums.information * reading_direction(term, fit));
    entries.book(own, scores);
  }
  for (std::uint32_t press = 0; press < by_press.size(); ++press) {
    for (const auto* term : by_press[press])
      entries.add(*term, term->sums.information * reading_direction(*term, fit));
    // Where presses have a scale of their own it is among the parameters.
    entries.book(fit.normal.presses.empty() ? scatter.of_press * scatter.of_press : 0, scores);
    if (scatter.place_m <= 0) continue;
    for (const auto column : place_columns(problem, fit, press)) {
      for (const auto* term : by_press[press])
        entries.add(*term, term->sums.information.col(2) * term->by(column));
      entries.book(scatter.place_m * scatter.place_m, scores);
    }
  }
}

}  // namespace tactelier
