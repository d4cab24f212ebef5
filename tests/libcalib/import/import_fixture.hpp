#pragma once
// A session folder in a scratch folder, and what import makes of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/import/import.hpp"
#include "libcalib/session/session.hpp"
#include "tests/libcalib/import/scratch_folder.hpp"

namespace tactelier::test_support {

constexpr std::string_view kTwoTactels =
    R"({"format": "tactelier/session", "version": 1, "sensor":
        {"model": "pair", "rows": 1, "columns": 2, "pitch_x_mm": 5, "pitch_y_mm": 5}})";

class FolderImport : public ::testing::Test {
 protected:
  FolderImport() { give("session.json", kTwoTactels); }

  void give(const std::string& name, std::string_view text) { scratch_.write("in/" + name, text); }

  Result<ImportReport> import(const ImportOptions& options = {}, const Job& job = {}) {
    return import_folder(scratch_ / "in", scratch_ / "out.tact", options, job);
  }

  Session imported(const ImportOptions& options = {}) {
    const auto report = import(options);
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    auto session = Session::open(scratch_ / "out.tact");
    EXPECT_TRUE(session.has_value()) << (session ? "" : session.error().message);
    return std::move(session.value());
  }

  /// Imports, expects that it fails and that nothing new is there; returns the message.
  std::string refusal(ErrorCode code = ErrorCode::kInvalidInput,
                      const ImportOptions& options = {}) {
    const auto before = scratch_.names();
    const auto report = import(options);
    EXPECT_FALSE(report.has_value());
    EXPECT_EQ(scratch_.names(), before) << "something was left behind";
    if (report) return "";
    EXPECT_EQ(report.error().code, code) << report.error().message;
    return report.error().message;
  }

  /// The same with one file changed.
  std::string refusal(const std::string& name, std::string_view text) {
    give(name, text);
    auto message = refusal();
    std::filesystem::remove(scratch_ / ("in/" + name));
    if (name == "session.json") give(name, kTwoTactels);
    return message;
  }

  ScratchFolder scratch_;
};

/// One column in SI units.
inline std::vector<double> column(const Session& session, StreamKind stream,
                                  const std::string& name) {
  const std::vector<std::string> names{name};
  const auto samples = session.read(stream, names, {});
  EXPECT_TRUE(samples.has_value()) << (samples ? "" : samples.error().message);
  if (!samples) return {};
  return name == "t" ? samples->time_s : samples->columns.at(0);
}

}  // namespace tactelier::test_support
