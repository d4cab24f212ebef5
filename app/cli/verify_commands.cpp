// verify-export

#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/export_model.hpp"

namespace tactelier::cli {
namespace {

int write_script(Console& console, const VerifyArguments& arguments) {
  auto script = verify_script_of(arguments.request);
  if (!script) return console.fail(script.error());
  const Exported file{std::move(*script), {}, {}, {}};
  if (auto written = write_export(file, arguments.script, arguments.replace); !written)
    return console.fail(written.error());
  console.print(
      fmt::format("{}: run it where the simulator is; it writes the record\n", arguments.script));
  return console.finish({{"file", arguments.script}, {"passed", nullptr}, {"record", nullptr}}, {});
}

}  // namespace

int run_verify_export(Console& console, const VerifyArguments& arguments) {
  if (!arguments.script.empty()) return write_script(console, arguments);
  const auto& record = arguments.record;
  if (!record.empty())
    if (auto free = may_write_verification(record, arguments.replace); !free)
      return console.fail(free.error());
  const auto verified = verify_export(arguments.request, console.job());
  if (!verified) return console.fail(verified.error());
  if (!record.empty())
    if (auto written = write_verification(*verified, record, arguments.replace); !written)
      return console.fail(written.error());
  console.print(verification_sections(*verified));
  const bool passed = verified->passed();
  if (!passed) console.note("the exported pad does not do in its target what the model says");
  return console.finish(
      {{"file", record.empty() ? nlohmann::json(nullptr) : nlohmann::json(record)},
       {"passed", passed},
       {"record", nlohmann::json::parse(to_json(*verified))}},
      {}, passed ? kExitDone : kExitMissingResult);
}

}  // namespace tactelier::cli
