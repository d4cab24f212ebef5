#include "libcalib/import/formats/zip_archive.hpp"

#include <zip.h>

#include <fstream>

namespace tactelier {
namespace {

constexpr zip_uint64_t kMaxBytes = zip_uint64_t{8} << 30;

struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

}  // namespace

void ZipArchive::Close::operator()(zip* archive) const { zip_discard(archive); }

Result<ZipArchive> ZipArchive::open(const std::filesystem::path& file, std::string name) {
  int error = 0;
  zip_t* const archive = zip_open(file.c_str(), ZIP_RDONLY, &error);
  if (!archive)
    return fail(ErrorCode::kInvalidInput, "{}: cannot be opened as a {} file: is it whole?", name,
                file.extension().string());
  return ZipArchive(archive, std::move(name));
}

std::vector<std::string> ZipArchive::members() const {
  std::vector<std::string> names;
  const auto count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i)
    if (const char* member = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), 0))
      names.emplace_back(member);
  return names;
}

bool ZipArchive::has(const std::string& member) const {
  return zip_name_locate(archive_.get(), member.c_str(), 0) >= 0;
}

Result<std::string> ZipArchive::read(const std::string& member) const {
  zip_stat_t info;
  const std::unique_ptr<zip_file_t, CloseMember> opened(
      zip_fopen(archive_.get(), member.c_str(), 0));
  if (!opened || zip_stat(archive_.get(), member.c_str(), 0, &info) != 0 || info.size > kMaxBytes)
    return fail(ErrorCode::kInvalidInput, "{}/{}: cannot be unpacked: {}", name_, member,
                zip_strerror(archive_.get()));
  std::string bytes(info.size, '\0');
  const auto read = zip_fread(opened.get(), bytes.data(), info.size);
  if (read < 0 || static_cast<zip_uint64_t>(read) != info.size)
    return fail(ErrorCode::kInvalidInput, "{}/{}: is damaged: {}", name_, member,
                zip_file_strerror(opened.get()));
  return bytes;
}

Result<void> ZipArchive::extract(const std::string& member,
                                 const std::filesystem::path& file) const {
  const std::unique_ptr<zip_file_t, CloseMember> opened(
      zip_fopen(archive_.get(), member.c_str(), 0));
  if (!opened)
    return fail(ErrorCode::kInvalidInput, "{}/{}: cannot be unpacked: {}", name_, member,
                zip_strerror(archive_.get()));
  std::ofstream out(file, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20U);
  for (;;) {
    const auto read = zip_fread(opened.get(), block.data(), block.size());
    if (read < 0)
      return fail(ErrorCode::kInvalidInput, "{}/{}: is damaged: {}", name_, member,
                  zip_file_strerror(opened.get()));
    if (read == 0) break;
    out.write(block.data(), static_cast<std::streamsize>(read));
  }
  out.close();
  if (!out) return fail(ErrorCode::kIo, "cannot write '{}': is the disk full?", file.string());
  return {};
}

}  // namespace tactelier
