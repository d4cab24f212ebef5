#include "libcalib/forward/psf_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactelier {
namespace {

constexpr double kNothing = 1e-15;  // of a sample

/// Cells of one sample's weights that get something: [first, last).
struct Band {
  std::size_t first = 0, last = 0;
};

Band band_of(const double* weights, std::size_t cells) {
  Band band{0, cells};
  while (band.first < cells && weights[band.first] < kNothing) ++band.first;
  while (band.last > band.first && weights[band.last - 1] < kNothing) --band.last;
  return band;
}

/// The sample on that side of one whose middle lies beside it, and the part that belongs there;
/// none at the array's border.
struct Next {
  std::size_t sample;
  double part;
};
Next next_to(std::size_t sample, double beside, std::size_t samples) {
  if (beside < 0 && sample > 0) return {sample - 1, -beside};
  if (beside > 0 && sample + 1 < samples) return {sample + 1, beside};
  return {sample, 0};
}

std::vector<Band> bands_of(const std::vector<double>& weights, std::size_t cells) {
  std::vector<Band> bands;
  for (std::size_t at = 0; at < weights.size(); at += cells)
    bands.push_back(band_of(weights.data() + at, cells));
  return bands;
}

}  // namespace

std::optional<PsfLattice> PsfLattice::create(const SensorDescription& sensor,
                                             const SpreadCovariance& spread, PsfForm form,
                                             PsfEdge edge) {
  if (form != PsfForm::kIntegrated || sensor.arrays.size() != 1) return {};
  const auto& array = sensor.arrays.front();
  const bool round = spread.xx == spread.yy && spread.xy == 0;
  const bool along_axes = spread.xy == 0 && array.pose.rpy_rad[2] == 0;
  const bool gaps = array.sensing_area_m2() < array.tactels() * array.pitch_x_m * array.pitch_y_m;
  if (gaps || !array.positions_m.empty() || !(round || along_axes)) return {};
  PsfLattice lattice;
  lattice.x_ = {static_cast<std::size_t>(array.columns), array.pitch_x_m, spread.xx};
  lattice.y_ = {static_cast<std::size_t>(array.rows), array.pitch_y_m, spread.yy};
  lattice.edge_ = edge;
  lattice.usual_ = lattice.weights(kLeastSamplesPerCell);
  return lattice;
}

// A sample stands for its own square, whose second moment joins the spread's.
std::vector<double> PsfLattice::Axis::weights(int samples_per_cell) const {
  const double step_m = pitch_m / samples_per_cell;
  const double scale_per_m = 1 / std::sqrt(2 * (variance_m2 + step_m * step_m / 12));
  std::vector<double> weights;
  const std::size_t samples = cells * static_cast<std::size_t>(samples_per_cell);
  weights.reserve(samples * cells);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const double at_m = (static_cast<double>(sample) + 0.5) * step_m;
    double below = std::erf(-at_m * scale_per_m);
    for (std::size_t cell = 1; cell <= cells; ++cell) {
      const double above = std::erf((static_cast<double>(cell) * pitch_m - at_m) * scale_per_m);
      weights.push_back((above - below) / 2);
      below = above;
    }
  }
  return weights;
}

PsfLattice::Weights PsfLattice::weights(int samples_per_cell) const {
  return {x_.weights(samples_per_cell), y_.weights(samples_per_cell)};
}

std::vector<double> PsfLattice::shares(const FoundationContact& contact, double depth_m) const {
  const auto per_cell = static_cast<std::size_t>(contact.samples_per_cell());
  const bool fine = contact.samples_per_cell() != kLeastSamplesPerCell;
  const auto own = fine ? weights(contact.samples_per_cell()) : Weights{};
  const auto& [along_x, along_y] = fine ? own : usual_;
  const auto bands = bands_of(along_x, x_.cells);
  std::vector<double> rows(y_.cells * per_cell * x_.cells);  // [row of samples][column of cells]
  double volume_m3 = 0;
  const auto add = [&](std::size_t x, std::size_t y, double sample_m3) {
    const double* weights = along_x.data() + x * x_.cells;
    double* of_row = rows.data() + y * x_.cells;
    for (std::size_t j = bands[x].first; j < bands[x].last; ++j)
      of_row[j] += sample_m3 * weights[j];
  };
  contact.for_each_loaded(depth_m, [&](const FoundationContact::Loaded& sample) {
    const std::size_t x = sample.tactel % x_.cells * per_cell + sample.column;
    const std::size_t y = sample.tactel / x_.cells * per_cell + sample.row;
    volume_m3 += sample.volume_m3;
    if (sample.beside_columns == 0 && sample.beside_rows == 0) return add(x, y, sample.volume_m3);
    const auto [next_x, part_x] = next_to(x, sample.beside_columns, x_.cells * per_cell);
    const auto [next_y, part_y] = next_to(y, sample.beside_rows, y_.cells * per_cell);
    add(x, y, sample.volume_m3 * (1 - part_x) * (1 - part_y));
    add(next_x, y, sample.volume_m3 * part_x * (1 - part_y));
    add(x, next_y, sample.volume_m3 * (1 - part_x) * part_y);
    add(next_x, next_y, sample.volume_m3 * part_x * part_y);
  });
  std::vector<double> shares(x_.cells * y_.cells);
  for (std::size_t y = 0; y < y_.cells * per_cell; ++y) {
    const double* of_row = rows.data() + y * x_.cells;
    if (std::all_of(of_row, of_row + x_.cells, [](double v) { return v == 0; })) continue;
    for (std::size_t i = 0; i < y_.cells; ++i)
      for (std::size_t j = 0; j < x_.cells; ++j)
        shares[i * x_.cells + j] += along_y[y * y_.cells + i] * of_row[j];
  }
  const double whole = edge_ == PsfEdge::kRenormalised
                           ? std::accumulate(shares.begin(), shares.end(), 0.0)
                           : volume_m3;
  for (double& share : shares) share /= whole;
  return shares;
}

}  // namespace tactelier
