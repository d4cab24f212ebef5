#pragma once
// Members of a zip archive to be written, by libzip. The same members in the same order give the
// same bytes: times are fixed.

#include <filesystem>
#include <memory>
#include <string>

#include "libcalib/job.hpp"

struct zip;
struct zip_source;

namespace tactelier {

class ZipWriter {
 public:
  static Result<ZipWriter> create(const std::filesystem::path& file);
  /// Read when write() is called: it must be there until then. `packed` files, which no compression
  /// makes smaller, are stored as they are.
  Result<void> add_file(const std::string& member, const std::filesystem::path& file, bool packed);
  Result<void> add_text(const std::string& member, const std::string& text);
  Result<void> write(const Job& job);

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };
  explicit ZipWriter(zip* archive) : archive_(archive) {}
  Result<void> add(const std::string& member, zip_source* source, bool packed);

  std::unique_ptr<zip, Discard> archive_;
};

}  // namespace tactelier
