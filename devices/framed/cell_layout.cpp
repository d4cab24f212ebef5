// Key "cells" of a device description: which reading of a frame is which cell's.

#include <algorithm>

#include "devices/framed/description_reading.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

/// The grid that a board sends, of which the cells are the part from row and column on.
struct SentGrid {
  std::size_t rows = 0, columns = 0, row = 0, column = 0;
};

SentGrid grid_of(const json& object, const TactileShape& shape) {
  const auto* sent = get_member(object, "sent");
  if (sent == nullptr)
    return {static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.columns), 0, 0};
  const auto number = [&](const char* key) {
    return static_cast<std::size_t>(get_int(*sent, key).value_or(0));
  };
  return {number("rows"), number("columns"), number("first_row"), number("first_column")};
}

/// For each cell's channels the numbers of their readings, by order, serpentine and flips.
std::vector<std::size_t> readings_in_order(const json& cells, const SentGrid& grid,
                                           const TactileShape& shape) {
  const auto flag = [&](const char* key) {
    const auto* member = get_member(cells, key);
    return member != nullptr && member->get<bool>();
  };
  const bool by_columns = get_text(cells, "order") == "columns";
  const auto channels = static_cast<std::size_t>(shape.channels);
  std::vector<std::size_t> from;
  for (std::size_t row = grid.row; row < grid.row + static_cast<std::size_t>(shape.rows); ++row)
    for (std::size_t column = grid.column;
         column < grid.column + static_cast<std::size_t>(shape.columns); ++column) {
      const auto y = flag("flip_y") ? grid.rows - 1 - row : row;
      const auto x = flag("flip_x") ? grid.columns - 1 - column : column;
      const auto line = by_columns ? x : y, length = by_columns ? grid.rows : grid.columns;
      auto along = by_columns ? y : x;
      if (flag("serpentine") && line % 2 == 1) along = length - 1 - along;
      for (std::size_t channel = 0; channel < channels; ++channel)
        from.push_back((line * length + along) * channels + channel);
    }
  return from;
}

/// Each reading once; which are left out nobody asks where more are sent than there are cells.
Result<void> check_from(const std::vector<std::size_t>& from, const DeviceDescription& device,
                        const DescriptionPlace& place) {
  auto sorted = from;
  std::sort(sorted.begin(), sorted.end());
  const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (from.size() == device.shape.size() && !twice && sorted.back() < device.sent()) return {};
  if (device.sent() == device.shape.size())
    return place.bad("cells.from", "each of 0 to {} exactly once expected", device.sent() - 1);
  return place.bad("cells.from", "{} of 0 to {} expected, none more than once", device.shape.size(),
                   device.sent() - 1);
}

}  // namespace

Result<void> read_cells(const json& object, DeviceDescription& device,
                        const DescriptionPlace& place) {
  auto& shape = device.shape;
  shape.rows = object.at("rows").get<int>();
  shape.columns = object.at("columns").get<int>();
  shape.channels = get_int(object, "channels").value_or(1);
  device.cells = field_in(object);
  device.stride = static_cast<std::size_t>(
      get_int(object, "stride").value_or(static_cast<int>(size_of(device.cells.type))));
  device.tactel_stride = static_cast<std::size_t>(
      get_int(object, "tactel_stride").value_or(static_cast<int>(device.stride) * shape.channels));
  device.bits = get_int(object, "bits").value_or(0);
  device.high_bits_first = get_text(object, "first_bits") == "high";
  device.inverted_from = get_number(object, "inverted_from");
  const auto grid = grid_of(object, shape);
  if (grid.row + static_cast<std::size_t>(shape.rows) > grid.rows ||
      grid.column + static_cast<std::size_t>(shape.columns) > grid.columns)
    return place.bad("cells.sent", "{} x {} cells from row {} and column {} on aren't in {} x {}",
                     shape.rows, shape.columns, grid.row, grid.column, grid.rows, grid.columns);
  const auto sent = grid.rows * grid.columns * static_cast<std::size_t>(shape.channels);
  if (sent * std::max(device.stride, device.tactel_stride) > kLongestFrame)
    return place.bad("cells", "more than {} bytes", kLongestFrame);
  device.unwired = sent - shape.size();
  device.sent_rows = grid.rows;
  const auto* given = get_member(object, "from");
  device.from = given != nullptr ? given->get<std::vector<std::size_t>>()
                                 : readings_in_order(object, grid, shape);
  return check_from(device.from, device, place);
}

}  // namespace tactelier::devices
