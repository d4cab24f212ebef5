#include "libcalib/session/schema_rows.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "libcalib/session/checksum.hpp"
#include "libcalib/session/chunk_record.hpp"

namespace tactelier {
namespace {

constexpr std::array<std::pair<Edit::Kind, std::string_view>, 4> kEditKinds{{
    {Edit::Kind::kExclude, "exclude"},
    {Edit::Kind::kInclude, "include"},
    {Edit::Kind::kContact, "contact"},
    {Edit::Kind::kNote, "note"},
}};

}  // namespace

std::int64_t meta_checksum(std::string_view key, std::string_view value) {
  return Checksum().add(key).add(value).value();
}

std::int64_t stream_checksum(const StreamInfo& stream) {
  Checksum crc;
  crc.add(stream_id(stream.kind)).add(to_string(stream.kind));
  crc.add(static_cast<std::int64_t>(stream.columns.size()));
  for (const auto& column : stream.columns)
    crc.add(std::string_view(column.name)).add(std::string_view(column.unit)).add(column.scale);
  return crc.value();
}

std::int64_t event_checksum(std::int64_t id, const Event& event) {
  return Checksum()
      .add(id)
      .add(event.t_s.mantissa)
      .add(std::int64_t{event.t_s.exponent})
      .add(std::string_view(event.name))
      .add(std::string_view(event.data))
      .value();
}

std::int64_t tally_checksum(std::int64_t id, std::int64_t rows, std::int64_t chunks) {
  return Checksum().add(id).add(rows).add(chunks).value();
}

std::int64_t edit_checksum(std::int64_t id, const Edit& edit) {
  return Checksum()
      .add(id)
      .add(std::string_view(edit.time))
      .add(std::string_view(edit.author))
      .add(edit_kind_name(edit.kind))
      .add(std::int64_t{edit.press})
      .add(std::isnan(edit.contact_s) ? std::nan("") : edit.contact_s)  // one of the many NaNs
      .add(std::string_view(edit.note))
      .value();
}

std::string_view edit_kind_name(Edit::Kind kind) {
  for (const auto& [value, name] : kEditKinds)
    if (value == kind) return name;
  return {};
}

std::optional<Edit::Kind> edit_kind_from(std::string_view name) {
  for (const auto& [value, text] : kEditKinds)
    if (text == name) return value;
  return std::nullopt;
}

}  // namespace tactelier
