#include "libcalib/forward/image_file.hpp"

#include <png.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 64U << 20U;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string csv_text(const ImageFile& image) {
  std::string text;
  const auto& grid = image.layout.grids.front();
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const double value = image.values[grid.at(row, column)];
      if (!std::isnan(value)) text += fmt::format("{:.7g}", value);
      text += column + 1 < grid.columns ? ',' : '\n';
    }
  return text;
}

std::string json_text(const ImageFile& image) {
  const auto& grid = image.layout.grids.front();
  auto rows = json::array();
  for (int row = 0; row < grid.rows; ++row) {
    auto cells = json::array();
    for (int column = 0; column < grid.columns; ++column) {
      const double value = image.values[grid.at(row, column)];
      cells.push_back(std::isnan(value) ? json(nullptr) : json(value));
    }
    rows.push_back(std::move(cells));
  }
  return json{{"format", "tactelier/image"},
              {"version", 1},
              {"unit", image.unit},
              {"pitch_x_mm", m_to_mm(image.pitch_x_m)},
              {"pitch_y_mm", m_to_mm(image.pitch_y_m)},
              {"values", rows}}
             .dump(1) +
         "\n";
}

Result<std::string> png_bytes(const ImageFile& image, std::optional<double> white) {
  const auto& grid = image.layout.grids.front();
  double brightest = white.value_or(0);
  if (!white)
    for (const double value : image.values)
      if (value > brightest) brightest = value;
  std::vector<unsigned char> pixels;
  for (int row = grid.rows - 1; row >= 0; --row)
    for (int column = 0; column < grid.columns; ++column) {
      const double value = image.values[grid.at(row, column)];
      const double grey = value > 0 && brightest > 0 ? std::min(1.0, value / brightest) : 0;
      pixels.push_back(static_cast<unsigned char>(std::lround(255 * grey)));
    }
  png_image picture{};
  picture.version = PNG_IMAGE_VERSION;
  picture.width = static_cast<png_uint_32>(grid.columns);
  picture.height = static_cast<png_uint_32>(grid.rows);
  picture.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  if (png_image_write_get_memory_size(picture, size, 0, pixels.data(), 0, nullptr) == 0)
    return fail(ErrorCode::kIo, "the picture could not be made: {}", picture.message);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&picture, bytes.data(), &size, 0, pixels.data(), 0, nullptr) == 0)
    return fail(ErrorCode::kIo, "the picture could not be made: {}", picture.message);
  bytes.resize(size);
  return bytes;
}

/// A cell of a table; NaN when it is empty.
std::optional<double> number_of(std::string_view cell) {
  constexpr std::string_view kBlank = " \t\r";
  while (!cell.empty() && kBlank.find(cell.front()) != kBlank.npos) cell.remove_prefix(1);
  while (!cell.empty() && kBlank.find(cell.back()) != kBlank.npos) cell.remove_suffix(1);
  if (cell.empty()) return kNone;
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || stop != cell.data() + cell.size() || !std::isfinite(value)) return {};
  return value;
}

Result<ImageFile> parse_csv(std::string_view text, std::string_view where) {
  ImageFile image;
  int rows = 0, columns = 0;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() || line == "\r") continue;
    ++rows;
    int cells = 0;
    for (bool more = true; more; ++cells) {
      const auto cell = line.substr(0, line.find(','));
      more = cell.size() < line.size();
      line.remove_prefix(cell.size() + (more ? 1 : 0));
      const auto value = number_of(cell);
      if (!value)
        return fail(ErrorCode::kInvalidInput, "{}:{}: '{}' is no number", where, rows,
                    cell.substr(0, 40));
      image.values.push_back(*value);
    }
    if (rows > 1 && cells != columns)
      return fail(ErrorCode::kInvalidInput, "{}:{}: {} columns, the rows before have {}", where,
                  rows, cells, columns);
    columns = cells;
  }
  if (rows == 0) return fail(ErrorCode::kInvalidInput, "{}: holds no image", where);
  image.layout = ImageLayout::of_grid(rows, columns, 0, 0);
  return image;
}

Result<ImageFile> parse_image(std::string_view text, std::string_view where) {
  const auto document = parse_json(text, where);
  if (!document) return fail(document.error());
  if (auto known = check_format(*document, "tactelier/image", 1, where); !known)
    return fail(known.error());
  if (auto valid = check_schema(*document, "image", where); !valid) return fail(valid.error());
  ImageFile image;
  image.unit = document->at("unit").get<std::string>();
  image.pitch_x_m = mm_to_m(document->value("pitch_x_mm", 0.0));
  image.pitch_y_m = mm_to_m(document->value("pitch_y_mm", 0.0));
  const auto& rows = document->at("values");
  for (const auto& row : rows) {
    if (row.size() != rows.front().size())
      return fail(ErrorCode::kInvalidInput, "{}: values: rows of {} and of {} numbers", where,
                  rows.front().size(), row.size());
    for (const auto& cell : row)
      image.values.push_back(cell.is_null() ? kNone : cell.get<double>());
  }
  image.layout =
      ImageLayout::of_grid(static_cast<int>(rows.size()), static_cast<int>(rows.front().size()),
                           image.pitch_x_m, image.pitch_y_m);
  return image;
}

}  // namespace

Result<ImageFile> image_of(const SensorDescription& sensor, std::vector<double> values,
                           std::string_view unit) {
  if (sensor.arrays.size() != 1)
    return fail(ErrorCode::kUsage, "image files hold one array, the sensor has {}",
                sensor.arrays.size());
  const auto& array = sensor.arrays.front();
  return ImageFile{ImageLayout::of(sensor), array.pitch_x_m, array.pitch_y_m, std::move(values),
                   std::string(unit)};
}

Result<void> write_image(const ImageFile& image, std::optional<double> white,
                         const std::filesystem::path& file) {
  const auto ending = file.extension();
  if (ending == ".csv") return write_text_file(file, csv_text(image));
  if (ending == ".json") return write_text_file(file, json_text(image));
  if (ending != ".png")
    return fail(ErrorCode::kUsage, "'{}': an image's name ends in .csv, .json or .png",
                file.string());
  const auto bytes = png_bytes(image, white);
  if (!bytes) return fail(bytes.error());
  return write_text_file(file, *bytes);
}

Result<ImageFile> read_image(const std::filesystem::path& file) {
  const auto ending = file.extension();
  if (ending != ".csv" && ending != ".json")
    return fail(ErrorCode::kUsage, "'{}': images are read from .csv or .json", file.string());
  const auto text = read_text_file(file, kMaxBytes);
  if (!text) return fail(text.error());
  const auto where = file.filename().string();
  return ending == ".csv" ? parse_csv(*text, where) : parse_image(*text, where);
}

}  // namespace tactelier
