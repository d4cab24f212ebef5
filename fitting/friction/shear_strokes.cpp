#include "fitting/friction/shear_strokes.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/statistics/moving_mean.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

// Of the rise of a stroke's force: below, the play is not gone through for sure; above, it may
// slip.
constexpr double kFrom = 0.15, kTo = 0.8;
constexpr std::size_t kHalfMean = 10;  // rows about one, whose mean tells where in the rise it is
constexpr std::size_t kMinRows = 20;
constexpr std::size_t kMinStrokes = 4;
constexpr double kLeastRise = 0.1;                          // N
constexpr std::array kPeriods{4, 8, 16, 32, 64, 128, 256};  // steps
constexpr double kMinPeriods = 1.5;                         // of the way that all strokes cover
constexpr double kShows = 0.9;  // of the sum of squares: a sine that leaves more is none
// Steel under load and bent frames are straight lines to so much.
constexpr double kStraight = 0.01;
constexpr double kRigid_m_per_N = 1e-6;  // of what is pressed: more gives along its surface, too

/// The part between play and slip; empty where the force does not rise.
ShearStroke elastic_part(const ShearStroke& stroke) {
  ShearStroke part;
  if (stroke.place_m.size() < 2 * kMinRows) return part;
  const auto mean_N = moving_mean(stroke.force_N, kHalfMean);
  const double first_N = mean_N.front(), rise_N = mean_N.back() - first_N;
  if (std::abs(rise_N) < kLeastRise) return part;
  const auto share = [&](std::size_t i) { return (mean_N[i] - first_N) / rise_N; };
  std::size_t end = 0;
  while (end < mean_N.size() && share(end) < kTo) ++end;
  std::size_t begin = end;
  while (begin > 0 && share(begin - 1) > kFrom) --begin;
  if (end - begin < kMinRows) return part;
  const auto at = [&](const std::vector<double>& values) {
    return std::vector(values.begin() + static_cast<std::ptrdiff_t>(begin),
                       values.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {at(stroke.place_m), at(stroke.force_N)};
}

struct Line {
  double slope_N_per_m = 0, rss_N2 = 0;
};

constexpr Index kHarmonics = 2;

/// Common slope, a constant for each stroke; where `period_m` is not 0 two harmonics, of strokes to
/// and fro apart: where an axis errs behind its play, what it errs by lies the play farther on the
/// way back.
Line common_line(std::span<const ShearStroke> parts, double period_m) {
  Index rows = 0;
  for (const auto& part : parts) rows += static_cast<Index>(part.place_m.size());
  const Index shared = period_m > 0 ? 1 + 4 * kHarmonics : 1;
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(rows, shared + static_cast<Index>(parts.size()));
  Eigen::VectorXd force_N(rows);
  const double middle_m = parts.front().place_m.front();
  Index row = 0;
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const Index first = parts[s].place_m.back() > parts[s].place_m.front() ? 1 : 1 + 2 * kHarmonics;
    for (std::size_t i = 0; i < parts[s].place_m.size(); ++i, ++row) {
      const double place_m = parts[s].place_m[i] - middle_m;
      columns(row, 0) = 1e6 * place_m;
      for (Index h = 0; period_m > 0 && h < kHarmonics; ++h) {
        const double turn_rad = static_cast<double>(h + 1) * 2 * M_PI * place_m / period_m;
        columns(row, first + 2 * h) = std::sin(turn_rad);
        columns(row, first + 2 * h + 1) = std::cos(turn_rad);
      }
      columns(row, shared + static_cast<Index>(s)) = 1;
      force_N[row] = parts[s].force_N[i];
    }
  }
  const Eigen::VectorXd found = columns.colPivHouseholderQr().solve(force_N);
  Line line;
  line.slope_N_per_m = 1e6 * found[0];
  line.rss_N2 = (force_N - columns * found).squaredNorm();
  return line;
}

/// The period of powers of two of a step that leaves least; 0 where a sine explains little.
double best_period_m(std::span<const ShearStroke> parts, double step_m) {
  double low_m = HUGE_VAL, high_m = -HUGE_VAL;
  for (const auto& part : parts)
    for (const double place_m : part.place_m) {
      low_m = std::min(low_m, place_m);
      high_m = std::max(high_m, place_m);
    }
  double best_m = 0, least_N2 = kShows * common_line(parts, 0).rss_N2;
  for (const int steps : kPeriods) {
    const double period_m = steps * step_m;
    if (!(period_m > 0) || kMinPeriods * period_m > high_m - low_m) continue;
    const double rss_N2 = common_line(parts, period_m).rss_N2;
    if (rss_N2 >= least_N2) continue;
    least_N2 = rss_N2;
    best_m = period_m;
  }
  return best_m;
}

/// Lines along the plate within a stretch of time.
std::vector<const CommandedPath::Line*> side_lines(const CommandedPath& path, Interval stretch) {
  std::vector<const CommandedPath::Line*> found;
  for (const auto& line : path.lines()) {
    if (line.begin_s < stretch.begin_s || line.end_s > stretch.end_s) continue;
    const auto from_m = line.motion.from_m(), to_m = line.motion.end_m();
    const double side_m = std::hypot(to_m[0] - from_m[0], to_m[1] - from_m[1]);
    if (side_m > std::abs(to_m[2] - from_m[2])) found.push_back(&line);
  }
  return found;
}

/// A stroke with both axes of the side force, before it is known along which it works.
struct SideRows {
  std::vector<double> place_m;
  std::array<std::vector<double>, 2> force_N;
};

SideRows rows_of(const CommandedPath::Line& line, const Source& force,
                 std::array<double, 2> along) {
  SideRows rows;
  const auto& samples = force.samples;
  for (std::size_t i = 0; i < samples.time_s.size(); ++i) {
    const double t_s = samples.time_s[i];
    if (t_s < line.begin_s || t_s > line.end_s) continue;
    const double x_N = samples.columns[1][i], y_N = samples.columns[2][i];
    if (!std::isfinite(x_N) || !std::isfinite(y_N)) continue;
    const auto at_m = line.place_m(t_s);
    rows.place_m.push_back(along[0] * at_m[0] + along[1] * at_m[1]);
    rows.force_N[0].push_back(x_N);
    rows.force_N[1].push_back(y_N);
  }
  return rows;
}

/// What a stroke's force changes by, along the strokes.
std::array<double, 2> change_of(const SideRows& rows) {
  if (rows.place_m.size() < 2 * kMinRows) return {};
  const double way = rows.place_m.back() > rows.place_m.front() ? 1 : -1;
  std::array<double, 2> change{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto mean_N = moving_mean(rows.force_N[axis], kHalfMean);
    change[axis] = way * (mean_N.back() - mean_N.front());
  }
  return change;
}

/// Along the direction in which the force works.
std::vector<ShearStroke> projected(std::vector<SideRows> all) {
  double x_N = 0, y_N = 0;
  for (const auto& rows : all) {
    const auto change = change_of(rows);
    x_N += change[0];
    y_N += change[1];
  }
  const double length_N = std::hypot(x_N, y_N);
  std::vector<ShearStroke> strokes;
  if (!(length_N > 0)) return strokes;
  for (auto& rows : all) {
    ShearStroke stroke{std::move(rows.place_m), {}};
    for (std::size_t i = 0; i < stroke.place_m.size(); ++i)
      stroke.force_N.push_back((x_N * rows.force_N[0][i] + y_N * rows.force_N[1][i]) / length_N);
    strokes.push_back(std::move(stroke));
  }
  return strokes;
}

}  // namespace

Result<Estimate> fit_shear(std::span<const ShearStroke> strokes, double step_m) {
  std::vector<ShearStroke> parts;
  for (const auto& stroke : strokes)
    if (auto part = elastic_part(stroke); !part.place_m.empty()) parts.push_back(std::move(part));
  if (parts.size() < kMinStrokes)
    return fail(ErrorCode::kUnidentifiable,
                "{} of {} strokes along the plate show a rise of the force, {} needed",
                parts.size(), strokes.size(), kMinStrokes);
  const double period_m = best_period_m(parts, step_m);
  const auto line = common_line(parts, period_m);
  if (!(line.slope_N_per_m > 0))
    return fail(ErrorCode::kUnidentifiable, "the force falls along strokes on the plate");
  const auto n = static_cast<double>(parts.size());
  double squares = 0;
  for (std::size_t out = 0; out < parts.size(); ++out) {
    auto rest = parts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
    squares += std::pow(line.slope_N_per_m / common_line(rest, period_m).slope_N_per_m - 1, 2);
  }
  const double value = 1 / line.slope_N_per_m;
  return Estimate{value, value * std::hypot(std::sqrt(squares * (n - 1) / n), kStraight), n - 1};
}

Result<std::optional<Estimate>> find_shear(const FitContext& context, std::size_t session) {
  const Session& file = *context.sessions[session].session;
  const auto plate_N_per_m = file.metadata().plate_stiffness_N_per_m;
  if (plate_N_per_m && 1 / *plate_N_per_m > kRigid_m_per_N) return std::nullopt;
  const auto stretches = intervals(file.events(), "shear");
  if (!stretches) return fail(stretches.error(), file.file().filename().string());
  if (stretches->empty()) return std::nullopt;
  const auto path = commanded_path(file);
  const auto clocks = clocks_of(context, session);
  std::vector<SideRows> all;
  std::optional<std::array<double, 2>> along;
  std::size_t axis = 0;
  for (const auto& stretch : *stretches) {
    const StreamReader reader{file, clocks, {stretch.begin_s, stretch.end_s}, false, context.job};
    const auto force = reader.force();
    if (!force && force.error().code != ErrorCode::kUnidentifiable) return fail(force.error());
    if (!force || force->samples.columns.size() < 3) continue;
    for (const auto* line : side_lines(path, stretch)) {
      const auto from_m = line->motion.from_m(), to_m = line->motion.end_m();
      const double x_m = to_m[0] - from_m[0], y_m = to_m[1] - from_m[1];
      if (!along) {
        const double length_m = std::hypot(x_m, y_m);
        along = std::array{x_m / length_m, y_m / length_m};
        axis = std::abs(x_m) > std::abs(y_m) ? 0 : 1;
      }
      all.push_back(rows_of(*line, *force, *along));
    }
  }
  const auto step_m = stage_step_m(context, session, axis);
  if (!step_m) return fail(step_m.error());
  const auto found = fit_shear(projected(std::move(all)), *step_m);
  if (!found) return fail(found.error());
  return *found;
}

}  // namespace tactelier
