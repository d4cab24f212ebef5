#include "app/workflow/start_bench.hpp"

#include <nlohmann/json.hpp>

#include "app/workflow/simulated_truth.hpp"
#include "devices/bench/bench_of_rig.hpp"
#include "libcalib/pad/drawn_effects.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

Result<synth::SynthSetup> setup_of(const BenchRequest& request, Warnings& warnings) {
  synth::SynthSetup setup;
  const auto effects = pad::drawn_preset(request.preset, request.seed);
  if (!effects) return fail(effects.error());
  setup.effects = *effects;
  setup.preset = request.preset;
  setup.seed = request.seed;
  auto truth = simulated_truth(request.truth, request.sensor, request.seed,
                               draw_options(request.preset));
  if (!truth) return fail(truth.error());
  setup.truth = std::move(truth->pad);
  setup.serial = truth->serial.empty() ? fmt::format("bench-{}", request.seed) : truth->serial;
  warnings = std::move(truth->warnings);
  setup.rig = virtual_bench_rig();
  if (request.rig) {
    auto rig = load_rig(request.rig->string());
    if (!rig) return fail(rig.error());
    setup.rig = std::move(*rig);
  }
  return setup;
}

Result<void> write_files(const BenchRequest& request, const synth::SynthSetup& setup,
                         StartedBench& started) {
  if (request.write_truth) {
    started.truth = *request.write_truth;
    auto stem = *request.write_truth;
    if (stem.stem().extension() == ".truth") stem.replace_extension();
    started.rig_truth = path_beside(stem, ".rig-truth.json");
    if (auto written =
            write_truths(setup, started.bench->draws(), *started.truth, *started.rig_truth);
        !written)
      return written;
  }
  if (!request.write_devices) return {};
  const auto document = nlohmann::json::parse(started.device_file);
  return write_text_file(*request.write_devices, document.dump(2) + "\n");
}

}  // namespace

Result<StartedBench> start_bench(const BenchRequest& request) {
  StartedBench started;
  auto setup = setup_of(request, started.warnings);
  if (!setup) return fail(setup.error());
  auto bench = devices::bench_setup_of(*setup->rig, setup->truth, setup->effects, setup->seed);
  if (!bench) return fail(bench.error());
  const auto dialect = devices::parse_stage_dialect(request.dialect);
  if (!dialect) return fail(dialect.error());
  bench->dialect = *dialect;
  bench->encoder = request.encoder;
  bench->array = request.array;
  if (request.force != "net-ft") bench->force_device = request.force;
  if (request.usual_ports && !bench->force_device.empty())
    return fail(ErrorCode::kUsage,
                "--usual-ports are a Net F/T box's, '{}' stands on a serial line; leave one out",
                request.force);
  setup->effects = bench->effects;
  auto running = devices::RunningBench::start(
      *bench, request.speed, request.usual_ports ? devices::kUsualPorts : devices::BenchPorts{});
  if (!running) return fail(running.error());
  started.bench = std::move(*running);
  started.device_file =
      started.bench->device_file(sensor_document(setup->truth.sensor).dump(),
                                 setup->rig->surface.z0_m + setup->rig->stage.safe_height_m);
  if (auto written = write_files(request, *setup, started); !written) return fail(written.error());
  return started;
}

}  // namespace tactelier
