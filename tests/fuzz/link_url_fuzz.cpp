// URLs of devices.
#include "devices/link/link.hpp"
#include "devices/link/link_url.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  (void)parse_link_url(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return 0;
}
