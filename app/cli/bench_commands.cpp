// bench

#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json result_of(const StartedBench& started) {
  const auto& at = started.bench->endpoints();
  const auto path = [](const std::optional<std::filesystem::path>& file) {
    return file ? json(file->string()) : json(nullptr);
  };
  json endpoints{{"stage", at.stage},
                 {"force", at.force},
                 {"tactile", at.tactile},
                 {"bench_control", at.control}};
  if (!at.force_web.empty()) {
    endpoints["force_web"] = at.force_web;
    endpoints["force_command"] = at.force_command;
  }
  if (!at.encoder.empty()) endpoints["encoder"] = at.encoder;
  return {{"endpoints", endpoints},
          {"devices", json::parse(started.device_file)},
          {"truth", path(started.truth)},
          {"rig_truth", path(started.rig_truth)}};
}

}  // namespace

int run_bench(Console& console, const BenchRequest& request) {
  const auto started = start_bench(request);
  if (!started) return console.fail(started.error());
  const auto& at = started->bench->endpoints();
  console.print_now(fmt::format(
      "stage          {}\nforce sensor   {}{}{}\ntactile array  {}\nbench control  {}\n", at.stage,
      at.force, at.force_web.empty() ? "" : ", ", at.force_web, at.tactile, at.control));
  if (!at.encoder.empty()) console.print_now(fmt::format("encoder        {}\n", at.encoder));
  if (request.write_devices)
    console.print_now(fmt::format("device file    {}\n", request.write_devices->string()));
  console.announce(result_of(*started), started->warnings);
  console.note("The virtual bench runs; Ctrl-C ends it.");
  console.wait_for_interrupt();
  return kExitDone;
}

}  // namespace tactelier::cli
