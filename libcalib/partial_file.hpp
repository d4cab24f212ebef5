#pragma once
// A file or folder that is built beside its final name and takes it only when it is whole.

#include <filesystem>

#include "libcalib/result.hpp"

namespace tactelier {

class PartialPath {
 public:
  /// "NAME.partial" beside `target`; what an earlier, killed run left there is removed. Fails with
  /// kUsage when `target` exists and must not be overwritten.
  static Result<PartialPath> begin(const std::filesystem::path& target, bool overwrite);
  PartialPath(PartialPath&& other) noexcept;
  PartialPath& operator=(PartialPath&&) = delete;
  ~PartialPath();  // without keep(): removes everything

  const std::filesystem::path& path() const { return partial_; }
  /// The folder that it lies in.
  std::filesystem::path folder() const;
  /// Renames to the target.
  Result<void> keep();

 private:
  explicit PartialPath(const std::filesystem::path& target);
  void remove() const;

  std::filesystem::path target_;
  std::filesystem::path partial_;
  bool armed_ = false;
};

}  // namespace tactelier
