#include "libcalib/import/stream_header.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxColumns = 65536;

struct KnownColumn {
  std::string_view name;
  std::optional<Quantity> quantity;  // none: a bare number
};

constexpr KnownColumn kTime{"t", Quantity::kTime};
constexpr KnownColumn kHostTime{"t_host", Quantity::kTime};
constexpr KnownColumn kSequence{"seq", std::nullopt};

/// Columns in the order in which they are stored. For tactile and aux only those around the
/// readings.
std::vector<KnownColumn> known_columns(StreamKind kind) {
  const KnownColumn status{"status", std::nullopt};
  switch (kind) {
    case StreamKind::kForce:
      return {kTime,
              {"Fx", Quantity::kForce},
              {"Fy", Quantity::kForce},
              {"Fz", Quantity::kForce},
              {"Tx", Quantity::kTorque},
              {"Ty", Quantity::kTorque},
              {"Tz", Quantity::kTorque},
              kHostTime,
              kSequence,
              status};
    case StreamKind::kStage:
      return {kTime,
              {"x", Quantity::kLength},
              {"y", Quantity::kLength},
              {"z", Quantity::kLength},
              {"z_enc", Quantity::kLength},
              kHostTime};
    case StreamKind::kTactile:
      return {kTime, kHostTime, kSequence};
    case StreamKind::kAux:
      break;
  }
  return {kTime, kHostTime};
}

class HeaderReader {
 public:
  HeaderReader(StreamKind kind, const SensorDescription& sensor, std::string_view place)
      : kind_(kind), sensor_(sensor), place_(place), known_(known_columns(kind)) {
    if (kind == StreamKind::kTactile)
      for (int tactel = 0; tactel < sensor.tactels(); ++tactel)
        for (int channel = 0; channel < sensor.channels; ++channel)
          tactels_.emplace(tactel_column(tactel, channel, sensor.channels), tactels_.size());
  }

  Result<StreamHeader> read(std::span<const std::string_view> cells) {
    if (cells.size() > kMaxColumns)
      return fail(ErrorCode::kInvalidInput, "{}: {} columns; at most {} are understood", place_,
                  cells.size(), kMaxColumns);
    for (const auto cell : cells)
      if (const auto added = add(cell); !added) return fail(added.error());
    if (!seen_.contains("t"))
      return fail(ErrorCode::kInvalidInput, "{}: column 't[s]' is missing{}", place_,
                  separator_hint(cells));
    if (readings_ == 0)
      return fail(ErrorCode::kInvalidInput, "{}: there is no column of readings", place_);
    if (const auto complete = check_tactels(); !complete) return fail(complete.error());
    return ordered();
  }

 private:
  tl::unexpected<Error> bad(std::string_view cell, std::string_view what) const {
    return fail(ErrorCode::kInvalidInput, "{}: column '{}': {}", place_, shown(cell), what);
  }

  Result<void> add(std::string_view cell) {
    if (const auto text = check_text(cell, place_); !text) return text;
    const auto [name, unit] = split_header_cell(cell);
    if (name.empty()) return bad(cell, "a column needs a name");
    auto rank = place_in_order(cell, name, unit);
    if (!rank) return fail(rank.error());
    if (!seen_.emplace(std::string(name), 0).second) return bad(cell, "is there twice");
    header_.info.columns.push_back({std::string(name), std::string(unit)});
    header_.labels.emplace_back(trimmed(cell));
    ranks_.push_back(*rank);
    return {};
  }

  /// Where the column goes: t first, readings next, then t_host, seq, status.
  Result<std::size_t> place_in_order(std::string_view cell, std::string_view name,
                                     std::string_view unit) {
    constexpr std::size_t kBehind = 2 * kMaxColumns;
    const bool open = kind_ == StreamKind::kTactile || kind_ == StreamKind::kAux;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (known_[i].name != name) continue;
      const auto fits = check_unit(cell, unit, known_[i].quantity);
      if (!fits) return fail(fits.error());
      if (name != "t" && known_[i].quantity && name != "t_host") ++readings_;
      return i == 0 ? 0 : open ? kBehind + i : i;
    }
    if (kind_ == StreamKind::kTactile) return tactel_rank(cell, name, unit);
    if (kind_ != StreamKind::kAux) return unknown(cell, name);
    if (unit.empty())
      return bad(cell, fmt::format("its unit is missing; write '{}[degC]', or '{}[counts]' for a "
                                   "bare number",
                                   shown(name), shown(name)));
    if (const auto known = parse_unit(unit); !known) return bad(cell, known.error().message);
    return 1 + readings_++;
  }

  Result<std::size_t> tactel_rank(std::string_view cell, std::string_view name,
                                  std::string_view unit) {
    const auto found = tactels_.find(std::string(name));
    if (found == tactels_.end()) {
      const bool tactel = name.find_first_not_of("0123456789.xyz") == name.npos;
      return tactel ? bad(cell, fmt::format("the sensor has no such tactel; {}", layout()))
                    : unknown(cell, name);
    }
    if (!unit.empty()) {
      const auto known = parse_unit(unit);
      if (!known) return bad(cell, known.error().message);
      if (known->quantity == Quantity::kTime)
        return bad(cell, "a reading can't be a time; leave the unit out for raw counts");
    }
    ++readings_;
    return 1 + found->second;
  }

  Result<void> check_unit(std::string_view cell, std::string_view unit,
                          std::optional<Quantity> quantity) const {
    if (!quantity)
      return unit.empty() ? Result<void>{} : bad(cell, "takes no unit; it is a bare number");
    if (unit.empty())
      return bad(cell, fmt::format("its unit is missing; write it in brackets, one of {}",
                                   unit_symbols(*quantity)));
    const auto known = parse_unit(unit);
    if (known && known->quantity == *quantity) return {};
    return bad(cell,
               fmt::format("unit '{}' is not one of {}", shown(unit), unit_symbols(*quantity)));
  }

  Result<std::size_t> unknown(std::string_view cell, std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& column : known_) names.emplace_back(column.name);
    return bad(cell, fmt::format("{}.csv has no such column{}; other readings belong in aux.csv",
                                 to_string(kind_), did_you_mean(name, names)));
  }

  std::string layout() const {
    const int channels = sensor_.channels;
    const auto& name = sensor_.name.empty() ? sensor_.model : sensor_.name;
    return fmt::format("{} has {} tactels, {} to {}",
                       name.empty() ? "it" : fmt::format("'{}'", name), sensor_.tactels(),
                       tactel_column(0, 0, channels),
                       tactel_column(sensor_.tactels() - 1, channels - 1, channels));
  }

  Result<void> check_tactels() const {
    if (kind_ != StreamKind::kTactile || readings_ == tactels_.size()) return {};
    std::string first;
    std::size_t least = tactels_.size();
    for (const auto& [name, rank] : tactels_)
      if (rank < least && !seen_.contains(name)) {
        least = rank;
        first = name;
      }
    return fail(ErrorCode::kInvalidInput, "{}: column '{}' is missing ({} of {} are there); {}",
                place_, first, readings_, tactels_.size(), layout());
  }

  static std::string separator_hint(std::span<const std::string_view> cells) {
    if (cells.size() == 1 && cells[0].find_first_of(";\t") != std::string_view::npos)
      return "; columns are separated by commas, numbers have decimal points";
    return "";
  }

  StreamHeader ordered() {
    const auto columns = header_.info.columns.size();
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return ranks_[a] < ranks_[b]; });
    StreamHeader header{{kind_, {}}, std::vector<std::size_t>(columns), header_.labels};
    for (std::size_t slot = 0; slot < columns; ++slot) {
      header.slots[order[slot]] = slot;
      header.info.columns.push_back(header_.info.columns[order[slot]]);
    }
    return header;
  }

  StreamKind kind_;
  const SensorDescription& sensor_;
  std::string_view place_;
  std::vector<KnownColumn> known_;
  std::unordered_map<std::string, std::size_t> tactels_;
  std::unordered_map<std::string, int> seen_;
  std::vector<std::size_t> ranks_;
  std::size_t readings_ = 0;
  StreamHeader header_;
};

}  // namespace

NameAndUnit split_header_cell(std::string_view cell) {
  cell = trimmed(cell);
  const auto bracket = cell.rfind('[');
  if (!cell.ends_with(']') || bracket == cell.npos) return {cell, {}};
  return {trimmed(cell.substr(0, bracket)),
          trimmed(cell.substr(bracket + 1, cell.size() - bracket - 2))};
}

Result<StreamHeader> read_stream_header(StreamKind kind, std::span<const std::string_view> cells,
                                        const SensorDescription& sensor, std::string_view place) {
  return HeaderReader(kind, sensor, place).read(cells);
}

std::string header_cell(const ColumnInfo& column) {
  return column.unit.empty() ? column.name : fmt::format("{}[{}]", column.name, column.unit);
}

std::string tactel_column(int tactel, int channel, int channels) {
  if (channels == 1) return fmt::format("{}", tactel);
  if (channels > 3) return fmt::format("{}.{}", tactel, channel);
  return fmt::format("{}.{}", tactel, "xyz"[channel]);
}

}  // namespace tactelier
