#pragma once
// Every SESSION argument takes a .tact file or a session folder; a folder is imported into a
// temporary file that goes away with the OpenSession.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

class OpenSession {
 public:
  static Result<OpenSession> open(const std::filesystem::path& path, const Job& job);
  /// A table like a session folder's tactile.csv (t[s],0,1,...,N-1) on its own.
  static Result<OpenSession> open_readings(const std::filesystem::path& table, int tactels,
                                           const Job& job);

  const Session& session() const { return *session_; }
  /// Name for messages and tables: the file's or folder's own.
  const std::string& name() const { return name_; }
  const Warnings& warnings() const { return warnings_; }

 private:
  OpenSession() = default;
  static Result<OpenSession> import_temporarily(const std::filesystem::path& folder,
                                                std::string name, std::shared_ptr<void> keep,
                                                const Job& job);

  std::string name_;
  Warnings warnings_;
  std::vector<std::shared_ptr<void>> temporary_;  // folders, removed after session_ is closed
  std::unique_ptr<Session> session_;
};

/// One warning per damaged stretch: stream, time range and what is wrong.
Warnings damage_warnings(const Session& session, const std::string& name);

}  // namespace tactelier
