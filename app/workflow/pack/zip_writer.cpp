#include "app/workflow/pack/zip_writer.hpp"

#include <zip.h>

namespace tactelier {
namespace {

// What the format begins with: 1980-01-01 00:00.
constexpr zip_uint16_t kFirstDate = (1U << 5U) | 1U;

void tell(zip_t* /*archive*/, double done, void* job) {
  static_cast<const Job*>(job)->progress("write the archive", done, 1);
}
int is_stopped(zip_t* /*archive*/, void* job) { return static_cast<const Job*>(job)->stopped(); }

}  // namespace

void ZipWriter::Discard::operator()(zip* archive) const { zip_discard(archive); }

Result<ZipWriter> ZipWriter::create(const std::filesystem::path& file) {
  int error = 0;
  zip_t* const archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_EXCL, &error);
  if (!archive) return fail(ErrorCode::kIo, "cannot write '{}'", file.string());
  return ZipWriter(archive);
}

Result<void> ZipWriter::add(const std::string& member, zip_source* source, bool packed) {
  auto* const archive = archive_.get();
  const auto index =
      source == nullptr ? -1 : zip_file_add(archive, member.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return fail(ErrorCode::kIo, "cannot pack '{}': {}", member, zip_strerror(archive));
  }
  const auto at = static_cast<zip_uint64_t>(index);
  zip_set_file_compression(archive, at, packed ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
  zip_file_set_dostime(archive, at, 0, kFirstDate, 0);
  zip_file_set_external_attributes(archive, at, 0, ZIP_OPSYS_UNIX, 0100644U << 16U);
  return {};
}

Result<void> ZipWriter::add_file(const std::string& member, const std::filesystem::path& file,
                                 bool packed) {
  return add(member, zip_source_file(archive_.get(), file.c_str(), 0, 0), packed);
}

Result<void> ZipWriter::add_text(const std::string& member, const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));  // libzip frees it
  std::copy(text.begin(), text.end(), copy);
  return add(member, zip_source_buffer(archive_.get(), copy, text.size(), 1), false);
}

Result<void> ZipWriter::write(const Job& job) {
  auto* const archive = archive_.get();
  auto* const state = const_cast<Job*>(&job);
  zip_register_progress_callback_with_state(archive, 0.01, tell, nullptr, state);
  zip_register_cancel_callback_with_state(archive, is_stopped, nullptr, state);
  if (zip_close(archive) != 0) {
    if (job.stopped()) return Job::cancelled();
    return fail(ErrorCode::kIo, "cannot write the archive: {}", zip_strerror(archive));
  }
  (void)archive_.release();
  return {};
}

}  // namespace tactelier
