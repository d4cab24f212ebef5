#include "libcalib/import/rule_rows.hpp"

#include <algorithm>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// "10" and "10.0" are the same.
std::string as_key(std::string_view cell) {
  const auto text = trimmed(cell);
  const auto number = parse_decimal(text);
  return number ? fmt::format("{}", number->value()) : std::string(text);
}

std::size_t place_of(std::span<const std::string> names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

bool holds(const EventRule::Condition& condition, std::string_view cell) {
  const auto key = as_key(cell);
  const auto same = [&](const std::string& wanted) { return as_key(wanted) == key; };
  if (!condition.cells.empty())
    return std::any_of(condition.cells.begin(), condition.cells.end(), same);
  const auto number = parse_decimal(trimmed(cell));
  return number && (!condition.below || number->value() < *condition.below) &&
         (!condition.above || number->value() > *condition.above);
}

/// A number where the text is one.
json as_value(const std::string& text) {
  const auto number = parse_decimal(trimmed(text));
  if (!number) return text;
  const double value = number->value();
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? json(whole) : json(value);
}

Result<json> filled(const json& value, const FileWords& words) {
  if (value.is_string()) {
    const auto text = fill_in(value.get_ref<const std::string&>(), words);
    if (!text) return fail(text.error());
    return *text == value.get_ref<const std::string&>() ? value : as_value(*text);
  }
  if (!value.is_object() && !value.is_array()) return value;
  json copy = value;
  for (auto& member : copy) {
    auto inner = filled(member, words);
    if (!inner) return inner;
    member = std::move(*inner);
  }
  return copy;
}

}  // namespace

void RuleRows::begin(const TableFile& table, std::span<const std::string> names) {
  table_ = &table;
  names_.assign(names.begin(), names.end());
  where_.clear();
  by_.clear();
  for (const auto& condition : rule_.where) where_.push_back(place_of(names, condition.column));
  for (const auto& column : rule_.by) by_.push_back(place_of(names, column));
  words_ = table.words;
  const auto own =
      rule_.files.empty() ? std::optional(FileWords{}) : match_file_name(rule_.files, table.name);
  file_fits_ = own.has_value();
  if (own) words_.insert(own->begin(), own->end());
  open_ = -1;
}

bool RuleRows::chosen(std::uint64_t line, std::span<const std::string_view> cells) const {
  if (!file_fits_) return false;
  const auto in = [line](const auto& range) { return line >= range.first && line <= range.second; };
  if (!rule_.lines.empty() && std::none_of(rule_.lines.begin(), rule_.lines.end(), in))
    return false;
  for (std::size_t i = 0; i < where_.size(); ++i)
    if (!holds(rule_.where[i], cells[where_[i]])) return false;
  return true;
}

std::string RuleRows::key_of(std::span<const std::string_view> cells) const {
  auto key = table_->name;
  for (const auto column : by_) key += '\0' + as_key(cells[column]);
  return key;
}

Result<std::string> RuleRows::data_of(std::span<const std::string_view> cells) const {
  if (rule_.data.find('{', 1) == rule_.data.npos) return rule_.data;
  auto words = words_;
  for (std::size_t i = 0; i < names_.size(); ++i)
    words.emplace(names_[i], std::string(trimmed(cells[i])));
  const auto data = filled(json::parse(rule_.data), words);
  if (!data) return fail(data.error(), rule_.where_in_map + ": data");
  return data->dump();
}

Result<std::int64_t> RuleRows::event_of(std::uint64_t line, std::span<const std::string_view> cells,
                                        const std::string& place) {
  if (!chosen(line, cells)) {
    open_ = -1;
    return kMissing;
  }
  const auto key = by_.empty() && open_ >= 0 ? open_key_ : key_of(cells);
  if (open_ >= 0 && key == open_key_) return open_;
  const auto known = in_order_ ? by_key_.end() : by_key_.find(key);
  if (known == by_key_.end()) {
    auto data = data_of(cells);
    if (!data) return fail(data.error(), place);
    open_ = static_cast<std::int64_t>(data_.size());
    data_.push_back({std::move(*data), place});
    by_key_[key] = open_;
  } else {
    open_ = known->second;
  }
  open_key_ = key;
  return open_;
}

}  // namespace tactelier
