#pragma once
// What every command that submits to Slurm asks for.

#include "app/workflow/cluster/slurm.hpp"

namespace CLI {
class App;
}

namespace tactelier::cli {

/// --partition, --account, --time, --memory, --cpus, --at-once, --prepare, --sbatch.
void add_slurm_options(CLI::App& command, SlurmSettings& settings);

}  // namespace tactelier::cli
