// Images per second of the forward models, one thread: the presses of the HydroelasticTouch data
// set (5 shapes, 50 angles, 3 forces, 5 offsets), and how a press grows with tactels.
#include <benchmark/benchmark.h>

#include "libcalib/forward/forward_method.hpp"
#include "libcalib/units.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier {
namespace {

/// The layout of the published set's sensor for 16 tactels a side: 5 mm, foundation of 3.3e6 Pa/m.
SensorModel square_model(int side) {
  SensorDescription sensor;
  auto& array = sensor.arrays.emplace_back();
  array.rows = array.columns = side;
  array.pitch_x_m = array.pitch_y_m = 5e-3;
  auto model = empty_model(sensor);
  model.psf.form = "integrated";
  model.psf.edge = "zero";
  testing_models::set(model.psf.sigma_x, 2e-3);
  testing_models::set(model.psf.sigma_y, 2e-3);
  testing_models::set(model.stiffness.foundation_modulus, 3.3e6);
  testing_models::set(model.hydroelastic.modulus, 3e4);
  testing_models::set(model.hydroelastic.thickness, 9e-3);
  testing_models::set(model.hydroelastic.receptive_radius, 3.5e-3);
  return model;
}

std::vector<Indenter> five_shapes() {
  std::vector<Indenter> shapes(5);
  shapes[0].diameter_m = 20e-3;
  shapes[1].shape = IndenterShape::kSphere;
  shapes[1].diameter_m = 50e-3;
  shapes[2].shape = IndenterShape::kHexagon;
  shapes[2].across_flats_m = 25e-3;
  shapes[3].shape = IndenterShape::kBox;
  shapes[3].x_m = 40e-3;
  shapes[3].y_m = 15e-3;
  shapes[4].shape = IndenterShape::kLyingCylinder;
  shapes[4].diameter_m = 45e-3;
  shapes[4].length_m = 60e-3;
  return shapes;
}

std::vector<StaticPress> data_set() {
  std::vector<StaticPress> presses;
  for (const auto& shape : five_shapes())
    for (int angle = 0; angle < 50; ++angle)
      for (const double force_N : {3.0, 6.0, 9.0})
        for (int offset = 0; offset < 5; ++offset)
          presses.push_back({shape,
                             {1e-3 * offset, -0.7e-3 * offset, deg_to_rad(3.6 * angle), 0, 0},
                             {PressLoad::By::kForce, force_N, 0}});
  return presses;
}

void images(benchmark::State& state) {
  const auto& info = forward_methods()[static_cast<std::size_t>(state.range(0))];
  const auto method = info.create(square_model(static_cast<int>(state.range(1))));
  const auto presses = data_set();
  std::size_t next = 0;
  for (auto _ : state) {
    const auto image = (*method)->image(presses[next]);
    if (!image) state.SkipWithError(image.error().message.c_str());
    benchmark::DoNotOptimize(image);
    next = (next + 1) % presses.size();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(std::string(info.name));
}
BENCHMARK(images)->ArgsProduct({{0, 1, 2}, {8, 16, 32}})->MinTime(2);

}  // namespace
}  // namespace tactelier
