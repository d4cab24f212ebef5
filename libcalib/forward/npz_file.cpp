#include "libcalib/forward/npz_file.hpp"

#include <zip.h>

#include <array>
#include <bit>
#include <cassert>
#include <memory>

#include "libcalib/import/formats/zip_archive.hpp"

namespace tactelier {
namespace {

static_assert(std::endian::native == std::endian::little, "members are written as they lie");

constexpr std::size_t kAlignment = 64;                   // of the data, as NumPy writes it
constexpr std::size_t kMagic = 8;                        // bytes before the header's length
constexpr zip_uint16_t kFirstDosDate = (1U << 5U) | 1U;  // 1 January 1980

std::string shape_text(std::span<const std::size_t> shape) {
  std::string text;
  for (const auto extent : shape) text += fmt::format("{},", extent);
  return text;
}

/// Of a .npy of version 1.0.
std::string npy_header(std::string_view type, std::span<const std::size_t> shape) {
  auto dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type,
                                shape_text(shape));
  const std::size_t fixed = kMagic + 2 + 1;  // magic, length, line end
  dictionary.append((kAlignment - (fixed + dictionary.size()) % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", kMagic);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8U);
  return header + dictionary;
}

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

}  // namespace

template <class T>
void NpzWriter::add_as(std::string name, std::string_view type, std::span<const T> values,
                       std::span<const std::size_t> shape) {
  std::size_t count = 1;
  for (const auto extent : shape) count *= extent;
  assert(count == values.size());
  auto bytes = npy_header(type, shape);
  const auto raw = std::as_bytes(values);
  bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size());
  members_.push_back({std::move(name) + ".npy", std::move(bytes)});
}

void NpzWriter::add(std::string name, std::span<const float> values,
                    std::span<const std::size_t> shape) {
  add_as(std::move(name), "<f4", values, shape);
}

void NpzWriter::add(std::string name, std::span<const double> values,
                    std::span<const std::size_t> shape) {
  add_as(std::move(name), "<f8", values, shape);
}

void NpzWriter::add(std::string name, std::span<const std::int64_t> values) {
  const std::array shape{values.size()};
  add_as(std::move(name), "<i8", values, shape);
}

void NpzWriter::add(std::string name, std::string_view text) {
  members_.push_back({std::move(name) + ".npy",
                      npy_header(fmt::format("|S{}", text.size()), {}) + std::string(text)});
}

Result<void> NpzWriter::write(const std::filesystem::path& file) const {
  auto partial = file;
  partial += ".partial";
  const auto refused = [&](std::string_view why) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    return fail(ErrorCode::kIo, "{}: can't be written: {}", file.string(), why);
  };
  int error = 0;
  std::unique_ptr<zip_t, Discard> archive(
      zip_open(partial.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) return refused("its folder can't be written to");
  for (const auto& member : members_) {
    auto* const source =
        zip_source_buffer(archive.get(), member.bytes.data(), member.bytes.size(), 0);
    const auto index = zip_file_add(archive.get(), member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      return refused(zip_strerror(archive.get()));
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    // No date: the same arrays are the same bytes.
    zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, kFirstDosDate, 0);
  }
  if (zip_close(archive.get()) != 0) return refused(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closed
  std::error_code failed;
  std::filesystem::rename(partial, file, failed);
  return failed ? refused(failed.message()) : Result<void>{};
}

Result<std::string> npz_bytes(const std::filesystem::path& file, const std::string& name) {
  const auto archive = ZipArchive::open(file, file.filename().string());
  if (!archive) return fail(archive.error());
  if (!archive->has(name + ".npy"))
    return fail(ErrorCode::kInvalidInput, "{}: holds no '{}'", file.filename().string(), name);
  const auto bytes = archive->read(name + ".npy");
  if (!bytes) return fail(bytes.error());
  const auto end = bytes->find('\n');
  if (end == std::string::npos)
    return fail(ErrorCode::kInvalidInput, "{}: '{}' is no array of NumPy", file.filename().string(),
                name);
  return bytes->substr(end + 1);
}

}  // namespace tactelier
