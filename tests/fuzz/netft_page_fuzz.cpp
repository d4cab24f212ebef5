// The Net F/T box's web page.
#include "devices/ati/netft_config.hpp"
#include "devices/link/link.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  (void)parse_netft_config(
      std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return 0;
}
