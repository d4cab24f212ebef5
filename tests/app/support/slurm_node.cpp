#include "tests/app/support/slurm_node.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

constexpr int kNotInstalled = 77;

int slurm_node(const std::string& what, const TestFolder& folder) {
  const auto command =
      fmt::format("{}/scripts/slurm-node {} {} >{} 2>&1", paths::source_dir(), what,
                  folder.path().string(), (folder / (what + ".txt")).string());
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

SlurmNode::SlurmNode() {
  const int status = slurm_node("start", folder_);
  if (status == kNotInstalled)
    missing_ = "no Slurm here: apt-get install slurm-wlm munge";
  else if (status != 0)
    missing_ = "Slurm does not start here: " + folder_.read("start.txt");
  else
    ::setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
}

void SlurmNode::wait_until_idle() const {
  const int ended = std::system(
      "for i in $(seq 300); do [ -z \"$(squeue -h)\" ] && exit; sleep 0.2; done; false");
  EXPECT_EQ(ended, 0) << "elements are in the queue after a minute";
}

SlurmNode::~SlurmNode() {
  if (missing_.empty()) slurm_node("stop", folder_);
}

}  // namespace tactelier::test
