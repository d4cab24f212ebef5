#pragma once
// Checksums of the small rows of a .tact file, the same for writer and reader: CRC-32 over the
// cells in their order, without the checksum itself.

#include <cstdint>
#include <optional>
#include <string_view>

#include "libcalib/session/events.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

std::int64_t meta_checksum(std::string_view key, std::string_view value);
/// Covers the stream's rows of `column_info`, too.
std::int64_t stream_checksum(const StreamInfo& stream);
std::int64_t event_checksum(std::int64_t id, const Event& event);
std::int64_t tally_checksum(std::int64_t id, std::int64_t rows, std::int64_t chunks);
std::int64_t edit_checksum(std::int64_t id, const Edit& edit);

/// "exclude", "include", "contact", "note".
std::string_view edit_kind_name(Edit::Kind kind);
std::optional<Edit::Kind> edit_kind_from(std::string_view name);

}  // namespace tactelier
