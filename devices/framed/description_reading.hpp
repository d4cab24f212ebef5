#pragma once
// What the parts of a device description have in common when they are read.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "devices/framed/frame_description.hpp"

namespace tactelier::devices {

/// Where in the description something doesn't make sense: "board.json: frame.sync: marks are
/// needed".
struct DescriptionPlace {
  std::string where;
  template <class... Args>
  tl::unexpected<Error> bad(std::string_view key, fmt::format_string<Args...> text,
                            Args&&... args) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}: {}", where, key,
                fmt::format(text, std::forward<Args>(args)...));
  }
};

Result<Bytes> bytes_at(const nlohmann::json& object, const char* key,
                       const DescriptionPlace& place);
FrameField field_in(const nlohmann::json& object);

/// Key "cells".
Result<void> read_cells(const nlohmann::json& object, DeviceDescription& device,
                        const DescriptionPlace& place);

/// Key "frame", after "cells".
Result<void> read_frame_layout(const nlohmann::json& object, DeviceDescription& device,
                               const DescriptionPlace& place);

/// Keys "wrench" and "status", after "cells" and "frame".
Result<void> read_force_sensor(const nlohmann::json& document, DeviceDescription& device,
                               const DescriptionPlace& place);

/// Whether readings, fields and check lie within frames of a known length.
Result<void> check_places(const DeviceDescription& device, const DescriptionPlace& place);

}  // namespace tactelier::devices
