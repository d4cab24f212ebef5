// pack

#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/json_values.hpp"
#include "app/workflow/pack/pack.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kShown = 10;

json files_json(const std::vector<PackedFile>& files) {
  auto list = json::array();
  for (const auto& file : files)
    list.push_back(
        {{"name", file.name}, {"role", file.role}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return list;
}

int run_packing(Console& console, const PackArguments& arguments) {
  PackRequest request;
  request.model = arguments.model;
  request.sessions.assign(arguments.sessions.begin(), arguments.sessions.end());
  request.added.assign(arguments.added.begin(), arguments.added.end());
  request.target = arguments.output;
  request.overwrite = arguments.replace;
  const auto packed = pack(request, console.job());
  if (!packed) return console.fail(packed.error());
  console.print(fmt::format("{}: {} files, {:.1f} MB; tactelier pack --verify {} reruns it\n",
                            arguments.output, packed->files.size(),
                            static_cast<double>(packed->bytes) / 1e6, arguments.output));
  return console.finish({{"file", arguments.output},
                         {"bytes", packed->bytes},
                         {"files", files_json(packed->files)},
                         {"rerun", nullptr}},
                        packed->warnings);
}

std::string number_text(const std::optional<double>& number) {
  return number ? fmt::format("{:.9g}", *number) : "none";
}

std::string verdict_text(const RerunOutcome& rerun, const std::string& archive) {
  if (rerun.differences.empty())
    return fmt::format("{}: {} files whole, all {} numbers are the same to the last digit\n",
                       archive, rerun.files, rerun.numbers);
  auto text =
      fmt::format("{}: {} files whole, {} of {} numbers differ{}\n", archive, rerun.files,
                  rerun.differences.size(), rerun.numbers,
                  rerun.same() ? ", none by more than a hundredth of its standard error" : "");
  for (std::size_t i = 0; i < std::min(kShown, rerun.differences.size()); ++i) {
    const auto& one = rerun.differences[i];
    text += fmt::format("  {}: {}, now {}{}\n", one.path, number_text(one.packed),
                        number_text(one.rerun),
                        one.sigmas ? fmt::format(" ({:.2g} standard errors)", *one.sigmas) : "");
  }
  return text;
}

json differences_json(const RerunOutcome& rerun) {
  auto list = json::array();
  for (const auto& one : rerun.differences)
    list.push_back({{"path", one.path},
                    {"packed", or_null(one.packed)},
                    {"rerun", or_null(one.rerun)},
                    {"sigmas", or_null(one.sigmas)}});
  return list;
}

int run_verifying(Console& console, const std::string& archive) {
  const auto rerun = verify_pack(archive, console.job());
  if (!rerun) return console.fail(rerun.error());
  console.print(verdict_text(*rerun, archive));
  if (rerun->packed_by != rerun->rerun_by)
    console.note(fmt::format("fitted by {}, rerun by {}\n", rerun->packed_by, rerun->rerun_by));
  return console.finish({{"file", archive},
                         {"bytes", nullptr},
                         {"files", rerun->files},
                         {"rerun",
                          {{"packed_by", rerun->packed_by},
                           {"rerun_by", rerun->rerun_by},
                           {"numbers", rerun->numbers},
                           {"same", rerun->same()},
                           {"differences", differences_json(*rerun)}}}},
                        {}, rerun->same() ? kExitDone : kExitMissingResult);
}

}  // namespace

int run_pack(Console& console, const PackArguments& arguments) {
  if (!arguments.verify.empty()) return run_verifying(console, arguments.verify);
  if (arguments.model.empty() || arguments.sessions.empty() || arguments.output.empty())
    return console.fail(
        {ErrorCode::kUsage, "give MODEL SESSION... -o FILE.zip, or --verify ARCHIVE.zip"});
  return run_packing(console, arguments);
}

}  // namespace tactelier::cli
