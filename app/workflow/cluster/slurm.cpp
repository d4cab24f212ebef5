#include "app/workflow/cluster/slurm.hpp"

#include <algorithm>
#include <charconv>
#include <regex>
#include <sstream>

#include "app/workflow/captured_command.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashLetters = 8;

/// "1-20,23": as --array takes it.
std::string ranges(const std::vector<int>& elements) {
  std::string text;
  for (std::size_t first = 0; first < elements.size();) {
    auto last = first;
    while (last + 1 < elements.size() && elements[last + 1] == elements[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += first == last ? fmt::format("{}", elements[first])
                          : fmt::format("{}-{}", elements[first], elements[last]);
    first = last + 1;
  }
  return text;
}

/// In --output a % begins a field, and sbatch wants quotes around blanks.
std::string log_pattern(const fs::path& folder) {
  std::string text;
  for (const char letter : (folder / "logs").string())
    text += letter == '%' ? "%%" : std::string(1, letter);
  return fmt::format("\"{}/%a.log\"", text);
}

tl::unexpected<Error> slurm_failure(const std::string& command, const CommandOutput& output) {
  auto words = output.err.empty() ? output.out : output.err;
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return fail(ErrorCode::kIo, "{} ended with status {}: {}", command, output.status, words);
}

Result<CommandOutput> ask_slurm(const std::vector<std::string>& command) {
  auto output = run_command(command);
  if (!output)
    return fail(ErrorCode::kIo,
                "{}; this needs Slurm's commands: run it where you submit jobs (docs/cluster.md)",
                output.error().message);
  if (output->status != 0) return slurm_failure(command[0], *output);
  return output;
}

/// "17|3|RUNNING|tactelier-fleet-3fa2c11b".
std::optional<QueuedElement> queued_from(const std::string& line, const std::string& name) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '|');) fields.push_back(field);
  if (fields.size() != 4 || fields[3] != name) return std::nullopt;
  QueuedElement queued{fields[0], 0, fields[2]};
  std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), queued.element);
  return queued;
}

Result<void> check_word(const std::string& option, const std::string& word, const char* expression,
                        const std::string& example) {
  if (word.empty() || std::regex_match(word, std::regex(expression))) return {};
  return fail(ErrorCode::kUsage, "{} '{}': give it as sbatch takes it, such as {}", option, word,
              example);
}

}  // namespace

Result<void> check_settings(const SlurmSettings& settings) {
  if (auto ok = check_word("--partition", settings.partition, "[\\w.,-]+", "short"); !ok) return ok;
  if (auto ok = check_word("--account", settings.account, "[\\w.-]+", "lab42"); !ok) return ok;
  if (auto ok = check_word("--time", settings.time, R"(\d+(-\d+)?(:\d+){0,2})", "30 or 1:30:00");
      !ok)
    return ok;
  if (auto ok = check_word("--memory", settings.memory, "\\d+[KMGT]?", "2G"); !ok) return ok;
  for (const auto& directive : settings.directives)
    if (auto ok = check_word("--sbatch", directive, "--[^\\n]+", "--qos=long"); !ok) return ok;
  if (settings.prepare.find('\n') != std::string::npos)
    return fail(ErrorCode::kUsage, "--prepare: one line of shell");
  return {};
}

std::string slurm_name(const fs::path& place) {
  const auto whole = fs::absolute(place).lexically_normal();
  std::string stem;
  for (const char letter : whole.stem().string())
    stem += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return fmt::format("tactelier-{}-{}", stem, text_hash(whole.string()).substr(0, kHashLetters));
}

std::string shell_word(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

fs::path script_of(const SlurmArray& array) { return array.folder / "array.sh"; }

fs::path log_of(const fs::path& folder, int element) {
  return folder / "logs" / fmt::format("{}.log", element);
}

std::string slurm_script(const SlurmArray& array, const SlurmSettings& settings) {
  std::string text = fmt::format("#!/bin/bash\n# {}\n# By hand: sbatch {}\n", array.what,
                                 shell_word(script_of(array).string()));
  const auto directive = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) text += fmt::format("#SBATCH --{}={}\n", option, value);
  };
  directive("job-name", array.name);
  directive("array", ranges(array.elements) +
                         (settings.at_once > 0 ? fmt::format("%{}", settings.at_once) : ""));
  directive("output", log_pattern(array.folder));
  directive("partition", settings.partition);
  directive("account", settings.account);
  directive("time", settings.time);
  directive("mem", settings.memory);
  directive("cpus-per-task", fmt::format("{}", settings.processors));
  for (const auto& further : settings.directives) text += fmt::format("#SBATCH {}\n", further);
  text += "\nset -u\n";
  if (!settings.prepare.empty()) text += settings.prepare + "\n";
  return text + array.body;
}

Result<void> write_array(const SlurmArray& array, const SlurmSettings& settings) {
  if (auto ok = check_settings(settings); !ok) return ok;
  std::error_code error;
  fs::create_directories(array.folder / "logs", error);
  if (error) return fail(ErrorCode::kIo, "'{}': {}", array.folder.string(), error.message());
  return write_text_file(script_of(array), slurm_script(array, settings));
}

Result<std::string> submit_array(const SlurmArray& array) {
  const auto output = ask_slurm({"sbatch", "--parsable", script_of(array).string()});
  if (!output) return fail(output.error());
  // "17", or "17;cluster" where there are several
  return output->out.substr(0, output->out.find_first_of(";\n"));
}

Result<std::vector<QueuedElement>> queued_elements(const std::string& name) {
  const auto output =
      ask_slurm({"squeue", "--me", "--noheader", "--array", "--format=%F|%K|%T|%j"});
  if (!output) return fail(output.error());
  std::vector<QueuedElement> all;
  std::istringstream lines(output->out);
  for (std::string line; std::getline(lines, line);)
    if (auto queued = queued_from(line, name)) all.push_back(std::move(*queued));
  return all;
}

std::string queue_words(const std::vector<QueuedElement>& queued) {
  const auto waiting = std::ranges::count(queued, "PENDING", &QueuedElement::state);
  return fmt::format("job {}: {} elements run, {} wait", queued.empty() ? "?" : queued[0].job,
                     static_cast<std::ptrdiff_t>(queued.size()) - waiting, waiting);
}

}  // namespace tactelier
