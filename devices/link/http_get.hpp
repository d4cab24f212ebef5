#pragma once
// Just enough HTTP for a device's own web page: one GET, one answer, HTTP/1.0 so that the answer
// ends with the connection and never comes in chunks.

#include <string>
#include <string_view>

#include "devices/link/connector.hpp"

namespace tactelier::devices {

/// `server`: "http://192.168.1.1" or "http://192.168.1.1:8080". The body of the answer. Fails with
/// kUsage on another kind of address, kIo or kTimeout when the server can't be reached or stops in
/// the middle, kProtocol on an answer that isn't 200, isn't HTTP or is longer than `most_bytes`.
Result<std::string> http_get(const Connector& connect, std::string_view server,
                             std::string_view path, Timeout timeout,
                             std::size_t most_bytes = 65536);

}  // namespace tactelier::devices
