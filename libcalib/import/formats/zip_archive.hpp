#pragma once
// Members of a zip archive, by libzip: .npz, .xlsx and .ods are such archives.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

struct zip;

namespace tactelier {

class ZipArchive {
 public:
  /// `name` stands in messages. Fails with kInvalidInput when it is no zip archive.
  static Result<ZipArchive> open(const std::filesystem::path& file, std::string name);

  std::vector<std::string> members() const;
  bool has(const std::string& member) const;
  /// Unpacked. Fails with kInvalidInput when it is not there, damaged, or beyond 8 GiB.
  Result<std::string> read(const std::string& member) const;
  /// The same into a file, which needs no room in memory. Fails with kIo where it can't be written.
  Result<void> extract(const std::string& member, const std::filesystem::path& file) const;

 private:
  struct Close {
    void operator()(zip* archive) const;
  };
  ZipArchive(zip* archive, std::string name) : archive_(archive), name_(std::move(name)) {}

  std::unique_ptr<zip, Close> archive_;
  std::string name_;
};

}  // namespace tactelier
