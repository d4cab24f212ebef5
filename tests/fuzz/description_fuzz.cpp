// Descriptions of boards.
#include "devices/framed/frame_description.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  (void)parse_device_description(
      std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "fuzz.json");
  return 0;
}
