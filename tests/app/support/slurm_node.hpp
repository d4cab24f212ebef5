#pragma once
// A Slurm of one node for a test: scripts/slurm-node in a folder of its own, stopped at the end.

#include <string>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {

class SlurmNode {
 public:
  /// Sets SLURM_CONF for this process and its children.
  SlurmNode();
  SlurmNode(const SlurmNode&) = delete;
  ~SlurmNode();

  /// "" when it runs; else why it doesn't, for GTEST_SKIP.
  const std::string& missing() const { return missing_; }
  /// Until nothing is in the queue; a minute at most.
  void wait_until_idle() const;

 private:
  TestFolder folder_;
  std::string missing_;
};

}  // namespace tactelier::test
