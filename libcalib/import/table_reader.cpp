#include "libcalib/import/table_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/import/number_rows.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kIgnored = std::numeric_limits<std::size_t>::max();

}  // namespace

TableReader::TableReader(const TableMap& map, bool in_order) : map_(map) {
  for (const auto& rule : map.events) rules_.emplace_back(rule, in_order);
}

void TableReader::put(TableRow& row, std::size_t entry, const Decimal& number) {
  row.mantissas[entry] = number.mantissa;
  row.exponents[entry] = static_cast<std::int8_t>(number.exponent);
}

tl::unexpected<Error> TableReader::bad(std::string_view what) const {
  return fail(ErrorCode::kInvalidInput, "{}: {}", csv_->place(), what);
}

Result<void> TableReader::open(const TableFile& table, ImportProgress& progress) {
  auto blocks = LineBlocks::open(table.path, table.name, &progress);
  if (!blocks) return fail(blocks.error());
  csv_.emplace(std::move(*blocks), table.delimiter.value_or(map_.delimiter), table.header_line);
  csv_->allow_lines_between();
  names_.clear();
  entries_.clear();
  is_time_.clear();
  scales_.clear();
  if (const auto header = read_header(); !header) return header;
  if (!opened_) first_constant_ = targets_.size();
  constants_.clear();
  for (const auto& constant : map_.constants) {
    const auto number = constant_in(constant, table);
    if (!number) return fail(number.error());
    constants_.push_back(*number);
    if (!opened_) targets_.push_back(constant.target);
  }
  opened_ = true;
  for (auto& rule : rules_) rule.begin(table, names_);
  return {};
}

Result<void> TableReader::read_header() {
  const auto first = csv_->next();
  if (!first) return fail(first.error());
  if (!*first)
    return fail(ErrorCode::kInvalidInput, "{}: only blank lines; a header is needed",
                csv_->blocks().name());
  std::vector<std::string> names;
  for (const auto cell : csv_->cells()) {
    if (const auto text = check_text(cell, csv_->place()); !text) return text;
    names.emplace_back(trimmed(cell));
  }
  for (const auto& [name, target] : map_.columns)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return fail(ErrorCode::kInvalidInput, "{}: column '{}', which the map names, is missing{}",
                  csv_->place(), name, did_you_mean(name, names));
  for (const auto& name : names)
    if (const auto added = add_column(name); !added) return added;
  return {};
}

Result<void> TableReader::add_column(const std::string& name) {
  const auto found = map_.columns.find(name);
  if (found == map_.columns.end())
    return bad(
        fmt::format("column '{}' is not in the map; map it, or map it to 'ignore'", shown(name)));
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    return bad(fmt::format("column '{}' is there twice", name));
  names_.push_back(name);
  const auto& target = found->second;
  is_time_.push_back(target.kind == MapTarget::Kind::kTime);
  const auto scale = map_.scales.find(name);
  scales_.push_back(scale == map_.scales.end() ? nullptr : &scale->second);
  if (target.kind == MapTarget::Kind::kIgnore) {
    entries_.push_back(kIgnored);
    return {};
  }
  if (!opened_) targets_.push_back(target);
  entries_.push_back(entry_of(target.text));
  return {};
}

/// A target comes once in a map.
std::size_t TableReader::entry_of(const std::string& text) {
  const auto found = std::find_if(targets_.begin(), targets_.end(),
                                  [&](const MapTarget& target) { return target.text == text; });
  return static_cast<std::size_t>(found - targets_.begin());
}

Result<void> TableReader::read_cells(TableRow& row) {
  const auto cells = csv_->cells();
  if (cells.size() != names_.size())
    return bad(fmt::format("{} cells, but the header has {} columns: the row is too {}",
                           cells.size(), names_.size(),
                           cells.size() < names_.size() ? "short" : "long"));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (entries_[i] == kIgnored) continue;
    std::string why;
    auto number = read_table_number(cells[i], why);
    if (!number) return bad(fmt::format("column '{}': {}", names_[i], why));
    if (scales_[i] != nullptr) number = scales_[i]->of(*number);
    put(row, first_entry() + entries_[i], *number);
    if (is_time_[i]) put(row, TableRow::kTime, *number);
  }
  for (std::size_t i = 0; i < constants_.size(); ++i)
    put(row, first_entry() + first_constant_ + i, constants_[i]);
  return {};
}

Result<bool> TableReader::next(TableRow& row) {
  const auto more = csv_->next();
  if (!more || !*more) return more;
  row.mantissas.assign(width(), 0);
  row.exponents.assign(width(), 0);
  if (const auto read = read_cells(row); !read) return fail(read.error());
  if (map_.static_readings) put(row, TableRow::kTime, {rows_, 0});
  if (map_.rate_hz)
    put(row, TableRow::kTime, {std::llround(static_cast<double>(rows_) * 1e9 / *map_.rate_hz), -9});
  if (row.mantissas[TableRow::kTime] == kMissing) return bad("the time stamp is missing");
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const auto event = rules_[i].event_of(csv_->line(), csv_->cells(), csv_->place());
    if (!event) return fail(event.error());
    row.mantissas[TableRow::kFirstRule + i] = *event;
  }
  ++rows_;
  return true;
}

}  // namespace tactelier
