#include "psf_recording.hpp"

#include <cmath>

namespace tactelier::test {
namespace {

double below(double x_m, double sigma_m) {
  return 0.5 * (1 + std::erf(x_m / (std::sqrt(2.0) * sigma_m)));
}

}  // namespace

SensorDescription patch(int rows, int columns) {
  SensorDescription sensor;
  SensorArray array;
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  return sensor;
}

double patch_share(int index, int rows, int columns, double x_m, double y_m, double sigma_m) {
  const double cx = (index % columns - 0.5 * (columns - 1)) * kPitch_m - x_m;
  const double cy = (index / columns - 0.5 * (rows - 1)) * kPitch_m - y_m;
  const double h = kPitch_m / 2;
  return (below(cx + h, sigma_m) - below(cx - h, sigma_m)) *
         (below(cy + h, sigma_m) - below(cy - h, sigma_m));
}

std::vector<Place> raster() {
  std::vector<Place> places;
  for (int i = -3; i <= 3; ++i)
    for (int k = -3; k <= 3; ++k) places.push_back({i * kPitch_m / 2, k * kPitch_m / 2});
  return places;
}

MadeRecording record(const std::vector<Place>& places, const MadeScatter& scatter,
                     std::uint64_t seed) {
  constexpr int kRows = 4, kColumns = 4;
  RandomSource random(seed);
  MadeRecording made{
      {PsfLayout::create(patch(kRows, kColumns)).value(), {PressFootprint{}}, {}, {}, 1, 1}, {}};
  auto& problem = made.problem;
  for (int t = 0; t < kRows * kColumns; ++t) {
    made.slopes.push_back(5000 * std::exp(0.1 * random.normal()));
    problem.tactels.push_back({t, {}, {}, true});
  }
  std::vector<Place> stood = places;
  std::vector<double> whole;
  for (auto& place : stood) {
    problem.presses.push_back({place.x_m, place.y_m, 0, 0, true});
    place.x_m += scatter.place_m * random.normal();
    place.y_m += scatter.place_m * random.normal();
    whole.push_back(1 + scatter.press * random.normal());
  }
  for (std::size_t t = 0; t < made.slopes.size(); ++t)
    for (std::uint32_t k = 0; k < places.size(); ++k) {
      auto& tactel = problem.tactels[t];
      const auto share = [&](double sigma_m) {
        return patch_share(static_cast<int>(t), kRows, kColumns, stood[k].x_m, stood[k].y_m,
                           sigma_m);
      };
      const double w = (1 - scatter.wider) * share(kSigma_m) + scatter.wider * share(2 * kSigma_m);
      const double own = whole[k] * (1 + scatter.reading * random.normal());
      const double relative = std::hypot(scatter.reading, scatter.press);
      const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
      for (int i = 1; i <= 20; ++i) {
        const double force_N = 0.1 * i;
        const double counts = own * made.slopes[t] * std::max(0.0, w * force_N - 0.05);
        tactel.rows.push_back({force_N, 0, counts + 3 * random.normal(),
                               1 / (9 + relative * relative * counts * counts),
                               PsfRowKind::kFloored});
      }
      tactel.groups.push_back({k, begin, begin + 20});
    }
  return made;
}

}  // namespace tactelier::test
