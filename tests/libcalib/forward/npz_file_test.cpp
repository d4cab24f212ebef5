// What NumPy's format says a file holds, byte by byte, and read again by the importer.
#include "libcalib/forward/npz_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "libcalib/import/formats/format_readers.hpp"
#include "libcalib/import/formats/zip_archive.hpp"

namespace tactelier {
namespace {

std::filesystem::path written(const NpzWriter& npz) {
  const auto file = std::filesystem::path(testing::TempDir()) / "arrays.npz";
  const auto done = npz.write(file);
  EXPECT_TRUE(done) << done.error().message;
  return file;
}

TEST(NpzFile, IsWhatNumPyWrites) {
  NpzWriter npz;
  npz.add("images", std::array{1.0F, 2.0F, 3.0F, 4.5F}, std::array<std::size_t, 3>{1, 2, 2});
  const auto archive = ZipArchive::open(written(npz), "arrays.npz");
  ASSERT_TRUE(archive);
  const auto bytes = archive->read("images.npy").value();
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[8])) +
                      256 * static_cast<std::size_t>(static_cast<unsigned char>(bytes[9]));
  EXPECT_EQ((10 + length) % 64, 0U);
  EXPECT_TRUE(bytes.substr(10).starts_with(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,2,2,), }"));
  EXPECT_EQ(bytes[9 + length], '\n');
  ASSERT_EQ(bytes.size(), 10 + length + 16);
  float last = 0;
  std::memcpy(&last, bytes.data() + 10 + length + 12, sizeof last);
  EXPECT_EQ(last, 4.5F);
}

TEST(NpzFile, IsReadByTheImporter) {
  NpzWriter npz;
  npz.add("load_N", std::array{0.5, 1.25}, std::array<std::size_t, 1>{2});
  npz.add("row", std::array<std::int64_t, 2>{7, 8});
  npz.add("unit", "counts");
  const auto file = written(npz);
  const auto read = read_npz(file, "arrays.npz");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->arrays.size(), 2U);
  EXPECT_EQ(read->arrays[0].values, (std::vector{0.5, 1.25}));
  EXPECT_EQ(read->arrays[1].values, (std::vector{7.0, 8.0}));
  EXPECT_EQ(npz_bytes(file, "unit").value(), "counts");
  EXPECT_FALSE(npz_bytes(file, "nothing"));
}

TEST(NpzFile, LeavesNothingWhereItCanNotBeWritten) {
  const auto nowhere = std::filesystem::path(testing::TempDir()) / "no folder" / "a.npz";
  const auto done = NpzWriter().write(nowhere);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kIo);
  EXPECT_FALSE(std::filesystem::exists(nowhere.parent_path()));
}

}  // namespace
}  // namespace tactelier
