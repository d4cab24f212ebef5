#pragma once
// A folder of its own below the system's temporary one, removed with everything in it.

#include <filesystem>
#include <memory>

#include "libcalib/result.hpp"

namespace tactelier {

class TemporaryFolder {
 public:
  static Result<std::shared_ptr<TemporaryFolder>> create();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path);
  std::filesystem::path path_;
};

}  // namespace tactelier
