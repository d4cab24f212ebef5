// One table in every format, written by the format's own program (tables/make_tables.py): what
// import reads is that table, and what is no table of it is named.
#include "libcalib/import/plain_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "libcalib/import/guess/table.hpp"
#include "tests/libcalib/import/import_fixture.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::filesystem::path kTables = paths::source_dir() + "/tests/libcalib/import/formats/tables";

class TableFormats : public ::testing::Test {
 protected:
  /// What a file becomes, looked at as text.
  LookedAt look(const std::filesystem::path& file) {
    const auto name = file.filename().string();
    auto plain = PlainTables::of({{file, name, {}}}, {}, scratch_.path(), {});
    EXPECT_TRUE(plain.has_value()) << (plain ? "" : plain.error().message);
    if (!plain) return {};
    warnings_ = plain->warnings();
    const auto looked = look_at(plain->tables().front(), {});
    EXPECT_TRUE(looked.has_value()) << (looked ? "" : looked.error().message);
    return looked.value_or(LookedAt{});
  }

  std::string refusal(const std::filesystem::path& file) {
    const auto plain =
        PlainTables::of({{file, file.filename().string(), {}}}, {}, scratch_.path(), {});
    EXPECT_FALSE(plain.has_value());
    return plain ? "" : plain.error().message;
  }

  std::string left_out() const { return warnings_.empty() ? "" : warnings_.front().text; }

  test_support::ScratchFolder scratch_;
  Warnings warnings_;
};

std::vector<std::string> names(const LookedAt& looked) {
  std::vector<std::string> all;
  for (const auto& column : looked.columns) all.push_back(column.name);
  return all;
}

/// t = k/100 s, force = 2 - |k - 20|/10 N, tactel i reads 100 i + 7 k.
void expect_the_table(const LookedAt& looked) {
  ASSERT_EQ(looked.columns.size(), 6U);
  ASSERT_EQ(looked.rows, 40U);
  for (std::size_t k = 0; k < 40; ++k) {
    const auto at = static_cast<int>(k);
    EXPECT_DOUBLE_EQ(looked.columns[0].values[k], at / 100.0);
    EXPECT_NEAR(looked.columns[1].values[k], 2 - std::abs(at - 20) / 10.0, 1e-9);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(looked.columns[2 + static_cast<std::size_t>(i)].values[k], 100 * i + 7 * at);
  }
}

TEST_F(TableFormats, ReadsNumPysArrays) {
  for (const auto* file : {"whole.npy", "fortran.npy", "big_endian.npy", "single.npy"}) {
    SCOPED_TRACE(file);
    expect_the_table(look(kTables / file));
    EXPECT_EQ(left_out(), "");
  }
  const auto record = look(kTables / "record.npy");
  EXPECT_THAT(names(record), ElementsAre("t", "force", "c0", "c1", "c2", "c3"));
  expect_the_table(record);
}

TEST_F(TableFormats, AnArrayWithoutNamesTakesThoseThatAreGiven) {
  const std::vector<std::string> given{"t_s", "force_N", "a", "b", "c", "d"};
  const TableFile file{kTables / "whole.npy", "whole.npy", {}};
  const auto plain = PlainTables::of({file}, given, scratch_.path(), {});
  ASSERT_TRUE(plain.has_value()) << plain.error().message;
  EXPECT_EQ(names(look_at(plain->tables().front(), {}).value()), given);
  const auto few = PlainTables::of({file}, std::span(given).first(2), scratch_.path(), {});
  ASSERT_FALSE(few.has_value());
  EXPECT_THAT(few.error().message, HasSubstr("has 6 columns"));
  const TableFile named{kTables / "record.npy", "record.npy", {}};
  EXPECT_FALSE(PlainTables::of({named}, given, scratch_.path(), {}).has_value());
}

TEST_F(TableFormats, LaysTheAxesOfFramesOutByTheLastOne) {
  const auto frames = look(kTables / "frames.npy");
  EXPECT_THAT(names(frames),
              ElementsAre("frames_0", "frames_1", "frames_2", "frames_3", "frames_4", "frames_5"));
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_EQ(frames.columns[k].values[7], 42 + static_cast<double>(k));
}

TEST_F(TableFormats, JoinsTheArraysOfAnArchiveThatHaveAsManyRows) {
  const auto table = look(kTables / "arrays.npz");
  EXPECT_THAT(names(table),
              ElementsAre("t", "force", "tactile_0", "tactile_1", "tactile_2", "tactile_3"));
  expect_the_table(table);
  EXPECT_EQ(left_out(), "not part of the table: remark: text; gains: 84 x 1 numbers");
}

TEST_F(TableFormats, ReadsMatlabsMatricesAndThoseInAStruct) {
  const auto table = look(kTables / "struct.mat");
  // Its tactile array lies across, 4 x 40.
  EXPECT_THAT(names(table),
              ElementsAre("t", "force", "tactile_0", "tactile_1", "tactile_2", "tactile_3"));
  expect_the_table(table);
  EXPECT_THAT(left_out(), HasSubstr("press.serial: text; press.images: 3 dimensions"));
  expect_the_table(look(kTables / "version4.mat"));
}

TEST_F(TableFormats, ReadsDatasetsAndRecordsOfHdf5) {
  const auto groups = look(kTables / "groups.h5");
  EXPECT_EQ(groups.columns.size(), 6U);
  EXPECT_THAT(names(groups), ::testing::Contains("force"));
  EXPECT_EQ(left_out(), "not part of the table: array/remark: no numbers");
  const auto records = look(kTables / "records.h5");
  ASSERT_EQ(records.columns.size(), 6U);
  EXPECT_THAT(names(records),
              ::testing::UnorderedElementsAre("t", "force", "c0", "c1", "c2", "c3"));
}

TEST_F(TableFormats, ReadsTheSheetThatHasATable) {
  const auto book = look(kTables / "book.xlsx");
  EXPECT_THAT(names(book), ElementsAre("t", "force", "c0", "c1", "c2", "c3"));
  EXPECT_EQ(book.rows, 40U);
  EXPECT_TRUE(std::isnan(book.columns[3].values[6]));  // D10, below the header in line 3
  EXPECT_EQ(book.columns[3].values[7], 149);
  EXPECT_EQ(left_out(), "not part of the table: c1: text in D10; sheet 'Plan'");
  expect_the_table(look(kTables / "book.ods"));
}

TEST_F(TableFormats, RefusesWhatIsNoTable) {
  EXPECT_THAT(refusal(kTables / "objects.npy"), HasSubstr("(objects: Python objects); save"));
  EXPECT_THAT(refusal(scratch_.write("empty.npy", "")), HasSubstr("is not a NumPy file"));
  EXPECT_THAT(refusal(scratch_.write("text.xlsx", "t,F\n1,2\n")), HasSubstr(".xlsx"));
  EXPECT_THAT(refusal(scratch_.write("text.mat", "t,F\n1,2\n")), HasSubstr("MATLAB"));
  EXPECT_THAT(refusal(scratch_.write("text.h5", "t,F\n1,2\n")), HasSubstr("HDF5"));
  EXPECT_THAT(refusal(kTables / "promised.h5"), HasSubstr("rows: cannot be read"));
  EXPECT_THAT(refusal(scratch_.write("text.npz", "t,F\n1,2\n")), HasSubstr(".npz"));
  std::ifstream in(kTables / "whole.npy", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (const std::size_t bytes : {7U, 40U, 127U, 300U})
    EXPECT_FALSE(refusal(scratch_.write("cut.npy", whole.substr(0, bytes))).empty()) << bytes;
}

TEST_F(TableFormats, LeavesNothingBehind) {
  look(kTables / "whole.npy");
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_F(TableFormats, ImportsTheSameAsTheTextDoes) {
  const auto map = scratch_.write("map.json", R"({"format": "tactelier/map", "version": 1,
    "sensor": {"rows": 2, "columns": 2, "pitch_x_mm": 3, "pitch_y_mm": 3}, "row_is": "sample",
    "columns": {"t": "t", "force": "force", "c0": "tactel 0", "c1": "tactel 1", "c2": "tactel 2",
      "c3": "tactel 3"},
    "units": {"t": "s", "force": "N"}})");
  std::string text = "t,force,c0,c1,c2,c3\n";
  for (int k = 0; k < 40; ++k)
    text += fmt::format("{},{},{},{},{},{}\n", k / 100.0, std::round(20 - std::abs(k - 20)) / 10,
                        7 * k, 100 + 7 * k, 200 + 7 * k, 300 + 7 * k);
  const auto streams = [&](const std::filesystem::path& table) {
    const auto target = scratch_ / "out.tact", folder = scratch_ / "out";
    const auto report = import_table(table, map, target, {.overwrite = true}, {});
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    EXPECT_TRUE(unpack_to_folder(target, folder, {}).has_value());
    std::string all;
    for (const auto* stream : {"force.csv", "tactile.csv"}) {
      std::ifstream in(folder / stream);
      all.append(std::istreambuf_iterator<char>(in), {});
    }
    std::filesystem::remove_all(folder);
    return all;
  };
  const auto as_text = streams(scratch_.write("table.csv", text));
  EXPECT_GT(as_text.size(), 1000U);
  EXPECT_EQ(as_text, streams(kTables / "record.npy"));
}

}  // namespace
}  // namespace tactelier
