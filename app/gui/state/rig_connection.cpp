#include "app/gui/state/rig_connection.hpp"

#include "devices/acquisition/live_rig.hpp"
#include "devices/server/rig_socket.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {

Result<RigFacts> rigFacts(const RigPlace& place) {
  auto devices = devices::load_device_file(place.devices);
  if (!devices) return fail(devices.error());
  auto rig = load_rig(place.rig.string());
  if (!rig) return fail(rig.error());
  if (!devices->sensor)
    return fail(ErrorCode::kInvalidInput,
                "{}: names no tactile array with its 'sensor': what is there to calibrate?",
                place.devices.string());
  const double force_hz = devices->force ? devices->force->options.number("rate_hz", 0) : 0;
  RigFacts facts;
  facts.place = place;
  facts.sensor = *devices->sensor;
  facts.press_axis = rig->press_axis.index;
  facts.limits = rig::safety_limits(*rig, facts.sensor, force_hz, devices->time_scale,
                                    devices->bench_clock.has_value());
  facts.rig = std::move(*rig);
  facts.time_scale = devices->time_scale;
  facts.is_virtual = devices->bench_control.has_value();
  facts.devices = std::move(*devices);
  return facts;
}

Result<RigConnection> connectSockets(const std::filesystem::path& socket, RigFacts facts) {
  RigConnection connection;
  connection.facts = std::move(facts);
  connection.socket = socket;
  for (auto* end : {&connection.command, &connection.live, &connection.stop}) {
    auto opened = rig::connect_socket(socket);
    if (!opened) return fail(opened.error());
    *end = std::move(*opened);
  }
  return connection;
}

Result<RigConnection> connectRig(const RigPlace& place, const std::filesystem::path& program,
                                 const Job& job) {
  auto facts = rigFacts(place);
  if (!facts) return fail(facts.error());
  const auto client = reach_rig(place, job, program);
  if (!client) return fail(client.error());
  const auto socket = rig::socket_of(facts->devices);
  return connectSockets(socket, std::move(*facts));
}

Result<RigConnection> connectVirtualRig(double speed, const std::filesystem::path& program,
                                        const Job& job) {
  auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  BenchRequest request;
  request.speed = speed;
  request.preset = "lab";
  request.write_devices = (*folder)->path() / "devices.json";
  request.write_truth = (*folder)->path() / kBenchTruth;
  auto bench = start_bench(request);
  if (!bench) return fail(bench.error());
  const RigPlace place{*request.write_devices, (*folder)->path() / "rig.json"};
  if (auto written = write_text_file(place.rig, virtual_bench_rig().document); !written)
    return fail(written.error());
  auto connection = connectRig(place, program, job);
  if (!connection) return connection;
  connection->bench = std::make_shared<StartedBench>(std::move(*bench));
  connection->folder = std::move(*folder);
  return connection;
}

}  // namespace tactelier::gui
