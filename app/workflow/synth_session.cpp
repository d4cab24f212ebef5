#include "app/workflow/synth_session.hpp"

#include <algorithm>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/pad/truth.hpp"
#include "libcalib/synth/synth.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

Result<pad::DrawOptions> draw_options(std::span<const std::string> names) {
  pad::DrawOptions options;
  options.relaxation = false;
  const std::vector<std::string> known(kDrawn.begin(), kDrawn.end());
  for (const auto& name : names) {
    if (name == "relaxation")
      options.relaxation = true;
    else if (name == "hardening")
      options.hardening = true;
    else if (name == "student")
      options.student_tails = true;
    else if (name == "anisotropic")
      options.anisotropic = true;
    else
      return fail(ErrorCode::kUsage, "--draw {}: unknown{}; there are {}", name,
                  did_you_mean(name, known), fmt::join(known, ", "));
  }
  return options;
}

Result<pad::PadTruth> truth_of(const SynthRequest& request, std::string& serial,
                               Warnings& warnings) {
  if (request.truth) {
    if (!request.draw.empty())
      return fail(ErrorCode::kUsage, "--draw is for drawn truths; --truth says it all");
    const auto model = read_model(*request.truth);
    if (!model) return fail(model.error());
    auto truth = pad::truth_from_model(*model);
    if (!truth) return fail(truth.error(), request.truth->string());
    serial = model->serial;
    warnings.insert(warnings.end(), truth->warnings.begin(), truth->warnings.end());
    return std::move(truth->truth);
  }
  const auto options = draw_options(request.draw);
  if (!options) return fail(options.error());
  const auto sensor = load_sensor(request.sensor);
  if (!sensor) return fail(sensor.error());
  return pad::draw_truth(*sensor, request.seed, *options);
}

struct Prepared {
  synth::SynthSetup setup;
  Warnings warnings;
};

Result<Prepared> prepare(const SynthRequest& request) {
  Prepared prepared;
  auto& setup = prepared.setup;
  const auto effects = pad::preset(request.preset);
  if (!effects) return fail(effects.error());
  setup.effects = *effects;
  setup.preset = request.preset;
  setup.seed = request.seed;
  auto protocol = load_protocol(request.protocol);
  if (!protocol) return fail(protocol.error());
  setup.protocol = std::move(*protocol);
  auto truth = truth_of(request, setup.serial, prepared.warnings);
  if (!truth) return fail(truth.error());
  setup.truth = std::move(*truth);
  if (request.rig) {
    auto rig = load_rig(request.rig->string());
    if (!rig) return fail(rig.error());
    setup.rig = std::move(*rig);
  }
  return prepared;
}

std::filesystem::path beside(const std::filesystem::path& recording, std::string_view ending) {
  auto path = recording;
  path.replace_extension();
  path += ending;
  return path;
}

Result<void> write_truths(const synth::SynthSetup& setup, const pad::RigDraws& draws,
                          const SynthOutcome& outcome) {
  auto model = pad::model_from_truth(synth::truth_with_faults(setup.truth, draws));
  if (!model) return fail(model.error());
  model->serial = setup.serial;
  if (auto written = write_model(*model, outcome.truth); !written) return written;
  return write_text_file(outcome.rig_truth, synth::rig_truth_text(setup, draws));
}

}  // namespace

Result<Plan> plan_synth(const SynthRequest& request) {
  auto prepared = prepare(request);
  if (!prepared) return fail(prepared.error());
  const auto bench = synth::SimulatedBench::create(std::move(prepared->setup));
  if (!bench) return fail(bench.error());
  return bench->plan();
}

Result<SynthOutcome> synth_session(const SynthRequest& request, const Job& job) {
  if (request.target.extension() != ".tact")
    return fail(ErrorCode::kUsage, "'{}': a recording is called NAME.tact",
                request.target.string());
  auto prepared = prepare(request);
  if (!prepared) return fail(prepared.error());
  SynthOutcome outcome;
  outcome.recording = request.target;
  outcome.truth = request.write_truth.value_or(beside(request.target, ".truth.json"));
  outcome.rig_truth = beside(request.target, ".rig-truth.json");
  const auto bench = synth::SimulatedBench::create(std::move(prepared->setup));
  if (!bench) return fail(bench.error());
  const auto report = bench->record(request.target, job);
  if (!report) return fail(report.error());
  if (auto written = write_truths(bench->setup(), report->draws, outcome); !written)
    return fail(written.error());
  outcome.duration_s = report->duration_s;
  outcome.force_samples = report->force_samples;
  outcome.frames = report->frames;
  outcome.presses = report->presses;
  outcome.warnings = std::move(prepared->warnings);
  outcome.warnings.insert(outcome.warnings.end(), report->warnings.begin(), report->warnings.end());
  return outcome;
}

}  // namespace tactelier
