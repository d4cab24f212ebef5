#include "app/workflow/batch/submit_batch.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "app/workflow/batch/feed_catalogue.hpp"
#include "app/workflow/batch/run_batch.hpp"
#include "app/workflow/batch/worker.hpp"
#include "app/workflow/command_line_program.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxElements = 1000;  // what a cluster takes unless told otherwise
constexpr std::size_t kMaxList = 64U << 20U;
constexpr const char* kList = "elements.txt";

using Groups = std::vector<std::vector<std::string>>;

fs::path submissions_of(const BatchPlan& plan) {
  return fs::absolute(plan.file).lexically_normal().replace_extension(".slurm");
}

/// 0 where there is none yet.
int last_submission(const BatchPlan& plan) {
  int last = 0;
  while (fs::exists(submissions_of(plan) / fmt::format("{}", last + 1) / kList)) ++last;
  return last;
}

fs::path submission_folder(const BatchPlan& plan, int number) {
  return submissions_of(plan) / fmt::format("{}", number);
}

Groups grouped(const std::vector<std::string>& sensors, int wanted) {
  const std::size_t least = (sensors.size() + kMaxElements - 1) / kMaxElements;
  const auto size = wanted > 0 ? static_cast<std::size_t>(wanted) : std::max<std::size_t>(1, least);
  Groups groups;
  for (std::size_t first = 0; first < sensors.size(); first += size)
    groups.emplace_back(
        sensors.begin() + static_cast<std::ptrdiff_t>(first),
        sensors.begin() + static_cast<std::ptrdiff_t>(std::min(first + size, sensors.size())));
  return groups;
}

std::string list_text(const Groups& groups) {
  std::string text;
  for (const auto& group : groups) text += fmt::format("{}\n", fmt::join(group, " "));
  return text;
}

/// The groups of the last submission, element 1 first.
Result<Groups> submitted_groups(const BatchPlan& plan) {
  const int last = last_submission(plan);
  if (last == 0) return Groups();
  const auto text = read_text_file(submission_folder(plan, last) / kList, kMaxList);
  if (!text) return fail(text.error());
  Groups groups;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    groups.emplace_back(std::istream_iterator<std::string>(words),
                        std::istream_iterator<std::string>());
  }
  return groups;
}

/// A sensor that fails leaves its result and the element goes on; so it does after a crash, and
/// ends with that status.
std::string element_body(const BatchPlan& plan, const SubmitRequest& request,
                         const fs::path& folder) {
  const auto program = request.program.empty() ? command_line_program() : request.program;
  return fmt::format(
      "tactelier={}\nplan={}\n"
      "sensors=$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" {})\n"
      "crash=0\n"
      "for sensor in $sensors; do\n"
      "  \"$tactelier\" batch run \"$plan\" --only \"$sensor\" --threads "
      "\"$SLURM_CPUS_PER_TASK\"{}\n"
      "  status=$?\n"
      "  case $status in 0 | 3 | 5) ;; *) crash=$status ;; esac  # 3 and 5: told in the result\n"
      "done\n"
      "exit $crash\n",
      shell_word(fs::absolute(program).string()),
      shell_word(fs::absolute(plan.file).lexically_normal().string()),
      shell_word((folder / kList).string()), request.retry_failed ? " --anew" : "");
}

SlurmArray array_of(const BatchPlan& plan, const SubmitRequest& request, const Groups& groups) {
  SlurmArray array;
  array.name = slurm_name(plan.file);
  array.folder = submission_folder(plan, last_submission(plan) + 1);
  array.what = fmt::format("Fits sensors of {}: element I those of line I of {}.",
                           plan.file.filename().string(), kList);
  for (std::size_t i = 1; i <= groups.size(); ++i) array.elements.push_back(static_cast<int>(i));
  array.body = element_body(plan, request, array.folder);
  return array;
}

std::vector<std::string> due_sensors(const std::vector<SensorStatus>& all, bool retry_failed) {
  std::vector<std::string> due;
  for (const auto& status : all)
    if (status.standing != Standing::kUpToDate || (retry_failed && status.failed()))
      due.push_back(status.sensor->id);
  return due;
}

Result<void> nothing_queued(const BatchPlan& plan) {
  const auto queued = queued_elements(slurm_name(plan.file));
  if (!queued) return fail(queued.error());
  if (queued->empty()) return {};
  return fail(ErrorCode::kUsage,
              "{}: {} of this plan; 'batch collect --wait' waits for them, 'scancel {}' takes them "
              "back",
              plan.file.string(), queue_words(*queued), queued->front().job);
}

/// From one look at the queue to the next ever longer: an array of hours is no hurry.
class QueueWatch {
 public:
  explicit QueueWatch(const Job& job) : job_(job) {}

  /// False when it was stopped.
  bool pause(std::size_t queued) {
    most_ = std::max(most_, queued);
    job_.progress("waiting for the cluster", static_cast<double>(most_ - queued),
                  static_cast<double>(most_));
    const auto end = std::chrono::steady_clock::now() + next_;
    while (!job_.stopped() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    next_ = std::min(next_ * 3 / 2, kLongest);
    return !job_.stopped();
  }

 private:
  static constexpr std::chrono::milliseconds kLongest{30000};
  const Job& job_;
  std::chrono::milliseconds next_{1000};
  std::size_t most_ = 0;
};

Result<std::vector<QueuedElement>> queue_when_asked(const BatchPlan& plan, bool wait,
                                                    const Job& job) {
  QueueWatch watch(job);
  while (true) {
    auto queued = queued_elements(slurm_name(plan.file));
    if (!queued || queued->empty() || !wait) return queued;
    if (!watch.pause(queued->size()))
      return fail(ErrorCode::kCancelled, "no longer waiting; {} goes on", queue_words(*queued));
  }
}

/// What is known of each sensor beside its result.
class ElementsOfSensors {
 public:
  ElementsOfSensors(const Groups& groups, const std::vector<QueuedElement>& queued) {
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (const auto& sensor : groups[i]) element_[sensor] = static_cast<int>(i + 1);
    for (const auto& each : queued) queued_.insert(each.element);
  }
  int element_of(const std::string& sensor) const {
    const auto found = element_.find(sensor);
    return found == element_.end() ? 0 : found->second;
  }
  bool in_queue(const std::string& sensor) const { return queued_.contains(element_of(sensor)); }

 private:
  std::map<std::string, int> element_;
  std::set<int> queued_;
};

/// Nothing of an element that never began: Slurm makes the log at the start.
std::optional<std::string> lost_words(const BatchPlan& plan, int element) {
  const auto log = log_of(submission_folder(plan, last_submission(plan)), element);
  if (!fs::exists(log)) return std::nullopt;
  return fmt::format("element {} ended without a result; {}", element, last_words(log));
}

void sort_out(const BatchPlan& plan, const std::vector<SensorStatus>& all,
              const ElementsOfSensors& elements, Collected& collected) {
  for (const auto& status : all) {
    const auto& id = status.sensor->id;
    const auto words = status.result ? std::nullopt : lost_words(plan, elements.element_of(id));
    if (elements.in_queue(id))
      collected.queued.push_back(id);
    else if (status.standing == Standing::kUpToDate)
      collected.results.push_back(*status.result);
    else if (words)
      collected.lost.push_back({id, *words});
    else
      collected.waiting.push_back(id);
  }
}

}  // namespace

Result<Submission> submit_batch(const BatchPlan& plan, const SubmitRequest& request,
                                const Job& job) {
  if (auto ok = check_settings(request.slurm); !ok) return fail(ok.error());
  if (!request.dry_run)
    if (auto free = nothing_queued(plan); !free) return fail(free.error());
  const auto all = batch_status(plan, job);
  if (!all) return fail(all.error());
  const auto due = due_sensors(*all, request.retry_failed);
  Submission submission;
  submission.sensors = due.size();
  submission.up_to_date = all->size() - due.size();
  if (due.empty()) return submission;
  const auto groups = grouped(due, request.group);
  const auto array = array_of(plan, request, groups);
  submission.elements = groups.size();
  submission.script = script_of(array);
  if (auto written = write_array(array, request.slurm); !written) return fail(written.error());
  if (auto written = write_text_file(array.folder / kList, list_text(groups)); !written)
    return fail(written.error());
  if (request.dry_run) return submission;
  const auto number = submit_array(array);
  if (!number) return fail(number.error());
  submission.job = *number;
  return submission;
}

Result<Collected> collect_batch(const BatchPlan& plan, const CollectRequest& request,
                                const Job& job) {
  const auto queued = queue_when_asked(plan, request.wait, job);
  if (!queued) return fail(queued.error());
  const auto groups = submitted_groups(plan);
  if (!groups) return fail(groups.error());
  const auto all = batch_status(plan, job);
  if (!all) return fail(all.error());
  Collected collected;
  if (!queued->empty()) collected.queue = queue_words(*queued);
  sort_out(plan, *all, ElementsOfSensors(*groups, *queued), collected);
  if (collected.results.empty()) return collected;
  const auto file = request.catalogue.empty() ? catalogue_of(plan) : request.catalogue;
  const auto added = feed_catalogue(plan, collected.results, file, job);
  if (!added) return fail(added.error());
  collected.catalogued = *added;
  return collected;
}

}  // namespace tactelier
