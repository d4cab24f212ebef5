#include "libcalib/synth/synth.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/pad/drawn_effects.hpp"
#include "libcalib/pad/random.hpp"
#include "libcalib/partial_file.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/session/compaction.hpp"
#include "libcalib/session/session_writer.hpp"
#include "libcalib/synth/recorded_streams.hpp"
#include "libcalib/synth/simulated_rig.hpp"
#include "libcalib/synth/simulated_run.hpp"
#include "libcalib/units.hpp"

namespace tactelier::synth {
namespace {

using nlohmann::json;

constexpr double kChunk_s = 0.1;
constexpr double kCommit_s = 60;  // of recorded time: bounds the memory of a transaction
// What guarded approaches at five points leave unknown.
constexpr double kSurfaceKnown_m = 10e-6;
constexpr double kTiltKnown_rad = 0.35e-3;

json metadata_document(const SynthSetup& setup, const Plan& plan, const Surface& surface) {
  const auto& rig = *setup.rig;
  const auto rig_document = json::parse(rig.document);
  json document{{"format", "tactelier/session"},
                {"version", 1},
                {"sensor", sensor_document(setup.truth.sensor)},
                {"sensor_serial", setup.serial},
                {"rig", rig_document},
                {"surface",
                 {{"z0_mm", m_to_mm(surface.z0_m)},
                  {"tilt_x_deg", surface.tilt_x_rad / deg_to_rad(1)},
                  {"tilt_y_deg", surface.tilt_y_rad / deg_to_rad(1)}}},
                {"protocol", json::parse(setup.protocol.document)},
                {"notes", fmt::format("simulated, preset {}, seed {}", setup.preset, setup.seed)}};
  // A rig that does not give is known not to, like the surface and the places of the same preset.
  const auto& given = setup.effects.compliance;
  if (given.linear_m_per_N == 0 && given.seating_m == 0) document["rig"]["compliance_um_per_N"] = 0;
  if (given.shear_m_per_N == 0) document["rig"]["shear_compliance_um_per_N"] = 0;
  document["rig"]["plate_stiffness_N_per_um"] = pad::kPlateStiffness_N_per_m * 1e-6;
  if (plan.indenter) document["indenter"] = json::parse(plan.indenter->json);
  if (rig_document.contains("force_sensor"))
    document["force_sensor"] = rig_document["force_sensor"];
  if (rig_document.contains("stage_to_sensor"))
    document["stage_to_sensor"] = rig_document["stage_to_sensor"];
  if (setup.effects.clock.own)
    document["clocks"] = {{"force", "own"}, {"stage", "host"}, {"tactile", "own"}};
  return document;
}

/// The surface as a set-up run would have found it.
Surface found_surface(const pad::Mount& mount, const pad::RigDraws& draws, bool unknown,
                      std::uint64_t seed) {
  Surface surface{mount.z0_m + draws.surface_error_m, draws.tilt_x_rad, draws.tilt_y_rad};
  if (!unknown) return surface;
  pad::Random random(seed, "set-up");
  surface.z0_m += kSurfaceKnown_m * random.normal();
  surface.tilt_x_rad += kTiltKnown_rad * random.normal();
  surface.tilt_y_rad += kTiltKnown_rad * random.normal();
  return surface;
}

double collision_time_s(const SynthSetup& setup, const Plan& plan) {
  if (setup.effects.operator_.collision_N <= 0) return std::numeric_limits<double>::infinity();
  return pad::Random(setup.seed, "bump").uniform(0.2, 0.8) * plan.duration_s;
}

}  // namespace

namespace {

/// Within the rig's reach.
Result<Plan> plan_for(const SynthSetup& setup, const Protocol& protocol) {
  auto planning = setup_for(*setup.rig, bench_setup());
  planning.expected.thickness_m = setup.truth.layer.thickness_m;
  auto plan = plan_protocol(protocol, setup.truth.sensor, planning);
  if (!plan) return plan;
  if (const auto reached = check_reach(*plan, *setup.rig); !reached) return fail(reached.error());
  return plan;
}

}  // namespace

Result<SimulatedBench> SimulatedBench::create(SynthSetup setup) {
  if (!setup.rig) setup.rig = virtual_bench_rig();
  auto plan = plan_for(setup, setup.protocol);
  if (!plan) return fail(plan.error());
  setup.effects = effects_with(*setup.rig, setup.effects);
  if (setup.serial.empty()) setup.serial = fmt::format("synth-{}", setup.seed);
  SimulatedBench bench;
  bench.setup_ = std::move(setup);
  bench.plan_ = std::move(*plan);
  return bench;
}

namespace {

/// Everything of one recording between its first and last sample.
class Recording {
 public:
  /// `ask`: empty for a protocol that is whole.
  Recording(const SynthSetup& setup, Plan plan, const AskForSteps& ask, const Job& job)
      : setup_(setup), plan_(std::move(plan)), protocol_(setup.protocol), ask_(ask), job_(job) {}

  Result<SynthReport> make(const std::filesystem::path& file) {
    file_ = file;
    if (auto ready = set_up(); !ready) return fail(ready.error());
    auto writer = ask_ ? SessionWriter::create(file, metadata_)
                       : SessionWriter::create_import(file, metadata_);
    if (!writer) return fail(writer.error());
    const RecordedStreams streams(setup_.truth.sensor.tactels(), setup_.effects.clock.own,
                                  setup_.effects.reading.quantised,
                                  setup_.effects.reading.temperature_swing_K != 0);
    for (const auto& info : streams.infos())
      if (auto added = writer->add_stream(info); !added) return fail(added.error());
    if (auto run = follow(streams, *writer); !run) return fail(run.error());
    if (auto finished = writer->finish(); !finished) return fail(finished.error());
    report_.draws = pad_->draws();
    report_.warnings = plan_.warnings;
    return std::move(report_);
  }

 private:
  Result<void> set_up() {
    const auto mount = mount_of(*setup_.rig, setup_.truth.sensor);
    if (!mount) return fail(mount.error());
    press_sign_ = mount->press_sign;
    auto pad = pad::Pad::create(setup_.truth, setup_.effects, *mount, setup_.seed);
    if (!pad) return fail(pad.error());
    pad_.emplace(std::move(*pad));
    if (plan_.indenter)
      if (auto set = pad_->set_indenter(plan_.indenter->indenter, {}); !set) return set;
    if (setup_.effects.operator_.remount_shift_m > 0) pad_->remount();
    rig_ = *setup_.rig;
    rig_.surface = found_surface(*mount, pad_->draws(), setup_.effects.surface.unknown_height_m > 0,
                                 setup_.seed);
    auto metadata = parse_session_metadata(
        canonical(metadata_document(setup_, plan_, rig_.surface)), "session");
    if (!metadata) return fail(metadata.error());
    metadata_ = std::move(*metadata);
    return {};
  }

  Result<void> follow(const RecordedStreams& streams, SessionWriter& writer) {
    SimulatedRun run(plan_, rig_, setup_.truth.sensor, *pad_, press_sign_, setup_.effects.stage,
                     collision_time_s(setup_, plan_));
    pad::PadOutput output;
    std::vector<Event> events;
    double chunk_end_s = kChunk_s;
    double commit_s = kCommit_s;
    while (run.running()) {
      if (ask_ && run.progress().index() >= ask_at_) {
        if (auto written = write(streams, output, events, writer); !written) return written;
        if (auto grown = grow(run, writer); !grown) return grown;
      }
      if (auto stepped = run.step(output, events); !stepped) return stepped;
      if (run.t_s() < chunk_end_s && run.running()) continue;
      chunk_end_s += kChunk_s;
      if (auto written = write(streams, output, events, writer); !written) return written;
      if (run.t_s() >= commit_s) {
        commit_s += kCommit_s;
        if (auto committed = writer.commit(); !committed) return committed;
      }
      if (job_.stopped()) return Job::cancelled();
      job_.progress("synthesise", run.t_s(), std::max(plan_.duration_s, run.t_s()));
    }
    report_.duration_s = run.t_s();
    return {};
  }

  /// The last steps have begun: which come then?
  Result<void> grow(SimulatedRun& run, SessionWriter& writer) {
    if (auto committed = writer.commit(); !committed) return committed;
    const double left_s = plan_.duration_s - plan_.segments[run.progress().index()].begin_s;
    ask_at_ = std::numeric_limits<std::size_t>::max();
    const auto further = ask_(file_, run.t_s() + left_s);
    if (!further) return fail(further.error());
    if (!*further) return {};
    auto protocol = with_steps(protocol_, (*further)->steps_json, "further steps");
    if (!protocol) return fail(protocol.error());
    auto longer = plan_for(setup_, *protocol);
    if (!longer) return fail(longer.error());
    if (!begins_with(*longer, plan_))
      return fail(ErrorCode::kInvalidInput, "further steps change what was planned before them");
    const json told{{"steps", json::parse((*further)->steps_json)}, {"text", (*further)->why}};
    auto event = make_event({std::llround(run.t_s() * 1e6), -6}, "steps", told.dump(), "protocol");
    if (!event) return fail(event.error());
    if (auto added = writer.add_event(*event); !added) return added;
    ask_at_ = plan_.segments.size();
    protocol_ = std::move(*protocol);
    plan_ = std::move(*longer);
    run.plan_grew();
    return {};
  }

  Result<void> write(const RecordedStreams& streams, pad::PadOutput& output,
                     std::vector<Event>& events, SessionWriter& writer) {
    if (auto written = streams.write(output, writer); !written) return written;
    for (const auto& event : events) {
      if (event.name == "press_begin") ++report_.presses;
      if (auto added = writer.add_event(event); !added) return added;
    }
    report_.force_samples += output.force.size();
    report_.frames += output.frames.size();
    output.clear();
    events.clear();
    return {};
  }

  const SynthSetup& setup_;
  Plan plan_;
  Protocol protocol_;
  const AskForSteps& ask_;
  const Job& job_;
  std::filesystem::path file_;
  std::size_t ask_at_ = 0;  // segment with which the last known steps begin
  std::optional<pad::Pad> pad_;
  RigFile rig_;
  SessionMetadata metadata_;
  double press_sign_ = 1;
  SynthReport report_;
};

}  // namespace

Result<SynthReport> SimulatedBench::record(const std::filesystem::path& file, const Job& job,
                                           bool overwrite) const {
  return make(file, {}, job, overwrite);
}

Result<SynthReport> SimulatedBench::record_growing(const std::filesystem::path& file,
                                                   const AskForSteps& ask, const Job& job,
                                                   bool overwrite) const {
  return make(file, ask, job, overwrite);
}

Result<SynthReport> SimulatedBench::make(const std::filesystem::path& file, const AskForSteps& ask,
                                         const Job& job, bool overwrite) const {
  if (std::error_code ignored; !overwrite && std::filesystem::exists(file, ignored))
    return fail(ErrorCode::kIo, "{}: there is a file of this name; choose another or remove it",
                file.string());
  auto partial = PartialPath::begin(file, overwrite);
  if (!partial) return fail(partial.error());
  auto report = Recording(setup_, plan_, ask, job).make(partial->path());
  if (!report) return report;
  const auto compacted = compact_if_room(partial->path(), job);
  if (!compacted) return fail(compacted.error());
  report->warnings.insert(report->warnings.end(), compacted->begin(), compacted->end());
  if (auto kept = partial->keep(); !kept) return fail(kept.error());
  return report;
}

pad::PadTruth truth_with_faults(const pad::PadTruth& truth, const pad::RigDraws& draws) {
  auto result = truth;
  result.tactels = draws.tactels;
  return result;
}

std::string rig_truth_text(const SynthSetup& setup, const pad::RigDraws& draws) {
  const auto rig = setup.rig.value_or(virtual_bench_rig());
  const auto& effects = setup.effects;
  auto document = json::parse(rig.document);
  const auto um = [](double length_m) { return length_m * 1e6; };
  document["compliance_um_per_N"] = um(effects.compliance.linear_m_per_N);
  document["shear_compliance_um_per_N"] = um(effects.compliance.shear_m_per_N);
  document["stage"]["step_um"]["z"] = um(effects.stage.step_m);
  document["stage"]["backlash_um"]["z"] = um(effects.stage.backlash_m);
  document["surface"] = {{"z0_mm", m_to_mm(rig.surface.z0_m + draws.surface_error_m)},
                         {"tilt_x_deg", draws.tilt_x_rad / deg_to_rad(1)},
                         {"tilt_y_deg", draws.tilt_y_rad / deg_to_rad(1)}};
  document["truth"] = {
      {"force_gain", draws.force_gain},
      {"force_noise_mN", effects.force.noise_N * 1e3},
      {"force_noise_stepping_mN", std::max(effects.force.noise_stepping_N, 0.0) * 1e3},
      {"seating_um", um(effects.compliance.seating_m)},
      {"seating_force_N", effects.compliance.seating_force_N},
      {"surface_drift_um_per_h", um(effects.surface.drift_m_per_s) * 3600},
      {"lost_steps_per_h", effects.stage.lost_steps_per_hour},
      {"clock_ppm", {{"force", draws.force_skew * 1e6}, {"tactile", draws.tactile_skew * 1e6}}},
      {"remount_mm", {m_to_mm(draws.shift_x_m), m_to_mm(draws.shift_y_m)}},
      {"remount_deg", draws.shift_rz_rad / deg_to_rad(1)}};
  if (effects.force.axes_differ) {
    document["truth"]["force_gains"] = draws.force_gains;
    auto drawn = effects;  // as simulated: a rig file's statements won
    for (const auto& constant : pad::rig_constants())
      document["truth"]["constants"][std::string(constant.name)] =
          constant.in(drawn)*constant.per_SI;
  }
  if (!draws.ring_hz.empty()) {
    document["truth"]["step_ring_hz"] = draws.ring_hz;
    document["truth"]["step_ring_damping"] = draws.ring_damping;
  }
  return document.dump(2) + "\n";
}

}  // namespace tactelier::synth
