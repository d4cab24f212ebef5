#pragma once
// tactelier info: what a session holds, and whether it is whole.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/protocol/rig_findings.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct StreamReport {
  std::string name;
  std::uint64_t rows = 0;
  std::size_t columns = 0;
  double begin_s = 0;
  double end_s = 0;
  std::optional<double> rate_hz;
  int gaps = 0;  // intervals longer than 2.5 median intervals
  double longest_gap_s = 0;
  std::string clock;  // shared, host, own
};

/// Presses that no fit can use, for one kind of reason.
struct RefusedPresses {
  std::string why;  // of the first of them
  std::vector<int> numbers;
};

struct SessionReport {
  std::string name;
  std::string created;
  std::string sensor;
  int rows = 0;
  int columns = 0;
  int tactels = 0;
  std::string indenter;
  std::string content_hash;
  bool finished = true;
  double duration_s = 0;
  std::vector<StreamReport> streams;
  std::map<std::string, int> events;  // name, how often
  std::vector<RigFinding> findings;   // of rig and rubber
  int presses = 0;
  int presses_usable = 0;               // as a fit of this session finds them
  std::vector<RefusedPresses> refused;  // the others
  int presses_whole = 0;                // without damage between their begin and end
  std::vector<std::string> edits;
  std::vector<Damage> damage;
  Warnings warnings;

  bool whole() const { return damage.empty(); }
};

/// What a recording found of rig and rubber; nothing where it can't be read.
std::vector<RigFinding> findings_of(const std::filesystem::path& path);
/// The same, a line each.
std::string findings_text(const std::filesystem::path& path);

/// Reads and checks every chunk.
Result<SessionReport> session_info(const std::filesystem::path& path, const Job& job);

}  // namespace tactelier
