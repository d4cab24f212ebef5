#pragma once
// The rig file as the rig process knows it: what set-up runs find goes in here, and onto the disk,
// where the order of its members stays. As it was before the first change it is kept beside it as
// NAME.json.bak.
// Of the thread that moves the rig; there is no mutex.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "libcalib/protocol/rig.hpp"

namespace tactelier::rig {

class RigFileStore {
 public:
  /// `file`: where it is written; may be empty.
  RigFileStore(RigFile rig, std::filesystem::path file)
      : rig_(std::move(rig)), file_(std::move(file)) {}

  const RigFile& rig() const { return rig_; }
  nlohmann::json document() const { return nlohmann::json::parse(rig_.document); }
  /// Replaces members. Fails with kInvalidInput where the file would make no sense any more, with
  /// kIo where it can't be written.
  Result<void> change(const nlohmann::json& changes);
  /// What a client has found: compliance, plate, backlash along z, and about where the pad is.
  /// Fails with kUsage on anything else, limits above all.
  Result<void> keep(nlohmann::json found);

 private:
  Result<void> write(const nlohmann::json& changes);

  RigFile rig_;
  std::filesystem::path file_;
  bool kept_as_it_was_ = false;
};

}  // namespace tactelier::rig
