#include "app/cli/fleet/slurm_grammar.hpp"

#include <CLI/CLI.hpp>

namespace tactelier::cli {

void add_slurm_options(CLI::App& command, SlurmSettings& settings) {
  auto* group = command.add_option_group("Slurm", "What is left out the cluster decides");
  group->add_option("--partition", settings.partition, "Where it runs")->type_name("NAME");
  group->add_option("--account", settings.account, "Who pays")->type_name("NAME");
  group->add_option("--time", settings.time, "Most that one element takes, as sbatch has it")
      ->capture_default_str()
      ->type_name("TIME");
  group->add_option("--memory", settings.memory, "Most that one element takes")
      ->capture_default_str()
      ->type_name("SIZE");
  group->add_option("--cpus", settings.processors, "Processors of one element")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  group->add_option("--at-once", settings.at_once, "Elements that run at a time; 0: no limit")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  group
      ->add_option("--prepare", settings.prepare,
                   "Line of shell before the work: 'module load gcc/12'")
      ->type_name("LINE");
  group
      ->add_option("--sbatch", settings.directives,
                   "Further option of sbatch, as '--sbatch=--qos=long'; may be repeated")
      ->type_name("OPTION");
}

}  // namespace tactelier::cli
