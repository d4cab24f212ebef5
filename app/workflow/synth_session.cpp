#include "app/workflow/synth_session.hpp"

#include <algorithm>

#include "app/workflow/simulated_truth.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/pad/drawn_effects.hpp"

namespace tactelier {
namespace {

Result<pad::DrawOptions> draw_options(const SynthRequest& request) {
  auto options = tactelier::draw_options(request.preset);
  const std::vector<std::string> known(kDrawn.begin(), kDrawn.end());
  for (const auto& name : request.draw) {
    if (name == "relaxation")
      options.relaxation = true;
    else if (name == "none")
      options.relaxation = false;
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

Result<SimulatedTruth> truth_of(const SynthRequest& request) {
  if (request.truth && !request.draw.empty())
    return fail(ErrorCode::kUsage, "--draw is for drawn truths; --truth says it all");
  return draw_options(request).and_then([&](const pad::DrawOptions& options) {
    return simulated_truth(request.truth, request.sensor, request.seed, options);
  });
}

Result<pad::Effects> effects_of(const SynthRequest& request) {
  auto effects = pad::drawn_preset(request.preset, request.seed);
  if (!effects) return effects;
  const bool as_motors_do = request.steps.empty() && request.preset != "clean";
  if (as_motors_do || request.steps == "ringing") {
    pad::let_steps_ring(effects->stage);
  } else if (!request.steps.empty() && request.steps != "ticks") {
    const std::vector<std::string> known(kStageSteps.begin(), kStageSteps.end());
    return fail(ErrorCode::kUsage, "--steps {}: unknown{}; there are {}", request.steps,
                did_you_mean(request.steps, known), fmt::join(known, ", "));
  }
  return effects;
}

struct Prepared {
  synth::SynthSetup setup;
  Warnings warnings;
};

Result<Prepared> prepare(const SynthRequest& request, bool with_protocol = true) {
  Prepared prepared;
  auto& setup = prepared.setup;
  const auto effects = effects_of(request);
  if (!effects) return fail(effects.error());
  setup.effects = *effects;
  setup.preset = request.preset;
  setup.seed = request.seed;
  if (with_protocol) {
    auto protocol = load_protocol(request.protocol);
    if (!protocol) return fail(protocol.error());
    setup.protocol = std::move(*protocol);
  }
  auto truth = truth_of(request);
  if (!truth) return fail(truth.error());
  setup.truth = std::move(truth->pad);
  setup.serial = truth->serial;
  prepared.warnings = std::move(truth->warnings);
  if (request.rig) {
    auto rig = load_rig(request.rig->string());
    if (!rig) return fail(rig.error());
    setup.rig = std::move(*rig);
  }
  return prepared;
}

}  // namespace

Result<Plan> plan_synth(const SynthRequest& request) {
  auto prepared = prepare(request);
  if (!prepared) return fail(prepared.error());
  const auto bench = synth::SimulatedBench::create(std::move(prepared->setup));
  if (!bench) return fail(bench.error());
  return bench->plan();
}

namespace {

using RecordOnBench = std::function<Result<synth::SynthReport>(const synth::SimulatedBench&)>;

Result<SynthOutcome> recorded(const SynthRequest& request, Prepared prepared,
                              const RecordOnBench& record) {
  SynthOutcome outcome;
  outcome.recording = request.target;
  outcome.truth = request.write_truth.value_or(path_beside(request.target, ".truth.json"));
  outcome.rig_truth = path_beside(request.target, ".rig-truth.json");
  const auto bench = synth::SimulatedBench::create(std::move(prepared.setup));
  if (!bench) return fail(bench.error());
  const auto report = record(*bench);
  if (!report) return fail(report.error());
  const auto written =
      write_truths(bench->setup(), report->draws, outcome.truth, outcome.rig_truth);
  if (!written) return fail(written.error());
  outcome.duration_s = report->duration_s;
  outcome.force_samples = report->force_samples;
  outcome.frames = report->frames;
  outcome.presses = report->presses;
  outcome.warnings = std::move(prepared.warnings);
  outcome.warnings.insert(outcome.warnings.end(), report->warnings.begin(), report->warnings.end());
  return outcome;
}

Result<void> check_target(const SynthRequest& request) {
  if (request.target.extension() == ".tact") return {};
  return fail(ErrorCode::kUsage, "'{}': a recording is called NAME.tact", request.target.string());
}

}  // namespace

Result<SynthOutcome> synth_session(const SynthRequest& request, const Job& job) {
  if (auto named = check_target(request); !named) return fail(named.error());
  auto prepared = prepare(request);
  if (!prepared) return fail(prepared.error());
  return recorded(request, std::move(*prepared), [&](const synth::SimulatedBench& bench) {
    return bench.record(request.target, job, request.overwrite);
  });
}

Result<SynthOutcome> synth_until(const SynthRequest& request, const AdaptiveWish& wish,
                                 const std::function<void(const AdaptiveNews&)>& on_state,
                                 const Job& job) {
  if (auto named = check_target(request); !named) return fail(named.error());
  auto prepared = prepare(request, !request.protocol.empty());
  if (!prepared) return fail(prepared.error());
  auto& setup = prepared->setup;
  const auto rig = setup.rig ? *setup.rig : virtual_bench_rig();
  auto adaptive = AdaptiveRecording::create(setup.truth.sensor, rig, wish, on_state);
  if (!adaptive) return fail(adaptive.error());
  const bool own = !request.protocol.empty();  // whose targets these are
  if (own) {
    if (auto begun = adaptive->begin_with(setup.protocol); !begun) return fail(begun.error());
  } else {
    setup.protocol = adaptive->opening();
  }
  const synth::AskForSteps ask = [&](const std::filesystem::path& so_far,
                                     double end_s) -> Result<std::optional<synth::FurtherSteps>> {
    auto next = adaptive->after(so_far, end_s, job);
    if (!next) return fail(next.error());
    if (!*next) return std::nullopt;
    return synth::FurtherSteps{std::move((*next)->steps_json), std::move((*next)->why)};
  };
  return recorded(request, std::move(*prepared), [&](const synth::SimulatedBench& bench) {
    return bench.record_growing(request.target, ask, job, request.overwrite);
  });
}

}  // namespace tactelier
