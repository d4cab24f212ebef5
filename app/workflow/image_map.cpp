#include "app/workflow/image_map.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = 4U << 20U;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEdge = 1e-9;  // of a cell: rounding, not displacement

Result<void> check_order(const json& document, const std::string& where) {
  if (!document.contains("tactels")) return {};
  for (const char* key : {"first_row", "first_column", "transposed"})
    if (document.contains(key))
      return fail(ErrorCode::kInvalidInput,
                  "{}: give 'tactels' or '{}', not both: the one says what the other does", where,
                  key);
  return {};
}

std::vector<std::vector<std::optional<int>>> tactels_of(const json& document) {
  std::vector<std::vector<std::optional<int>>> rows;
  if (!document.contains("tactels")) return rows;
  for (const auto& row : document["tactels"]) {
    auto& cells = rows.emplace_back();
    for (const auto& cell : row)
      cells.push_back(cell.is_null() ? std::optional<int>() : cell.get<int>());
  }
  return rows;
}

Result<std::vector<double>> by_tactels(const ImageMap& map, const ImageFile& image,
                                       const ImageLayout::Grid& sensor) {
  const auto& file = image.layout.grids.front();
  const int count = sensor.rows * sensor.columns;
  if (static_cast<int>(map.tactels.size()) != file.rows)
    return fail(ErrorCode::kInvalidInput, "{}: tactels has {} rows, the image {}", map.where,
                map.tactels.size(), file.rows);
  std::vector<double> values(static_cast<std::size_t>(count), kNan);
  std::vector<bool> named(values.size(), false);
  for (int row = 0; row < file.rows; ++row) {
    const auto& cells = map.tactels[static_cast<std::size_t>(row)];
    if (static_cast<int>(cells.size()) != file.columns)
      return fail(ErrorCode::kInvalidInput, "{}: tactels, row {}: {} numbers, the image has {}",
                  map.where, row, cells.size(), file.columns);
    for (int column = 0; column < file.columns; ++column) {
      const auto tactel = cells[static_cast<std::size_t>(column)];
      if (!tactel) continue;
      if (*tactel >= count)
        return fail(ErrorCode::kInvalidInput, "{}: tactels, row {}: the sensor has no tactel {}",
                    map.where, row, *tactel);
      const auto at = static_cast<std::size_t>(*tactel);
      if (named[at])
        return fail(ErrorCode::kInvalidInput, "{}: tactels names tactel {} twice", map.where,
                    *tactel);
      named[at] = true;
      values[at] = image.values[file.at(row, column)];
    }
  }
  return values;
}

Result<std::vector<double>> by_orientation(const ImageMap& map, const ImageFile& image,
                                           const ImageLayout::Grid& sensor) {
  const auto& file = image.layout.grids.front();
  const int rows = map.transposed ? file.columns : file.rows;
  const int columns = map.transposed ? file.rows : file.columns;
  if (rows != sensor.rows || columns != sensor.columns)
    return fail(ErrorCode::kInvalidInput,
                "{}: the simulator's image comes out as {} x {} tactels, the recorded one has "
                "{} x {}",
                map.where, rows, columns, sensor.rows, sensor.columns);
  std::vector<double> values;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int r = map.from_top ? rows - 1 - row : row;
      const int c = map.from_right ? columns - 1 - column : column;
      values.push_back(image.values[map.transposed ? file.at(c, r) : file.at(r, c)]);
    }
  return values;
}

/// Between the centres of four cells.
double between(const std::vector<double>& values, const ImageLayout::Grid& grid, double row,
               double column) {
  const auto r0 = static_cast<int>(std::floor(row)), c0 = static_cast<int>(std::floor(column));
  double sum = 0;
  for (int r = r0; r <= r0 + 1; ++r)
    for (int c = c0; c <= c0 + 1; ++c) {
      const double weight = (1 - std::abs(row - r)) * (1 - std::abs(column - c));
      const bool there = r >= 0 && r < grid.rows && c >= 0 && c < grid.columns;
      if (weight < kEdge || !there) continue;
      sum += weight * values[static_cast<std::size_t>(r * grid.columns + c)];
    }
  return sum;
}

std::vector<double> displaced(const ImageMap& map, const std::vector<double>& values,
                              const ImageLayout::Grid& grid, double pitch_x_m, double pitch_y_m) {
  const double cos = std::cos(map.rz_rad), sin = std::sin(map.rz_rad);
  const double middle_row = (grid.rows - 1) / 2.0, middle_column = (grid.columns - 1) / 2.0;
  std::vector<double> moved;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const double x_m = (column - middle_column) * pitch_x_m - map.x_m;
      const double y_m = (row - middle_row) * pitch_y_m - map.y_m;
      moved.push_back(between(values, grid, (-sin * x_m + cos * y_m) / pitch_y_m + middle_row,
                              (cos * x_m + sin * y_m) / pitch_x_m + middle_column));
    }
  return moved;
}

}  // namespace

Result<ImageUnit> parse_image_unit(const std::string& unit, const std::string& where) {
  using Kind = ImageUnit::Kind;
  if (unit == "counts") return ImageUnit{Kind::kCounts, 1};
  if (unit == "counts above rest") return ImageUnit{Kind::kAboveRest, 1};
  const auto found = parse_unit(unit);
  if (!found || found->quantity != Quantity::kForce)
    return fail(ErrorCode::kInvalidInput,
                "{}: '{}' is no unit of an image: give N, mN or another force, counts, or counts "
                "above rest",
                where, unit);
  return ImageUnit{Kind::kForce, found->to_si};
}

Result<ImageMap> read_image_map(const std::filesystem::path& file) {
  const auto text = read_text_file(file, kMostBytes);
  if (!text) return fail(text.error());
  ImageMap map;
  map.where = file.filename().string();
  const auto document = parse_json(*text, map.where);
  if (!document) return fail(document.error());
  if (auto known = check_format(*document, "tactelier/image-map", 1, map.where); !known)
    return fail(known.error());
  if (auto valid = check_schema(*document, "image-map", map.where); !valid)
    return fail(valid.error());
  if (auto order = check_order(*document, map.where); !order) return fail(order.error());
  const auto unit = parse_image_unit(document->at("unit").get<std::string>(), map.where);
  if (!unit) return fail(unit.error());
  map.unit = *unit;
  if (document->contains("measured_unit")) {
    const auto measured =
        parse_image_unit(document->at("measured_unit").get<std::string>(), map.where);
    if (!measured) return fail(measured.error());
    map.measured_unit = *measured;
  }
  map.from_top = document->value("first_row", "bottom") == "top";
  map.from_right = document->value("first_column", "left") == "right";
  map.transposed = document->value("transposed", false);
  map.tactels = tactels_of(*document);
  map.x_m = mm_to_m(document->value("x_mm", 0.0));
  map.y_m = mm_to_m(document->value("y_mm", 0.0));
  map.rz_rad = deg_to_rad(document->value("rz_deg", 0.0));
  return map;
}

Result<std::vector<double>> mapped(const ImageMap& map, const ImageFile& image,
                                   const ImageLayout::Grid& sensor, double pitch_x_m,
                                   double pitch_y_m) {
  auto values =
      map.tactels.empty() ? by_orientation(map, image, sensor) : by_tactels(map, image, sensor);
  if (!values) return values;
  for (auto& value : *values) value *= map.unit.to_si;
  if (!map.displaced()) return values;
  if (!(pitch_x_m > 0 && pitch_y_m > 0))
    return fail(ErrorCode::kInvalidInput,
                "{}: x_mm, y_mm and rz_deg need the distance between tactels: give --pitch or "
                "--model",
                map.where);
  return displaced(map, *values, sensor, pitch_x_m, pitch_y_m);
}

}  // namespace tactelier
