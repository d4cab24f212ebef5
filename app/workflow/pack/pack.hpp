#pragma once
// tactelier pack: a model with all that it was made from in one archive, which a colleague reruns
// to the same numbers (docs/reports.md). The archive is an ordinary zip file:
//
//   manifest.json   what is in it, with SHA-256 of each; program and options of the fit
//   model.json, or as it was called; recordings; report.html; files added by hand
//   README.txt      how to rerun it

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct PackRequest {
  std::filesystem::path model;
  std::vector<std::filesystem::path> sessions;  // .tact files, in any order
  std::vector<std::filesystem::path> added;     // protocol, rig file, records
  std::filesystem::path target;
  bool overwrite = false;
};

struct PackedFile {
  std::string name;  // in the archive
  std::string role;  // "model", "recording", "report", "added"
  std::string sha256;
  std::uintmax_t bytes = 0;
};

struct PackOutcome {
  std::vector<PackedFile> files;
  std::uintmax_t bytes = 0;  // of the archive
  Warnings warnings;
};

/// The same input gives the same bytes. Fails with kInvalidInput where a recording of the fit is
/// not among the sessions: nobody could rerun it.
Result<PackOutcome> pack(const PackRequest& request, const Job& job);

/// One number of the rerun that is not the archive's.
struct RerunDifference {
  std::string path;
  std::optional<double> packed, rerun;
  std::optional<double> sigmas;  // of the packed number's standard error
};

struct RerunOutcome {
  std::string packed_by, rerun_by;  // programs
  std::size_t files = 0, numbers = 0;
  std::vector<RerunDifference> differences;  // any at all, the largest first
  /// Beyond this many standard errors a number is another one: rounding of other processors and
  /// libraries stays far below.
  static constexpr double kAllowed_sigmas = 0.01;
  bool same() const;
};

/// Unpacks to a temporary folder, checks every file's hash, fits again as the manifest says and
/// compares all numbers. Fails with kDamaged naming the file whose hash is another.
Result<RerunOutcome> verify_pack(const std::filesystem::path& archive, const Job& job);

}  // namespace tactelier
