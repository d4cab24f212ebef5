// A line from a rig process's client.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "devices/server/rig_messages.hpp"
#include "devices/server/rig_request.hpp"
#include "libcalib/json_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto request = tactelier::parse_json(line, "request");
  if (!request) return 0;
  const auto what = tactelier::rig::check_request(*request);
  namespace messages = tactelier::rig::messages;
  if (!what) (void)tactelier::canonical(messages::error_answer(what.error()));
  // The same bytes as another version's answers and news: read, never trusted.
  (void)messages::status_in(*request);
  (void)messages::news_in(*request);
  (void)messages::record_order_in(*request);
  (void)messages::jog_in(*request);
  return 0;
}
