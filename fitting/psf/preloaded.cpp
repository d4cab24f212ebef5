#include "fitting/psf/preloaded.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/psf/psf_data.hpp"
#include "fitting/recording/creep_correction.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kFar = 2.9;             // pitches from the tip: no pad carries anything so far
constexpr double kRaised = 10;           // sigma above rest before the press: out of the dead zone
constexpr double kCeilingBand = 4;       // sigma below the ceiling that count as there
constexpr std::size_t kMinBefore = 50;   // readings under the weight alone
constexpr std::size_t kMinLoading = 20;  // readings while the press loads
constexpr std::size_t kMinTactels = 3;   // raised ones in a row or column of the press
constexpr double kSlopeScatter = 0.03;   // relative, of a tactel's gain from its own presses

/// From the rest under the weight alone to the peak. The contact stage passes such presses over.
struct Ramp {
  std::size_t before = 0, peak = 0;
  double bias_N = 0;
};

std::optional<Ramp> ramp_of(const PressData& data) {
  constexpr double kTouch = 0.15;  // of the peak: far above what motors shake while they step
  Ramp ramp{0, data.peak, 0};
  std::vector<double> rest(data.force_N.begin(), data.force_N.begin() + data.peak / 8);
  if (rest.size() < kMinBefore / 2) return {};
  const double at_first_N = median(rest);
  const double touch_N = at_first_N + kTouch * (data.force_N[data.peak] - at_first_N);
  while (ramp.before < data.peak && data.force_N[ramp.before] < touch_N) ++ramp.before;
  // The first touch is earlier.
  ramp.before -= std::min(ramp.before, std::max(ramp.before / 10, (data.peak - ramp.before) / 4));
  if (ramp.before < kMinBefore) return {};
  for (std::size_t r = 0; r < ramp.before; ++r)
    ramp.bias_N += data.force_N[r] / static_cast<double>(ramp.before);
  return ramp;
}

struct Level {
  double mean = 0;
  std::size_t n = 0;
};

Level level_before(const std::vector<double>& counts, std::size_t before) {
  Level level;
  for (std::size_t r = 0; r < before; ++r)
    if (!std::isnan(counts[r])) {
      level.mean += counts[r];
      ++level.n;
    }
  if (level.n > 0) level.mean /= static_cast<double>(level.n);
  return level;
}

std::optional<RaisedTactel> raised(const PressData& data, const Ramp& ramp, std::size_t row,
                                   const PsfTactelBase& base, std::span<const double> crept) {
  const auto& counts = data.counts[row];
  const auto rest = level_before(counts, ramp.before);
  if (!base.offset_known || rest.n < kMinBefore ||
      rest.mean < base.offset_counts + kRaised * base.noise_counts)
    return {};
  const double ceiling =
      base.ceiling_counts ? *base.ceiling_counts - kCeilingBand * base.noise_counts : 1e300;
  double squares = 0, products = 0, forces = 0;
  std::size_t n = 0;
  for (std::size_t r = ramp.before; r <= ramp.peak; ++r) {
    if (std::isnan(counts[r])) continue;
    if (counts[r] >= ceiling) return {};
    const double force_N = data.force_N[r] - ramp.bias_N;
    squares += force_N * force_N;
    const double level = rest.mean + crept[r] * (rest.mean - base.offset_counts);
    products += force_N * (counts[r] - level);
    forces += force_N;
    ++n;
  }
  if (n < kMinLoading || !(squares > 0)) return {};
  const double noise2 = base.noise_counts * base.noise_counts;
  const double by_rest = forces / squares;
  RaisedTactel tactel;
  tactel.counts_per_N = products / squares;
  tactel.variance = noise2 / squares + by_rest * by_rest * noise2 / static_cast<double>(rest.n);
  return tactel;
}

/// Shares of each press, without ghosts, summed over the others of each tactel's row and column.
std::vector<std::vector<double>> line_sums(const PsfData& data, const PsfFit& fit) {
  const auto& problem = data.problem;
  PsfProblem only{problem.layout, problem.footprints, {}, {}, problem.frames, 1, {}};
  for (const auto& one : data.preloaded) only.presses.push_back(one.press);
  auto model = fit.model;
  model.ghosting = false;
  const auto shares = psf_shares(only, model, fit.state, false);
  std::vector<std::vector<double>> sums;
  for (std::size_t k = 0; k < only.presses.size(); ++k) {
    sums.emplace_back(shares.tactels);
    problem.layout.line_sums(std::span(shares.value).subspan(k * shares.tactels, shares.tactels),
                             sums.back());
  }
  return sums;
}

struct OnePress {
  double ghosting = 0, variance = 0;
};

std::optional<OnePress> of_press(const PreloadedPress& press, const std::vector<double>& lines,
                                 const std::vector<double>& slopes) {
  double information = 0, products = 0;
  std::size_t n = 0;
  const double most = *std::max_element(lines.begin(), lines.end());
  for (const auto& tactel : press.tactels) {
    const auto i = static_cast<std::size_t>(tactel.index);
    if (!(slopes[i] > 0) || lines[i] < most / 4) continue;  // neither its row nor its column
    const double by = slopes[i] * lines[i];
    const double own = kSlopeScatter * tactel.counts_per_N;
    const double weight = 1 / (tactel.variance + own * own);
    information += weight * by * by;
    products += weight * by * tactel.counts_per_N;
    ++n;
  }
  if (n < kMinTactels) return {};
  return OnePress{products / information, 1 / information};
}

}  // namespace

PreloadedPress preloaded_press(const FitContext& context, std::size_t session,
                               const PressData& data, const PsfPress& press,
                               const std::vector<int>& live,
                               const std::vector<PsfTactelBase>& bases) {
  PreloadedPress result{press, {}};
  const auto ramp = ramp_of(data);
  if (!ramp) return result;
  const auto& sensor = context.model.sensor;
  std::vector<double> crept;
  for (const double at_s : data.time_s)
    crept.push_back(crept_under_weight(context, session, data.time_s[ramp->before / 2], at_s));
  for (std::size_t i = 0; i < live.size(); ++i) {
    const auto centre = sensor.position_m(live[i]);
    const auto& array = sensor.array_of(live[i]);
    const double away_m = std::hypot(centre[0] - press.x_m, centre[1] - press.y_m);
    if (away_m < kFar * std::min(array.pitch_x_m, array.pitch_y_m)) continue;
    auto tactel = raised(data, *ramp, i, bases[static_cast<std::size_t>(live[i])], crept);
    if (!tactel) continue;
    tactel->index = live[i];
    result.tactels.push_back(*tactel);
  }
  return result;
}

std::optional<MeasuredGhosting> measure_ghosting(const PsfData& data, const PsfFit& fit,
                                                 double press_scatter) {
  if (data.preloaded.empty()) return {};
  std::vector<double> slopes(data.problem.layout.tactels(), 0);
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t)
    slopes[static_cast<std::size_t>(data.problem.tactels[t].index)] = fit.state.slope[t];
  const auto lines = line_sums(data, fit);
  std::vector<OnePress> found;
  for (std::size_t k = 0; k < data.preloaded.size(); ++k)
    if (const auto one = of_press(data.preloaded[k], lines[k], slopes)) found.push_back(*one);
  if (found.empty()) return {};
  const auto n = static_cast<double>(found.size());
  double mean = 0, noise = 0, spread = 0;
  for (const auto& one : found) {
    mean += one.ghosting / n;
    noise += one.variance / n;
  }
  for (const auto& one : found) spread += (one.ghosting - mean) * (one.ghosting - mean);
  if (n > 1) spread /= n - 1;
  const double expected = noise + std::pow(press_scatter * mean, 2);
  return MeasuredGhosting{mean, std::sqrt(std::max(expected, spread) / n),
                          static_cast<int>(found.size())};
}

}  // namespace tactelier
