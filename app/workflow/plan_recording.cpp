#include "app/workflow/plan_recording.hpp"

#include "app/workflow/rig_process.hpp"
#include "devices/registry/device_file.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/protocol/plan_table.hpp"
#include "reports/planned_table.hpp"

namespace tactelier {
namespace {

struct PlanPlace {
  RigFile rig;
  SensorDescription sensor;
};

Result<PlanPlace> place_of(const RecordingPlanRequest& request) {
  auto sensor =
      request.on_rig ? Result<SensorDescription>(*request.on_rig) : load_sensor(request.sensor);
  if (!sensor) return fail(sensor.error());
  if (!request.rig) return PlanPlace{virtual_bench_rig(), std::move(*sensor)};
  auto rig = load_rig(request.rig->string());
  if (!rig) return fail(rig.error());
  return PlanPlace{std::move(*rig), std::move(*sensor)};
}

PlannedRecording planned_recording(std::string description, Plan plan, const RigFile& rig,
                                   const SensorDescription& sensor, const ExpectedSensor& expected,
                                   bool with_additions, const Job& job) {
  PlannedRecording made;
  made.description = std::move(description);
  made.setup = setup_for(rig, bench_setup());
  made.sensor = sensor;
  made.quality = rig_quality(rig, sensor);
  made.plan = std::move(plan);
  const auto work = planned_work(made.plan, expected.pad, sensor);
  const PlanBasis basis{work, sensor, made.quality, expected};
  made.parameters = planned_information(basis, job);
  if (with_additions) made.additions = additions(basis, made.parameters, job);
  return made;
}

}  // namespace

std::string PlannedRecording::summary() const {
  std::string words = duration_text(plan.duration_s);
  if (plan.by_hand_s > 0)
    words += fmt::format(" ({} of them by hand)", duration_text(plan.by_hand_s));
  words += fmt::format(", {} presses", plan.presses);
  if (plan.slides > 0) words += fmt::format(", {} slides", plan.slides);
  if (plan.images > 0) words += fmt::format(", {} images", plan.images);
  return words + fmt::format(", {:.2g} m of travel, up to {:.3g} N expected, {:.3g} N at most",
                             plan.path_m, plan.peak_force_N, plan.worst_force_N);
}

std::vector<Section> PlannedRecording::sections() const {
  return planned_sections(parameters, additions, sensor, setup);
}

Result<PlannedRecording> plan_recording(const RecordingPlanRequest& request, const Job& job) {
  const auto place = place_of(request);
  if (!place) return fail(place.error());
  const auto protocol = request.written ? parse_protocol(*request.written, "protocol")
                                        : load_protocol(request.protocol);
  if (!protocol) return fail(protocol.error());
  ExpectedSensor expected;
  if (request.expect) {
    const auto model = read_model(request.expect->string());
    if (!model) return fail(model.error());
    expected = expected_from(*model);
  }
  auto setup = setup_for(place->rig, bench_setup());
  setup.expected = expected.pad;
  auto plan = plan_protocol(*protocol, place->sensor, setup);
  if (!plan) return fail(plan.error());
  if (const auto reached = check_reach(*plan, place->rig); !reached) return fail(reached.error());
  return planned_recording(protocol->description, std::move(*plan), place->rig, place->sensor,
                           expected, request.additions, job);
}

Result<PlannedRecording> plan_recording(const RecordRequest& request, const RecordPreview& preview,
                                        bool with_additions, const Job& job) {
  const auto devices = devices::load_device_file(request.place.devices);
  if (!devices) return fail(devices.error());
  if (!devices->sensor)
    return fail(ErrorCode::kInvalidInput, "{}: tactile: 'sensor' is missing",
                request.place.devices.string());
  std::string description;
  if (!request.protocol.empty())
    if (const auto protocol = load_protocol(request.protocol)) description = protocol->description;
  return planned_recording(std::move(description), preview.plan, preview.rig, *devices->sensor, {},
                           with_additions, job);
}

Result<std::vector<ProtocolGuide>> list_protocols(const RecordingPlanRequest& request) {
  const auto place = place_of(request);
  if (!place) return fail(place.error());
  return protocol_guides(place->sensor, setup_for(place->rig, bench_setup()));
}

}  // namespace tactelier
