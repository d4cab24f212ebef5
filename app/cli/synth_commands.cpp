// synth

#include <cmath>

#include "app/cli/commands.hpp"
#include "app/workflow/json_values.hpp"
#include "app/workflow/session_info.hpp"
#include "libcalib/protocol/plan_table.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json plan_json(const Plan& plan) {
  auto steps = json::array();
  for (const auto& step : plan.steps)
    steps.push_back({{"step", step.label},
                     {"do", step.name},
                     {"what", step.what},
                     {"begin_s", step.begin_s},
                     {"duration_s", step.duration_s},
                     {"presses", step.presses},
                     {"peak_force_N", step.peak_force_N},
                     {"worst_force_N", step.worst_force_N},
                     {"peak_depth_m", step.peak_depth_m}});
  return steps;
}

json predictions_json(std::span<const Prediction> predictions) {
  auto list = json::array();
  for (const auto& p : predictions)
    list.push_back({{"path", p.path},
                    {"unit", p.unit},
                    {"value", or_null(p.value)},
                    {"u", or_null(p.u)},
                    {"determined", p.determined},
                    {"of", p.of},
                    {"reason", p.reason}});
  return list;
}

std::string prediction_text(const Prediction& p) {
  if (p.determined == 0) return fmt::format("  {:<36} no   {}\n", p.path, p.reason);
  auto text = fmt::format("  {:<36} yes", p.path);
  if (p.of > 1) text += fmt::format("  {} of {}", p.determined, p.of);
  if (p.value && p.u)
    text += fmt::format("  {:.4g} +- {:.2g} {} ({:.2g} %)", *p.value, *p.u, p.unit,
                        *p.value != 0 ? 100 * *p.u / std::abs(*p.value) : 0.0);
  return text + "\n";
}

}  // namespace

namespace {

int tell_synth(Console& console, const SynthOutcome& outcome) {
  const auto* made = &outcome;
  console.print(fmt::format("{}: {}, {} presses, {} force samples, {} frames\n",
                            made->recording.string(), duration_text(made->duration_s),
                            made->presses, made->force_samples, made->frames));
  console.print(findings_text(made->recording));
  console.note(fmt::format("truth: {}, {}", made->truth.string(), made->rig_truth.string()));
  return console.finish({{"session", made->recording.string()},
                         {"truth", made->truth.string()},
                         {"rig_truth", made->rig_truth.string()},
                         {"duration_s", made->duration_s},
                         {"force_samples", made->force_samples},
                         {"frames", made->frames},
                         {"presses", made->presses},
                         {"plan", nullptr},
                         {"predictions", nullptr}},
                        made->warnings);
}

}  // namespace

int run_synth(Console& console, const SynthRequest& request) {
  if (const auto protocol = load_protocol(request.protocol))
    if (auto wish = wish_in(*protocol)) {
      wish->seed = request.seed;
      return run_synth_until(console, request, *wish);
    }
  const auto made = synth_session(request, console.job());
  return made ? tell_synth(console, *made) : console.fail(made.error());
}

int run_synth_until(Console& console, const SynthRequest& request, const AdaptiveWish& wish) {
  AdaptiveNews last;
  const auto tell = [&](const AdaptiveNews& news) {
    last = news;
    if (news.state.targets.empty() || news.state.done) return;
    console.note(choice_words(news));
  };
  const auto made = synth_until(request, wish, tell, console.job());
  if (!made) return console.fail(made.error());
  console.print(outcome_text(last.state));
  return tell_synth(console, *made);
}

int run_synth_dry(Console& console, const SynthRequest& request) {
  const auto plan = plan_synth(request);
  if (!plan) return console.fail(plan.error());
  console.print(plan_text(*plan));
  const auto run = rehearse(request, console.job());
  if (!run) return console.fail(run.error());
  console.print("\nWhat it will identify, at the expected parameters (95 %):\n");
  for (const auto& prediction : run->predictions) console.print(prediction_text(prediction));
  return console.finish({{"session", nullptr},
                         {"truth", nullptr},
                         {"rig_truth", nullptr},
                         {"duration_s", run->plan.duration_s},
                         {"force_samples", 0},
                         {"frames", 0},
                         {"presses", run->plan.presses},
                         {"plan", plan_json(run->plan)},
                         {"predictions", predictions_json(run->predictions)}},
                        run->warnings);
}

}  // namespace tactelier::cli
