// verify-export

#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {

int run_verify_export(Console& console, const VerifyArguments& arguments) {
  const auto& record = arguments.record;
  const auto verified = verify_export(arguments.request, console.job());
  if (!verified) return console.fail(verified.error());
  if (!record.empty())
    if (auto written = write_verification(*verified, record, arguments.replace); !written)
      return console.fail(written.error());
  console.print(to_text(verification_sections(*verified)));
  const bool passed = verified->verification.passed();
  if (!passed) console.note("the exported pad does not do in its target what the model says");
  return console.finish(
      {{"file", record.empty() ? nlohmann::json(nullptr) : nlohmann::json(record)},
       {"passed", passed},
       {"record", nlohmann::json::parse(to_json(*verified))}},
      {}, passed ? kExitDone : kExitMissingResult);
}

}  // namespace tactelier::cli
