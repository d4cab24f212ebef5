// The runtime files are compiled and run, and what they compute is compared with what `tactelier
// apply` computes.
#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <set>

#include "libcalib/model_file/tactel_calibration.hpp"
#include "libcalib/models/response/response_laws.hpp"
#include "reports/export/exporter.hpp"
#include "reports/export/runtime_numbers.hpp"
#include "tests/reports/export/run_files.hpp"
#include "tests/reports/export/runtime_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string written(std::string_view format, const SensorModel& model) {
  const auto exported = (*exporter(format))->write(model);
  EXPECT_TRUE(exported) << exported.error().message;
  return exported ? exported->text : "";
}

/// The counts at which something changes, and what lies between.
std::vector<double> corners_of(const TactelCalibration& tactel) {
  std::vector<double> corners{kNaN, -1e6, 1e6, tactel.offset_counts};
  for (const auto& column : runtime_row(tactel))
    if (column) corners.push_back(*column);
  corners.push_back(tactel.offset_counts + 3 * tactel.noise_counts);
  if (tactel.curve) {
    for (const auto& knot : tactel.curve->knots()) corners.push_back(knot[1]);
    const auto ends = curve_ends(tactel);
    corners.insert(corners.end(), {ends.below, ends.beyond});
  }
  return corners;
}

/// Frame after frame: corners of each tactel first, then anything.
std::vector<double> readings_for(const SensorModel& model) {
  constexpr std::size_t kFrames = 700;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(-100, 4300);
  const auto tactels = static_cast<std::size_t>(model.sensor.tactels());
  std::vector<double> readings(kFrames * tactels);
  for (auto& reading : readings) reading = any(random);
  for (std::size_t i = 0; i < tactels; ++i) {
    const auto tactel = tactel_calibration(model, i);
    const auto corners = corners_of(tactel);
    for (std::size_t k = 0; k < std::min(corners.size(), kFrames); ++k)
      readings[k * tactels + i] = tactel.falling ? tactel.mirror_counts - corners[k] : corners[k];
  }
  return readings;
}

/// Forces, then flags, of a runtime that has read `readings`.
struct Answer {
  std::vector<double> forces_N;
  std::string flags;
};

void save(const std::filesystem::path& file, const std::vector<double>& numbers) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(double)));
}

Answer answer_in(const std::filesystem::path& file, std::size_t readings) {
  Answer answer{std::vector<double>(readings), std::string(readings, '?')};
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(answer.forces_N.data()),
          static_cast<std::streamsize>(readings * sizeof(double)));
  in.read(answer.flags.data(), static_cast<std::streamsize>(readings));
  EXPECT_TRUE(in) << file;
  return answer;
}

void expect_as_applied(const SensorModel& model, const std::vector<double>& readings,
                       const Answer& answer, double tolerance_N) {
  const auto tactels = static_cast<std::size_t>(model.sensor.tactels());
  std::set<ReadingFlag> seen;
  int wrong = 0;
  for (std::size_t i = 0; i < tactels; ++i) {
    const auto tactel = tactel_calibration(model, i);
    for (std::size_t at = i; at < readings.size(); at += tactels) {
      const auto expected = tactel.force(readings[at]);
      seen.insert(expected.flag);
      const double force_N = answer.forces_N[at];
      const bool same = expected.force_N ? std::abs(force_N - *expected.force_N) <=
                                               tolerance_N * std::max(1.0, std::abs(force_N))
                                         : std::isnan(force_N);
      if (same && answer.flags[at] == static_cast<char>(expected.flag)) continue;
      if (++wrong <= 5)
        ADD_FAILURE() << model.serial << " tactel " << i << " reading " << readings[at] << ": "
                      << force_N << " N, flag " << int(answer.flags[at]) << ", expected "
                      << expected.force_N.value_or(kNaN) << " N, " << to_string(expected.flag);
    }
  }
  EXPECT_EQ(wrong, 0) << model.serial;
  EXPECT_GE(seen.size(), 3U) << model.serial;
}

/// Saves readings and runtimes of all models, runs `command` in the folder, compares the answers.
void expect_all_as_applied(const test::TemporaryFolder& folder, const std::string& command,
                           double tolerance_N) {
  const auto models = runtime_models();
  std::vector<std::vector<double>> readings;
  for (std::size_t i = 0; i < models.size(); ++i) {
    readings.push_back(readings_for(models[i]));
    save(folder / fmt::format("{}.in", i), readings.back());
  }
  ASSERT_EQ(test::run_in(folder, command), 0);
  for (std::size_t i = 0; i < models.size(); ++i)
    expect_as_applied(models[i], readings[i],
                      answer_in(folder / fmt::format("{}.out", i), readings[i].size()),
                      tolerance_N);
}

std::string namespace_in(const std::string& header) {
  const auto begin = header.find("\nnamespace ") + 11;
  return header.substr(begin, header.find(' ', begin) - begin);
}

constexpr std::string_view kProgram = R"(
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

template <class Convert>
void answer(int model, std::size_t tactels, const Convert& convert) {
  std::ifstream in(std::to_string(model) + ".in", std::ios::binary | std::ios::ate);
  std::vector<double> readings(static_cast<std::size_t>(in.tellg()) / sizeof(double));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(readings.data()),
          static_cast<std::streamsize>(readings.size() * sizeof(double)));
  std::vector<double> forces(readings.size());
  std::vector<char> flags(readings.size());
  convert(readings.data(), readings.size() / tactels, forces.data(), flags.data());
  std::ofstream out(std::to_string(model) + ".out", std::ios::binary);
  out.write(reinterpret_cast<char*>(forces.data()),
            static_cast<std::streamsize>(forces.size() * sizeof(double)));
  out.write(flags.data(), static_cast<std::streamsize>(flags.size()));
}

int main() {
)";

TEST(RuntimeCpp, ComputesWhatApplyDoesInOneProgramForAllSensors) {
  const test::TemporaryFolder folder;
  std::string includes, calls;
  const auto models = runtime_models();
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto header = written("runtime-cpp", models[i]);
    test::save_text(folder / fmt::format("{}.hpp", i), header);
    includes += fmt::format("#include \"{}.hpp\"\n", i);
    const auto name = namespace_in(header);
    calls += fmt::format(
        "  answer({0}, {1}::kTactels, [](const double* r, std::size_t n, double* "
        "f, char* flags) {{\n    {1}::newtons(r, n, f, "
        "reinterpret_cast<{1}::Flag*>(flags));\n  }});\n",
        i, name);
  }
  test::save_text(folder / "main.cpp", includes + std::string(kProgram) + calls + "}\n");
  expect_all_as_applied(folder,
                        TACTELIER_CXX
                        " -std=c++17 -O1 -Wall -Wextra -Wpedantic -Wshadow -Werror main.cpp -o "
                        "runtime && ./runtime",
                        1e-12);
}

constexpr const char* kScript = R"(import importlib, sys
import numpy as np
for model in range(int(sys.argv[1])):
    runtime = importlib.import_module(f"runtime{model}")
    readings = np.fromfile(f"{model}.in").reshape(-1, runtime.TACTELS)
    with np.errstate(all="raise"):
        force_N, flag = runtime.newtons(readings)
        first_N, first = runtime.newtons(readings[0])
    assert first_N.shape == (runtime.TACTELS,) and (first == flag[0]).all()
    assert force_N.dtype == float and flag.dtype == np.uint8
    try:
        runtime.newtons(readings[:, 1:])
        raise SystemExit("took frames of another sensor")
    except ValueError:
        pass
    with open(f"{model}.out", "wb") as out:
        out.write(force_N.tobytes() + flag.tobytes())
)";

TEST(RuntimePython, ComputesWhatApplyDoes) {
  const test::TemporaryFolder folder;
  const auto models = runtime_models();
  for (std::size_t i = 0; i < models.size(); ++i)
    test::save_text(folder / fmt::format("runtime{}.py", i), written("runtime-python", models[i]));
  test::save_text(folder / "run.py", kScript);
  expect_all_as_applied(folder, fmt::format("/usr/bin/python3 -W error run.py {}", models.size()),
                        1e-9);
}

TEST(Runtime, KnowsTheInverseOfEveryLawThatHasOne) {
  const ResponseSlots terms{{1, 1, 1, 1}, {}};
  for (const auto* law : response_laws()) {
    const auto known = std::any_of(law_inverses().begin(), law_inverses().end(),
                                   [&](const auto& inverse) { return inverse.law == law->name(); });
    EXPECT_EQ(law->force_N(terms, 1.5).has_value(), known) << law->name();
  }
}

TEST(Runtime, StopsWithTheReasonWhereNoTactelHasNewtons) {
  for (const auto* format : {"runtime-cpp", "runtime-python"}) {
    auto model = wts_model();
    auto& tactel = model.response.tactels[0];
    tactel.press_gain = unidentifiable("N/count", "RS-02 Only one press.", "response");
    const auto refused = (*exporter(format))->write(model);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnidentifiable);
    EXPECT_THAT(refused.error().message, HasSubstr("RS-02 Only one press."));
    ASSERT_TRUE(assume(model, "response.tactels[0].press_gain=4e-4", "user"));
    ASSERT_TRUE(assume(model, "response.tactels[0].offset=20", "user"));
    EXPECT_THAT(written(format, model), HasSubstr("response.tactels[0].press_gain=4e-4"));
    model.sensor.channels = 3;
    EXPECT_THAT((*exporter(format))->write(model).error().message, HasSubstr("3 readings per"));
  }
}

TEST(Runtime, NamesEachTactelWithoutNewtonsAndWhatWouldGiveIt) {
  const auto exported = (*exporter("runtime-cpp"))->write(line_model());
  ASSERT_TRUE(exported);
  ASSERT_EQ(exported->losses.size(), 1U);
  EXPECT_EQ(exported->losses[0].path, "response.tactels[7].press_gain");
  EXPECT_TRUE(exported->losses[0].has_slot);
  EXPECT_EQ(exported->losses[0].reason,
            "tactel 7 stays uncalibrated: RS-01 Tactel 7 stayed at its offset.");
  auto model = line_model();
  model.stiffness.k = identified(58.5, "N/m");
  const auto more = (*exporter("runtime-python"))->write(model);
  ASSERT_EQ(more->losses.size(), 2U);
  EXPECT_EQ(more->losses[1].reason, "the NumPy module has no slot for it");
}

}  // namespace
}  // namespace tactelier
