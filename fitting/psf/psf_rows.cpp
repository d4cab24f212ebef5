// Rows of one press, and their weights.

#include "fitting/psf/psf_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fitting/recording/loading_rows.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kBlocks = 32;     // rows that stay of one press whose force rises evenly
constexpr double kBlockNoise = 4;       // sigma of force that one of them covers at least
constexpr double kCeilingBand = 4;      // sigma below the ceiling that count as there
constexpr std::size_t kMinBefore = 20;  // readings of free air that give a press its own offset

struct Block {
  double n = 0, force = 0, force2 = 0, counts = 0;
  double at = 0, at2 = 0, at_force = 0;  // sums over the numbers of its readings
  double lowest = 1e300, highest = -1e300;

  void add(double number, double force_N, double reading) {
    ++n;
    force += force_N;
    force2 += force_N * force_N;
    at += number;
    at2 += number * number;
    at_force += number * force_N;
    counts += reading;
    lowest = std::min(lowest, reading);
    highest = std::max(highest, reading);
  }
  double mean_force_N() const { return force / n; }

  /// Half-width of evenly spread forces that rise as these do. What lies about their line is the
  /// sensor's noise, of which free air tells too little: motors step on the way down.
  double half_range_N() const {
    const double spread = at2 / n - at * at / (n * n);
    if (n < 3 || !(spread > 0)) return 0;
    const double together = at_force / n - at * force / (n * n);
    const double of_line = together * together / spread;
    const double about_it = std::max(0.0, force2 / n - force * force / (n * n) - of_line);
    return std::sqrt(3 * std::max(0.0, of_line - about_it / (n - 2)));
  }
};

PsfRow row_of(const Block& block, const PsfReading& reading, PsfRowKind kind) {
  PsfRow row;
  row.force_N = block.mean_force_N();
  row.half_range_N = block.half_range_N();
  row.counts = block.counts / block.n - reading.offset_counts;
  row.kind = kind;
  return row;
}

/// Where each block of a press's rows ends: after its share of the readings, or of the force. A
/// block over a step from one hold to the next would have forces at its two ends only, and its mean
/// reading, where one end is in the dead zone, would be none that evenly spread forces give.
std::vector<std::size_t> block_ends(const PressData& data, const PsfLoading& loading,
                                    double force_bias_N) {
  const auto rows = loading.rows.size();
  const std::size_t size = (rows + kBlocks - 1) / kBlocks;
  const double peak_N = data.force_N[data.peak] - force_bias_N;
  const double width_N = std::max(peak_N / kBlocks, kBlockNoise * loading.sigma_force_N);
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < rows; ++i)
    if (i - begin >= size ||
        data.force_N[loading.rows[i]] > data.force_N[loading.rows[begin]] + width_N)
      ends.push_back(begin = i);
  if (rows > 0) ends.push_back(rows);
  return ends;
}

/// Standard, of single forces about their course, from second differences: motors that step shake
/// the sensor more on the way down than in the air before. 0 of too few.
double noise_of_course_N(const PressData& data, const std::vector<std::size_t>& rows) {
  const double kOfMad = 1.4826 / std::sqrt(6.0);
  std::vector<double> bends_N;
  for (std::size_t i = 2; i < rows.size(); ++i)
    bends_N.push_back(std::abs(data.force_N[rows[i - 2]] - 2 * data.force_N[rows[i - 1]] +
                               data.force_N[rows[i]]));
  return bends_N.size() < kMinBefore ? 0 : kOfMad * median(bends_N);
}

}  // namespace

PsfLoading psf_loading(const PressData& data, const PressContact& contact) {
  PsfLoading loading;
  if (data.static_readings) {
    for (std::size_t i = 0; i < data.rows(); ++i) loading.rows.push_back(i);
    // Neighbours in force share a block, in whatever order a table lists them.
    std::stable_sort(loading.rows.begin(), loading.rows.end(), [&](std::size_t a, std::size_t b) {
      return data.force_N[a] < data.force_N[b];
    });
    return loading;
  }
  const auto touch = static_cast<std::size_t>(
      std::lower_bound(data.time_s.begin(), data.time_s.end(), contact.time_s) -
      data.time_s.begin());
  const std::size_t guard = std::max<std::size_t>(2, touch / 10);
  loading.before = touch > guard ? touch - guard : 0;
  // On the readings' times the force is interpolated, so its noise is smaller than the sensor's.
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < loading.before; ++i) mean += data.force_N[i];
  mean /= static_cast<double>(std::max<std::size_t>(1, loading.before));
  for (std::size_t i = 0; i < loading.before; ++i)
    squares += (data.force_N[i] - mean) * (data.force_N[i] - mean);
  loading.sigma_force_N = loading.before >= kMinBefore
                              ? std::sqrt(squares / (static_cast<double>(loading.before) - 1))
                              : contact.sigma_force_N;
  loading.rows = loading_rows(data, contact, touch, data.peak);
  loading.sigma_force_N = std::max(loading.sigma_force_N, noise_of_course_N(data, loading.rows));
  return loading;
}

void add_rows(const PressData& data, const PsfLoading& loading, double force_bias_N,
              std::size_t tactel_row, const PsfReading& reading, PsfTactel& tactel,
              std::vector<PsfRowNoise>& noise) {
  const auto& counts = data.counts[tactel_row];
  const auto ends = block_ends(data, loading, force_bias_N);
  const double ceiling = reading.ceiling_counts
                             ? *reading.ceiling_counts - kCeilingBand * reading.noise_counts
                             : 1e300;
  const auto keep = [&](const Block& block, PsfRowKind kind) {
    tactel.rows.push_back(row_of(block, reading, kind));
    noise.push_back(
        {reading.noise_counts * reading.noise_counts / block.n + reading.offset_variance_counts2,
         loading.sigma_force_N * loading.sigma_force_N / block.n});
  };
  std::size_t i = 0;
  for (const std::size_t end : ends) {
    // Where the floor is cut, readings there say something else than those above it.
    std::array<Block, 2> parts;
    for (; i < end; ++i) {
      const double c = counts[loading.rows[i]];
      if (std::isnan(c)) continue;
      const bool at_floor = reading.cut_floor && c <= reading.offset_counts;
      parts[at_floor ? 1 : 0].add(static_cast<double>(i),
                                  data.force_N[loading.rows[i]] - force_bias_N, c);
    }
    if (parts[1].n > 0) keep(parts[1], PsfRowKind::kFloor);
    auto& part = parts[0];
    if (part.n == 0) continue;
    if (part.lowest >= ceiling) {
      keep(part, PsfRowKind::kCeiling);
      tactel.rows.back().counts = ceiling - reading.offset_counts;
    } else if (part.highest < ceiling) {
      keep(part, reading.cut_floor ? PsfRowKind::kLine : PsfRowKind::kFloored);
    }  // partly at the ceiling: its mean says neither
  }
}

void first_weights(PsfData& data) {
  constexpr double kRelative = 0.01;
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t)
    for (std::size_t i = 0; i < data.noise[t].size(); ++i) {
      auto& row = data.problem.tactels[t].rows[i];
      const double own = kRelative * row.counts;
      row.weight = 1 / (data.noise[t][i].counts2 + own * own);
    }
}

void reweight(PsfData& data, const PsfState& state, const std::vector<double>& share_values,
              double relative) {
  auto& problem = data.problem;
  problem.row_scatter = relative;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    auto& tactel = problem.tactels[t];
    for (const auto& group : tactel.groups) {
      const double share = share_values[group.press * problem.layout.tactels() +
                                        static_cast<std::size_t>(tactel.index)];
      const double slope = state.slope[t] * share;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        auto& row = tactel.rows[i];
        const auto& noise = data.noise[t][i];
        const double line = slope * row.force_N - state.intercept[t];
        const double force2 = line > 0 ? slope * slope * noise.force2 : 0;
        const double own = relative * std::max(0.0, line);
        row.weight = 1 / (noise.counts2 + force2 + own * own);
      }
    }
  }
}

}  // namespace tactelier
