#pragma once
// Slurm's job arrays (sbatch, squeue): the same command for element 1, 2, 3 ... of a list, each on
// whatever node the cluster gives it. Slurm alone decides when; nothing here schedules.

#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// What clusters and their users differ in. "" and 0 leave a choice to the cluster.
struct SlurmSettings {
  std::string partition, account;
  std::string time = "1:00:00";         // of one element, as sbatch takes it
  std::string memory = "2G";            // of one element
  int processors = 1;                   // of one element
  int at_once = 0;                      // elements that run at a time
  std::vector<std::string> directives;  // further options of sbatch: "--qos=long"
  std::string prepare;                  // shell line before the work: "module load gcc/12"
};
/// Fails with kUsage.
Result<void> check_settings(const SlurmSettings& settings);

struct SlurmArray {
  std::string name;              // of the job: tells it from all others in the queue
  std::filesystem::path folder;  // of script and logs; absolute
  std::string what;              // a line for whoever reads the script
  std::vector<int> elements;     // ascending
  std::string body;              // shell; $SLURM_ARRAY_TASK_ID is the element
};

/// For the job of work that is kept in `place`: "tactelier-fleet-3fa2c11b", the same whenever and
/// from wherever it is asked for.
std::string slurm_name(const std::filesystem::path& place);

/// What stands in `script_of()`; sbatch takes it by hand, too.
std::string slurm_script(const SlurmArray& array, const SlurmSettings& settings);
std::filesystem::path script_of(const SlurmArray& array);
/// What an element said, both streams.
std::filesystem::path log_of(const std::filesystem::path& folder, int element);
/// A word that a shell takes as it is.
std::string shell_word(const std::string& word);

Result<void> write_array(const SlurmArray& array, const SlurmSettings& settings);
/// Hands a written array to sbatch; the number of its job. Fails with kIo and sbatch's own words.
Result<std::string> submit_array(const SlurmArray& array);

/// An element that waits or runs.
struct QueuedElement {
  std::string job;  // "17"
  int element = 0;
  std::string state;  // "PENDING", "RUNNING" ...
};
/// Of this user's jobs of that name; empty once all have ended, however that was. Fails with kIo
/// when squeue can't say.
Result<std::vector<QueuedElement>> queued_elements(const std::string& name);
/// "job 17: 3 elements run, 5 wait".
std::string queue_words(const std::vector<QueuedElement>& queued);

}  // namespace tactelier
