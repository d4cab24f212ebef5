// unpack -o FILE.h5 and FILE.mat, read by h5py and SciPy and compared with the folder that was
// recorded.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;

constexpr const char* kPython = "/usr/bin/python3";  // that which Debian's packages are for

/// The table of a stream as its CSV has it, in SI; then the comparison.
constexpr const char* kRead = R"PY(
import csv, json, sys
import numpy as np
SI = {"s": 1, "mm": 1e-3, "N": 1, "N*mm": 1e-3, "": 1}
def recorded(name):
    with open(f"s/{name}.csv") as f:
        rows = list(csv.reader(f))
    names = [c.split("[")[0] for c in rows[0]]
    units = [c.split("[")[1][:-1] if "[" in c else "" for c in rows[0]]
    values = np.array([[float(c) for c in row] for row in rows[1:]])
    return names, values * np.array([SI[u] for u in units])
def compare(name, time, values, columns):
    names, truth = recorded(name)
    assert time.shape == (len(truth), 1), time.shape
    assert values.shape == (len(truth), len(names) - 1), values.shape
    assert sorted(columns) == sorted(names[1:]), columns
    np.testing.assert_allclose(time[:, 0], truth[:, 0], rtol=0, atol=1e-12)
    for i, column in enumerate(columns):
        np.testing.assert_allclose(values[:, i], truth[:, names.index(column)], rtol=1e-12, atol=0)
)PY";

constexpr const char* kReadH5 = R"PY(
import h5py
with h5py.File("s.h5") as f:
    for name in ("force", "stage", "tactile"):
        values = f[name]["values"]
        compare(name, f[name]["time_s"][()], values[()], list(values.attrs["columns"]))
    units = dict(zip(f["force/values"].attrs["columns"], f["force/values"].attrs["units"]))
    assert units["Fz"] == "N", units
    assert json.loads(f["session.json"][0])["sensor"]["rows"] == 2
    names = [n.decode() for n in f["events/name"]]
    assert names.count("press_begin") == 2 and len(f["events/time_s"]) == len(names), names
    assert json.loads(f["events/data"][names.index("press_begin")])["kind"] == "ramp"
)PY";

constexpr const char* kReadMat = R"PY(
from scipy.io import loadmat
m = loadmat("s.mat")
for name in ("force", "stage", "tactile"):
    columns = [str(c[0][0]) for c in m[name + "_columns"]]
    compare(name, m[name + "_time_s"], m[name], columns)
assert json.loads(str(m["session_json"][0]))["sensor"]["rows"] == 2
names = [str(c[0][0]) for c in m["events_name"]]
assert names.count("press_begin") == 2, names
)PY";

class UnpackedArrays : public testing::Test {
 protected:
  void SetUp() override {
    PlainSession session;
    session.presses = {{1, 0}, {2, 4}};
    session.pad.count_noise = 5;
    session.write(folder_, "s");
    ASSERT_EQ(run({"import", "s", "-o", "s.tact"}).status, 0);
  }
  CliResult run(const std::vector<std::string>& arguments) const {
    return run_cli(folder_.path(), arguments);
  }
  int python(const std::string& script) const {
    folder_.write("read.py", script);
    return std::system(
        fmt::format("cd '{}' && {} read.py", folder_.path().string(), kPython).c_str());
  }

  TestFolder folder_;
};

TEST_F(UnpackedArrays, H5pyReadsTheNumbersThatWereRecorded) {
  if (python("import h5py, numpy") != 0) GTEST_SKIP() << "h5py is not installed";
  const auto unpacked = run({"unpack", "s.tact", "-o", "s.h5", "--json"});
  ASSERT_EQ(unpacked.status, 0) << unpacked.err;
  const auto valid =
      check_schema(nlohmann::json::parse(unpacked.out), "cli-unpack", "unpack --json");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_EQ(python(std::string(kRead) + kReadH5), 0);
}

TEST_F(UnpackedArrays, SciPyReadsTheNumbersThatWereRecorded) {
  if (python("import scipy.io, numpy") != 0) GTEST_SKIP() << "SciPy is not installed";
  ASSERT_EQ(run({"unpack", "s.tact", "-o", "s.mat"}).status, 0);
  EXPECT_EQ(python(std::string(kRead) + kReadMat), 0);
}

TEST_F(UnpackedArrays, AnotherEndingIsRefusedAndNothingIsWritten) {
  const auto refused = run({"unpack", "s.tact", "-o", "s.xls"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("ends in .h5, .mat or .mcap"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.xls"));
  EXPECT_EQ(run({"unpack", "s.tact"}).status, 2);
}

}  // namespace
}  // namespace tactelier::test
