// What is handed to sbatch, word for word; sbatch's manual is what it is held against.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/workflow/captured_command.hpp"
#include "app/workflow/cluster/slurm.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;
using testing::Not;

SlurmArray small_array() {
  return {
      "tactelier-fleet-1", "/data/my lab/fleet.slurm/1", "Fits.", {1, 2, 3, 7, 9, 10}, "true\n"};
}

TEST(SlurmScript, SaysAllThatWasAskedForInSbatchsWords) {
  SlurmSettings settings;
  settings.partition = "short";
  settings.account = "lab42";
  settings.time = "0:20:00";
  settings.memory = "500M";
  settings.processors = 2;
  settings.at_once = 4;
  settings.directives = {"--qos=low"};
  settings.prepare = "module load gcc/12";
  EXPECT_EQ(slurm_script(small_array(), settings),
            "#!/bin/bash\n"
            "# Fits.\n"
            "# By hand: sbatch '/data/my lab/fleet.slurm/1/array.sh'\n"
            "#SBATCH --job-name=tactelier-fleet-1\n"
            "#SBATCH --array=1-3,7,9-10%4\n"
            "#SBATCH --output=\"/data/my lab/fleet.slurm/1/logs/%a.log\"\n"
            "#SBATCH --partition=short\n"
            "#SBATCH --account=lab42\n"
            "#SBATCH --time=0:20:00\n"
            "#SBATCH --mem=500M\n"
            "#SBATCH --cpus-per-task=2\n"
            "#SBATCH --qos=low\n"
            "\n"
            "set -u\n"
            "module load gcc/12\n"
            "true\n");
}

TEST(SlurmScript, LeavesToTheClusterWhatNobodySaid) {
  const auto script = slurm_script(small_array(), {});
  EXPECT_THAT(script, Not(HasSubstr("--partition")));
  EXPECT_THAT(script, Not(HasSubstr("--account")));
  EXPECT_THAT(script, HasSubstr("--array=1-3,7,9-10\n"));
  EXPECT_THAT(script, HasSubstr("--time=1:00:00\n"));
}

TEST(SlurmScript, APercentSignOfAFolderIsNoFieldOfSbatch) {
  auto array = small_array();
  array.folder = "/data/90%/1";
  EXPECT_THAT(slurm_script(array, {}), HasSubstr("--output=\"/data/90%%/1/logs/%a.log\""));
}

TEST(SlurmScript, WordsThatWouldBecomeOtherDirectivesAreRefused) {
  const auto refused = [](auto change) {
    SlurmSettings settings;
    change(settings);
    const auto checked = check_settings(settings);
    return !checked && checked.error().code == ErrorCode::kUsage;
  };
  EXPECT_TRUE(refused([](auto& s) { s.partition = "short\n#SBATCH --exclusive"; }));
  EXPECT_TRUE(refused([](auto& s) { s.time = "an hour"; }));
  EXPECT_TRUE(refused([](auto& s) { s.memory = "2 GB"; }));
  EXPECT_TRUE(refused([](auto& s) { s.directives = {"qos=low"}; }));
  EXPECT_TRUE(refused([](auto& s) { s.prepare = "a\nb"; }));
  EXPECT_FALSE(refused([](auto& s) { s.time = "1-12:30"; }));
}

TEST(SlurmScript, TheNameIsThePlansWhereverItIsAskedFrom) {
  const auto name = slurm_name("/data/line 3.json");
  EXPECT_THAT(name, testing::MatchesRegex("tactelier-line_3-[0-9a-f]{8}"));
  EXPECT_EQ(slurm_name("/data/./x/../line 3.json"), name);
  EXPECT_NE(slurm_name("/other/line 3.json"), name);
}

TEST(RunCommand, KeepsBothStreamsAndTheStatus) {
  const auto output = run_command({"sh", "-c", "echo one; echo two >&2; exit 3"});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->out, "one\n");
  EXPECT_EQ(output->err, "two\n");
  EXPECT_EQ(output->status, 3);
}

TEST(RunCommand, MoreThanAPipeHoldsOnBothStreamsIsReadWhole) {
  const auto output =
      run_command({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"});
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->out.size(), 300000U);
  EXPECT_EQ(output->err.size(), 300000U);
}

TEST(RunCommand, AProgramThatIsNotThereIsNamed) {
  const auto output = run_command({"no-such-program"});
  ASSERT_FALSE(output);
  EXPECT_THAT(output.error().message, HasSubstr("no-such-program: can't be started"));
}

}  // namespace
}  // namespace tactelier::test
