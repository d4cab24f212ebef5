// A line from a rig process's client.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "devices/server/rig_request.hpp"
#include "libcalib/json_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto request = tactelier::parse_json(line, "request");
  if (!request) return 0;
  const auto what = tactelier::rig::check_request(*request);
  if (!what) (void)tactelier::canonical(tactelier::rig::error_answer(what.error()));
  return 0;
}
